#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how a run reports a PFC deadlock, with the lab 19-deadlock. A short form of the lab always runs: two
# placements of ranks, of which one makes a deadlock. The lab takes a minute and runs only with --full.
#
#   nodes 1, 2 ── s1 ──▶ s2 ── nodes 3, 4
#                 ▲       ▼
#   nodes 7, 8 ── s4 ◀── s3 ── nodes 5, 6
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/labs.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

# reported_ok: test the report of the run in $tmp/short
reported_ok()
{
	local sentence

	sentence=$(jq -r '.summary.impact' "$tmp/short/summary.json")
	ok "the first sentence names the deadlock and its case ($sentence)" \
		grep -q '^PFC deadlock in case "across": ports .* were paused for [45]\.[0-9]* s, each by the next one\.$' \
		<<<"$sentence"
	is "the first sentence names the ports of the ring" \
		"$(grep -o 's[1-4]s[1-4]' <<<"$sentence" | sort | xargs)" "s1s2 s2s3 s3s4 s4s1"
	is "a report from the record has the same first sentence" \
		"$(rdmafault report --json "$tmp/short" | jq -r .summary.impact)" "$sentence"
	is "control: the case without a cycle has no deadlock" \
		"$(jq '.cases[] | select(.name == "neighbors").metrics["deadlock.time"]' "$tmp/short/summary.json")" 0
}

sed -e 's/^  steps: .*/  steps: 2/; s/step.done == 6/step.done == 2/; s/step.done < 6/step.done < 2/' \
	-e '/^  - name: slow/,/^$/d' -e '/^  - name: watchdog/,/^$/d' \
	"$selftests/../labs/19-deadlock.yaml" >"$tmp/short.yaml"
rdmafault run --deadline 3600s --out "$tmp/short" "$tmp/short.yaml" >"$tmp/page" 2>&1
is "a short form of the lab 19-deadlock meets its expectations" $? 0 || diagnose <"$tmp/page"
reported_ok

[ "${FAULT_RUNS:-0}" -ge 50 ] || exit 0

passes 19-deadlock
