#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/lab refuses what it can't run before it makes anything, with the
# status of a run that is broken: 1 would say that a lab ran and failed.
. "$(dirname "$0")/../lib/lib.sh"

lab=$selftests/../scripts/lab
file=$selftests/../labs/01-one-drop.yaml

# broken WORDS REGEX ARG...
broken()
{
	local words=$1 regex=$2 status=0

	shift 2
	refused "$words" "^lab: $regex" "$lab" "$@"
	"$lab" "$@" >/dev/null 2>&1 || status=$?
	is "$words: exit status" $status 2
}

ok "help" "$lab" --help
broken "no file" "want a FILE to run"
broken "a file that isn't there" "none.yaml: no such file" none.yaml
broken "a directory" "/: no such file" /
broken "two files" "want one FILE, got '.*' and '$file'" "$file" "$file"
broken "an unknown option" "unknown option '--colour'" --colour "$file"
broken "an option without its value" "-o wants a value" "$file" -o
broken "a number of runs that is none" "--same 'x': not a whole number" --same x "$file"
broken "CPUs in virtual time" "-c 4: in virtual time the machine has one CPU; add --live" \
	--virtual-time -c 4 "$file"
broken "the report's directory among the run's options" \
	"'--out=x': want -o DIR before the --" "$file" -- --out=x
