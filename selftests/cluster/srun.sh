#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test four ranks on two machines, started by srun of Slurm: collectives and training give right
# results, wherever Slurm places the ranks. If a rank is killed or the job is cancelled, the job
# ends on both machines, and leaves nothing.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/cluster.sh"
. "$selftests/lib/slurm.sh"

command -v on >/dev/null || skip_all "two machines are needed: scripts/vm run --machines 2"
command -v slurmd >/dev/null || skip_all "Slurm is needed: scripts/vm run --layer slurm"
cluster || { echo "Bail out! no cluster"; exit 1; }
tmp=$(mktemp -d)
defer rm -r "$tmp"
slurm >"$tmp/slurm" 2>&1 || { diagnose <"$tmp/slurm"; echo "Bail out! no Slurm"; exit 1; }

# job NAME WORD...: run srun with the output in $tmp/out and $tmp/err
job()
{
	srun --job-name "$1" --mpi=pmix -N 2 -n 4 "${@:2}" >"$tmp/out" 2>"$tmp/err"
}

running()
{
	grep -q '^#  *(B)' "$tmp/out"
}

# endless NAME: start a job that ends only by an error; it must exchange data
endless()
{
	rm -f "$tmp/out"
	job "$1" collperf all_reduce -b 64K -n 1000000 &
	pid=$!
	ok "$1: the job runs" wait_until 60 running
}

# leaves_nothing TITLE
leaves_nothing()
{
	ok "$1: no process and no queue pair is left on both machines" \
		wait_until 30 no_process
	ok "$1: Slurm waits for the next job" wait_until 30 two_are_idle
}

job all-reduce collperf all_reduce -b 0 -e 64K -f 8 -n 3
is "srun: all_reduce exits with 0" $? 0
ok "srun: all_reduce has no wrong value" verified "$tmp/out"
is "srun: two ranks per machine, with different devices" "$(devices "$tmp/out")" \
	"vm1 rxe1,vm1 rxe2,vm2 rxe1,vm2 rxe2"
is "srun: all_reduce prints nothing on standard error" "$(cat "$tmp/err")" ""

job cyclic -m cyclic collperf alltoall -b 4K -n 3 -d int32
is "srun -m cyclic: alltoall exits with 0" $? 0
ok "srun -m cyclic: alltoall has no wrong value" verified "$tmp/out"
is "srun -m cyclic: the first rank of each machine uses the first device" "$(devices "$tmp/out")" \
	"vm1 rxe1,vm2 rxe1,vm1 rxe2,vm2 rxe2"

job train train --data synthetic --steps 20 --json
is "srun: training exits with 0" $? 0
ok "srun: training does all 20 steps" \
	jq -es 'any(.[]; .type == "end" and .steps == 20)' "$tmp/out"

endless killed
on vm2 pkill -KILL -n -x collperf
wait $pid
ok "a rank on vm2 killed: srun fails" [ $? -ne 0 ]
ok "a rank on vm2 killed: the other ranks name it" \
	grep -Eq 'rank [23] .*failed first: its connection closed' "$tmp/err"
leaves_nothing "a rank on vm2 killed"

endless cancelled
scancel --name cancelled
wait $pid
ok "scancel: srun fails" [ $? -ne 0 ]
leaves_nothing "scancel"
