#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that checks of scripts/lib/style.sh read only files that changed since they
# passed. pipefail is set as in scripts/check.
. "$(dirname "$0")/../lib/lib.sh"

scripts=$selftests/../scripts
top=$(mktemp -d)
defer rm -r "$top"
build=$top/build
mkdir -p "$top/scripts/lib/style" "$build/style/passed"
: >"$top/scripts/lib/style/some.ignore"
. "$scripts/lib/style.sh"
set -o pipefail

# check: run a check of a.c and b.c that prints their names, and fails if one
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
is "a check fails if one of its files fails" "$passed $refusal" "no a.c
b.c"
echo good >"$top/b.c"
ok "a check passes after the file is repaired" check
is "a check that has passed reads no unchanged file" "$(check)" ""
ok "a check that has passed passes again without a change" check
echo "still good" >"$top/a.c"
is "a check that has passed reads only the changed file" "$(check)" a.c
