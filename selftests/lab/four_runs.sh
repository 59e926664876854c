#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 02-four-runs, a training over four different links. Also test what determines the
# measured times: a step takes two link delays, a loss without a NAK costs one retransmission
# timeout, and a hang ends when a rank reaches its deadline.
#
#   rank 0 on v1 --- 50 or 100 ms, 1 or 10 % --- rank 1 on v2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only

lab=$selftests/../labs/02-four-runs.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

# A jq filter that keeps the part of the summary that the test reads. The whole summary is
# long, because 6000 packets were hit.
few='[.cases[] | {key: .name, value: {metrics, last: .losses[-1],
	strange: [.losses[] | select(.rank == null)] | length}}] | from_entries'

# case_of NAME FILTER: prints the result of the jq FILTER for the case NAME of the summary
case_of()
{
	jq -c ".[\"$1\"] | $2" "$tmp/few.json"
}

# tenths NAME: prints the duration of the 80 steps of the case NAME, in tenths of a second
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
is "the lab 02-four-runs meets its expectations" $status 0
[ $status -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/page"
is "the run prints nothing on standard error" "$(cat "$tmp/errors")" ""

jq "$few" "$tmp/out/summary.json" >"$tmp/few.json"
clean=$(tenths clean)
ok "case clean: 80 steps of 137 ms take 11 to 12.5 s" between "$clean" 110 125
ok "case latency: data delayed by 100 ms takes 16 s longer, two trips per step" \
	between "$(($(tenths latency) - clean))" 158 166
ok "case wire: data and ACKs delayed by 100 ms take 24 s longer, three trips per step" \
	between "$(($(tenths wire) - clean))" 237 247
# The same packets are lost in all three cases, so only the retransmission timer differs
# between the cases.
ok "10 % loss costs 3 to 5.5 times as much with a timer of 268 ms as with 67 ms" \
	between "$((10 * ($(tenths loss-16) - clean) / ($(tenths loss-14) - clean)))" 30 55
ok "10 % loss costs 1.5 to 2.5 times as much with a timer of 537 ms as with 268 ms" \
	between "$((10 * ($(tenths loss-17) - clean) / ($(tenths loss-16) - clean)))" 15 25
for name in clean latency wire loss-14 loss-16 loss-17 both; do
	is "case $name: all 80 steps are done, no rank fails, no sum is wrong" \
		"$(case_of $name '.metrics | [.["step.done"], .["ranks.failed"], .wrong]')" \
		"[80,0,0]"
done
is "each loss belongs to a queue pair of a rank" \
	"$(jq -c '[.[].strange] | unique' "$tmp/few.json")" "[0]"
is "case hang: one rank ends at its deadline, the other because of it" \
	"$(case_of hang '.metrics["rank[].status"] | sort')" "[3,4]"
is "case hang: the loss that causes it is the last packet of a message" \
	"$(case_of hang '.last | [.detected_by, .packet.position, .packets_retransmitted]')" \
	'[null,"last",0]'
is "case hang: the loss that causes it is in the step that never ended" \
	"$(case_of hang '.last.packet.step')" \
	"$(($(case_of hang '.metrics["step.done"]') + 1))"
ok "case hang: the report says which message was never delivered" eval \
	"tr -s '\n ' ' ' <'$tmp/page' | grep -qE 'no message from rank .* within 10 s: .* was (never retransmitted|lost in all [0-9]+ attempts)'"
ok "case gives-up: the report says that seven short timers ended the job without a loss" eval \
	"tr -s '\n ' ' ' <'$tmp/page' | grep -q 'gives-up job ended .* No packet was hit. The job failed: rank [01]: retry exceeded: 6+1 tries'"
ok "no fabric and no rank is left after the run" eval "! ip link show rfbr0 && ! pgrep -x train"
