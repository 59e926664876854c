#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/lib/style.sh: checks that look only at the files that changed since they
# passed. Run with pipefail, as scripts/check does.
. "$(dirname "$0")/../lib/lib.sh"

scripts=$selftests/../scripts
top=$(mktemp -d)
defer rm -r "$top"
build=$top/build
mkdir -p "$top/scripts/lib/style" "$build/style/passed"
: >"$top/scripts/lib/style/some.ignore"
. "$scripts/lib/style.sh"
set -o pipefail

# check: run a check over a.c and b.c that prints their names, and fails if one
# of them contains "bad"
check()
{
	printf '%s\n' a.c b.c | changed example look
}

look()
{
	local file status=0

	while read -r file; do
		echo "$file"
		! grep -q bad "$top/$file" || status=1
	done
	return $status
}

echo good >"$top/a.c"
echo bad >"$top/b.c"
refusal=$(check) && passed=yes || passed=no
is "a file that fails makes the check fail" "$passed $refusal" "no a.c
b.c"
echo good >"$top/b.c"
ok "the check passes after the repair" check
is "without a change no file is checked" "$(check)" ""
ok "without a change the check passes" check
echo "still good" >"$top/a.c"
is "only the changed file is checked" "$(check)" a.c
