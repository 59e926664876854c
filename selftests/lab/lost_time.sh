#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test metrics of single faults with known answers: rank 1 loses the last packet of step 4, which
# only its timer of 67 ms detects, and a storm of 100 ms pauses its port in step 8. Controls: only
# the loss; a storm in a priority without traffic; a rule that hits nothing.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

cat >"$tmp/lab.yaml" <<'EOT'
name: lost-time
title: Two faults, each with its share of the lost time
fabric: {nodes: 4, pfc: 3}
workload: {collective: all_reduce, ranks: 4, size: 256KiB, steps: 10, warmup: 2,
           compute: 100ms, options: "--tclass=96"}
qp: {timeout: 14, retry-cnt: 6, mtu: 4096}
expect: ["rank[*].wrong == 0"]
cases:
  - name: clean
    expect: [lost_time == 0 ns, pause.ranks == 0, "ratio(step[4].time, clean) == 1"]
  - name: both
    faults:
      - do: drop v2 tx class write position last step 4 nth 6 attempt 1 count 1
      - {do: pause v2 prio 3 storm for 100ms, at: step 8}
    expect:
      - faults.dropped == 1
      - queue.dropped == 0
      - fault[1].matched >= 6
      - fault[1].hit == 1
      - fault[1].hit.share in 1%..17%
      - fault[1].lost_time in 55 ms..75 ms
      - fault[2].lost_time in 90 ms..101 ms
      - lost_time.unexplained < 10 ms
      - lost_time in fault[1].lost_time + fault[2].lost_time..
      - step[4].time - step[3].time in 55 ms..80 ms
      - step[8].time - step[7].time in 90 ms..115 ms
      - ratio(step[4].time, clean) > 1.2
      - fault[1].time_to_end > fault[2].time_to_end + 400 ms
      - pause.ranks == 4
      - rank[*].pause.wait >= 80 ms
  - name: lost
    faults: [{do: drop v2 tx class write position last step 4 nth 6 attempt 1 count 1}]
    expect:
      - rank[1].rxe.retry == 1
      - rank[!1].rxe.retry == 0
      - fault[1].lost_time.share > 90%
      - message.time.max in 55 ms..80 ms
      - flow.time.max >= message.time.max
      - ratio(message.time.max, clean) > 5
      - ratio(message.time.p50, clean) < 1.5
      - pause.ranks == 0
  - name: other-priority
    faults: [{do: pause v2 prio 5 storm for 100ms, at: step 8}]
    expect:
      - port[v2].prio[5].pause.time >= 99 ms
      - fault[1].lost_time == 0 ns
      - pause.ranks == 0
  - name: nothing
    faults: [{do: drop v2 tx class write step 4 psn +100000}]
    expect:
      - fault[1].hit == 0
      - fault[1].lost_time == 0 ns
      - faults.dropped == 0
EOT

rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/lab.yaml" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "two faults have the shares of the lost time that they must have" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"
is "summary.json has the lost time of each fault" \
	"$(jq -c '[.cases[1] | .faults[0].lost_ns == .metrics.lost_time - .faults[1].lost_ns -
		.metrics["lost_time.unexplained"] | if type == "boolean" then 1 else 0 end]' \
		"$tmp/out/summary.json")" '[1]'
ok "the report names the part of each fault" grep -q 'ms of the lost time (' "$tmp/page"
ok "a rule that hits nothing is not called a fault that cost no time" \
	grep -q 'nothing  *the fault hit no packet' "$tmp/page"
