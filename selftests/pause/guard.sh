#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The watchdog: what it does to a pause that doesn't end, and when. What came out
# and when is seen at the other end.
#
#   sendframe - t1 (port, guarded) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/guard.sh"

# Packets of the trickle come 20 ms after one another.
spaced=$((late + 20000))

times_ok()
{
	ok "$1: restored" wait_until 5 restored
	within "$1: its detection time" $(($(counter detect_time_ns) / 1000)) \
		"$D" $((D + P)) "$late"
	within "$1: its restoration time" $(($(counter restore_time_ns) / 1000)) \
		"$R" $((R + P)) "$late"
}

forward_ok()
{
	guard forward
	play "$storm" "$(prio_frame 3)
$(prio_frame 4)"
	wait_until 3 there 3
	is "forward: another priority doesn't wait" "$(during 100000)" 4
	within "forward: the pause is ignored from its detection on" \
		"$(held 3)" "$D" $((D + P)) "$late"
	sendframe t2 <<<"$xon"
	times_ok "forward"
	is "forward: nothing is dropped" "$(counter guarded)" 0
}

guards()
{
	[ "$(counter guarded)" -ge "$1" ]
}

trickle_starts()
{
	trickle 0.02
	ok "$1: what waited and what comes is dropped" wait_until 5 guards 3
}

# The first of the trickle that gets through tells when the drop ended.
drop_ok()
{
	guard drop
	play "$storm" "$(prio_frame 3)
$(prio_frame 4)"
	ok "drop: detected" wait_until 3 detected
	is "drop: another priority goes on" "$(in_order)" "pause 000004"
	trickle_starts "drop"
	sendframe t2 <<<"$xon"
	trickle_ends
	within "drop: until restoration" "$(through)" "$R" $((R + P)) $spaced
	times_ok "drop"
	is "drop: what waited never comes" \
		"$(moments "$from" | grep -c ' 000003')" 0
}

# Another XOFF, if a short one, and the restoration time begins anew.
rearmed_ok()
{
	guard drop
	play "$storm" "$(prio_frame 3)"
	wait_until 3 detected
	trickle_starts "an XOFF meanwhile"
	sendframe t2 <<<"$xon"
	read -rt 0.1 <&"$never"
	sendframe t2 <<<"$(pfc 8 0 0 0 "$(quanta 10)")"
	trickle_ends
	within "an XOFF meanwhile: from there" "$(through)" \
		"$R" $((R + P + 10)) $spaced
	is "it is the same storm" "$(counter detected)" 1
}

alert_ok()
{
	guard alert
	play "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 3)"
	wait_until 3 there 2
	held_for "alert: the pause goes on" 3 599
	times_ok "alert"
	is "alert: nothing is dropped" "$(counter guarded)" 0
}

# A pause that ends in time, again and again, is none for the watchdog; nor is
# a long one that nothing waits for.
no_storm_ok()
{
	local i

	guard drop
	for i in 1 2 3; do
		play "$(pfc 8 0 0 0 "$(quanta 120)")" "$(prio_frame 3)"
		wait_until 3 there 2
		held_for "a short pause ($i)" 3 119
	done
	is "short pauses: nothing is detected" "$(counter detected)" 0
	play "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 4)"
	read -rt 0.7 <&"$never"
	is "a long one without a packet: nothing is detected" \
		"$(counter detected)" 0
	is "and nothing dropped" "$(counter guarded)" 0
}

neighbour
forward_ok
drop_ok
rearmed_ok
alert_ok
no_storm_ok
