#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test four ranks on two machines, started by mpirun: collectives and training give right
# results. When a rank is killed or a cable is pulled, the job must soon end on both
# machines, and every rank that still runs must print the reason.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/cluster.sh"

command -v on >/dev/null || skip_all "two machines are needed: scripts/vm run --machines 2"
cluster || { echo "Bail out! no cluster"; exit 1; }
tmp=$(mktemp -d)
defer rm -r "$tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mpi()
{
	mpirun --host vm1:2,vm2:2 --mca plm_rsh_agent on \
		--mca oob_tcp_if_include br0 -x PATH "$@"
}

running()
{
	grep -q '^#  *(B)' "$tmp/out"
}

# SigIgn is a mask in hexadecimal; SIGCHLD has the number 17.
is "a command started on vm2 does not ignore SIGCHLD" \
	"$(($(on vm2 "sed -n 's/^SigIgn:[^0-9]*/0x/p' /proc/self/status") >> 16 & 1))" 0

mpi collperf all_reduce -b 0 -e 64K -f 8 -n 3 >"$tmp/out" 2>"$tmp/err"
is "all_reduce over two machines exits with 0" $? 0
ok "all_reduce over two machines has no wrong value" verified "$tmp/out"
is "all_reduce over two machines has two ranks per machine with different devices" \
	"$(devices "$tmp/out")" \
	"vm1 rxe1,vm1 rxe2,vm2 rxe1,vm2 rxe2"
is "all_reduce over two machines prints nothing on standard error" "$(cat "$tmp/err")" ""

mpi collperf alltoall -b 4K -n 3 -d int32 -z 1 --timeline "$tmp/timeline" \
	>"$tmp/out" 2>"$tmp/err"
is "alltoall over two machines exits with 0" $? 0
ok "alltoall over two machines has no wrong value" verified "$tmp/out"
is "the timeline of alltoall over two machines has the steps of all ranks" \
	"$(jq -s 'map(select(.type == "step")) |
	[length, (map(.rank) | unique | length)] | join(" ")' "$tmp/timeline")" '"12 4"'
# On a busy host a machine can be late in one step, but not in all three.
ok "the timeline of two machines, started at different times, has one clock" jq -es \
	'map(select(.type == "step")) | group_by(.step) |
	map(map(.start_ns) | max - min) | min < 500e6' "$tmp/timeline"

mpi train --data synthetic --steps 20 --json >"$tmp/out" 2>"$tmp/err"
is "training over two machines exits with 0" $? 0
ok "training over two machines does all 20 steps" \
	jq -es 'any(.[]; .type == "end" and .steps == 20)' "$tmp/out"

# A rule on vm2 must match a step of a job that has ranks on both machines.
on vm2 "rdmafault port add rxe1 && rdmafault drop rxe1 tx class write step 2 nth 1 count 1 persist" \
	>/dev/null
mpi collperf all_reduce -b 64K -n 3 -z 1 --timeout 18 >"$tmp/out" 2>"$tmp/err"
is "a packet of step 2 dropped on vm2: collperf exits with 0" $? 0
ok "a packet of step 2 dropped on vm2: no value is wrong" verified "$tmp/out"
is "a packet of step 2 dropped on vm2: the rule hits one packet" \
	"$(on vm2 "rdmafault --json rule show rxe1" | jq '.[0].hits')" 1
on vm2 "rdmafault port del rxe1 --force"

# by_hand R OPTION...: start rank R with the option --rendezvous: ranks 0 and 1 on this machine,
# ranks 2 and 3 on vm2
by_hand()
{
	local r=$1 run=(eval)

	shift
	[ "$r" -lt 2 ] || run=(on vm2)
	"${run[@]}" "collperf all_reduce $* --rank $r --ranks 4 --rendezvous 10.78.0.1:7000" \
		>"$tmp/out.$r" 2>"$tmp/err.$r" &
	pids[r]=$!
}

# end TITLE STATUS...: run the test TITLE: wait for the ranks that were started by hand; their
# exit statuses must be STATUS...
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

# Rank 0 ends a second after a rank with other arguments has connected. A rank that
# connects after that would not find rank 0. So the three ranks with the same arguments
# must connect first.
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
end "a rank on vm2 with another size: all ranks exit with 3" 3 3 3 3
ok "a rank on vm2 with another size: all ranks name the difference and its machine" \
	grep -q 'rank 3 on vm2 has -b 8KiB, rank 0 has -b 4KiB' "$tmp"/err.[01] "$tmp"/out.[23]

rm -f "$tmp/out"
mpi collperf all_reduce -b 64K -n 1000000 >"$tmp/out" 2>"$tmp/err" &
job=$!
wait_until 30 running
start=$SECONDS
on vm2 pkill -KILL -n -x collperf
wait $job
ok "a rank on vm2 killed: mpirun fails" [ $? -ne 0 ]
ok "a rank on vm2 killed: no process and no queue pair is left on both machines" \
	wait_until "$soon" no_process
ok "a rank on vm2 killed: both machines are clean within 20 s" [ $((SECONDS - start)) -le 20 ]

# The link is off until the job has ended on both machines. The netdev stays up, as with
# a real cable: a netdev that is set down keeps the packets in its ring, and each packet
# keeps its queue pair (Documentation/rxe-bugs.rst).
rm -f "$tmp"/{out,err}.*
for r in 0 1 2 3; do
	by_hand $r -b 64K -n 1000000 --timeout 20 --retry-cnt 6 --deadline 4s
done
wait_until 30 eval 'grep -q "^#  *(B)" "$tmp/out.0"'
start=$SECONDS
bridge link set dev eth0 state 0
wait "${pids[0]}" "${pids[1]}"
# If the ranks ended only because of the retransmission timer, they would end
# after seven transmissions of a packet, which take 30 s.
ok "cable pulled: the ranks on vm1 end within $soon s" [ $((SECONDS - start)) -le "$soon" ]
ok "cable pulled: a rank on vm1 says why" \
	grep -Eq "within 4 s|rank [23] .*failed first" \
	"$tmp/err.0"
bridge link set dev eth0 state 3
wait
ok "cable pulled: no process and no queue pair is left on both machines" \
	wait_until "$soon" no_process
ok "cable pulled: a rank on vm2 says why" \
	grep -Eq "within 4 s|rank [0-3].*failed first" "$tmp"/out.[23]
