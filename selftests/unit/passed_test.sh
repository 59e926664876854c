#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how scripts/check records that a long check passed, and with which sources. While the
# sources are unchanged, CI skips the check. A function replaces git: the image has no git.
. "$(dirname "$0")/../lib/lib.sh"

libs=$(cd "$selftests/../scripts/lib" && pwd)
top=$(mktemp -d)
defer rm -r "$top"
mkdir "$top/selftests"
. "$libs/passed.sh"
. "$libs/gate.sh"

# passed_git replaces git: the object id of PATH is the text of the file $top/PATH. If
# $top/changed exists, a file in PATH has an uncommitted change.
passed_git()
{
	case $1 in
	status) [ ! -e "$top/changed" ] || echo " M ${*: -1}" ;;
	rev-parse) cat "$top/${2#HEAD:}" ;;
	esac
}

say() { echo "$*"; }
result() { echo "$*"; }

# record: record that "scripts/bench --gate" passed with the current sources
record()
{
	passed_write "$gate_passed" "scripts/bench --gate" \
		"$(passed_ids "${gate_passed_paths[@]}")" "${gate_passed_paths[@]}"
}

for path in kmod include Kbuild selftests/bench; do
	echo "id-of-$path" >"$top/$path"
done
ok "without a record the benchmark is due" gate_is_due
is "the name of the written file is printed" "$(record)" \
	"scripts/bench --gate passed; commit selftests/bench.passed"
is "the file has the id of each path" "$(grep -v '^#' "$top/selftests/bench.passed")" \
	"kmod id-of-kmod
include id-of-include
Kbuild id-of-Kbuild
selftests/bench id-of-selftests/bench"
is "with the record of these sources the benchmark is skipped" "$(gate_is_due)" \
	"skip no packet costs more instructions this passed for these sources: selftests/bench.passed"
touch "$top/changed"
ok "with an uncommitted change it is due" gate_is_due
rm "$top/changed"
for path in kmod include Kbuild selftests/bench; do
	echo other >"$top/$path"
	ok "with another object of $path it is due" gate_is_due
	echo "id-of-$path" >"$top/$path"
done
is "nothing is recorded if the sources changed during the run" \
	"$(passed_write "$gate_passed" "scripts/bench --gate" "kmod other" "${gate_passed_paths[@]}")" \
	"selftests/bench.passed was not written: the sources differ from the commit"
