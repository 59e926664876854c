#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how scripts/check and scripts/vm report the end of a virtual machine, which tests they
# choose, and in which order they start their tasks. No virtual machine is booted.
. "$(dirname "$0")/../lib/lib.sh"

libs=$(cd "$selftests/../scripts/lib" && pwd)
tmp=$(mktemp -d)
defer rm -r "$tmp"
mkdir "$tmp/selftests"
touch "$tmp/counts"

# check COMMAND...: run COMMAND with the functions of scripts/check, in a temporary project
# shellcheck disable=SC2317 # they call what is here
check()
{
	(
		die() { echo "$*" >&2; exit 1; }
		result() { echo "$*"; }
		pool_add() { echo "$2: ${*:4}"; }
		pool_after() { :; }
		tests_for() { tests_listed ci; }
		top=$tmp build=$tmp
		. "$libs/machine.sh"
		. "$libs/debug.sh"
		. "$libs/matrix.sh"
		# shellcheck disable=SC2034 # machine.sh and debug.sh read them
		kernels=(6.1) chosen=(kmod/a.sh)
		"$@"
	)
}

# ends STATUS RESULT: test that RESULT is reported for a boot with the exit status STATUS and
# the counts in $tmp/counts
ends()
{
	is "boot_result reports the right failure for a boot with status $1" "$(check boot_result "$1" "$tmp/counts")" "$2"
}

ends 0 ""
ends 1 ""
ends 97 "not ok the machine's kernel log has no warning and no error"
ends 98 "not ok the machine powers off before the timeout"
ends 143 "not ok the machine powers off without an error (status 143)"
is "boot_result reports no second failure if the runner's counts are missing" "$(check boot_result 143 "$tmp/none")" ""

for list in ci debug; do
	printf '# some\nkmod/a.sh # one\n\n' >"$tmp/selftests/$list"
done
is "the tests of selftests/ci become a job" "$(check machine_add live)" \
	"6.1-live-1: 6.1-live-1 6.1 live selftests/kmod/a.sh"
is "the tests of selftests/debug become a job on the debug kernel" "$(check debug_boots_add)" \
	"debug-1: debug-1 selftests/kmod/a.sh"
# wanted CPUS: print the modes of the matrix with -c CPUS
# shellcheck disable=SC2317 # check calls it
wanted()
{
	local mode

	# shellcheck disable=SC2034 # matrix_wants reads it
	cpus=$1
	for mode in three slurm paired virtual live single; do
		! matrix_wants "$mode" || echo "$mode"
	done | xargs
}

is "--matrix without -c runs all modes" "$(check wanted "")" "three slurm paired virtual live single"
is "only the tests with Slurm need its layer" \
	"$(check share_of slurm kmod/a.sh cluster/mpirun.sh cluster/srun.sh)" selftests/cluster/srun.sh
is "--matrix -c 1 runs the modes with one CPU" "$(check wanted 1)" "virtual single"
is "--matrix -c 2 runs the modes with two CPUs" "$(check wanted 2)" "three slurm paired live"
echo "6.1.0-56 1 all 1 0 0" >"$tmp/page"
printf '6.1.0-57 1 ci 1 0 0\n6.1.0-57 2 ci 1 0 0\n7.3.4 1 ci 1 0 0\n' >"$tmp/new"
is "a page with a cell for all tests does not lack the cell for some tests" \
	"$(check matrix_lacks "$tmp/page" "$tmp/new" | xargs)" "6.1 2 ci 7.3 1 ci"
is "a page with cells for some tests lacks the cell for all tests" "$(check matrix_lacks "$tmp/new" "$tmp/page")" "6.1 1 all"
echo '# none' >"$tmp/selftests/ci"
rm "$tmp/selftests/debug"
is "a list without a test is an error" "$(check machine_add live 2>&1; echo $?)" \
	"selftests/ci: the file lists no test"$'\n1'
