#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the coverage of a storm: at an emulated 10 Gbit/s, where an XOFF lasts 3.355 ms,
# XOFF is in effect for at least 99.9 % of the storm. The coverage is computed from the
# timers of the frames captured at the other end, and the module must report the same. If
# XOFF is not in effect all the time, the module must report a lower coverage. The test
# runs in virtual time, because a busy host can take longer than an XOFF lasts.
#
#   storm, sendframe - t1 (port) ======= t2 (port) - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"
. "$selftests/lib/storm.sh"

virtual_only

RATE=10000000000
# gapless TITLE PRIO: run the test TITLE: the report of the module must have a coverage of
# 99.9 % or more, and no time without XOFF
gapless()
{
	ok "$1: the reported coverage is at least 99.9 % ($(proof "$2" coverage))" \
		jq -n -e "$(proof "$2" covered_ns) >= 0.999 * $(proof "$2" requested_ns)"
	is "$1: the report counts no lapse of XOFF" "$(proof "$2" lapses)" 0
}

# agrees TITLE PRIO: run the test TITLE: the capture must agree with the report of the
# module, and both must have a coverage of at least 99.9 %. The capture is shorter by the
# time that the first frame takes to arrive.
agrees()
{
	local saw

	saw=$(seen "$2")
	gapless "$1" "$2"
	ok "$1: the captured coverage is at least 99.9 % ($saw)" jq -n -e --argjson saw "$saw" '
		$saw.held >= 0.999 * $saw.ns'
	ok "$1: the captured pause differs from the requested one by less than 50 us" \
		jq -n -e --argjson saw "$saw" \
		--argjson asked "$(proof "$2" requested_ns)" \
		'($saw.held - $asked | fabs) < 50000'
	is "$1: the report counts the captured XOFFs" "$(proof "$2" xoffs)" "$(jq .xoffs <<<"$saw")"
	ok "$1: the reported longest interval ($(proof "$2" interval_max_ns) ns) is within 20 us of the captured one" \
		jq -n -e --argjson saw "$saw" \
		--argjson max "$(proof "$2" interval_max_ns)" \
		'($saw.longest - $max | fabs) < 20000'
}

frames_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 2s frames
	heard
	is "storm for 2s frames: the requested pause is 2 s" "$(proof 3 requested_ns)" 2000000000
	agrees "storm for 2s frames" 3
	is "storm for 2s frames: one XON is captured" "$(seen 3 | jq .xons)" 1
	is "storm for 2s frames: the link partner counts one pause" \
		"$(prio_stat t2 3 pauses)" 1
	ok "storm for 2s frames: the link partner is paused for 1.998 s or more ($(prio_stat t2 3 paused_total_ns) ns)" \
		[ "$(prio_stat t2 3 paused_total_ns)" -ge 1998000000 ]
	is "storm for 2s frames: the link partner counts no pause of another priority" \
		"$(prio_stat t2 4 pauses)" 0
}

# With duty 10ms/10ms the storm requests XOFF for only half of the time.
duty_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 1s frames \
		duty 10ms/10ms
	heard
	is "storm with duty 10ms/10ms: half of its time is requested" \
		"$(proof 3 requested_ns)" 500000000
	gapless "storm with duty 10ms/10ms" 3
	is "storm with duty 10ms/10ms: one XON per cycle is captured" "$(seen 3 | jq .xons)" 50
	ok "storm with duty 10ms/10ms: half of the time is paused in the capture ($(seen 3))" \
		jq -n -e --argjson saw \
		"$(seen 3)" '($saw.held / $saw.ns - 500 / 990 | fabs) < 0.001'
}

# Both ports have storms on several priorities at the same time.
many_ok()
{
	local prio

	rdmafault pause t2 prio 3,4 storm for 3s persist frames
	listen t2 'ether proto 0x8808'
	storm t1 prio 0,3,7 storm for 1s frames
	heard
	for prio in 0 3 7; do
		agrees "storm on three priorities, priority $prio" $prio
	done
	is "storm on three priorities: no frame pauses another priority" "$(xoffs 4 | wc -l)" 0
	rdmafault --json pause show t2 |
		jq '[.[0].prio[] | .prio as $p | .storm | select(.) | .prio = $p]' \
		>"$tmp/storm"
	gapless "storm of the other port at the same time, priority 3" 3
	gapless "storm of the other port at the same time, priority 4" 4
	rdmafault pause t2 stop
}

# Send a packet of priority 3 and a packet of priority 4 every 10 ms until $tmp/trickle is
# removed. One program sends all packets, because virtual time can jump by seconds while a
# program is started. The send buffer of its socket has room for the paused packets.
trickle()
{
	local round

	round=$(prio_frame 3; prio_frame 4; echo +10000)
	while [ -e "$tmp/trickle" ]; do
		echo "$round"
	done | sendframe t1
}

# passed DSCP: prints the number of captured packets
passed()
{
	tcpdump -r "$tmp/seen" -n "ip[1] = $(($1 * 4))" 2>/dev/null | wc -l
}

passed_more()
{
	[ "$(passed "$1")" -gt "$2" ]
}

# longest_gap DSCP: prints the longest time without a packet, in microseconds. The first ten
# packets are ignored: virtual time jumps while the program is loaded.
longest_gap()
{
	tcpdump -r "$tmp/seen" -tt -n "ip[1] = $(($1 * 4))" 2>/dev/null | awk '
		NR > 10 && $1 - last > longest { longest = $1 - last }
		{ last = $1 }
		END { printf "%d\n", longest * 1000000 }'
}

# A storm without frames pauses the local queue alone.
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
	gapless "storm without frames" 3
	ok "storm without frames: no packet of its priority leaves for 1.999 s ($(longest_gap 24) us)" \
		[ "$(longest_gap 24)" -ge 1999000 ]
	ok "storm without frames: packets of another priority leave (gap of $(longest_gap 32) us)" \
		[ "$(longest_gap 32)" -lt 1000000 ]
	is "storm without frames: the link partner is not paused" \
		"$(rdmafault --json prio show t2 | jq '[.[0].prio[] | select(.paused)] | length')" 0
}

# One quantum is 51 ns at this rate; XOFF cannot be renewed that often.
not_gapless_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 20ms frames quanta 1
	heard
	ok "storm with quanta 1: the report counts at least 100 lapses ($(proof 3 lapses))" \
		[ "$(proof 3 lapses)" -ge 100 ]
	ok "storm with quanta 1: the reported coverage is less than 10 % ($(proof 3 coverage))" \
		jq -n -e "$(proof 3 coverage) < 0.1"
	ok "storm with quanta 1: the captured coverage is less than 10 % ($(seen 3))" \
		jq -n -e --argjson saw "$(seen 3)" '$saw.held < 0.1 * $saw.ns'
}

storm_link $RATE
frames_ok
duty_ok
many_ok
gate_ok
not_gapless_ok
