#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 08-lost-ack: the loss of one ACK costs no time, the loss of the last ACK costs
# one retransmission timeout, and the loss of all ACKs ends the job as if no data had arrived.
# The test runs in virtual time, because on a busy host rxe's timers expire without a loss.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/08-lost-ack.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# metric CASE NAME: prints the metric NAME of CASE
metric()
{
	jq -c ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# end_of CASE: prints the error with which rank 1 ended
end_of()
{
	jq -r "select(.case == \"$1\" and .type == \"end\" and .rank == 1).error" \
		<(run_lines "$tmp/out")
}

# tried_ms CASE: prints how long rank 1 tried its last step before it failed, in milliseconds
tried_ms()
{
	jq "select(.case == \"$1\" and .type == \"step\" and .rank == 1 and .broken) |
		(.sync_ns - .start_ns) / 1e6 | floor" <(run_lines "$tmp/out")
}

between()
{
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab 08-lost-ack meets its expectations" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

ok "the report says that the next ACK replaces the first lost one" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -q 'next ACK arrives; it also acknowledges all earlier packets'"
ok "the report says that the last lost ACK costs a timer" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -q 'Without this response, the sender.s timer expired after'"
for name in no-acks no-data; do
	ok "case $name: rank 1 ends with an explanation of retry exceeded" eval \
		"end_of $name | grep -q '^retry exceeded: 6+1 tries × 67.1 ms (timeout 14), nominally 470 ms without an ACK; message '"
	ok "case $name: rank 1 fails after 400 to 600 ms, the length of 7 timers" \
		between "$(tried_ms $name)" 400 600
	is "case $name: no other rank exceeds its retries" \
		"$(metric $name 'rank[].rxe.retry_exceeded')" "[0,1,0,0]"
	is "case $name: the step in which the job ends does not count as done" \
		"$(metric $name step.done)" 9
done
ok "the summary line of the report says how the job ended" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -q ' [0-9]* lost ACKs made all 4 ranks wait up to 4[0-9]* ms and ended the job. Case \"no-acks\": In step 10 of 20, rank 1 gave up: retry exceeded'"
ok "the report gives no cost of a stall for a job that ended" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -q 'The job ended here. The cost is the work since the last checkpoint of the job'"

# Control: a lab that loses data instead of ACKs must not meet the expectations of the lab.
sed -e '/name: covered/,/^  # Both/d' -e '/name: no-data/,$d' \
	-e 's/drop v3 tx class ack .*/drop v2 tx class write dst 10.77.0.3 step 10/' \
	"$lab" >"$tmp/data.yaml"
rdmafault run --deadline 3600s --out "$tmp/data" "$tmp/data.yaml" >"$tmp/page" 2>&1
is "control: with lost data the case of lost ACKs is not met" $? 1
is "control: with lost data one expectation is not met" \
	"$(jq '[.cases[].not_met | length] | add' "$tmp/data/summary.json")" 1
ok "control: with lost data the receiver counts no duplicates" grep -q \
	'FAIL *no-acks: not met: rank\[2\].rxe.duplicate >= 1: got 0' "$tmp/page"