is "a missing list is an error" "$({ check debug_boots_add; echo $?; } 2>&1 | tail -n 2)" \
	"selftests/debug: the file lists no test"$'\n1'

# cluster STATUS COMMAND LOG [COMMAND LOG]: print the status of two or three machines. The first
# machine ends with STATUS. COMMAND is the process of another machine, and LOG its kernel log.
# shellcheck disable=SC2317 # they call what is here
cluster()
{
	(
		say() { :; }
		# The test must not wait for the timeout of the second virtual machine.
		sleep() { :; }
		# shellcheck disable=SC2034 # qemu.sh and cluster.sh read them
		top=$tmp build=$tmp vm_timeout=1 run_dir=$tmp/first
		. "$libs/sicklog.sh"
		. "$libs/qemu.sh"
		. "$libs/cluster.sh"
		rm -rf "$run_dir"
		mkdir "$run_dir"
		touch "$run_dir/console"
		echo "exit $1" >"$run_dir/status"
		shift
		for ((k = 2; $# > 0; k++)); do
			mkdir "$run_dir/vm$k.run"
			echo "$2" >"$run_dir/vm$k.run/console"
			bash -c "$1" >"$run_dir/vm$k.out" 2>&1 &
			cluster_pids[k]=$!
			shift 2
		done
		command sleep 0.5
		cluster_verdict 0 >/dev/null 2>&1
		echo $?
	)
}

is "two machines without failures have status 0" "$(cluster 0 'exit 0' fine)" 0
is "two machines have the status of the first one if that fails" "$(cluster 1 'exit 0' fine)" 1
is "two machines have status 97 if the second one's log has an error" "$(cluster 1 'exit 97' fine)" 97
is "three machines without failures have status 0" "$(cluster 0 'exit 0' fine 'exit 0' fine)" 0
is "three machines have the status of the third one if only that fails" \
	"$(cluster 0 'exit 0' fine 'exit 5' fine)" 5
is "three machines have status 97 if the log of the second one has an error" \
	"$(cluster 1 'exit 97' fine 'exit 5' fine)" 97
hangs='trap "exit 143" TERM; while :; do sleep 0.1; done'
is "two machines have status 98 if the second one hangs" "$(cluster 0 "$hangs" fine)" 98
is "two machines have status 97 if the second one hangs after an error in its log" "$(cluster 1 "$hangs" 'BUG: soft lockup')" 97
is "three machines have status 98 if the third one hangs" "$(cluster 0 'exit 0' fine "$hangs" fine)" 98

# pool [LIMIT]: run jobs on two processors; the job "behind" must wait for the job "long"; the job
# "last" need not. After LIMIT seconds, no job starts.
# shellcheck disable=SC2317 # they call what is here
pool()
{
	(
		top=$tmp build=$tmp passed=0 failed=0 skipped=0
		nproc() { echo 2; }
		awk() { echo 2; }
		result() { echo "$*"; }
		. "$libs/common.sh"
		build=$tmp
		. "$libs/pool.sh"
		job() { sleep "$2"; echo "ok 1 - $1"; passed=1; }
		add_counts()
		{
			local p

			read -r p _ <"$1" && passed=$((passed + p))
		}
		pool_add 1 long job long 2
		pool_add 1 short job short 0.1
		pool_add 1 behind job behind 0
		pool_after long
		pool_add 1 last job last 0.1
		pool_limit=${1:-}
		SECONDS=0
		pool_run 2>/dev/null
		echo "$passed passed"
	)
}

is "jobs start while an earlier job waits for another one" \
	"$(pool | grep -v '^#' | sed 's/.* - //' | xargs)" \
	"short: short last: last long: long behind: behind 4 passed"
is "after the limit, running jobs end, and jobs that have not started are skipped" \
	"$(pool 1 | grep -v '^#' | sed 's/^ok.* - //' | sort | xargs)" \
	"3 passed last: last long: long short: short skip the job behind runs 0 minutes have passed"
