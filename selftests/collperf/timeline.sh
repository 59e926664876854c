#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The timeline tells each rank's steps, and a step with a barrier is a step of
# the whole job.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp)
defer rm "$tmp"

cat >"$tmp.jq" <<'EOT'
def all_of(kind): map(select(.type == kind));
def steps: all_of("step");

["one job line, first", .[0] == all_of("job")[0] and
	(all_of("job") | length) == 1],

["the job is as asked for", (.[0] | .ranks == 4 and .bytes == 262144 and
	.count == 65536 and .datatype == "float" and .op == "sum" and
	.iters == 10 and .timeout == 19 and .retry_cnt == 5 and .mtu == 2048 and
	.clock == "monotonic")],

["each rank has a queue pair to either side",
	(all_of("qp") | map([.rank, .dir, .peer]) | sort ==
	[range(4) as $r | [$r, "in", ($r + 3) % 4], [$r, "out", ($r + 1) % 4]])],

["they name device, netdev and addresses", all(all_of("qp")[];
	.device == "rxe\(.rank + 1)" and .netdev == "v\(.rank + 1)" and
	.addr == "10.77.0.\(.rank + 1)" and
	.peer_addr == "10.77.0.\(.peer + 1)")],

["the two ends of a link know each other", (all_of("qp") as $q |
	all($q[] | select(.dir == "out"); . as $a | any($q[];
	.dir == "in" and .rank == $a.peer and .qpn == $a.peer_qpn and
	.peer_qpn == $a.qpn)))],

["first PSNs are fixed", all(all_of("qp")[]; .psn == 4096 * (.rank + 1))],

["steps 1 to 10 of each rank", (steps | map([.step, .rank]) ==
	[range(1; 11) as $s | range(4) | [$s, .]])],

["start, end, sync follow one another", all(steps[];
	.start_ns < .end_ns and .end_ns < .sync_ns)],

["the waits fit into them", all(steps[];
	.wait_recv_ns + .wait_send_ns <= .end_ns - .start_ns and
	.wait_sync_ns <= .sync_ns - .end_ns)],

["no rank starts a step before all have ended the last",
	(steps | group_by(.step) | [.[:-1], .[1:]] | transpose |
	all(.[]; (.[0] | map(.end_ns) | max) < (.[1] | map(.start_ns) | min)))],

["a step lasts as long as it computes, at least", all(steps[];
	.sync_ns - .end_ns >= 20000000)],

["nothing is wrong", all(steps[]; .wrong == 0)],

["who came last, and who left last, adds up to the steps",
	(all_of("end") | (map(.in_last) | add) == 10 and
	(map(.out_last) | add) == 10)],

["each rank has its end",
	(all_of("end") | map([.rank, .status, .wrong, .error]) ==
	[range(4) | [., 0, 0, null]])]

| "\(.[1])\t\(.[0])"
EOT
defer rm "$tmp.jq"

options=(-b 256K -n 10 -w 2 -z 1 --timeline "$tmp" --timeout 19 --retry-cnt 5
	--mtu 2048 --compute 20ms)

# told WHO: each thing that the timeline tells; WHO started the ranks
told()
{
	local verdict words

	jq -rs -f "$tmp.jq" "$tmp" >"$tmp.told"
	while IFS=$'\t' read -r verdict words; do
		is "$1: $words" "$verdict" true
	done <"$tmp.told"
	is "$1: that is all of them" "$(wc -l <"$tmp.told")" 14
}

defer rm "$tmp.told"
ok "4 ranks, 10 steps" collperf all_reduce -N 4 "${options[@]}"
told "started by collperf"
rm "$tmp"
ok "4 ranks, 10 steps, by mpirun" mpirun --oversubscribe \
	--allow-run-as-root -np 4 collperf all_reduce "${options[@]}"
told "started by mpirun"

ok "all types, 3 roots" collperf broadcast -N 3 -b 4K -n 2 -r all -d all \
	--timeline "$tmp" --timeout 17
is "each combination is a case, and each step belongs to one" \
	"$(jq -rs '(map(select(.type == "case"))) as $cases |
		([.[] | select(.type == "step").case] | unique) ==
		[$cases[].case] and ($cases | length) % 3 == 0 and
		([$cases[].root] | unique) == [0, 1, 2] and
		all($cases[]; .op == "none")' "$tmp")" true
is "the steps go on from case to case" \
	"$(jq -rs 'map(select(.type == "step" and .rank == 0)) |
		[range(1; length + 1)] == map(.step) and
		map((.step - 1) / 2 | floor) == map(.case)' "$tmp")" true
