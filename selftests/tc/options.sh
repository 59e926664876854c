#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the options of the qdisc with tc and our plugin: options can be set, shown and changed,
# and have an effect. Also test the statistics, and the errors for invalid options. The plugin
# must be in tc's directory.
#
#   delayprobe - t1 (port) ======= t2 - delayprobe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/pfc.sh"
. "$selftests/lib/python.sh"

ALL_TESTS="
	help_ok
	says_and_shows_ok
	same_as_link_ok
	changes_what_is_given_ok
	keeps_port_ok
	delays_ok
	counts_ok
	bad_words_fails
	bad_add_fails
	bad_attributes_fails
"

veth_pair t1 t2

# shown: prints the options of the port as tc shows them
shown()
{
	tc qdisc show dev t1 root | sed -E 's/^qdisc rdmafault [0-9a-f]+: root refcnt [0-9]+ //; s/ *$//'
}

option()
{
	tc -j qdisc show dev t1 root | jq -r --arg key "$1" '.[0].options[$key]'
}

add()
{
	tc qdisc add dev t1 root rdmafault "$@"
}

change()
{
	tc qdisc change dev t1 root rdmafault "$@"
}

del()
{
	tc qdisc del dev t1 root
}

help_ok()
{
	is "tc help lists every option of the qdisc" \
		"$(tc qdisc add dev t1 root rdmafault help 2>&1 | grep -oE '\[ [a-z]+' | cut -c3- | xargs)" \
		"rate delay jitter overhead seed"
}

says_and_shows_ok()
{
	local text="rate 1.5gbit delay 10us jitter 1.5us overhead 38 seed 7"

	ok "tc add accepts all options" \
		add rate 1500mbit delay 10us jitter 1500ns overhead 38 seed 7
	is "tc shows all options as text" "$(shown)" "$text"
	is "tc shows all options in JSON" "$(tc -j qdisc show dev t1 root | jq -c '.[0].options')" \
		'{"delay_ns":10000,"jitter_ns":1500,"overhead":38,"rate_bps":1500000000,"seed":7}'
	del
	# shellcheck disable=SC2086 # what was shown is several words
	ok "tc accepts the options as it shows them" add $text
	is "tc shows the same options again" "$(shown)" "$text"
	del
	add rate 10Gbit
	is "units of rates are accepted in upper and lower case" "$(option rate_bps)" 10000000000
	del
	add
	is "tc shows no options for a port with defaults" "$(shown)" ""
	del
}

same_as_link_ok()
{
	add rate 100mbit delay 10us
	is "rdmafault link show prints what tc has set" \
		"$(rdmafault --json link show t1 | jq -c '.[0] | [.rate, .delay_ns]')" \
		"[100000000,10000]"
	rdmafault link set t1 rate 200mbit jitter 5us
	is "tc shows what rdmafault link has set" \
		"$(shown)" "rate 200mbit delay 10us jitter 5us overhead 24 seed 0"
	del
}

changes_what_is_given_ok()
{
	add rate 100mbit delay 10us
	ok "tc change of one option succeeds" change delay 20us
	is "tc change of one option does not change others" "$(option rate_bps) $(option delay_ns)" "100000000 20000"
	ok "tc change removes a rate with \"rate none\"" change rate none
	is "tc change \"rate none\" does not change the delay" "$(option rate_bps) $(option delay_ns)" "null 20000"
	ok "tc replace of one option succeeds" tc qdisc replace dev t1 root rdmafault rate 1gbit
	is "tc replace of one option does not change others" \
		"$(option rate_bps) $(option delay_ns)" "1000000000 20000"
	del
}

keeps_port_ok()
{
	local id

	add
	id=$(rule t1 tx qp 5 observe)
	change rate 1gbit
	is "tc change keeps the port and its rules" \
		"$(rdmafault --json rule show t1 | jq '.[0].id')" "$id"
	del
	is "tc del keeps the port and its rules" \
		"$(rdmafault --json rule show t1 | jq '.[0].id')" "$id"
	rdmafault port del t1 >/dev/null
}

# p50: prints the median of the delay from t1 to t2, in nanoseconds
p50()
{
	delayprobe 20 2000 t1 t2 | sed 's/.*\<p50=\([0-9]*\).*/\1/'
}

delays_ok()
{
	local without with

	add
	without=$(p50)
	change delay 200ms
	with=$(p50)
	change delay 0s
	# On a busy host, packets without a delay can also take many milliseconds.
	ok "packets take the delay or longer ($with ns)" [ "$with" -ge 200000000 ]
	ok "control: packets without a delay take less ($without ns)" [ "$without" -lt 190000000 ]
	ok "packets do not take longer after the delay is removed" [ "$(p50)" -lt 190000000 ]
	del
}

# by_tc, by_us: print the counters of the priorities as tc prints them (by_tc) or as rdmafault
# prints them (by_us). Both functions print only counters that both programs have.
by_tc()
{
	tc -s -j qdisc show dev t1 root | jq -c '[.[0].priorities[] |
		.paused = (.paused == 1)]'
}

