#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 09-rnr: the receiver is not ready for one packet, first with a short RNR timer,
# then with the longest one. In the last case it is never ready. The test runs in virtual time,
# because on a busy host ACKs are late.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/09-rnr.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# end_of CASE RANK: prints the error with which RANK ended in CASE
end_of()
{
	jq -r "select(.case == \"$1\" and .type == \"end\" and .rank == $2).error" \
		<(run_lines "$tmp/out")
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab 09-rnr meets its expectations" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

ok "case never: rank 1 ends with an explanation of RNR retry exceeded" eval \
	"end_of never 1 | grep -q '^RNR retry exceeded: the peer sent 6+1 RNR NAKs, because it had no receive posted; message '"
ok "case never: another rank ends with the name of the rank that failed first" eval \
	"end_of never 3 | grep -q '^rank 1 (rxe2) failed first: RNR retry exceeded'"
is "case never: each of seven attempts of the packet is hit" \
	"$(jq -r 'select(.case == "never" and .type == "hit" and .fault) |
		[.psn_rel, .attempt] | @csv' <(run_lines "$tmp/out") | tr '\n' ' ')" \
	"66,1 66,2 66,3 66,4 66,5 66,6 66,7 "
ok "case never: the report says which step ended the job and why" eval \
	"tr -s ' \n' ' ' <'$tmp/page' |
		grep -q 'One packet, refused 7 times, made all 4 ranks wait [0-9.]* ms and ended the job. Case \"never\": In step 10 of 20, rank 1 gave up: RNR retry exceeded'"

# Control: run the lab with six RNR NAKs instead of seven. The job must not fail.
sed -e '/name: once/,/^  # rnr_retry/d' -e 's/step-message 1$/step-message 1 attempt 1-6/' \
	"$lab" >"$tmp/six.yaml"
rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/six.yaml" >"$tmp/page" 2>&1
is "with six RNR NAKs the case that expects the job to fail is not met" $? 1
ok "with six RNR NAKs no rank fails" \
	grep -q 'FAIL *never: not met: ranks.failed == 4: got 0' "$tmp/page"
ok "with six RNR NAKs no sum is wrong" test "$(grep -c '^  FAIL .*wrong' "$tmp/page")" = 0

sed 's/tx 0 class/tx 32 class/' "$lab" >"$tmp/timer.yaml"
refused "an RNR timer of 32 is refused" \
	"^rdmafault: $tmp/timer.yaml:[0-9]+:[0-9]+: do: rnr 32: .*31.*" \
	rdmafault run --deadline 3600s --out "$tmp/none" "$tmp/timer.yaml"
