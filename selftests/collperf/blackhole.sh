#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A link that swallows everything from step 5 on, and queue pairs that try twice:
# the error is told with its arithmetic, after that time, and no rank is left
# waiting: each ends and says why. A hole that is shorter than the retries is
# none.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 (port, blackhole) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/ranks.sh"

fabric 4
ports v2

# Ranks 0, 1 and 2 send into the hole; 3 hears of it from the others
job=(all_reduce --algo ring -b 64K -n 1000000 -w 0 -z 1 --place out
	--timeout 15 --retry-cnt 1)
tries='retry exceeded: 1\+1 tries × 134 ms \(timeout 15\) = 268 ms without an acknowledgement'
gone='rank [0-3] is gone'
# Seconds: no hole is longer. Where it takes long to get to step 5, the job ends
# of the hole all the same, or it never would.
hole=20 late=$((hole / 2))
[ -z "${KSFT_MACHINE_SLOW:-}" ] || late=$soon

# hole TIME: everything vanishes for so long, from rank 1's first packet of
# step 5 on
hole()
{
	rdmafault rule flush v2
	ok "there is to be a hole of $1" eval \
		"rdmafault rule add v2 tx step 5+ count 1 blackhole $1 both persist >/dev/null"
}

# between LEAST MOST VALUE
between()
{
	awk -v a="$1" -v b="$2" -v v="$3" 'BEGIN { exit !(v >= a && v <= b) }'
}

# said REGEX: a line of the job is like this
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
	is "a hole: exit status 3" $? 3
	ok "the job ends long before the hole does" [ $((SECONDS - start)) -le "$late" ]
	is "it says one line" "$(wc -l <"$tmp/err")" 1
	# Rank 2 sends credits into the hole
	ok "who failed first is named, with the arithmetic" said \
		"^collperf: rank [0-2] \(rxe[1-3]\) failed first: $tries; (message|credit) [0-9]+, PSN 0x[0-9a-f]{6} on, from rxe[1-3] QP 0x[0-9a-f]{6} to rank [0-2] \(10\.77\.0\.[1-3] QP 0x[0-9a-f]{6}\), [0-9.]+ ms after it was posted; step [0-9]+"
	# The first timer may run from an earlier packet.
	ok "that was two timers after it was posted, not sooner" between 130 10000 \
		"$(grep -oE '[0-9.]+ ms after' "$tmp/err" | cut -d' ' -f1)"
	ok "every rank ends with an error" \
		end_of_ranks 'length == 4 and all(.[]; .status >= 3)'
	ok "and with the reason" \
		end_of_ranks 'all(.[].error; test($reasons))'
	ok "one soon after the other" \
		end_of_ranks "map(.failed_ns) | max - min < ${soon}e9"
	ok "nothing is left" wait_until "$soon" nothing_left
}

# The exit statuses of all ranks, once they have ended
statuses()
{
	local r

	for r in "${!pids[@]}"; do
		wait "${pids[r]}"
		echo $?
	done >"$tmp/statuses"
}

# The sender of retransmissions of a READ is the receiver of the data
protocols_ok()
{
	local protocol

	for protocol in send read; do
		hole ${hole}s
		collperf "${job[@]}" -N 4 --protocol $protocol \
			>"$tmp/out" 2>"$tmp/err"
		is "--protocol $protocol: exit status 3" $? 3
		ok "with the arithmetic, once" eval \
			"grep -Ec 'failed first: $tries' $tmp/err | grep -x 1"
		ok "nothing is left" wait_until "$soon" nothing_left
	done
}

by_hand_ok()
{
	hole ${hole}s
	begin 0 1 2 3
	statuses
	is "ranks that others started: four end" "$(wc -l <"$tmp/statuses")" 4
	is "of themselves or for another's sake" \
		"$(grep -cvx '[34]' "$tmp/statuses")" 0
	ok "each says why" all_say "$tries|$gone" 0 1 2 3
	ok "nothing is left" wait_until "$soon" nothing_left
}

# The bytes on their way are all rank 1's, so that rank 0 has no room for rank 2
# either; ranks 1 and 2 can't speak first, for they are stopped before their
# deadline.
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
	is "a timer longer than the deadline: exit status 3" $? 3
	ok "who owes an acknowledgement is named" said \
		'rank 0 \(rxe1\) failed first: waited 8 s for rank 1 \(10\.77\.0\.2\) to acknowledge, from PSN 0x[0-9a-f]{6} on, in vain'
	ok "nothing is left" wait_until "$soon" nothing_left
}

short_hole_ok()
{
	hole 30ms
	ok "a hole of 30 ms and six retries: all is right" collperf all_reduce \
		--algo ring -N 4 -b 64K -n 10 -w 0 -z 1 --timeout 13
	is "the hole was there" "$(rdmafault --json rule show v2 |
		jq '.[0].hits')" 1
}

launched_ok
protocols_ok
by_hand_ok
owed_ok
short_hole_ok
