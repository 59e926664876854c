#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the exported formats of a run (TAP, OpenMetrics, Perfetto, JUnit XML): checker programs
# accept the files, and "rdmafault report" later writes files with the same content.
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
      - do: drop v1 tx class write step 3 nth 2 attempt 1 count 1
    expect:
      - faults.hit == 1
      - rank[*].wrong == 0
END

# by PROGRAM FILE: succeeds if the checker PROGRAM of selftests/lib accepts the file
by()
{
	python3 "$selftests/lib/$1" "$made/$2"
}

made=$tmp/out
tap=$(rdmafault run --tap --deadline 3600s --formats all --out "$made" \
	"$tmp/drop.yaml")
is "run --tap exits with 0" $? 0
is "TAP output has one test per case" "$(grep '^ok' <<<"$tap")" "$(printf \
	'ok 1 - clean\nok 2 - dropped')"
ok "TAP output has the expectations of a case as subtests" \
	grep -q '^    ok [0-9]* - faults.hit == 1, got 1$' <<<"$tap"
is "TAP output ends with the plan" "$(tail -n 1 <<<"$tap")" 1..2
ok "metrics.prom is valid OpenMetrics" by openmetrics.py metrics.prom
ok "metrics.prom has the hit of the case" grep -Eq \
	'^rdmafault_faults_hit\{.*case="dropped",round="1"\} 1$' "$made/metrics.prom"
ok "junit.xml is valid JUnit XML" by junit.py junit.xml
is "junit.xml has a testcase per case" \
	"$(python3 "$selftests/lib/junit.py" "$made/junit.xml" suite@tests)" 2
ok "trace.json is a valid trace for Perfetto" by trace_json.py trace.json
is "trace.json has an arrow from the lost packet to its retransmission" \
	"$(jq -c '[.traceEvents[] | select(.cat == "loss" and .ph != "t").ph]' \
		"$made/trace.json")" '["s","f"]'

cp -r "$made" "$tmp/again"
rdmafault report "$tmp/again" >/dev/null
for file in trace.json junit.xml metrics.prom; do
	ok "report writes $file again unchanged" \
		cmp "$made/$file" "$tmp/again/$file"
done
# If trace records were lost, the report must not give the values that it computes from the
# trace. Step times stay valid, because ranks report them.
cp -r "$made" "$tmp/lossy"
sed -i '/"type":"case"/s/"events_lost":0/"events_lost":5/' "$tmp/lossy/dropped/events.jsonl"
status=0
page=$(rdmafault report "$tmp/lossy") || status=$?
is "report of a run that lost trace records exits with 2, broken" "$status" 2
ok "the report says VOID and how many trace records were lost" \
	grep -q 'VOID .*5 events of the trace' <<<"$page"
ok "the report has no verdict on go-back-N when trace records were lost" \
	grep -q 'go-back-N .*no verdict: events of the trace were lost' <<<"$page"
ok "report.html knows how many events were lost" \
	grep -q '"events_lost":5,"flows_lost":0' "$tmp/lossy/report.html"
is "flows are void in the case that lost trace records, and conform in the other" \
	"$(jq -c '[.cases[] | [.flows[].verdict] | unique]' "$tmp/lossy/summary.json")" \
	'[["conforms"],["void"]]'
is "with lost trace records step times have a value, and NAKs have none" \
	"$(jq -c '.cases[1].metrics | [.naks, .["step.time.p50"] > 0]' "$tmp/lossy/summary.json")" \
	'[null,true]'
ok "TAP output says not ok for the case that lost trace records" eval \
	"rdmafault report --tap '$tmp/lossy' | grep -q '^not ok .*dropped'"
cp -r "$made" "$tmp/more"
sed -i '/"type":"rule"/s/"hits":[0-9]*/"hits":99/' "$tmp/more/dropped/events.jsonl"
refused_with=2 refused "a record in which a rule hit more packets than it matched is refused" \
	"dropped/events.jsonl:[0-9]*: invalid line; expected an event of a case" \
	rdmafault report "$tmp/more"
refused "report --tap of two directories is refused" \
	'^rdmafault: report: --tap: cannot be combined with .* two directories' \
	rdmafault report --tap "$made" "$tmp/again"
refused "report --tap --json is refused" \
	'"report: --tap: cannot be combined with --json or two directories"' \
	rdmafault report --tap --json "$made"