by_us()
{
	rdmafault --json prio show t1 | jq -c --argjson like "$1" '
		($like[0] | keys) as $keys |
		[.[0].prio[] | with_entries(select(.key as $k | $keys | index($k)))]'
}

held_back()
{
	[ "$(tc -s -j qdisc show dev t1 root | jq '.[0].priorities[3].backlog')" = 1 ]
}

# Compare the counters that tc and rdmafault print. Some priorities are paused and have a queued
# packet; the others are not paused and have none.
counts_ok()
{
	local stats ours

	add rate 1mbit
	rdmafault port set t1 max-hold 20s
	rdmafault prio set t1 prio-limit 5:1p
	rdmafault pause t1 prio 3,5 storm for 60s persist
	rdmafault pause t1 prio 6 xoff quanta 1
	sendframe t1 < <(prio_frame 3; prio_frame 4; prio_frame 5; prio_frame 5)
	ok "control: a packet is queued" wait_until "$soon" held_back
	stats=$(by_tc)
	ours=$(by_us "$stats")
	is "tc -s shows eight priorities with at least 22 counters each" \
		"$(jq -c 'map(length) | [length, min >= 22]' <<<"$stats")" '[8,true]'
	is "tc -s and rdmafault prio show print the same counters" \
		"$(jq -c 'map(del(.paused_total_ns))' <<<"$stats")" \
		"$(jq -c 'map(del(.paused_total_ns))' <<<"$ours")"
	is "tc -s shows sent, queued, dropped and paused packets of each priority" \
		"$(jq -c '[.[3, 4, 5, 6] | [.packets, .backlog, .full, .paused, .xoff_tx]]' <<<"$stats")" \
		'[[0,1,0,true,0],[1,0,0,false,0],[0,1,1,true,0],[0,0,0,false,1]]'
	ok "tc -s shows the time of a pause" \
		[ "$(jq '.[3].paused_total_ns' <<<"$stats")" -gt 0 ]
	ok "tc -s prints a line for a priority with counters above 0" grep -qx \
		' prio 6 xoff_tx 1' <(tc -s qdisc show dev t1 root)
	is "tc -s prints no line for a priority without counters" "$(tc -s qdisc show dev t1 root | grep -c '^ prio ')" 4
	del
}

bad_words_fails()
{
	add rate 1gbit
	refused "tc refuses a rate of 0" "^rdmafault: rate \"0bit\": invalid" \
		change rate 0bit
	refused "tc refuses a rate below the minimum" "^rdmafault: rate \"999kbit\": invalid" change rate 999kbit
	refused "tc refuses a rate above the maximum" "^rdmafault: rate \"11tbit\": invalid" change rate 11tbit
	refused "tc refuses a rate without a unit" "^rdmafault: rate \"1000000\": invalid" change rate 1000000
	refused "tc refuses a rate in bytes per second" "^rdmafault: rate \"10mbps\": invalid" change rate 10mbps
	refused "tc refuses a delay that is too long" "^rdmafault: delay \"21s\": invalid" change delay 21s
	refused "tc refuses a negative delay" "^rdmafault: delay \"-1us\": invalid" change delay -1us
	refused "tc refuses \"delay none\"" "^rdmafault: delay \"none\": invalid" change delay none
	refused "tc refuses a jitter that is too long" "^rdmafault: jitter \"21s\": invalid" change jitter 21s
	refused "tc refuses an overhead that is too large" "^rdmafault: overhead \"257\": invalid" change overhead 257
	refused "tc refuses a seed that is not a number" "^rdmafault: seed \"x\": invalid" change seed x
	refused "tc refuses an option without a value" "^rdmafault: rate: " change delay 1us rate
	refused "tc refuses an option given twice" "^rdmafault: rate: " change rate 1gbit rate none
	refused "tc refuses an option of another qdisc" \
		'^rdmafault: .*"limit"' \
		change limit 5
	refused "tc refuses a valid option followed by an invalid one" '"0bit"' change delay 1us rate 0bit
	is "refused options change nothing" "$(shown)" \
		"rate 1gbit delay 0ns jitter 0ns overhead 24 seed 0"
	del
}

bad_add_fails()
{
	refused "tc refuses to add a port with an invalid option" '"0bit"' add rate 0bit
	is "no port is made with an invalid option" "$(rdmafault --json port show | jq length)" 0
}

# Test invalid options that tc itself would never send.
bad_attributes_fails()
{
	python3 -c 'import socket' 2>/dev/null || { skip "the kernel refuses invalid attributes" "no python3"; return; }
	add rate 1gbit
	python_test "$selftests/tc/attributes.py" t1
	is "refused attributes change nothing" "$(option rate_bps)" 1000000000
	del
}

for t in $ALL_TESTS; do
	$t
done
