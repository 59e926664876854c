#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the scenarios of labs/programs, which run programs of others. PROGRAMS is the list of
# scenarios without .yaml, separated by commas (default rping). The test runs in virtual time, because the scenarios
# compare times.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

# meets_expectations PROGRAM: succeeds if all cases meet their expectations; otherwise prints the
# output
meets_expectations()
{
	rdmafault run --out "$tmp/$1" "$selftests/../labs/programs/$1.yaml" >"$tmp/page" 2>&1 ||
		{ cat "$tmp/page"; return 1; }
}

programs=${PROGRAMS:-rping}
for program in ${programs//,/ }; do
	ok "the scenario of $program meets its expectations" meets_expectations "$program"
	is "control: each case of $program with a rule has hits" \
		"$(jq -r '[.cases[] | select((.faults | length) > 0 and .faults[0].matched != null and .hits == 0).name] | join(" ")' \
			"$tmp/$program/summary.json")" ""
	[ "$program" != rping ] ||
		ok "the report says how much longer the client of rping took" \
			grep -qE '^  .* packets? made the job take .* longer\.$' "$tmp/page"
done
