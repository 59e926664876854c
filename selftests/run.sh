#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs tests one after the other and closes with "N passed, N failed, N skipped".
#
#   selftests/run.sh [-v] [--timeout S] [--counts FILE] [--announce] [--list] [TEST...]
#
# A test is an executable file that prints TAP; exit status 4 means skipped, as
# in kselftest. TEST is a file, or a part of the path of some that need the
# machine (selftests/AREA/NAME.sh); without any, all of these are run. Beside
# what a test finds itself, it fails when it outlives its time, when its plan
# and its lines don't agree or there are none, when a line of it broke off, and when
# the kernel complained meanwhile. A test that failed before it skipped has failed.
set -uo pipefail

selftests=$(cd "$(dirname "$0")" && pwd)
. "$selftests/../scripts/lib/sicklog.sh"
. "$selftests/lib/leaks.sh"
. "$selftests/lib/lockdep.sh"

in_machine=$([ -e /run/vm/vm.conf ] && echo 1)
limit=240 counts='' list='' announce='' verbose=${V:-}
passed=0 failed=0 skipped=0 number=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

usage_error() {
	echo "run.sh: $*" >&2
	exit 2
}

# The tests that need the machine: those of all areas but unit
vm_tests() {
	find "$selftests" -mindepth 2 -maxdepth 2 -name '*.sh' -perm -u+x \
		! -path '*/lib/*' ! -path '*/unit/*' ! -path '*/tools/*' | sort
}

# select_tests PART...: the test files meant, one a line
select_tests() {
	local part found

	[ $# -gt 0 ] || vm_tests
	for part; do
		if [ -f "$part" ]; then
			realpath "$part"
			continue
		fi
		found=$(vm_tests | grep -F -- "$part") ||
			usage_error "no test '$part': want a file, or a part of a path that --list shows"
		echo "$found"
	done
}

# The kernel's log since the start of the current test
log_mark() {
	[ -z "$in_machine" ] || echo "selftests: $1" >/dev/kmsg
}

log_since() {
	[ -n "$in_machine" ] || return 0
	dmesg 2>/dev/null | awk -v mark="selftests: $1" 'index($0, mark) { on = 1; next } on'
}

# show: the lines of a test, indented; without -v those that failed, were skipped
# or were given up, with what is said about them
show() {
	awk -v all="$verbose" '
		/^(not )?ok/ { on = /^not ok/ || tolower($0) ~ /# skip/ }
		/^(1\.\.[0-9]+$|TAP version)/ { if (!all) next }
		all || on || !/^(ok|#)/ { print "    " $0; fflush() }'
}

# finding WORDS: one of the runner's own, as a failed line of the test
finding() {
	echo "not ok - $*" | tee -a "$work/tap" | show
}

tap_plan() {
	sed -nE 's/^1\.\.([0-9]+).*/\1/p' "$work/tap" | tail -n 1
}

tap_count() {
	grep -cE "^($1)( |$)" "$work/tap"
}

# broken_lines: what the shell prints when it can't expand a word or find a function
# or program. It leaves out the whole command then, an assertion too, and goes on with
# the next.
broken_lines() {
	grep -E '^[^#].*: line [0-9]+: .*(\(error token is |: bad substitution$|substring expression < 0$|command not found$)' \
		"$work/tap"
}

# where_it_hangs: what the machine's programs wait for, as diagnostics; without a
# process for each, for the machine may be a slow one
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

# watch_over: shortly before the time of a test is over, tell where it hangs
watch_over() {
	[ -n "$in_machine" ] && [ "$limit" -gt 5 ] || return 0
	sleep $((limit - 5)) && where_it_hangs
}

# What a test that was killed may have left behind
clean_up() {
	[ -n "$in_machine" ] || return 0
	timeout 60 rdmafault fabric down --force
	timeout 60 rdmafault reset
} >/dev/null 2>&1

# after NAME STATUS: what the test did not say itself
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
			finding "$name finds something out"
		elif [ "$status" -ne 0 ] && [ "$(tap_count 'not ok')" -eq 0 ]; then
			finding "$name exits with status 0, not $status"
		fi ;;
	esac
	[ -z "$(broken_lines)" ] || finding "$name has no line that broke off"
	complaint=$(log_since "$name" | sick_lines)
	if [ -n "$complaint" ]; then
		finding "the kernel log is clean after $name"
		printf '%s\n' "$complaint" | sed 's/^/    # /'
	fi
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
	# The outer stderr is the shell's own: its word on a test that was killed
	{
		timeout -k 10 "$limit" "$file" 2>&1 </dev/null | tee "$work/tap" | show
		status=${PIPESTATUS[0]}
		pkill -P "$watcher"
		wait "$watcher"
	} 2>/dev/null
	after "$name" "$status"
	bad=$(tap_count 'not ok')
	if [ "$status" -eq 4 ] && [ "$bad" -eq 0 ]; then
		skipped=$((skipped + 1))
		echo "ok $number - $name # SKIP"
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
	echo "not ok - no memory is leaked"
	printf '%s\n' "$found" | sed 's/^/# /'
}

final_locks() {
	[ -n "$in_machine" ] && [ "$(debug_locks)" = 0 ] || return 0
	failed=$((failed + 1))
	echo "not ok - lockdep turned itself off: the boot proved nothing about locks"
}

main() {
	local tests test

	while [ $# -gt 0 ]; do
		case $1 in
		--timeout) limit=${2:?}; shift ;;
		--counts) counts=${2:?}; shift ;;
		--announce) announce=1 ;;
		--list) list=1 ;;
		-v) verbose=1 ;;
		-*) usage_error "unknown option '$1': want -v, --timeout S, --counts FILE, --announce or --list" ;;
		*) break ;;
		esac
		shift
	done
	tests=$(select_tests "$@") || exit
	[ -z "$list" ] || { printf '%s\n' "$tests" | sed "s|^$selftests/||"; exit 0; }
	echo "TAP version 13"
	echo "1..$(wc -l <<<"$tests")"
	[ -z "$in_machine" ] || leaks_forget
	while read -r test; do
		run_test "$test"
	done <<<"$tests"
	final_leaks
	final_locks
	[ -z "$counts" ] || echo "$passed $failed $skipped" >"$counts"
	echo "${counts:+# }$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}

main "$@"
