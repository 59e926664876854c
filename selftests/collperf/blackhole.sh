#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test collectives with a blackhole on one link from step 5 on. The queue pairs transmit a
# packet at most twice. The error must be reported after the timeouts of both transmissions,
# and must explain this time. Every rank must end and print the reason. If the blackhole is
# shorter than the time of the retries, the job must succeed.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 (port, blackhole) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/ranks.sh"

fabric 4
ports v2

# Ranks 0, 1 and 2 send into the blackhole; rank 3 learns from them that the job has failed.
job=(all_reduce --algo ring -b 64K -n 1000000 -w 0 -z 1 --place out
	--timeout 15 --retry-cnt 1)
tries='retry exceeded: 1\+1 tries × 134 ms \(timeout 15\), nominally 268 ms without an ACK'
gone='rank [0-3] is gone'
# hole: the length of the blackhole in seconds. late: the time within which the job must
# end; it is longer on a slow machine, which needs longer to reach step 5.
hole=20 late=$((hole / 2))
[ -z "${KSFT_MACHINE_SLOW:-}" ] || late=$soon

# hole TIME: add a rule for a blackhole that lasts TIME and begins with the first packet
# that rank 1 sends in step 5
hole()
{
	rdmafault rule flush v2
	ok "v2 accepts a rule for a blackhole of $1" eval \
		"rdmafault rule add v2 tx step 5+ count 1 blackhole $1 both persist >/dev/null"
}

# between LEAST MOST VALUE: succeeds if the value is in this range
between()
{
	awk -v a="$1" -v b="$2" -v v="$3" 'BEGIN { exit !(v >= a && v <= b) }'
}

# said REGEX: succeeds if a line of the job's errors matches
said()
{
	grep -E "$1" "$tmp/err" || { cat "$tmp/err"; return 1; }
}

end_of_ranks()
{
	jq -es --arg reasons "$tries|$gone" \
		"[.[] | select(.type == \"end\")] | $1" "$tmp/timeline"
}

launched_ok()
{
	local start=$SECONDS

	hole ${hole}s
	collperf "${job[@]}" -N 4 --timeline "$tmp/timeline" \
		>"$tmp/out" 2>"$tmp/err"
	is "blackhole: collperf exits with 3" $? 3
	ok "blackhole: collperf ends within $late s, before the blackhole does" \
		[ $((SECONDS - start)) -le "$late" ]
	is "blackhole: collperf prints one line" "$(wc -l <"$tmp/err")" 1
	# Rank 2 sends credits (flow control messages) into the blackhole.
	ok "blackhole: the line names the rank that failed first and explains the time" said \
		"^collperf: rank [0-2] \(rxe[1-3]\) failed first: $tries; (message|credit) [0-9]+, PSN 0x[0-9a-f]{6} on, from rxe[1-3] QP 0x[0-9a-f]{6} to rank [0-2] \(10\.77\.0\.[1-3] QP 0x[0-9a-f]{6}\), [0-9.]+ ms after it was posted; step [0-9]+"
	# The limit is 130 ms and not the duration of two timers (268 ms), because the
	# first timer may have been started by an earlier packet.
	ok "blackhole: the message failed at least 130 ms after it was posted" between 130 10000 \
		"$(grep -oE '[0-9.]+ ms after' "$tmp/err" | cut -d' ' -f1)"
	ok "blackhole: every rank ends with status 3 or more in the timeline" \
		end_of_ranks 'length == 4 and all(.[]; .status >= 3)'
	ok "blackhole: every rank ends with the reason in the timeline" \
		end_of_ranks 'all(.[].error; test($reasons))'
	ok "blackhole: all ranks fail within $soon s of each other" \
		end_of_ranks "map(.failed_ns) | max - min < ${soon}e9"
	ok "blackhole: no process and no queue pair is left" wait_until "$soon" nothing_left
}

# Wait for all ranks and record their exit statuses.
statuses()
{
	local r

	for r in "${!pids[@]}"; do
		wait "${pids[r]}"
		echo $?
	done >"$tmp/statuses"
}

# Test the other two protocols. With "read", the rank that receives the data sends the requests,
# so this rank retransmits.
protocols_ok()
{
	local protocol

	for protocol in send read; do
		hole ${hole}s
		collperf "${job[@]}" -N 4 --protocol $protocol \
			>"$tmp/out" 2>"$tmp/err"
		is "blackhole, --protocol $protocol: collperf exits with 3" $? 3
		ok "blackhole, --protocol $protocol: one line explains the time" eval \
			"grep -Ec 'failed first: $tries' $tmp/err | grep -x 1"
		ok "blackhole, --protocol $protocol: no process and no queue pair is left" \
			wait_until "$soon" nothing_left
	done
}

by_hand_ok()
{
	hole ${hole}s
	begin 0 1 2 3
	statuses
	is "blackhole, ranks started by hand: all four exit with 3" \
		"$(paste -sd' ' "$tmp/statuses")" "3 3 3 3"
	ok "blackhole, ranks started by hand: each says why" all_say "$tries|$gone" 0 1 2 3
	ok "blackhole, ranks started by hand: no process and no queue pair is left" \
		wait_until "$soon" nothing_left
}

# Rank 0 waits for an ACK of rank 1: the bytes in flight to rank 1 have reached their limit. So
# rank 0 does not send to rank 2 either. Ranks 1 and 2 are stopped by SIGSTOP before their
# deadline, so that they cannot fail first.
owed_ok()
{
	local job ranks

	rdmafault rule flush v2
	collperf broadcast --algo direct -N 3 -b 8M -n 1000000 -w 0 --place out \
		--timeout 22 --deadline 8s >"$tmp/out" 2>"$tmp/err" &
	job=$!
	wait_until "$soon" grep -q busbw "$tmp/out"
	mapfile -t ranks < <(pgrep -P $job)
	rdmafault rule add v2 rx class write count 1 blackhole ${hole}s both persist \
		>/dev/null
	wait_until "$soon" eval "rdmafault --json rule show v2 | jq -e '.[0].hits == 1'"
	kill -STOP "${ranks[1]}" "${ranks[2]}"
	wait $job
	is "retransmission timer longer than the deadline: collperf exits with 3" $? 3
	ok "retransmission timer longer than the deadline: the rank that owes an ACK is named" \
		said \
		'rank 0 \(rxe1\) failed first: rank 1 \(10\.77\.0\.2\) did not acknowledge packets from PSN 0x[0-9a-f]{6} on within 8 s'
	ok "retransmission timer longer than the deadline: no process and no queue pair is left" \
		wait_until "$soon" nothing_left
}

short_hole_ok()
{
	hole 30ms
	ok "a blackhole of 30 ms, shorter than the retries: collperf succeeds" collperf all_reduce \
		--algo ring -N 4 -b 64K -n 10 -w 0 -z 1 --timeout 13
	is "a blackhole of 30 ms, shorter than the retries: the rule hits" \
		"$(rdmafault --json rule show v2 |
		jq '.[0].hits')" 1
}

launched_ok
protocols_ok
by_hand_ok
owed_ok
short_hole_ok
