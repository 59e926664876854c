# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Run labs. The files of a run are in $tmp/LAB, its output in $tmp/LAB.page.

# passes LAB: run a lab, and test that it meets its expectations
passes()
{
	rdmafault run --deadline 3600s --out "$tmp/$1" "$selftests/../labs/$1.yaml" \
		>"$tmp/$1.page" 2>&1
	is "the lab $1 meets its expectations" $? 0 || diagnose <"$tmp/$1.page"
}
