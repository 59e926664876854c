#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the timeline of collperf: it must have the steps of each rank. With a barrier, no
# rank may begin a step before all ranks have ended the step before.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp)
defer rm "$tmp"

cat >"$tmp.jq" <<'EOT'
def all_of(kind): map(select(.type == kind));
def steps: all_of("step");

["the first line is the only line of the job", .[0] == all_of("job")[0] and
	(all_of("job") | length) == 1],

["the line of the job has its options", (.[0] | .ranks == 4 and .bytes == 262144 and
	.count == 65536 and .datatype == "float" and .op == "sum" and
	.iters == 10 and .timeout == 19 and .retry_cnt == 5 and .mtu == 2048 and
	.clock == "monotonic")],

["each rank has a queue pair to each neighbour",
	(all_of("qp") | map([.rank, .dir, .peer]) | sort ==
	[range(4) as $r | [$r, "in", ($r + 3) % 4], [$r, "out", ($r + 1) % 4]])],

["each queue pair has device, netdev and both addresses", all(all_of("qp")[];
	.device == "rxe\(.rank + 1)" and .netdev == "v\(.rank + 1)" and
	.addr == "10.77.0.\(.rank + 1)" and
	.peer_addr == "10.77.0.\(.peer + 1)")],

["the two ends of a connection have each other's QP number", (all_of("qp") as $q |
	all($q[] | select(.dir == "out"); . as $a | any($q[];
	.dir == "in" and .rank == $a.peer and .qpn == $a.peer_qpn and
	.peer_qpn == $a.qpn)))],

["the first PSN of a rank is fixed", all(all_of("qp")[]; .psn == 4096 * (.rank + 1))],

["each rank has the steps 1 to 10", (steps | map([.step, .rank]) ==
	[range(1; 11) as $s | range(4) | [$s, .]])],

["the times of a step are in the order start, end, sync", all(steps[];
	.start_ns < .end_ns and .end_ns < .sync_ns)],

["the waits of a step are shorter than the step", all(steps[];
	.wait_recv_ns + .wait_send_ns <= .end_ns - .start_ns and
	.wait_sync_ns <= .sync_ns - .end_ns)],

["no rank starts a step before all have ended the last",
	(steps | group_by(.step) | [.[:-1], .[1:]] | transpose |
	all(.[]; (.[0] | map(.end_ns) | max) < (.[1] | map(.start_ns) | min)))],

["the compute time of a step is at least 20 ms", all(steps[];
	.sync_ns - .end_ns >= 20000000)],

["no step has a wrong value", all(steps[]; .wrong == 0)],

["the counts of the last rank in and out add up to the number of steps",
	(all_of("end") | (map(.in_last) | add) == 10 and
	(map(.out_last) | add) == 10)],

["each rank has a line for its end, without an error",
	(all_of("end") | map([.rank, .status, .wrong, .error]) ==
	[range(4) | [., 0, 0, null]])]

| "\(.[1])\t\(.[0])"
EOT
defer rm "$tmp.jq"

options=(-b 256K -n 10 -w 2 -z 1 --timeline "$tmp" --timeout 19 --retry-cnt 5
	--mtu 2048 --compute 20ms)

# timeline_ok LAUNCHER: test all statements of the jq program on the timeline of ranks
# started by LAUNCHER
timeline_ok()
{
	local verdict words

	jq -rs -f "$tmp.jq" "$tmp" >"$tmp.verdicts"
	while IFS=$'\t' read -r verdict words; do
		is "timeline of ranks started by $1: $words" "$verdict" true
	done <"$tmp.verdicts"
	is "timeline of ranks started by $1: 14 statements are tested" \
		"$(wc -l <"$tmp.verdicts")" 14
}

defer rm "$tmp.verdicts"
ok "collperf with 4 ranks and a timeline succeeds" collperf all_reduce -N 4 "${options[@]}"
timeline_ok collperf
rm "$tmp"
ok "collperf with 4 ranks, started by mpirun, and a timeline succeeds" mpirun --oversubscribe \
	--allow-run-as-root -np 4 collperf all_reduce "${options[@]}"
timeline_ok mpirun

ok "collperf broadcast with all types and 3 roots succeeds" \
	collperf broadcast -N 3 -b 4K -n 2 -r all -d all \
	--timeline "$tmp" --timeout 17
is "the timeline has a case per combination of type and root, and each step names its case" \
	"$(jq -rs '(map(select(.type == "case"))) as $cases |
		([.[] | select(.type == "step").case] | unique) ==
		[$cases[].case] and ($cases | length) % 3 == 0 and
		([$cases[].root] | unique) == [0, 1, 2] and
		all($cases[]; .op == "none")' "$tmp")" true
is "the steps are numbered from case to case without a gap" \
	"$(jq -rs 'map(select(.type == "step" and .rank == 0)) |
		[range(1; length + 1)] == map(.step) and
		map((.step - 1) / 2 | floor) == map(.case)' "$tmp")" true
