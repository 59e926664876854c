#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What scripts/check and scripts/vm make of the end of a machine, and of a list that
# names no test. No machine is booted.
. "$(dirname "$0")/../lib/lib.sh"

libs=$(cd "$selftests/../scripts/lib" && pwd)
tmp=$(mktemp -d)
defer rm -r "$tmp"
mkdir "$tmp/selftests"
touch "$tmp/counts"

# check COMMAND...: with the functions of scripts/check, in a project of its own
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
		# shellcheck disable=SC2034 # theirs
		kernels=(6.1) chosen=(kmod/a.sh)
		"$@"
	)
}

# ends STATUS WORDS: so it ends, when the runner has left its counts
ends()
{
	is "a boot with status $1" "$(check boot_result "$1" "$tmp/counts")" "$2"
}

ends 0 ""
ends 1 ""
ends 97 "not ok the kernel's log is clean"
ends 98 "not ok the machine ends in time"
ends 143 "not ok the machine ends well (status 143)"
is "without counts that has been told" "$(check boot_result 143 "$tmp/none")" ""

for list in ci debug; do
	printf '# some\nkmod/a.sh # one\n\n' >"$tmp/selftests/$list"
done
is "a list's tests are booted" "$(check machine_add live)" \
	"6.1-live-1: 6.1-live-1 6.1 live selftests/kmod/a.sh"
is "so are those of the debug kernel" "$(check debug_boots_add)" \
	"debug-1: debug-1 selftests/kmod/a.sh"
# wanted CPUS: the modes of the matrix's cells
# shellcheck disable=SC2317 # check calls it
wanted()
{
	local mode

	# shellcheck disable=SC2034 # matrix_wants's
	cpus=$1
	for mode in paired virtual live single; do
		! matrix_wants "$mode" || echo "$mode"
	done | xargs
}

is "the matrix has all modes" "$(check wanted "")" "paired virtual live single"
is "with -c 1 those of one CPU" "$(check wanted 1)" "virtual single"
is "with -c 2 those of two" "$(check wanted 2)" "paired live"
echo "6.1.0-56 1 all 1 0 0" >"$tmp/page"
printf '6.1.0-57 1 ci 1 0 0\n6.1.0-57 2 ci 1 0 0\n7.3.4 1 ci 1 0 0\n' >"$tmp/new"
is "a cell with all tests covers one with some" \
	"$(check matrix_lacks "$tmp/page" "$tmp/new" | xargs)" "6.1 2 ci 7.3 1 ci"
is "and not the other way round" "$(check matrix_lacks "$tmp/new" "$tmp/page")" "6.1 1 all"
echo '# none' >"$tmp/selftests/ci"
rm "$tmp/selftests/debug"
is "a list without a test is no list" "$(check machine_add live 2>&1; echo $?)" \
	"selftests/ci names no test"$'\n1'
is "nor is one that isn't there" "$({ check debug_boots_add; echo $?; } 2>&1 | tail -n 2)" \
	"selftests/debug names no test"$'\n1'

# pair STATUS COMMAND LOG: two machines, the first of which ends with that; the second
# is that command, and its kernel says LOG
# shellcheck disable=SC2317 # they call what is here
pair()
{
	(
		say() { :; }
		# Patience costs nothing
		sleep() { :; }
		# shellcheck disable=SC2034 # theirs
		top=$tmp build=$tmp vm_timeout=1 run_dir=$tmp/first
		. "$libs/sicklog.sh"
		. "$libs/qemu.sh"
		. "$libs/pair.sh"
		rm -rf "$tmp/first" "$tmp/second"
		mkdir "$tmp/first" "$tmp/second"
		ln -s "$tmp/second" "$tmp/first/pair.run"
		touch "$tmp/first/console"
		echo "exit $1" >"$tmp/first/status"
		echo "$3" >"$tmp/second/console"
		bash -c "$2" >"$tmp/first/second" 2>&1 &
		pair_pid=$!
		command sleep 0.5
		pair_verdict 0 >/dev/null 2>&1
		echo $?
	)
}

is "two machines end well" "$(pair 0 'exit 0' fine)" 0
is "the first one's tests fail" "$(pair 1 'exit 0' fine)" 1
is "the second one's log isn't clean" "$(pair 1 'exit 97' fine)" 97
hangs='trap "exit 143" TERM; while :; do sleep 0.1; done'
is "the second hangs" "$(pair 0 "$hangs" fine)" 98
is "the second hangs, and its log says why" "$(pair 1 "$hangs" 'BUG: soft lockup')" 97

# pool: jobs on two processors; "behind" waits for "long", "last" does not
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
		pool_run 2>/dev/null
		echo "$passed passed"
	)
}

is "a job that waits for another one does not hold up the rest" \
	"$(pool | grep -v '^#' | sed 's/.* - //' | xargs)" \
	"short: short last: last long: long behind: behind 4 passed"
