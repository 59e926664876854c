# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Golden files for tests that are scripts; selftests/unit/golden.h does the same for tests
# in C. Sourced after lib.sh.

# golden NAME COMMAND...: test that the output of COMMAND equals the file selftests/golden/NAME
golden()
{
	local file=$selftests/golden/$1 text

	text=$(mktemp)
	"${@:2}" >"$text"
	if [ "${GOLDEN:-}" = write ] && ! cmp -s "$text" "$file"; then
		cp "$text" "$file"
		# When a virtual machine ends, only its files below $vm_out are kept.
		[ -z "${vm_out:-}" ] || install -D "$text" "$vm_out/golden/$1"
		echo "# wrote selftests/golden/$1"
	fi
	ok "the output is that of selftests/golden/$1" \
		diff -Na -U1 -F '^== ' --label "selftests/golden/$1" --label "this test" \
		"$file" "$text"
	cmp -s "$text" "$file" || echo '# scripts/golden rewrites the file'
	rm -f "$text"
}
