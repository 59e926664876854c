#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the accuracy of the watchdog, with storms that begin and end at different times
# between two polls. The watchdog must act in the first polling interval after the detection
# time, and in the first polling interval after the restoration time. A capture at the other
# end of the link shows when it acts. The test runs in virtual time, where load on the host
# changes nothing. One program sends all frames of a storm, because virtual time can jump
# while another program is loaded.
#
#   sendframe - t1 (port, watchdog) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/guard.sh"

virtual_only

STORMS=6
# Packets are sent every GAP us until after the restoration. The first packet that arrives
# shows when the priority was restored.
GAP=1500
COUNT=$(((R + 2 * P) * 1000 / GAP))

# later I MS: prints an input line that makes sendframe wait MS milliseconds plus the fraction
# I / STORMS of a polling interval
later()
{
	echo "+$(($2 * 1000 + $1 * P * 1000 / STORMS))"
}

# With the action "forward", a packet sent directly after the XOFF arrives when the storm
# is detected.
detection_ok()
{
	local i us=()

	for ((i = 0; i < STORMS; i++)); do
		guard forward
		send_frames "$(later $i 100)
$storm" "$(prio_frame 3)"
		wait_until 5 there 2
		within "storm $i: time until detection" "$(held 3)" "$D" $((D + P)) "$late"
		us+=("$(held 3)")
	done
	spread "detection times" "${us[@]}"
}

# With the action "drop", the first packet that arrives shows when the storm was over.
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
		within "storm $i: time until restoration" "$(through)" "$R" $((R + P)) \
			$((late + GAP))
		is "storm $i: the watchdog counts one storm" "$(counter detected)" 1
		us+=("$(through)")
	done
	spread "restoration times" "${us[@]}"
}

# The storms must begin and end at different times between two polls; otherwise they would
# all test the same case.
spread()
{
	local words=$1 sorted

	shift
	mapfile -t sorted < <(printf '%s\n' "$@" | sort -n)
	ok "control: the $words differ by at least a fifth of a poll (${sorted[0]} to ${sorted[-1]} us)" \
		[ $((sorted[-1] - sorted[0])) -gt $((P * 200)) ]
}

control_ok()
{
	guard drop
	rdmafault pause t1 watchdog off
	send_frames "$(pfc 8 0 0 0 "$(quanta 700)")" "$(prio_frame 3)"
	wait_until 5 there 2
	held_for "control: without a watchdog the paused packet" 3 699
}

neighbour
control_ok
detection_ok
restoration_ok
