#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test faults that begin and end while the job runs, at a given step or time. The faults are at
# ports of nodes and at ports of the switch. Also test settings that last for all cases. After the
# run, no fault and no setting may be left.
#
#   rxe1 v1 ── p1 ┐
#                 ├ rfbr0 ── p2 ── v2 rxe2
#                 ┘
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

cat >"$tmp/timed.yaml" <<'EOT'
name: timed
title: Faults that come and go
fabric: {nodes: 2, delay: 10us}
ports:
  - {port: switch, link: overhead 4}
workload: {collective: all_reduce, ranks: 2, size: 64KiB, steps: 40, compute: 50ms}
qp: {timeout: 18}
expect: rank[*].wrong == 0
cases:
  - name: clean
    expect: step.time.p50 < 120 ms
  - name: slow
    faults:
      - {do: link set v2 delay 150ms, from: step 5, for: 3 steps}
    expect:
      - step.time.max >= 150 ms
      - step.time.p50 < 120 ms
      - ratio(step.time.max, clean) > 2
  - name: marked
    faults:
      - {do: observe p2 tx class write count 3, from: 1s, for: 1s}
      - {do: observe v1 tx step 2 class write count 1, at: 0ms}
    expect: faults.hit == 4
  - name: storm
    faults:
      - {do: pause p2 prio 0 storm for 600ms, at: step 10}
    expect:
      - step.time.max >= 400 ms
      - step.time.p50 < 120 ms
  - name: clean-again
    expect: step.time.p50 < 120 ms
EOT

nothing_left()
{
	! ip link show rfbr0 && ! pgrep -x collperf
}

rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/timed.yaml" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "a scenario with timed faults meets its expectations" $status 0
[ $status -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/page"
ok "no fabric and no job is left after the run" nothing_left

# Ports that the user has made before the run, and their settings, must stay.
rdmafault fabric up 2 >/dev/null
rdmafault port add p1 >/dev/null
refused "a run that configures an existing port is refused" \
	"port p1 already exists, but the scenario changes its settings" \
	rdmafault run --deadline 3600s --out "$tmp/out2" "$tmp/timed.yaml"
ok "the existing port stays after the refused run" rdmafault link show p1
rdmafault port del p1
rdmafault port add v2 >/dev/null
rdmafault link set v2 delay 3ms
sed '/^ports:/,/overhead/d;s/, delay: 10us//;/name: marked/,$d' "$tmp/timed.yaml" >"$tmp/short.yaml"
ok "run --keep accepts a port with a delay and a fault that changes it" \
	rdmafault run --keep --deadline 3600s --out "$tmp/out3" "$tmp/short.yaml"
is "the port has its earlier delay after run --keep" \
	"$(rdmafault --json link show v2 | jq '.[0].delay_ns')" 3000000
is "environment.json says that the port and its delay existed before the run" \
	"$(jq -r '.ports[] | select(.netdev == "v2") |
	"\(.made_by_run) \(.not_default) \(.link.delay_ns)"' "$tmp/out3/environment.json")" \
	"false link delay 3ms 3000000"
is "environment.json says that the run made the other port, with defaults" \
	"$(jq -r '.ports[] | select(.netdev == "v1") |
	"\(.made_by_run) \(.not_default)"' "$tmp/out3/environment.json")" "true "
ok "the report says which settings were kept" \
	eval "tr -s ' \n' ' ' <'$tmp/out3/page.txt' |
		grep -q 'ports .*v2: link delay 3ms (kept from an earlier command)'"
