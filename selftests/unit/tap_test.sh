#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that prove(1) accepts the TAP that "rdmafault report --tap" prints for a run, and that
# the result of prove is the verdict of the run. The TAP texts are those in
# selftests/golden/export.txt.
. "$(dirname "$0")/../lib/lib.sh"

command -v prove >/dev/null || skip_all "no prove on this host"
tmp=$(mktemp -d)
defer rm -r "$tmp"

# One file per text
awk -v dir="$tmp" '
	/^== / { file = "" }
	/^== TAP/ { file = dir "/" ++n ".tap"; next }
	file { print > file }' "$selftests/golden/export.txt"

# proved FILE: prints the output of prove for FILE
proved()
{
	prove --exec cat "$1" 2>&1 || true
}

ok "export.txt has at least 4 TAP texts" test "$(find "$tmp" -name '*.tap' | wc -l)" -ge 4
for file in "$tmp"/*.tap; do
	title=${file##*/}
	out=$(proved "$file")
	# The TAP of an aborted run has no plan, so prove reports a parse error
	is "prove parses $title without an error, unless it is of an aborted run" "$(grep -c 'Parse errors' <<<"$out")" \
		"$(grep -c '^Bail out' "$file")"
	if grep -q '^not ok\|^Bail out' "$file"; then
		ok "prove reports the failure of $title" grep -q 'Result: FAIL\|Bailout\|FAILED' <<<"$out"
	else
		ok "prove reports the success of $title" grep -q '^Result: PASS' <<<"$out"
	fi
done
