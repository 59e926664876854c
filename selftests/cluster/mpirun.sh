#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Four ranks on two machines, started by mpirun: they run collectives and
# training, and verify. A rank is killed, a cable is pulled: both machines are
# rid of the job soon, and every rank that can says why.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/cluster.sh"

command -v on >/dev/null || skip_all "two machines are needed: scripts/vm run --pair"
cluster || { echo "Bail out! no cluster"; exit 1; }
tmp=$(mktemp -d)
defer rm -r "$tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mpi()
{
	mpirun --host vm1:2,vm2:2 --mca plm_rsh_agent on \
		--mca oob_tcp_if_include br0 -x PATH "$@"
}

# verified FILE: there are rows, and all of them say 0 wrong
verified()
{
	grep -q '^# Out of bounds values : 0 OK' "$1" &&
		awk '$1 ~ /^[0-9]+$/ { n++; bad += $9 != "0" } END { exit !n || bad }' "$1" ||
		{ cat "$1"; return 1; }
}

no_process()
{
	local look='! pgrep -x "collperf|orted" && ! rdma resource show qp | grep -q collperf'

	eval "$look" && on vm2 "$look"
}

running()
{
	grep -q '^#  *(B)' "$tmp/out"
}

mpi collperf all_reduce -b 0 -e 64K -f 8 -n 3 >"$tmp/out" 2>"$tmp/err"
is "all_reduce over two machines ends well" $? 0
ok "it is verified" verified "$tmp/out"
is "two ranks on each, each with a device of its own" \
	"$(sed -n 's/^# *Rank .* on *\(vm.\) .*\[\(rxe.\)\].*/\1 \2/p' "$tmp/out" | paste -sd,)" \
	"vm1 rxe1,vm1 rxe2,vm2 rxe1,vm2 rxe2"
is "nobody complains" "$(cat "$tmp/err")" ""

mpi collperf alltoall -b 4K -n 3 -d int32 -z 1 --timeline "$tmp/timeline" \
	>"$tmp/out" 2>"$tmp/err"
is "alltoall over two machines ends well" $? 0
ok "it is verified" verified "$tmp/out"
is "the timeline has the steps of all ranks" "$(jq -s 'map(select(.type == "step")) |
	[length, (map(.rank) | unique | length)] | join(" ")' "$tmp/timeline")" '"12 4"'
# On a busy host a machine may be late with a step, but not with all three.
ok "by one clock, though the machines were not started together" jq -es \
	'map(select(.type == "step")) | group_by(.step) |
	map(map(.start_ns) | max - min) | min < 500e6' "$tmp/timeline"

mpi train --data synthetic --steps 20 --json >"$tmp/out" 2>"$tmp/err"
is "training over two machines ends well" $? 0
ok "its ranks agree on the weights" \
	jq -es 'any(.[]; .type == "end" and .steps == 20)' "$tmp/out"

# A fault belongs to the machine whose port it is at, and knows the job's steps.
on vm2 "rdmafault port add rxe1 && rdmafault drop rxe1 tx class write step 2 nth 1 count 1 persist" \
	>/dev/null
mpi collperf all_reduce -b 64K -n 3 -z 1 --timeout 18 >"$tmp/out" 2>"$tmp/err"
is "a packet of step 2 is dropped on vm2: the job ends well" $? 0
ok "it is verified" verified "$tmp/out"
is "the rule there has hit one packet" \
	"$(on vm2 "rdmafault --json rule show rxe1" | jq '.[0].hits')" 1
on vm2 "rdmafault port del rxe1 --force"

# by_hand R OPTION...: rank R, on its machine, by --rendezvous
by_hand()
{
	local r=$1 run=(eval)

	shift
	[ "$r" -lt 2 ] || run=(on vm2)
	"${run[@]}" "collperf all_reduce $* --rank $r --ranks 4 --rendezvous 10.78.0.1:7000" \
		>"$tmp/out.$r" 2>"$tmp/err.$r" &
	pids[r]=$!
}

# end WORDS STATUS...: of the ranks started by hand
end()
{
	local words=$1 r list=()

	shift
	for r in "${!pids[@]}"; do
		wait "${pids[r]}" 2>/dev/null
		list+=($?)
	done
	is "$words" "${list[*]}" "$*"
	pids=()
}

# Ranks that come later than a second after the one that is wrong find nobody.
three_are_there()
{
	[ "$(ss -Htn state established "sport = :7000" | wc -l)" = 2 ]
}

pids=()
for r in 0 1 2; do
	by_hand $r -b 4K -n 2
done
wait_until "$soon" three_are_there
by_hand 3 -b 8K -n 2
end "other arguments on the other machine" 3 4 4 4
ok "they and their machine are named" \
	grep -q 'rank 3 on vm2 has -b 8K, rank 0 has -b 4K' "$tmp"/err.[01] "$tmp"/out.[23]

rm -f "$tmp/out"
mpi collperf all_reduce -b 64K -n 1000000 >"$tmp/out" 2>"$tmp/err" &
job=$!
wait_until 30 running
start=$SECONDS
on vm2 pkill -KILL -n -x collperf
wait $job
ok "a rank on vm2 is killed: mpirun says so" [ $? -ne 0 ]
ok "both machines are rid of the job" wait_until "$soon" no_process
ok "within the deadline" [ $((SECONDS - start)) -le 20 ]

# The cable is out until the job is over on both sides. The netdev stays up, as
# beside a real cable: one that is paused keeps the packets that are in its ring,
# and they the queue pairs (Documentation/rxe-bugs.rst).
rm -f "$tmp"/{out,err}.*
for r in 0 1 2 3; do
	by_hand $r -b 64K -n 1000000 --timeout 20 --retry-cnt 6 --deadline 4s
done
wait_until 30 eval 'grep -q "^#  *(B)" "$tmp/out.0"'
start=$SECONDS
bridge link set dev eth0 state 0
wait "${pids[0]}" "${pids[1]}"
# Seven tries would be 30 s.
ok "a cable is pulled: the ranks of vm1 end in time" [ $((SECONDS - start)) -le "$soon" ]
ok "they say why" grep -Eq "waited 4 s for|rank [23] .*(gone|failed first)" \
	"$tmp/err.0"
bridge link set dev eth0 state 3
wait
ok "so do those of vm2" wait_until "$soon" no_process
ok "and say why" grep -Eq "waited 4 s for|rank [0-3].*(gone|failed first)" "$tmp"/out.[23]
