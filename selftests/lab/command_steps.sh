#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a scenario whose job is a command that announces its steps, and that loses a READ
# response: the steps have times, so the cost of the loss is known, and the packet belongs to a
# queue pair of the job. The command is collperf, without the options that "rdmafault run"
# gives it. Its steps are nearly as short as the interval in which they are read;
# unit/announced_test tests the times.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

cat >"$tmp/s.yaml" <<'YAML'
name: command-steps
title: A command that announces steps loses a READ response
fabric: { nodes: 2 }
workload:
  command: collperf all_reduce -N 2 -b 256K -n 12 -w 0 -c 0 --place out --mtu 4096 --timeout 14 --protocol read
  ranks: 2
  steps: 12
cases:
  - name: clean
  - name: lost
    faults:
      - do: drop v2 tx class read-response position middle step 6 attempt 1 count 1
YAML
rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/s.yaml" >"$tmp/page"
is "the commands end, with all their steps" $? 0

lacks()
{
	! tr -s ' \n' ' ' <"$tmp/page" | grep -q "$1"
}

ok "the report knows the queue pair of the lost packet" lacks "not a queue pair of the job"
ok "the report names the ranks of the lost packet" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -q \"rank 1's QP [0-9]* to rank 0's QP [0-9]*\""
ok "the report knows the cost" lacks "is not known"
