#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 03-one-percent: 1 % of loss costs more than half, and its expectation is
# not met where it isn't true, in a job that mostly computes. In virtual time,
# because on a busy host the rest of a step takes longer beside the timer, which is
# the subject of the claim.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/03-one-percent.yaml
# --deadline: virtual time leaps while the machine waits for its disk
tmp=$(mktemp -d)
defer rm -r "$tmp"

metric()
{
	jq ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# lost CASE: what was lost when it was sent for the first time, one a line
lost()
{
	jq -r "select(.case == \"$1\" and .type == \"hit\" and .fault and .attempt == 1) |
		\"\\(.source) \\(.psn_rel)\"" "$tmp/out/events.jsonl" | sort
}

among()
{
	[ "$(lost "$1" | wc -l)" -gt 0 ] && [ -z "$(comm -23 <(lost "$1") <(lost "$2"))" ]
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab shows what it should" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

is "the same packets are lost with a longer timer" \
	"$(lost long-timer)" "$(lost one-percent)"
is "and in a job that computes" "$(lost computing)" "$(lost one-percent)"
ok "those lost with 0.1 % are among those with 1 %" among loss-0.1% one-percent
ok "and not the other way round" eval '! among one-percent loss-0.1%'
is "rxe went back as often as the trace says" "$(metric one-percent rxe.retry)" \
	$(($(metric one-percent naks) + $(metric one-percent timeouts)))
is "no NAK is left to the timer where nothing is lost" \
	"$(metric clean naks.ignored)" 0

# All cases compute: the claim isn't true there
sed -e '/name: long-timer/,$d' -e 's/^  steps: 40/  steps: 10\n  compute: 100ms/' \
	-e 's/^matrix: .*/matrix: {loss: [0.1%]}/' "$lab" >"$tmp/computing.yaml"
rdmafault run --deadline 3600s --out "$tmp/computing" "$tmp/computing.yaml" >"$tmp/page" 2>&1
is "what isn't so is not met" $? 1
ok "and the page says what came instead" grep -Eq \
	'NOT MET +one-percent: want ratio\(step.time.mean, clean\) > 2, got 1\.' "$tmp/page"
