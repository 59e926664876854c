#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run tests one after the other; the last line is "N passed, N failed, N skipped".
#
#   selftests/run.sh [-v] [--timeout S] [--counts FILE] [--junit FILE] [--announce]
#                    [--under COMMAND] [--list] [TEST...]
#
#   -v             print every line of every test (default: failed and skipped ones)
#   --timeout S    end a test that takes longer than S seconds (default 240)
#   --counts FILE  also write the three numbers to FILE
#   --junit FILE   also write all results to FILE as JUnit XML, for CI systems
#   --announce     print "# running N: NAME" before each test
#   --under COMMAND  run each test by COMMAND, for example by an emulator
#   --list         print the names of the tests instead of running them
#
# A test is an executable file that prints TAP; exit status 4 means skipped, as in kselftest.
# TEST is the name of such a file, or a word such as "lab/" that selects all tests whose path
# contains it. The word, and the default (all tests), select only tests that need a virtual
# machine. A test also fails if it exceeds the timeout, if its plan is missing or differs from
# the number of results, if the shell could not run a command, or if the kernel logged a warning
# or an error during the test.
# A test that fails an assertion and then skips the rest has failed.
set -uo pipefail

selftests=$(cd "$(dirname "$0")" && pwd)
. "$selftests/../scripts/lib/sicklog.sh"
. "$selftests/lib/leaks.sh"
. "$selftests/lib/lockdep.sh"

in_machine=$([ -e /run/vm/vm.conf ] && echo 1)
limit=240 counts='' junit='' list='' announce='' under=() verbose=${V:-}
passed=0 failed=0 skipped=0 number=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 99' INT TERM

usage_error() {
	echo "run.sh: $*" >&2
	exit 2
}

# vm_tests: prints the tests that need a virtual machine, which are the tests of all areas
# except unit
vm_tests() {
	find "$selftests" -mindepth 2 -maxdepth 2 -name '*.sh' -perm -u+x \
		! -path '*/lib/*' ! -path '*/unit/*' ! -path '*/tools/*' | sort
}

