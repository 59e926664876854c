# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Run tests that are Python programs. They read the netlink specification, for which they
# need python3-yaml, and report their results with lib/tap.py.

spec=$selftests/../Documentation/netlink/specs/rdmafault.yaml

need_python()
{
	python3 -c 'import yaml' 2>/dev/null || skip_all "no python3-yaml"
}

# python_test FILE ARGUMENT...: run the Python program FILE with the netlink specification
# and the arguments, and report its results as results of this test.
python_test()
{
	local line ended=

	while IFS= read -r line; do
		case $line in
		"ok - "*) report ok "${line#ok - }" ;;
		"not ok - "*) report "not ok" "${line#not ok - }" ;;
		"end") ended=1 ;;
		*) echo "$line" ;;
		esac
	done < <(PYTHONPATH=$selftests/lib \
		python3 "$1" "$spec" "${@:2}" 2>&1 | sed -u 's/^Traceback\|^  /# &/')
	ok "$(basename "$1") runs to its end" test -n "$ended"
}
