#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A storm has no gap: at an emulated 10 Gbit/s, where an XOFF holds for 3.355 ms,
# at least 99.9 % of its time is covered. Computed here from a capture at the far
# side by the frames' own timers, and the module's proof must say the same. And a
# storm that can't be gapless is not said to be. In virtual time, as a busy host
# can take longer than an XOFF holds.
#
#   storm, sendframe - t1 (port) ======= t2 (port) - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"
. "$selftests/lib/storm.sh"

virtual_only

RATE=10000000000
# gapless WORDS PRIO: so says the module
gapless()
{
	ok "$1: covered by $(proof "$2" coverage)" \
		jq -n -e "$(proof "$2" covered_ns) >= 0.999 * $(proof "$2" requested_ns)"
	is "$1: no XOFF has run out" "$(proof "$2" lapses)" 0
}

# agrees WORDS PRIO: the capture with the proof, and it is gapless by both. What
# the capture is short of is the time that the first frame takes to come.
agrees()
{
	local saw

	saw=$(seen "$2")
	gapless "$1" "$2"
	ok "$1: the capture, too: $saw" jq -n -e --argjson saw "$saw" '
		$saw.held >= 0.999 * $saw.ns'
	ok "$1: it lasts as long as asked" jq -n -e --argjson saw "$saw" \
		--argjson asked "$(proof "$2" requested_ns)" \
		'($saw.held - $asked | fabs) < 50000'
	is "$1: as many XOFFs" "$(proof "$2" xoffs)" "$(jq .xoffs <<<"$saw")"
	ok "$1: the longest time between two: $(proof "$2" interval_max_ns)" \
		jq -n -e --argjson saw "$saw" \
		--argjson max "$(proof "$2" interval_max_ns)" \
		'($saw.longest - $max | fabs) < 20000'
}

frames_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 2s frames
	heard
	is "frames: 2 s were asked for" "$(proof 3 requested_ns)" 2000000000
	agrees "frames" 3
	is "frames: one XON, the last" "$(seen 3 | jq .xons)" 1
	is "frames: the neighbour has been paused once" \
		"$(prio_stat t2 3 pauses)" 1
	ok "frames: for 2 s: $(prio_stat t2 3 paused_total_ns) ns" \
		[ "$(prio_stat t2 3 paused_total_ns)" -ge 1998000000 ]
	is "frames: no other priority" "$(prio_stat t2 4 pauses)" 0
}

# Half of the time there is no storm, and that time isn't asked for.
duty_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 1s frames \
		duty 10ms/10ms
	heard
	is "duty: half of it was asked for" "$(proof 3 requested_ns)" 500000000
	gapless "duty" 3
	is "duty: an XON for each turn" "$(seen 3 | jq .xons)" 50
	ok "duty: held for half of the time: $(seen 3)" jq -n -e --argjson saw \
		"$(seen 3)" '($saw.held / $saw.ns - 500 / 990 | fabs) < 0.001'
}

# Two ports storm against each other, several priorities each.
many_ok()
{
	local prio

	rdmafault pause t2 prio 3,4 storm for 3s persist frames
	listen t2 'ether proto 0x8808'
	storm t1 prio 0,3,7 storm for 1s frames
	heard
	for prio in 0 3 7; do
		agrees "priority $prio of three" $prio
	done
	is "a priority that has none: no frame" "$(xoffs 4 | wc -l)" 0
	rdmafault --json pause show t2 |
		jq '[.[0].prio[] | .prio as $p | .storm | select(.) | .prio = $p]' \
		>"$tmp/storm"
	gapless "the other port's at the same time" 3
	gapless "and its other priority" 4
	rdmafault pause t2 stop
}

# Packets of priorities 3 and 4, one of each every 10 ms, until $tmp/trickle goes. By
# one program, for the clock may leap by seconds while another is started; its
# socket has room for what is held of them meanwhile.
trickle()
{
	local round

	round=$(prio_frame 3; prio_frame 4; echo +10000)
	while [ -e "$tmp/trickle" ]; do
		echo "$round"
	done | sendframe t1
}

# passed DSCP: how many have come
passed()
{
	tcpdump -r "$tmp/seen" -n "ip[1] = $(($1 * 4))" 2>/dev/null | wc -l
}

passed_more()
{
	[ "$(passed "$1")" -gt "$2" ]
}

# longest_gap DSCP: microseconds in which none came, but for the first ten: while
# a program's pages are read for the first time, nothing is due
longest_gap()
{
	tcpdump -r "$tmp/seen" -tt -n "ip[1] = $(($1 * 4))" 2>/dev/null | awk '
		NR > 10 && $1 - last > longest { longest = $1 - last }
		{ last = $1 }
		END { printf "%d\n", longest * 1000000 }'
}

# The gate alone, by quanta: no frame is seen, and no packet either.
gate_ok()
{
	listen t2 ip
	touch "$tmp/trickle"
	trickle &
	wait_until 10 passed_more 24 20
	storm t1 prio 3 storm for 2s quanta 65535
	wait_until 10 passed_more 24 "$(passed 24)"
	rm "$tmp/trickle"
	wait $!
	capture_end
	gapless "gate" 3
	ok "gate: nothing passes for $(longest_gap 24) us" \
		[ "$(longest_gap 24)" -ge 1999000 ]
	ok "gate: another priority passes, $(longest_gap 32) us at most" \
		[ "$(longest_gap 32)" -lt 1000000 ]
	is "gate: the neighbour isn't paused" \
		"$(rdmafault --json prio show t2 | jq '[.[0].prio[] | select(.paused)] | length')" 0
}

# One quantum is 51 ns then; nobody renews XOFF as often as that.
not_gapless_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 20ms frames quanta 1
	heard
	ok "one quantum: there are lapses: $(proof 3 lapses)" \
		[ "$(proof 3 lapses)" -ge 100 ]
	ok "one quantum: it isn't said to be covered: $(proof 3 coverage)" \
		jq -n -e "$(proof 3 coverage) < 0.1"
	ok "one quantum: nor does the capture say so: $(seen 3)" \
		jq -n -e --argjson saw "$(seen 3)" '$saw.held < 0.1 * $saw.ns'
}

storm_link $RATE
frames_ok
duty_ok
many_ok
gate_ok
not_gapless_ok
