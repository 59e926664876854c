#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What finds its priority full is dropped, to the packet and to the byte; other
# priorities aren't touched, and no sender sees an error. A pause fills the
# queues. What is sent to QP 16 + p has priority p.
#
#   sendroce - t1 (port) ======= t2 - sendframe, tcpdump
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pause_all.sh"
. "$selftests/lib/faults.sh"

# A frame has 1000 bytes.
PAYLOAD=942

tmp=$(mktemp -d)
defer rm -r "$tmp"

# fill COUNT: of each of the priorities 2, 3 and 4
fill()
{
	local prio

	pause_all
	for prio in 2 3 4; do
		sendroce t1 qp $((16 + prio)) dscp $((prio * 8)) count "$1" \
			payload $PAYLOAD || echo failed >>"$tmp/errors"
	done
	resume_all
}

# first FILE PRIO: how many came, if they are the first and all of them
first()
{
	packets "$1" | awk -v qp=$((16 + $2)) '
		$1 == qp { if ($2 != n++) wrong++ }
		END { print wrong ? "not the first" : n + 0 }'
}

limits_ok()
{
	local all

	rdmafault prio set t1 prio-limit 2:100p 3:50000
	captured t2 "$tmp/limits" fill 250
	is "a limit of 100 packets" "$(first "$tmp/limits" 2)" 100
	is "a limit of 50000 bytes" "$(first "$tmp/limits" 3)" 50
	is "the control: a priority without such a limit" \
		"$(first "$tmp/limits" 4)" 250
	all="$(prio_stat t1 2 full) $(prio_stat t1 3 full) $(prio_stat t1 4 full)"
	is "what was dropped is counted as full" "$all" "150 200 0"
	is "the longest that the queues were, in bytes" \
		"$(prio_stat t1 2 peak_bytes) $(prio_stat t1 3 peak_bytes)" \
		"100000 50000"
	ok "tc counts the drops" grep -q 'dropped 350,' \
		<<<"$(tc -s qdisc show dev t1)"
	ok "the sender has seen no error" [ ! -e "$tmp/errors" ]
}

# Less than the limit leaves what waits already: a change loses nothing.
live_ok()
{
	rdmafault prio set t1 prio-limit 2:10000p
	captured t2 "$tmp/live" fill_then_limit
	is "a limit below what waits drops none of it" \
		"$(first "$tmp/live" 2)" 250
	is "but what comes then" "$(prio_stat t1 2 full)" $((150 + 10))
}

fill_then_limit()
{
	pause_all
	sendroce t1 qp 18 dscp 16 count 250 payload $PAYLOAD
	rdmafault prio set t1 prio-limit 2:10p
	sendroce t1 qp 18 dscp 16 count 10 psn 250 payload $PAYLOAD
	resume_all
}

bad_input_fails()
{
	refused "no limit" "prio-limit" rdmafault prio set t1 prio-limit 2:
	refused "a limit of 0 packets" "prio-limit" \
		rdmafault prio set t1 prio-limit 2:0p
	refused "priority 8" "0 to 7" rdmafault prio set t1 prio-limit 8:10p
	refused "a negative limit" "prio-limit" \
		rdmafault prio set t1 prio-limit 2:-1
}

# A queue pair has 64 packets under way, and finds room for 20.
rxe_sends_again_ok()
{
	local dropped

	too_slow "rxe sends again" "sends more than 100 Mbit/s" && return
	fabric 2
	ports v1
	rdmafault link set v1 rate 100mbit
	rdmafault prio set v1 prio-limit all:20p
	remember
	is "rxe: all messages arrive" "$(probe 1 2 write 2 131072 0 16)" \
		"done=2 wrong=0 status=0"
	dropped=$(prio_sum v1 full)
	ok "rxe: $dropped packets found no room" [ "$dropped" -gt 0 ]
	ok "rxe: so packets were missing" \
		[ "$(moved rxe2 out_of_seq_request)" -gt 0 ]
	unseen "rxe"
}

pausable_link
limits_ok
live_ok
bad_input_fails
rxe_sends_again_ok
