#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How exact the watchdog is: detection and restoration of storms that begin and
# end at any time between two of its looks fall into the first polling interval
# behind their times, as seen at the other end of the link. To be run in virtual
# time, where a busy host adds nothing; one program sends all of a storm, for
# between programs, while files are read, that time may leap.
#
#   sendframe - t1 (port, watchdog) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/guard.sh"

virtual_only

STORMS=6
# The packets that tell when a restoration was are so many microseconds apart, and
# go on for long enough.
GAP=1500
COUNT=$(((R + 2 * P) * 1000 / GAP))

# later I MS: so much, and another part of a polling interval for each I
later()
{
	echo "+$(($2 * 1000 + $1 * P * 1000 / STORMS))"
}

# With forward, a packet that comes right behind the XOFF is through when the
# storm is detected.
detection_ok()
{
	local i us=()

	for ((i = 0; i < STORMS; i++)); do
		guard forward
		send_frames "$(later $i 100)
$storm" "$(prio_frame 3)"
		wait_until 5 there 2
		within "detection $i" "$(held 3)" "$D" $((D + P)) "$late"
		us+=("$(held 3)")
	done
	spread "detections" "${us[@]}"
}

# With drop, the first that is through tells when the storm was over.
restoration_ok()
{
	local i us=()

	for ((i = 0; i < STORMS; i++)); do
		guard drop
		send_frames "$storm" "$(prio_frame 3)
$(later $i $((D + 2 * P)))
>t2
$xon
>t1
$(trickle $COUNT $GAP)"
		within "restoration $i" "$(through)" "$R" $((R + P)) \
			$((late + GAP))
		is "restoration $i is that of a storm" "$(counter detected)" 1
		us+=("$(through)")
	done
	spread "restorations" "${us[@]}"
}

# The test would be none if all came at the same time between two looks.
spread()
{
	local words=$1 sorted

	shift
	mapfile -t sorted < <(printf '%s\n' "$@" | sort -n)
	ok "the $words are at different places: ${sorted[0]} us to ${sorted[-1]} us" \
		[ $((sorted[-1] - sorted[0])) -gt $((P * 200)) ]
}

control_ok()
{
	guard drop
	rdmafault pause t1 watchdog off
	send_frames "$(pfc 8 0 0 0 "$(quanta 700)")" "$(prio_frame 3)"
	wait_until 5 there 2
	held_for "control: nobody guards, the pause goes on" 3 699
}

neighbour
control_ok
detection_ok
restoration_ok