# select_tests PART...: prints the test files whose path contains one of these parts, one per
# line
select_tests() {
	local part found

	[ $# -gt 0 ] || vm_tests
	for part; do
		if [ -f "$part" ]; then
			realpath "$part"
			continue
		fi
		found=$(vm_tests | grep -F -- "$part") ||
			usage_error "$part: no such test; a file, or a part of a path that --list prints"
		echo "$found"
	done
}

# log_mark writes the start of a test to the kernel's log, so that log_since can print the log
# from this point on.
log_mark() {
	[ -z "$in_machine" ] || echo "selftests: $1" >/dev/kmsg
}

log_since() {
	[ -n "$in_machine" ] || return 0
	dmesg 2>/dev/null | awk -v mark="selftests: $1" 'index($0, mark) { on = 1; next } on'
}

# show: print the lines of a test, indented. Without -v, print only failed and skipped results,
# with their diagnostics.
show() {
	awk -v all="$verbose" '
		/^(not )?ok/ { on = /^not ok/ || tolower($0) ~ /# skip/ }
		/^(1\.\.[0-9]+$|TAP version)/ { if (!all) next }
		all || on || !/^(ok|#)/ { print "    " $0; fflush() }'
}

# finding TITLE: report a failure that the runner found, as an additional failed result of the
# test. TITLE says what the test should have done.
finding() {
	echo "not ok - $*" | tee -a "$work/tap" | show
}

tap_plan() {
	sed -nE 's/^1\.\.([0-9]+).*/\1/p' "$work/tap" | tail -n 1
}

tap_count() {
	grep -cE "^($1)( |$)" "$work/tap"
}

# broken_lines: prints the shell's errors about commands that do not exist, and about words
# that the shell cannot expand. After such an error, the shell skips the whole command, for
# example an assertion, and continues with the next one.
broken_lines() {
	grep -E '^[^#].*: line [0-9]+: .*(\(error token is |: bad substitution$|substring expression < 0$|command not found$)' \
		"$work/tap"
}

# where_it_hangs: print the kernel stack of each process of the machine as diagnostics. This
# function starts no processes, because the machine can be slow.
where_it_hangs() {
	local dir words stack

	for dir in /proc/[1-9]*; do
		mapfile -d '' words <"$dir/cmdline"
		[ ${#words[@]} -gt 0 ] || continue
		mapfile -t stack <"$dir/stack"
		words=("${words[@]%%$'\n'*}")
		echo "    # ${dir#/proc/} ${words[*]}"
		printf '    #   %s\n' "${stack[@]:0:4}"
	done
}

# watch_over: shortly before the timeout of a test, print where the test hangs
watch_over() {
	[ -n "$in_machine" ] && [ "$limit" -gt 5 ] || return 0
	sleep $((limit - 5)) && where_it_hangs
}

# clean_up: remove what a killed test can have left
clean_up() {
	[ -n "$in_machine" ] || return 0
	timeout 60 rdmafault fabric down --force
	timeout 60 rdmafault reset
} >/dev/null 2>&1

# after NAME STATUS: report the failures of the test NAME that the test itself cannot report,
# for example a timeout
after() {
	local name=$1 status=$2 plan complaint

	plan=$(tap_plan)
	case $status in
	124 | 137)
		finding "$name ends within $limit s"
		clean_up ;;
	4) ;;
	*)
		if [ -z "$plan" ]; then
			finding "$name prints its plan (exit status $status)"
		elif [ "$plan" != "$(tap_count 'ok|not ok')" ]; then
			finding "$name prints as many results as planned ($plan)"
		elif [ "$plan" -eq 0 ]; then
			finding "$name has at least one assertion"
		elif [ "$status" -ne 0 ] && [ "$(tap_count 'not ok')" -eq 0 ]; then
			finding "$name exits with status 0, not $status"
		fi ;;
	esac
	[ -z "$(broken_lines)" ] || finding "the shell runs all commands of $name"
	complaint=$(log_since "$name" | sick_lines)
	if [ -n "$complaint" ]; then
		finding "the kernel logs no warning and no error during $name"
		printf '%s\n' "$complaint" | sed 's/^/    # /'
	fi
}

# keep NAME SECONDS STATUS: save the output and the result of a test for
# lib/tap_to_junit.py
keep() {
	[ -n "$junit" ] || return 0
	cp "$work/tap" "$work/junit/$number.tap"
	printf '%s\n' "$@" >"$work/junit/$number.test"
}

# skip_reason: prints why the whole test was skipped
skip_reason() {
	sed -nE 's/^1\.\.0 *# *[Ss][Kk][Ii][Pp][^ ]* *(.*)/ \1/p' "$work/tap" | head -n 1
}

run_test() {
	local file=$1 name start=$SECONDS status skips bad verdict watcher

	name=${file#"$selftests"/}
	name=${name#"$PWD"/}
	number=$((number + 1))
	[ -z "$announce" ] || echo "# running $number: $name"
	: >"$work/tap"
	log_mark "$name"
	watch_over 2>/dev/null &
	watcher=$!
	# The only output on this stderr is the shell's message about a killed test, which is
	# not needed.
	{
		timeout -k 10 "$limit" "${under[@]}" "$file" 2>&1 </dev/null | tee "$work/tap" | show
		status=${PIPESTATUS[0]}
		pkill -P "$watcher"
		wait "$watcher"
	} 2>/dev/null
	after "$name" "$status"
	keep "$name" $((SECONDS - start)) "$status"
	bad=$(tap_count 'not ok')
	if [ "$status" -eq 4 ] && [ "$bad" -eq 0 ]; then
		skipped=$((skipped + 1))
		echo "ok $number - $name # SKIP$(skip_reason)"
		return
	fi
	skips=$(grep -ciE '^ok .*# skip' "$work/tap")
	skipped=$((skipped + skips))
	failed=$((failed + bad))
	passed=$((passed + $(tap_count ok) - skips))
	verdict=ok
	[ "$bad" -eq 0 ] || verdict="not ok"
	echo "$verdict $number - $name: $(tap_count ok) of $(tap_count 'ok|not ok') ok ($((SECONDS - start)) s)"
}

final_leaks() {
	local found

	found=$([ -z "$in_machine" ] || leaks)
	[ -n "$found" ] || return 0
	failed=$((failed + 1))
	echo "not ok - the kernel leaks no memory"
	printf '%s\n' "$found" | sed 's/^/# /'
}

final_locks() {
	[ -n "$in_machine" ] && [ "$(debug_locks)" = 0 ] || return 0
	failed=$((failed + 1))
	echo "not ok - lockdep works until the end of the boot"
}

main() {
	local tests test

	while [ $# -gt 0 ]; do
		case $1 in
		--timeout) limit=${2:?}; shift ;;
		--counts) counts=${2:?}; shift ;;
		--junit) junit=${2:?}; shift ;;
		--announce) announce=1 ;;
		--under) under=("${2:?}"); shift ;;
		--list) list=1 ;;
		-v) verbose=1 ;;
		-*) usage_error "$1: unknown option; -v, --timeout S, --counts FILE, --junit FILE, --announce, --under COMMAND or --list" ;;
		*) break ;;
		esac
		shift
	done
	tests=$(select_tests "$@") || exit
	[ -z "$list" ] || { printf '%s\n' "$tests" | sed "s|^$selftests/||"; exit 0; }
	[ -z "$junit" ] || mkdir "$work/junit"
	echo "TAP version 13"
	echo "1..$(wc -l <<<"$tests")"
	[ -z "$in_machine" ] || leaks_forget
	while read -r test; do
		run_test "$test"
	done <<<"$tests"
	final_leaks
	final_locks
	[ -z "$junit" ] || python3 "$selftests/lib/tap_to_junit.py" "$junit" "$work/junit" || exit
	[ -z "$counts" ] || echo "$passed $failed $skipped" >"$counts"
	echo "${counts:+# }$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}

main "$@"
