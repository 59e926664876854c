#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test scenarios with several jobs: they run at the same time, on different nodes.
#
#   job a    v1 ┐        ┌ v3    job b
#               ├ switch ┤
#   job a    v2 ┘        └ v4    job b
#
# The labs 17-tenant and 18-incast and a signal take minutes; they run only with --full.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/labs.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

# of CASE FILTER: prints a value of a case in the summary of the run in $tmp/run
of()
{
	jq -c ".cases[] | select(.name == \"$1\") | $2" "$tmp/run/summary.json"
}

both_run()
{
	pgrep -f '^collperf.*/stopped/beside/timeline.jsonl' &&
		pgrep -f '^collperf.*/stopped/beside/timeline-b.jsonl'
}

nothing_left()
{
	! pgrep -x collperf && ! ip link show rfbr0
}

cat >"$tmp/jobs.yaml" <<EOF
name: jobs
title: Two jobs
fabric: {nodes: 4}
workload:
  - {name: a, collective: all_reduce, ranks: 2, size: 64KiB, steps: 6}
  - {name: b, collective: all_reduce, ranks: 2, size: 64KiB, steps: 5000}
qp: {timeout: 15, retry-cnt: 1}
expect: "job[*].rank[*].wrong == 0"
cases:
  - {name: alone, jobs: a, expect: "step.done == 6"}
  - name: beside
    expect: [step.done == 6, "job[b].step.done >= 6", "job[*].retransmitted == 0"]
  - name: lossy
    faults: [{do: "drop v3 tx class write step 3 nth 1 count 1"}]
    expect: [faults.hit == 0, "job[b].faults.hit == 1", "job[b].retransmitted > 0", retransmitted == 0]
  - name: broken      # job a takes longer than the retries of job b
    workload: {name: a, compute: 500ms}
    faults: [{do: "drop v3 tx class write step 3"}]
EOF
rdmafault run --out "$tmp/run" "$tmp/jobs.yaml" >"$tmp/page" 2>&1
is "a run whose other job fails fails" $? 1 || diagnose <"$tmp/page"
is "cases in which no job fails pass" \
	"$(jq -c '[.cases[].verdict]' "$tmp/run/summary.json")" '["pass","pass","pass","fail"]' ||
	diagnose <"$tmp/page"
is "the summary has the nodes of both jobs" \
	"$(of beside '[.nodes, .other_jobs[0].nodes] | flatten')" "[1,2,3,4]"
is "a case with one job has no other jobs" "$(of alone '.other_jobs')" null
ok "the verdict names the job and the rank that failed" \
	grep -Eq 'job b failed: rank [01]: ' <(of broken '.not_met[]')
ok "the first sentence names the job that failed" \
	grep -q 'Job b of case "broken" failed' "$tmp/page"
is "a report from the record has the same metrics of both jobs" \
	"$(rdmafault report --json "$tmp/run" | jq -c '[.cases[] | .metrics["step.time.p50"], .other_jobs[]?.metrics["step.done"]]')" \
	"$(jq -c '[.cases[] | .metrics["step.time.p50"], .other_jobs[]?.metrics["step.done"]]' "$tmp/run/summary.json")"
ok "the run leaves no process and no fabric" nothing_left

[ "${FAULT_RUNS:-0}" -ge 50 ] || exit 0

cat >"$tmp/long.yaml" <<EOF
name: long
title: Two jobs that do not end
fabric: {nodes: 4}
workload:
  - {name: a, collective: all_reduce, ranks: 2, size: 64KiB, steps: 100000, compute: 100ms}
  - {name: b, collective: all_reduce, ranks: 2, size: 64KiB, steps: 100000, compute: 100ms}
cases: [{name: beside}]
EOF
rdmafault run --out "$tmp/stopped" "$tmp/long.yaml" >"$tmp/page" 2>&1 &
pid=$!
ok "a run has started two jobs" wait_until 60 both_run
kill -INT $pid
wait $pid
is "SIGINT: the run with two jobs exits with 99, aborted" $? 99 || diagnose <"$tmp/page"
ok "SIGINT: the run leaves no process and no fabric" nothing_left

passes 17-tenant
passes 18-incast
