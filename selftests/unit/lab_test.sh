#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that scripts/lab refuses wrong arguments before it builds or boots anything, with
# exit status 2 (broken): status 1 would mean that a lab ran and failed.
. "$(dirname "$0")/../lib/lib.sh"

lab=$selftests/../scripts/lab
file=$selftests/../labs/01-one-drop.yaml

# broken TITLE REGEX ARG...: test that scripts/lab refuses the arguments with an error that
# matches REGEX, and exits with 2. TITLE is part of the names of the tests.
broken()
{
	local words=$1 regex=$2 status=0

	shift 2
	refused "scripts/lab: $words" "^lab: $regex" "$lab" "$@"
	"$lab" "$@" >/dev/null 2>&1 || status=$?
	is "scripts/lab: $words, with exit status 2" $status 2
}

ok "scripts/lab --help exits with 0" "$lab" --help
broken "a missing FILE is an error" "FILE missing; for example"
broken "a FILE that does not exist is an error" "none.yaml: no such file" none.yaml
broken "a directory as FILE is an error" "/: no such file" /
broken "a second FILE is an error" "$file: unexpected argument; only one FILE can be given" "$file" "$file"
broken "an unknown option is an error" "--colour: unknown option" --colour "$file"
broken "an option without its value is an error" "-o: value missing" "$file" -o
broken "a number of runs that is not a number is an error" '--same "x": not a whole number from 0 to 999' --same x "$file"
broken "several CPUs in virtual time are an error" "-c 4: only possible with --live, because a machine in virtual time has one CPU" \
	--virtual-time -c 4 "$file"
broken "the report's directory among the options of the run is an error" \
	"--out=x: must precede the \"--\", for example scripts/lab -o DIR FILE -- --deadline 5m" "$file" -- --out=x
