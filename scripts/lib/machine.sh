# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# The tests that need the machine, as jobs for the pool: each is one boot of some
# of them. What a boot is called, KERNEL-MODE-NUMBER, says in which cell of the
# matrix its results belong.

# A boot is some seconds; with few tests in each, processors have their share
machine_files=16
machine_virtual_files=5

# tests_listed LIST: what a list in selftests/ names, without its comments
tests_listed() {
	local listed

	listed=$(sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$top/selftests/$1") &&
		[ -n "$listed" ] || die "selftests/$1 names no test"
	echo "$listed"
}

# mode_of TEST: how it is run. Labs and exact tests measure time, those of
# cluster/ want two machines.
mode_of() {
	case $1 in
	lab/* | exact/*) echo virtual ;;
	cluster/*) echo paired ;;
	*) echo live ;;
	esac
}

# share_of MODE TEST...: those that this mode is for; live ones go with one CPU,
# too
share_of() {
	local test mode=$1

	shift
	[ "$mode" != single ] || mode=live
	for test; do
		[ "$(mode_of "$test")" != "$mode" ] || echo "selftests/$test"
	done
}

# job_name KERNEL MODE
job_name() {
	echo "${1//\//_}-$2"
}

# boot JOB KERNEL MODE TEST...: one machine for some tests. In mode "virtual" it
# counts instructions as time, so that a busy host changes nothing in what is
# measured; in mode "live" it has two CPUs, in mode "single" one; in mode
# "paired" it is two machines.
boot() {
	local job=$1 kernel=$2 mode=$3 counts=$build/out/counts-$1 limit=${TEST_TIMEOUT:-480}
	local options=() given status=0

	shift 3
	rm -f "$counts"
	mapfile -t given < <(env | grep -E "^(${test_settings//,/|})=")
	case $mode in
	single) options=(-c 1) ;;
	paired) options=(--pair) ;;
	virtual)
		# Its idle time costs nothing, so that no limit of a test means anything
		options=(--virtual-time)
		limit=100000 ;;
	esac
	echo "# kernel $kernel, $mode: $# test files"
	"$top/scripts/vm" run --quiet -k "$kernel" "${options[@]}" --no-build --timeout "${VM_TIMEOUT:-3600}" -- \
		env "${given[@]}" selftests/run.sh ${V:+-v} --announce --timeout "$limit" --counts "$counts" "$@" ||
		status=$?
	add_counts "$counts" "the machine gets through its tests (status $status)"
	boot_result "$status" "$counts"
}

# boot_result STATUS COUNTS: what the runner didn't say itself. Without its counts
# something else has been found already.
boot_result() {
	case $1 in
	0 | 1) ;;
	97) result "not ok" "the kernel's log is clean" ;;
	98) [ ! -e "$2" ] || result "not ok" "the machine ends in time" ;;
	*) [ ! -e "$2" ] || result "not ok" "the machine ends well (status $1)" ;;
	esac
}

# boots_add KERNEL MODE TEST...: those tests that this mode is for, some in each
# job. Two machines at once have two processors' weight.
boots_add() {
	local kernel=$1 mode=$2 files job weight=1 each=$machine_files number=1

	shift 2
	mapfile -t files < <(share_of "$mode" "$@")
	[ "$mode" != virtual ] || each=$machine_virtual_files
	[ "$mode" != paired ] || weight=2
	while [ ${#files[@]} -gt 0 ]; do
		job=$(job_name "$kernel" "$mode")-$number
		pool_add $weight "$job" boot "$job" "$kernel" "$mode" "${files[@]:0:each}"
		files=("${files[@]:each}")
		number=$((number + 1))
	done
}

# machine_add MODE...: all of what tests_for says
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
