#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 03-one-percent: with 1 % loss the job takes more than twice as long. Control: a
# job that mostly computes must not meet this expectation. The test runs in virtual time. On a
# busy host, a step without a loss takes longer but the retransmission timer does not, so a
# loss would cost relatively less.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/03-one-percent.yaml
steps=40
# The ranks get a deadline of an hour (option --deadline), because virtual time advances by
# large steps while the machine waits for its disk.
tmp=$(mktemp -d)
defer rm -r "$tmp"

# Without --full, fewer steps, and one loss rate beside 1 %: the claims are the same.
if [ "${FAULT_RUNS:-0}" -lt 50 ]; then
	steps=16
	sed -e "s/^  steps: 40/  steps: $steps/" -e 's/^matrix: .*/matrix: {loss: [0.1%]}/' \
		-e 's/naks.ignored >= 5/naks.ignored >= 1/' "$lab" >"$tmp/one-percent.yaml"
	lab=$tmp/one-percent.yaml
fi

metric()
{
	jq ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# lost CASE: prints the packets dropped at their first transmission, one per line
lost()
{
	jq -r "select(.case == \"$1\" and .type == \"hit\" and .fault and .attempt == 1) |
		\"\\(.source) \\(.psn_rel)\"" <(run_lines "$tmp/out") | sort
}

among()
{
	[ "$(lost "$1" | wc -l)" -gt 0 ] && [ -z "$(comm -23 <(lost "$1") <(lost "$2"))" ]
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab 03-one-percent meets its expectations" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

is "a longer timer does not change which packets are lost" \
	"$(lost long-timer)" "$(lost one-percent)"
is "computing does not change which packets are lost" "$(lost computing)" "$(lost one-percent)"
ok "all packets lost with 0.1 % loss are also lost with 1 %" among loss-0.1% one-percent
ok "not all packets lost with 1 % loss are also lost with 0.1 %" \
	eval '! among one-percent loss-0.1%'
is "the hits of the rules of each case are its hit packets" \
	"$(jq -c '[.cases[] | select(([.faults[].hits // 0] | add // 0) !=
		.metrics["faults.hit"]).name]' "$tmp/out/summary.json")" '[]'
ok "each rule of case one-percent hits some of the packets that match it" jq -e \
	'.cases[] | select(.name == "one-percent").faults |
		all(.[]; .matched > .hits and .hit_share == .hits / .matched)' "$tmp/out/summary.json"
# rxe does not retry for a NAK that it ignores.
is "rxe counts as many retries as the trace has timeouts and NAKs that were not ignored" \
	"$(jq -c '[.cases[] | select(.metrics |
		.["rxe.retry"] != .naks - .["naks.ignored"] + .timeouts).name]' \
		"$tmp/out/summary.json")" '[]'
is "case clean: no NAK is ignored" \
	"$(metric clean naks.ignored)" 0

# Control: a job that mostly computes does not take twice as long with loss.
sed -e '/name: long-timer/,$d' -e "s/^  steps: $steps/  steps: 10\n  compute: 100ms/" \
	-e 's/^matrix: .*/matrix: {loss: [0.1%]}/' "$lab" >"$tmp/computing.yaml"
rdmafault run --deadline 3600s --out "$tmp/computing" "$tmp/computing.yaml" >"$tmp/page" 2>&1
is "in a job that mostly computes the expectation is not met" $? 1
ok "the report says which value was measured instead of the expected one" grep -Eq \
	'FAIL +one-percent: not met: ratio\(step.time.mean, clean\) > 2: got 1\.' "$tmp/page"
