#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# prove(1) accepts the TAP of a run, and has its verdict. The texts are those of
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

# proved FILE: what prove says of it
proved()
{
	prove --exec cat "$1" 2>&1 || true
}

ok "there are texts" test "$(find "$tmp" -name '*.tap' | wc -l)" -ge 4
for file in "$tmp"/*.tap; do
	title=${file##*/}
	out=$(proved "$file")
	# An aborted run has no plan
	is "$title: no parse error" "$(grep -c 'Parse errors' <<<"$out")" \
		"$(grep -c '^Bail out' "$file")"
	if grep -q '^not ok\|^Bail out' "$file"; then
		ok "$title: prove reports the failure" grep -q 'Result: FAIL\|Bailout\|FAILED' <<<"$out"
	else
		ok "$title: prove reports success" grep -q '^Result: PASS' <<<"$out"
	fi
done
