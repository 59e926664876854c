#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that all ten rounds of a case hit the same packet, although their timing differs. The hit
# packets must have the same sending and receiving rank, queue pair (of the queue pairs between
# these two ranks), relative PSN, opcode and step.
. "$(dirname "$0")/../lib/lib.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"

cat >"$tmp/same.yaml" <<EOT
name: same
title: The same packet
fabric: {nodes: 2}
workload: {collective: all_reduce, ranks: 2, size: 64KiB, steps: 3, warmup: 1}
qp: {timeout: 17}
cases:
  - name: clean
  - name: middle
    faults:
      - do: drop v1 tx class write position middle step 2 nth 5 attempt 1 count 1
    expect: [faults.hit == 1, wrong == 0, send_errors == 0]
EOT

json=$(rdmafault --json run --repeat 10 --out "$tmp/out" "$tmp/same.yaml" 2>"$tmp/errors")
is "a run with --repeat 10 exits with 0" "$? $(cat "$tmp/errors")" "0 "
is "each of ten rounds loses one packet" \
	"$(jq '[.cases[] | select(.name == "middle").losses | length] | add' <<<"$json")" 10
is "all ten rounds lose the same packet" \
	"$(jq -c '[.cases[] | select(.name == "middle").losses[] |
		[.rank, .peer, .qp_ordinal, .packet.psn_rel, .packet.opcode, .packet.step]] |
		unique' <<<"$json")" \
	'[[0,1,0,37,"rc-write-middle",2]]'
