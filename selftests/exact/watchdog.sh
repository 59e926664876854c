#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How exact the watchdog is: detection and restoration of storms that begin and
# end at any time between two of its looks fall into the first polling interval
# behind their times, as seen at the other end of the link. To be run in virtual
# time, where a busy host adds nothing.
#
#   sendframe - t1 (port, guarded) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/guard.sh"

[ -n "${vm_virtual:-}" ] || skip_all "needs virtual time: scripts/vm run --icount"

STORMS=6
# The trickle's packets are some 5 ms apart: a shell makes them.
SPACED=$((late + 5000))

# wait_ms MS
wait_ms()
{
	read -rt "$(printf '0.%03d' "$1")" <&"$never"
}

# Between the looks that follow the watchdog's setting, at another place each time
storm_at()
{
	guard "$1"
	wait_ms $((100 + $2 * P / STORMS))
}

# With forward, a packet that comes right behind the XOFF is through when the
# storm is detected.
detection_ok()
{
	local i us=()

	for ((i = 0; i < STORMS; i++)); do
		storm_at forward $i
		play "$storm" "$(prio_frame 3)"
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
		storm_at drop $i
		play "$storm" "$(prio_frame 3)"
		wait_until 5 detected
		trickle 0.001
		wait_ms $((10 + i * P / STORMS))
		sendframe t2 <<<"$xon"
		trickle_ends
		within "restoration $i" "$(through)" "$R" $((R + P)) $SPACED
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
		[ $((sorted[-1] - sorted[0])) -gt $((P * 500)) ]
}

control_ok()
{
	guard drop
	rdmafault pause t1 watchdog off
	play "$(pfc 8 0 0 0 "$(quanta 700)")" "$(prio_frame 3)"
	wait_until 5 there 2
	held_for "control: nobody guards, the pause goes on" 3 699
}

neighbour
control_ok
detection_ok
restoration_ok
