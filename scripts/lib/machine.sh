# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Jobs of the pool that run tests in the machine. Each job is one boot that runs some
# tests. The name of a job is KERNEL-MODE-NUMBER. It shows to which cell of the table
# of kernels (see matrix.sh) the job's results belong.

# Number of test files per boot. It is not 1, because each boot takes some seconds. It is not
# high, because small jobs keep all processors busy until the end.
machine_files=16
machine_virtual_files=5

# tests_listed LIST: prints the tests that the file selftests/LIST names
tests_listed() {
	local listed

	listed=$(sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$top/selftests/$1") &&
		[ -n "$listed" ] || die "selftests/$1: the file lists no test"
	echo "$listed"
}

# mode_of TEST: prints the mode in which the test runs. "virtual": in virtual time, for
# tests that measure time (lab/ and exact/). "three": on three machines, for
# cluster/bump*.sh. "slurm": on two machines with Slurm, for cluster/srun*.sh and
# cluster/scenario*.sh. "paired": on two machines, for the other tests of cluster/. "live": in real
# time, for all others.
mode_of() {
	case $1 in
	lab/* | exact/*) echo virtual ;;
	cluster/bump*) echo three ;;
	cluster/srun* | cluster/scenario*) echo slurm ;;
	cluster/*) echo paired ;;
	*) echo live ;;
	esac
}

# share_of MODE TEST...: prints the TESTs that run in this mode. Mode "single" has the tests
# of mode "live", and runs them with one CPU.
share_of() {
	local test mode=$1

	shift
	[ "$mode" != single ] || mode=live
	for test; do
		[ "$(mode_of "$test")" != "$mode" ] || echo "selftests/$test"
	done
}

# job_name KERNEL MODE: prints "KERNEL-MODE", the beginning of the names of jobs, with each
# "/" of KERNEL replaced by "_"
job_name() {
	echo "${1//\//_}-$2"
}

# boot JOB KERNEL MODE TEST...: run some tests in one machine. Mode "virtual": one CPU in
# virtual time, so that the load of the host does not change what is measured. Mode
# "live": two CPUs, "single": one CPU, "paired": two machines, "three": three,
# "slurm": two with Slurm.
boot() {
	local job=$1 kernel=$2 mode=$3 counts=$build/out/counts-$1 limit=${TEST_TIMEOUT:-900}
	local options=() given status=0

	shift 3
	rm -f "$counts"
	mapfile -t given < <(env | grep -E "^(${test_settings//,/|})=")
	case $mode in
	single) options=(-c 1) ;;
	paired) options=(--machines 2) ;;
	three) options=(--machines 3) ;;
	slurm) options=(--machines 2 --layer slurm) ;;
	virtual)
		# While the machine is idle, virtual time jumps to the next timer, so a time
		# limit per test would be meaningless
		options=(--virtual-time)
		limit=100000 ;;
	esac
	echo "# kernel $kernel, $mode: $# test files"
	"$top/scripts/vm" run --quiet -k "$kernel" "${options[@]}" --no-build --timeout "${VM_TIMEOUT:-3600}" -- \
		env "${given[@]}" selftests/run.sh ${V:+-v} --announce --timeout "$limit" --counts "$counts" "$@" ||
		status=$?
	add_counts "$counts" "the machine runs all tests of the job $job (status $status)"
	boot_result "$status" "$counts"
}

# boot_result STATUS COUNTS: report errors that the test runner in the machine cannot see.
# STATUS is the exit status of scripts/vm, COUNTS the file to which the runner writes its
# results. If this file is missing, add_counts has already reported the failure, and only an
# error in the kernel log is reported here.
boot_result() {
	case $1 in
	0 | 1) ;;
	97) result "not ok" "the machine's kernel log has no warning and no error" ;;
	98) [ ! -e "$2" ] || result "not ok" "the machine powers off before the timeout" ;;
	*) [ ! -e "$2" ] || result "not ok" "the machine powers off without an error (status $1)" ;;
	esac
}

# boots_add KERNEL MODE TEST...: add the jobs that run the TESTs of this mode, and ignore the
# other TESTs. A job that boots several machines occupies as many processors.
boots_add() {
	local kernel=$1 mode=$2 files job weight=1 each=$machine_files number=1

	shift 2
	mapfile -t files < <(share_of "$mode" "$@")
	[ "$mode" != virtual ] || each=$machine_virtual_files
	[[ $mode != paired && $mode != slurm ]] || weight=2
	[ "$mode" != three ] || weight=3
	while [ ${#files[@]} -gt 0 ]; do
		job=$(job_name "$kernel" "$mode")-$number
		pool_add $weight "$job" boot "$job" "$kernel" "$mode" "${files[@]:0:each}"
		files=("${files[@]:each}")
		number=$((number + 1))
	done
}

# machine_add MODE...: add the jobs of these modes for all kernels
machine_add() {
	local mode kernel listed tests

	[ ${#chosen[@]} -gt 0 ] || return 0
	for mode; do
		for kernel in "${kernels[@]}"; do
			listed=$(tests_for "$kernel") || exit
			mapfile -t tests <<<"$listed"
			boots_add "$kernel" "$mode" "${tests[@]}"
		done
	done
}
