#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A run in the formats of others: what is in its directory is what their own
# programs read, and the same when it is rendered again.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
cat >"$tmp/drop.yaml" <<'END'
name: formats
title: A run in the formats of others
fabric: {nodes: 2}
workload: {collective: all_reduce, ranks: 2, size: 256KiB, steps: 5}
qp: {timeout: 14, retry-cnt: 6, mtu: 4096}
cases:
  - name: clean
  - name: dropped
    faults:
      - {port: v1, direction: tx, rule: class write step 3 nth 2 attempt 1 count 1 drop}
    expect:
      - faults.hit == 1
      - rank[*].wrong == 0
END

# by PROGRAM FILE: a checker of selftests/lib has no complaint
by()
{
	python3 "$selftests/lib/$1" "$made/$2"
}

# comments FILTER: packets of the capture with such a comment
comments()
{
	tshark -r "$made/capture.pcapng" -Y "frame.comment contains \"$1\"" \
		2>/dev/null | wc -l
}

made=$tmp/out
tap=$(rdmafault run --tap --deadline 3600s --out "$made" "$tmp/drop.yaml")
is "the run passes" $? 0
is "TAP has a test for each case" "$(grep '^ok' <<<"$tap")" "$(printf \
	'ok 1 - clean\nok 2 - dropped')"
ok "with what is expected as subtests" \
	grep -q '^    ok [0-9]* - faults.hit == 1, got 1$' <<<"$tap"
is "and a plan" "$(tail -n 1 <<<"$tap")" 1..2
ok "metrics.prom is OpenMetrics" by openmetrics.py metrics.prom
ok "it has the hit" grep -Eq \
	'^rdmafault_faults_hit\{.*case="dropped",round="1"\} 1$' "$made/metrics.prom"
ok "trace.json is Perfetto's format" by trace_json.py trace.json
is "an arrow leads from the hit to its repair" \
	"$(jq -c '[.traceEvents[] | select(.cat == "loss" and .ph != "t").ph]' \
		"$made/trace.json")" '["s","f"]'
if command -v tshark >/dev/null; then
	is "tshark finds the packet that was dropped" \
		"$(comments "dropped by rule")" 1
	is "and those that were retransmitted" "$(comments "retransmitted, attempt")" \
		"$(jq '.cases[] | select(.name == "dropped").measures.retransmitted' \
			"$made/summary.json")"
else
	skip "tshark reads the capture" "no tshark"
fi

cp -r "$made" "$tmp/again"
rdmafault report "$tmp/again" >/dev/null
for file in capture.pcapng trace.json metrics.prom; do
	ok "$file is the same when rendered again" \
		cmp "$made/$file" "$tmp/again/$file"
done
# What rests on the trace is void once records of that are lost; steps are not
cp -r "$made" "$tmp/lossy"
sed -i '/"type":"case".*"case":"dropped"/s/"events_lost":0/"events_lost":5/' \
	"$tmp/lossy/events.jsonl"
status=0
page=$(rdmafault report "$tmp/lossy") || status=$?
is "a run whose trace lost records is broken" "$status" 2
ok "its page says so" grep -q 'VOID .*5 records of the trace' <<<"$page"
ok "and has no verdict on go-back-N" \
	grep -q 'go-back-N .*no verdict: records of the trace were lost' <<<"$page"
ok "the browser's says so" grep -q '5 events were lost, and 0 packets' "$tmp/lossy/report.html"
is "no flow has a verdict, but in the other case" \
	"$(jq -c '[.cases[] | [.flows[].verdict] | unique]' "$tmp/lossy/summary.json")" \
	'[["conforms"],["void"]]'
is "what the ranks wrote themselves stays, what was counted doesn't" \
	"$(jq -c '.cases[1].metrics | [.naks, .["step.time.p50"] > 0]' "$tmp/lossy/summary.json")" \
	'[null,true]'
ok "TAP doesn't pass it" eval \
	"rdmafault report --tap '$tmp/lossy' | grep -q '^not ok .*dropped'"
refused "TAP of two runs" '^rdmafault: report: --tap: cannot be combined with .* two directories' \
	rdmafault report --tap "$made" "$tmp/again"
refused "TAP and JSON at once" '"report: --tap: cannot be combined with --json or two directories"' \
	rdmafault report --tap --json "$made"
