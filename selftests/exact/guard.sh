#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the actions of the watchdog, forward, drop and alert, on a pause that does not end. A
# capture at the other end of the link shows which packets arrive and when. The test runs in
# virtual time, where load on the host changes nothing.
#
#   sendframe - t1 (port, watchdog) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/guard.sh"

virtual_only

# A time measured with the packets of trickle() can be 20 ms too long, because these packets
# are 20 ms apart.
spaced=$((late + 20000))
# A storm must be detected within this time, in microseconds: the detection time D, one
# polling interval P, and the tolerance.
detected=$(((D + P) * 1000 + late))

times_ok()
{
	ok "$1: the storm is restored" wait_until "$soon" restored
	within "$1: detect_time_ns" $(($(counter detect_time_ns) / 1000)) \
		"$D" $((D + P)) "$late"
	within "$1: restore_time_ns" $(($(counter restore_time_ns) / 1000)) \
		"$R" $((R + P)) "$late"
}

forward_ok()
{
	guard forward
	send_frames "$storm" "$(prio_frame 3)
$(prio_frame 4)"
	wait_until "$soon" there 3
	is "forward: a packet of another priority arrives at once" "$(during 100000)" 4
	within "forward: time until the paused packet arrives" \
		"$(held 3)" "$D" $((D + P)) "$late"
	sendframe t2 <<<"$xon"
	times_ok "forward"
	is "forward: the watchdog drops no packet" "$(counter watchdog_dropped)" 0
}

# One packet is queued when the storm is detected, another one is sent after that,
# and more packets are sent after XON. The first packet that arrives shows when the
# watchdog stopped dropping. During the storm, a packet of another priority must
# arrive; sending it takes a millisecond.
drop_ok()
{
	guard drop
	send_frames "$storm" "$(prio_frame 3)
$(prio_frame 4)
+$detected
$(prio_frame 3)
$(prio_frame 4 5)
+2000
>t2
$xon
>t1
$(trickle 30 20000)"
	within "drop: time from XON until a packet arrives" "$(through)" "$R" $((R + P)) $spaced
	times_ok "drop"
	is "drop: packets of another priority arrive, the paused ones never do" \
		"$(in_order | cut -d' ' -f1-4)" "pause 000004 000005 pause"
	ok "drop: at least three dropped packets are counted" \
		[ "$(counter watchdog_dropped)" -ge 3 ]
}

# A second XOFF during the restoration time, even one with a short timer, starts the
# restoration time again.
rearmed_ok()
{
	guard drop
	send_frames "$storm" "$(prio_frame 3)
+$detected
>t2
$xon
+100000
$(pfc 8 0 0 0 "$(quanta 10)")
>t1
$(trickle 30 20000)"
	within "XOFF during restoration: time from its end until a packet arrives" "$(through)" \
		"$R" $((R + P + 10)) $spaced
	is "XOFF during restoration: the watchdog counts one storm" "$(counter detected)" 1
}

alert_ok()
{
	guard alert
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 3)"
	wait_until "$soon" there 2
	held_for "alert: the paused packet" 3 599
	times_ok "alert"
	is "alert: the watchdog drops no packet" "$(counter watchdog_dropped)" 0
}

# Repeated pauses shorter than the detection time are no storm, and neither is a long
# pause without a queued packet.
no_storm_ok()
{
	local i

	guard drop
	for i in 1 2 3; do
		send_frames "$(pfc 8 0 0 0 "$(quanta 120)")" "$(prio_frame 3)"
		wait_until "$soon" there 2
		held_for "short pause $i: the paused packet" 3 119
	done
	is "short pauses: the watchdog detects no storm" "$(counter detected)" 0
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "+700000
$(prio_frame 4)"
	wait_until "$soon" there 2
	is "long pause without a queued packet: the watchdog detects no storm" \
		"$(counter detected)" 0
	is "short pauses and a pause without packets: the watchdog drops no packet" \
		"$(counter watchdog_dropped)" 0
}

neighbour
forward_ok
drop_ok
rearmed_ok
alert_ok
no_storm_ok
