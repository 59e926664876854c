#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The watchdog: what it does to a pause that doesn't end, and when. What came out
# and when is seen at the other end. In virtual time, as watchdog.sh.
#
#   sendframe - t1 (port, watchdog) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/guard.sh"

virtual_only

# Packets of the trickle come 20 ms after one another.
spaced=$((late + 20000))
# By then a storm has been detected.
detected=$(((D + P) * 1000 + late))

times_ok()
{
	ok "$1: restored" wait_until "$soon" restored
	within "$1: its detection time" $(($(counter detect_time_ns) / 1000)) \
		"$D" $((D + P)) "$late"
	within "$1: its restoration time" $(($(counter restore_time_ns) / 1000)) \
		"$R" $((R + P)) "$late"
}

forward_ok()
{
	guard forward
	send_frames "$storm" "$(prio_frame 3)
$(prio_frame 4)"
	wait_until "$soon" there 3
	is "forward: another priority doesn't wait" "$(during 100000)" 4
	within "forward: the pause is ignored from its detection on" \
		"$(held 3)" "$D" $((D + P)) "$late"
	sendframe t2 <<<"$xon"
	times_ok "forward"
	is "forward: nothing is dropped" "$(counter watchdog_dropped)" 0
}

# A packet waits until the storm is detected, one comes then, and more behind XON;
# the first of those that gets through tells when the drop ended. Another priority
# goes on meanwhile; its packet takes a millisecond.
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
	within "drop: until restoration" "$(through)" "$R" $((R + P)) $spaced
	times_ok "drop"
	is "drop: another priority goes on, and what waited never comes" \
		"$(in_order | cut -d' ' -f1-4)" "pause 000004 000005 pause"
	ok "drop: it is counted, and what came, too" \
		[ "$(counter watchdog_dropped)" -ge 3 ]
}

# Another XOFF, if a short one, and the restoration time begins anew.
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
	within "an XOFF meanwhile: from there" "$(through)" \
		"$R" $((R + P + 10)) $spaced
	is "it is the same storm" "$(counter detected)" 1
}

alert_ok()
{
	guard alert
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 3)"
	wait_until "$soon" there 2
	held_for "alert: the pause goes on" 3 599
	times_ok "alert"
	is "alert: nothing is dropped" "$(counter watchdog_dropped)" 0
}

# A pause that ends in time, again and again, is none for the watchdog; nor is
# a long one that nothing waits for.
no_storm_ok()
{
	local i

	guard drop
	for i in 1 2 3; do
		send_frames "$(pfc 8 0 0 0 "$(quanta 120)")" "$(prio_frame 3)"
		wait_until "$soon" there 2
		held_for "a short pause ($i)" 3 119
	done
	is "short pauses: nothing is detected" "$(counter detected)" 0
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "+700000
$(prio_frame 4)"
	wait_until "$soon" there 2
	is "a long one without a packet: nothing is detected" \
		"$(counter detected)" 0
	is "and nothing dropped" "$(counter watchdog_dropped)" 0
}

neighbour
forward_ok
drop_ok
rearmed_ok
alert_ok
no_storm_ok
