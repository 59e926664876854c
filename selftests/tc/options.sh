#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The link of a port by tc and its plugin: said, shown, changed under way, felt,
# counted, and refused. The plugin is found where tc has its own.
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

# shown: the options as text
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
	is "help names every option" \
		"$(tc qdisc add dev t1 root rdmafault help 2>&1 | grep -oE '\[ [a-z]+' | cut -c3- | xargs)" \
		"rate delay jitter overhead seed"
}

says_and_shows_ok()
{
	local text="rate 1.5gbit delay 10us jitter 1.5us overhead 38 seed 7"

	ok "all options are taken" \
		add rate 1500mbit delay 10us jitter 1500ns overhead 38 seed 7
	is "and shown" "$(shown)" "$text"
	is "and in JSON" "$(tc -j qdisc show dev t1 root | jq -c '.[0].options')" \
		'{"delay_ns":10000,"jitter_ns":1500,"overhead":38,"rate_bps":1500000000,"seed":7}'
	del
	# shellcheck disable=SC2086 # what was shown is several words
	ok "what is shown is taken again" add $text
	is "and means the same" "$(shown)" "$text"
	del
	add rate 10Gbit
	is "case matters as little as to tc" "$(option rate_bps)" 10000000000
	del
	add
	is "a port that has been told nothing shows nothing" "$(shown)" ""
	del
}

same_as_link_ok()
{
	add rate 100mbit delay 10us
	is "rdmafault link shows what tc has said" \
		"$(rdmafault --json link show t1 | jq -c '.[0] | [.rate, .delay_ns]')" \
		"[100000000,10000]"
	rdmafault link set t1 rate 200mbit jitter 5us
	is "and tc what rdmafault link has said" \
		"$(shown)" "rate 200mbit delay 10us jitter 5us overhead 24 seed 0"
	del
}

changes_what_is_given_ok()
{
	add rate 100mbit delay 10us
	ok "one option changes" change delay 20us
	is "and no other" "$(option rate_bps) $(option delay_ns)" "100000000 20000"
	ok "a rate can be taken back" change rate none
	is "and the delay stays" "$(option rate_bps) $(option delay_ns)" "null 20000"
	ok "replace changes, too" tc qdisc replace dev t1 root rdmafault rate 1gbit
	is "and no more than is given" \
		"$(option rate_bps) $(option delay_ns)" "1000000000 20000"
	del
}

keeps_port_ok()
{
	local id

	add
	id=$(rule t1 tx qp 5 observe)
	change rate 1gbit
	is "a change leaves the port and its rules" \
		"$(rdmafault --json rule show t1 | jq '.[0].id')" "$id"
	del
}

# p50: nanoseconds that a packet takes from t1 to t2
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
	ok "packets take the delay longer ($without ns, $with ns)" \
		[ $((with - without)) -ge 190000000 ]
	ok "and no more when it is taken back" [ "$(p50)" -lt 190000000 ]
	del
}

# by_tc, by_us: all counters of the priorities that both have
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

# A queue that is paused, with a packet in it that waits no longer than the
# max-hold, and one that isn't
counts_ok()
{
	local stats ours

	add rate 1mbit
	rdmafault port set t1 max-hold 20s
	rdmafault prio set t1 prio-limit 5:1p
	rdmafault pause t1 prio 3,5 storm for 60s persist
	rdmafault pause t1 prio 6 xoff quanta 1
	sendframe t1 < <(prio_frame 3; prio_frame 4; prio_frame 5; prio_frame 5)
	ok "a packet waits" wait_until "$soon" held_back
	stats=$(by_tc)
	ours=$(by_us "$stats")
	is "eight priorities with all that is counted" \
		"$(jq -c 'map(length) | [length, min >= 22]' <<<"$stats")" '[8,true]'
	is "the same as rdmafault prio says" \
		"$(jq -c 'map(del(.paused_total_ns))' <<<"$stats")" \
		"$(jq -c 'map(del(.paused_total_ns))' <<<"$ours")"
	is "who has sent, who waits, who is paused, what was dropped" \
		"$(jq -c '[.[3, 4, 5, 6] | [.packets, .backlog, .full, .paused, .xoff_tx]]' <<<"$stats")" \
		'[[0,1,0,true,0],[1,0,0,false,0],[0,1,1,true,0],[0,0,0,false,1]]'
	ok "the time of the pause is told" \
		[ "$(jq '.[3].paused_total_ns' <<<"$stats")" -gt 0 ]
	ok "text has a line for each that has something to tell" grep -qx \
		' prio 6 xoff_tx 1' <(tc -s qdisc show dev t1 root)
	is "and no other" "$(tc -s qdisc show dev t1 root | grep -c '^ prio ')" 4
	del
}

bad_words_fails()
{
	add rate 1gbit
	refused "a rate of 0" "^rdmafault: rate: .*'0bit'" \
		change rate 0bit
	refused "a rate below the least" "^rdmafault: rate: .*'999kbit'" change rate 999kbit
	refused "a rate above the most" "^rdmafault: rate: .*'11tbit'" change rate 11tbit
	refused "a rate without unit" "^rdmafault: rate: .*'1000000'" change rate 1000000
	refused "a rate in bytes" "^rdmafault: rate: .*'10mbps'" change rate 10mbps
	refused "a delay that is too long" "^rdmafault: delay: .*'21s'" change delay 21s
	refused "a negative delay" "^rdmafault: delay: .*'-1us'" change delay -1us
	refused "a delay of none" "^rdmafault: delay: .*'none'" change delay none
	refused "a jitter that is too long" "^rdmafault: jitter: .*'21s'" change jitter 21s
	refused "too much overhead" "^rdmafault: overhead: .*'257'" change overhead 257
	refused "a seed that is no number" "^rdmafault: seed: .*'x'" change seed x
	refused "no value" "^rdmafault: rate: " change delay 1us rate
	refused "an option twice" "^rdmafault: rate: " change rate 1gbit rate none
	refused "an option of another qdisc" \
		"^rdmafault: .*'limit'" \
		change limit 5
	refused "the first good, the second not" "'0bit'" change delay 1us rate 0bit
	is "nothing of it has changed anything" "$(shown)" \
		"rate 1gbit delay 0ns jitter 0ns overhead 24 seed 0"
	del
}

bad_add_fails()
{
	refused "a port isn't made with a bad option" "'0bit'" add rate 0bit
	is "there is none" "$(rdmafault --json port show | jq length)" 0
}

# What tc would not send
bad_attributes_fails()
{
	python3 -c 'import socket' 2>/dev/null || { skip "attributes" "no python3"; return; }
	add rate 1gbit
	python_test "$selftests/tc/attributes.py" t1
	is "nothing of it has changed anything" "$(option rate_bps)" 1000000000
	del
}

for t in $ALL_TESTS; do
	$t
done
