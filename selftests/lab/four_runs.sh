#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 02-four-runs, a training on four networks, and what its figures come
# from: two trips a step, a timer for each loss that no NAK tells of, and a hang
# that ends where the ranks' patience does.
#
#   rank 0 on v1 --- 50 or 100 ms, 1 or 10 % --- rank 1 on v2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only

lab=$selftests/../labs/02-four-runs.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

# What is looked at, for the summary is long: 6000 packets were hit.
few='[.cases[] | {key: .name, value: {metrics, last: .losses[-1],
	strange: [.losses[] | select(.rank == null)] | length}}] | from_entries'

# case_of NAME FILTER: of what is looked at
case_of()
{
	jq -c ".[\"$1\"] | $2" "$tmp/few.json"
}

# tenths NAME: tenths of a second that its 80 steps took
tenths()
{
	case_of "$1" '.metrics["case.time"] / 1e8 | round'
}

between()
{
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the run passes" $status 0
[ $status -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/page"
is "without a word on stderr" "$(cat "$tmp/errors")" ""

jq "$few" "$tmp/out/summary.json" >"$tmp/few.json"
clean=$(tenths clean)
ok "clean: 80 steps of 137 ms take 11 s" between "$clean" 110 125
ok "100 ms late, data takes two trips in each step: 16 s more" \
	between "$(($(tenths latency) - clean))" 158 166
ok "what is acknowledged as late takes three: 24 s" \
	between "$(($(tenths wire) - clean))" 237 247
# The same packets are lost, so that all that differs is the timer
ok "10 % loss costs the more, the longer the timer: from 67 to 268 ms" \
	between "$((10 * ($(tenths loss-16) - clean) / ($(tenths loss-14) - clean)))" 30 55
ok "and to 537 ms" \
	between "$((10 * ($(tenths loss-17) - clean) / ($(tenths loss-16) - clean)))" 15 25
for name in clean latency wire loss-14 loss-16 loss-17 both; do
	is "$name: all steps, no rank failed, no sum is wrong" \
		"$(case_of $name '.metrics | [.["step.done"], .["ranks.failed"], .wrong]')" \
		"[80,0,0]"
done
is "each loss is one of a queue pair of the training" \
	"$(jq -c '[.[].strange] | unique' "$tmp/few.json")" "[0]"
is "the patience of one rank ends the hang, and it tells the other" \
	"$(case_of hang '.metrics["rank[].status"] | sort')" "[3,4]"
is "the loss that it hangs for is the last packet of a message" \
	"$(case_of hang '.last | [.detected_by, .packet.position, .packets_retransmitted]')" \
	'[null,"last",0]'
is "in the step that never ended" "$(case_of hang '.last.packet.step')" \
	"$(($(case_of hang '.metrics["step.done"]') + 1))"
ok "the page says so" eval \
	"tr -s '\n ' ' ' <'$tmp/page' | grep -q 'waited 10 s for a message of rank .* was never retransmitted'"
ok "seven short timers give up, without a loss" eval \
	"tr -s '\n ' ' ' <'$tmp/page' | grep -q 'gives-up No packet was hit. The job failed, rank [01]: retry exceeded: 6+1 tries'"
ok "nothing is left of it" eval "! ip link show rfbr0 && ! pgrep -x train"
