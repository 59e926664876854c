#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 09-rnr: a receiver that isn't ready for once, for the longest time, and
# for good. In virtual time, since on a busy host ACKs are late.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/09-rnr.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# end_of CASE RANK: how it ended
end_of()
{
	jq -r "select(.case == \"$1\" and .type == \"end\" and .rank == $2).error" \
		"$tmp/out/events.jsonl"
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab shows what it should" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

ok "error 13 is explained" eval \
	"end_of never 1 | grep -q '^RNR retry exceeded: the peer answered 6+1 times that it had no receive posted; message '"
ok "the others know who it was" eval \
	"end_of never 3 | grep -q '^rank 1 (rxe2) failed first: RNR retry exceeded'"
is "each refusal has its own time" \
	"$(jq -r 'select(.case == "never" and .type == "hit" and .fault) |
		[.psn_rel, .attempt] | @csv' "$tmp/out/events.jsonl" | tr '\n' ' ')" \
	"66,1 66,2 66,3 66,4 66,5 66,6 66,7 "
ok "the page says that it was never taken" grep -q \
	"The faults of \"never\" ended the job in step 10 of 20: rank 1: RNR retry exceeded" "$tmp/page"

# One refusal less
sed -e '/name: once/,/^  # rnr_retry/d' -e 's/step-message 1$/step-message 1 attempt 1-6/' \
	"$lab" >"$tmp/six.yaml"
rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/six.yaml" >"$tmp/page" 2>&1
is "six refusals don't fail the job, and so the case" $? 1
ok "all ranks go on" grep -q 'NOT MET *never: want ranks.failed == 4, got 0' "$tmp/page"
ok "with a sum that is right" test "$(grep -c 'NOT MET.*wrong' "$tmp/page")" = 0

sed 's/tx 0 class/tx 32 class/' "$lab" >"$tmp/timer.yaml"
refused "a code that isn't in the table" \
	"^rdmafault: $tmp/timer.yaml:[0-9]+:[0-9]+: do: rnr: want .*31.*, got \"32\"" \
	rdmafault run --deadline 3600s --out "$tmp/none" "$tmp/timer.yaml"
