# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Functions of all tests. A test sources this file and calls ok, is or refused for each
# assertion. At the end of the script, the plan is printed, deferred commands run, and
# the exit status is set. Exit status 4 means skipped, as in kselftest.
#
# TITLE is the name of an assertion.
#
#   ok TITLE COMMAND...           COMMAND must succeed
#   is TITLE GOT EXPECTED         the strings GOT and EXPECTED must be equal
#   refused TITLE REGEX COMMAND...  COMMAND must fail, and print one line that matches
#                                 REGEX; if $refused_with is set, with this exit status
#   refused_all COMMAND           for each line WORDS|REGEX of standard input, "rdmafault
#                                 COMMAND WORDS" must fail, and print one line that matches
#                                 "^rdmafault: REGEX". One rdmafault -batch runs all
#   defer COMMAND...              run COMMAND at the end; the last deferred command runs first
#   wait_until SECONDS COMMAND... poll until COMMAND succeeds; ten times as long with
#                                 KSFT_MACHINE_SLOW (debug kernel), and in virtual time,
#                                 which advances while a program is loaded from the disk
#   $soon                         SECONDS for tests that do not measure time
#   skip TITLE REASON             skip one assertion
#   too_slow TITLE NEED && ...    skip one assertion if KSFT_MACHINE_SLOW is set; NEED says
#                                 what a fast machine does
#   skip_all REASON               skip the rest; fails if an assertion has failed
#   virtual_only                  skip all unless this machine is in virtual time
set -u

selftests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export selftests

# If the test runs in a machine of scripts/vm, vm.conf has the settings of this machine. With
# virtual time, vm.conf sets vm_virtual.
[ ! -e /run/vm/vm.conf ] || . /run/vm/vm.conf
. "$selftests/lib/wait.sh"

# A timeout in seconds for what normally happens at once: a busy host can stop an emulated
# machine for one or two seconds, and a hang lasts 20 s (timeout of collperf) or 50 s (rxe
# waiting for a queue pair).
# shellcheck disable=SC2034 # tests use it
soon=15

# jq 1.6 takes a third of a second to start in an emulated machine, gojq a tenth of that.
# Both print the keys of an object sorted.
if command -v gojq >/dev/null; then
	jq()
	{
		gojq "$@"
	}
else
	jq()
	{
		command jq -S "$@"
	}
fi

tests_run=0
tests_failed=0
deferred=()

report()
{
	local verdict=$1

	shift
	tests_run=$((tests_run + 1))
	[ "$verdict" = ok ] || tests_failed=$((tests_failed + 1))
	echo "$verdict $tests_run - $*"
}

diagnose()
{
	sed 's/^/# /'
}

ok()
{
	local words=$1 out

	shift
	if out=$("$@" 2>&1); then
		report ok "$words"
	else
		report "not ok" "$words"
		{
			echo "failed: $*"
			echo "$out"
		} | diagnose
	fi
}

is()
{
	if [ "$2" = "$3" ]; then
		report ok "$1"
	else
		report "not ok" "$1"
		printf 'got:      %s\nexpected: %s\n' "$2" "$3" | diagnose
	fi
}

refused()
{
	local words=$1 regex=$2 out status

	shift 2
	out=$("$@" 2>&1 >/dev/null)
	status=$?
	if [ $status -ne 0 ] && [ $status = "${refused_with:-$status}" ] &&
	   [ "$(wc -l <<<"$out")" = 1 ] && grep -Eq -- "$regex" <<<"$out"; then
		report ok "$words"
	else
		report "not ok" "$words"
		printf '%s\nexit status %s%s, expected one line that matches: %s\n%s\n' \
			"$*" $status "${refused_with:+ instead of $refused_with}" \
			"$regex" "$out" | diagnose
	fi
}

refused_all()
{
	local words=() regexes=() said=() held='' line regex i

	while IFS='|' read -r line regex; do
		words+=("$line")
		regexes+=("$regex")
	done
	while IFS= read -r line; do
		if [[ $line =~ ^Command\ failed\ -:([0-9]+)$ ]]; then
			said[BASH_REMATCH[1]]=$held
			held=
		else
			held+=${held:+ // }$line
		fi
	done < <(printf '%s\n' "${words[@]/#/$1 }" |
		rdmafault -force -batch - 2>&1 >/dev/null)
	for ((i = 0; i < ${#words[@]}; i++)); do
		if [[ ${said[i + 1]:-} != *" // "* && ${said[i + 1]:-} =~ ^rdmafault:\ ${regexes[i]} ]]; then
			report ok "rdmafault refuses \"$1 ${words[i]}\" with one line that names the error"
		else
			report "not ok" "rdmafault refuses \"$1 ${words[i]}\" with one line that names the error"
			diagnose <<<"got: ${said[i + 1]:-nothing}; expected one line that matches: ${regexes[i]}"
		fi
	done
}

# run_lines DIR: prints all lines of the record of the run in DIR, with the members "case" and
# "round" added
run_lines()
{
	local label name round

	while IFS=$'\t' read -r label name round; do
		jq -c --arg case "$name" --argjson round "$round" '. + { $case, $round }' \
			"$1/$label/timeline.jsonl" "$1/$label/events.jsonl"
	done < <(jq -r '.cases[] | [.label, .name, .round] | @tsv' "$1/summary.json")
}

defer()
{
	deferred+=("$(printf '%q ' "$@")")
}

skip()
{
	report ok "$1 # SKIP $2"
}

too_slow()
{
	[ -n "${KSFT_MACHINE_SLOW:-}" ] || return
	skip "$1" "this machine is too slow; the test needs one that $2"
}

skip_all()
{
	[ "$tests_failed" -eq 0 ] || { diagnose <<<"would skip: $*"; exit 1; }
	echo "1..0 # SKIP $*"
	tests_run=skip
	exit 4
}

virtual_only()
{
	[ -n "${vm_virtual:-}" ] || skip_all "needs virtual time (scripts/vm run --virtual-time)"
}

finish()
{
	local status=$? i

	for ((i = ${#deferred[@]} - 1; i >= 0; i--)); do
		eval "${deferred[i]}" >/dev/null 2>&1
	done
	[ "$tests_run" = skip ] && exit 4
	echo "1..$tests_run"
	[ "$tests_failed" -eq 0 ] || exit 1
	exit "$status"
}
trap finish EXIT
trap 'exit 99' INT TERM
