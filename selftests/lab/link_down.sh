#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the fault "link down" of a scenario: the job survives a link that loses its carrier for
# shorter than its retransmissions, at a step and at a time, at either end of the link and between
# switches. It does not survive a link that is down for longer. The report attributes the lost time
# to the fault. A run that is killed sets the link up.
#
#   rxe1 v1 ── p1 ┐                  ┌ p3 ── v3 rxe3
#                 ├ s1 ─ s1s2 s2s1 ─ s2
#   rxe2 v2 ── p2 ┘                  └ p4 ── v4 rxe4
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force
. "$selftests/lib/scenario.sh"

cat >"$tmp/file.yaml" <<'EOT'
name: link-down
title: A link that goes down
fabric: {nodes: 4, shape: chain, switches: 2}
workload: {collective: all_reduce, ranks: 4, size: 256KiB, steps: 12, compute: 100ms}
qp: {timeout: 14, retry-cnt: 6}
expect: rank[*].wrong == 0
cases:
  - name: clean
    expect: retransmitted == 0
  - name: node
    faults: [{do: link down v2 for 300ms, at: step 5}]
    expect:
      - retransmitted >= 1
      - fault[1].lost_time.share >= 90%
      - stall in 100 ms..600 ms
      - rxe.retry_exceeded == 0
      - send_errors == 0
  - name: switch-port
    faults: [{do: link down p3 for 300ms, at: 500ms}]
    expect:
      - retransmitted >= 1
      - fault[1].hit >= 1
      - rxe.retry_exceeded == 0
  - name: between-switches
    faults: [{do: link down s1s2 for 300ms, at: step 5}]
    expect:
      - retransmitted >= 1
      - stall in 100 ms..600 ms
      - fault[1].lost_time.share >= 90%
      - rxe.retry_exceeded == 0
  - name: twice
    faults:
      - {do: link down v2 for 200ms, at: step 3}
      - {do: link down rxe2 for 200ms, at: step 8}
    expect: step.done == 12
  - name: long
    faults: [{do: link down v2 for 900ms, at: step 5}]
    expect:
      - ranks.failed == 4
      - rxe.retry_exceeded >= 1
EOT

runs 0 "a scenario with links that go down meets its expectations"
[ "$(jq -r .verdict "$tmp/out/summary.json")" = pass ] || diagnose <"$tmp/said"
is "no rule and no fabric is left" "$(rdmafault fabric show 2>&1 | grep -c rxe)" 0

is_down()
{
	[ "$(cat /sys/class/net/v2/operstate)" = lowerlayerdown ]
}

is_up()
{
	[ "$(cat /sys/class/net/v2/operstate)" = up ]
}

# The fabric exists before the run, so the run does not remove it.
rdmafault fabric up 4 shape chain switches 2 >/dev/null
sed '/name: switch-port/,$d;s/for 300ms/for 60s/' "$tmp/file.yaml" >"$tmp/killed.yaml"
rdmafault run -o "$tmp/killed" "$tmp/killed.yaml" >"$tmp/said" 2>&1 &
supervisor=$!
ok "the link goes down" wait_until 60 is_down
pkill -KILL -P $supervisor -x rdmafault
wait $supervisor
is "a killed run is broken" $? 2
ok "the link is up after the run was killed" is_up
is "no rule is left after the run was killed" "$(rdmafault rule show)" ""
