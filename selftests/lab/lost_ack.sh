#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 08-lost-ack: one lost ACK costs nothing, the last one a timer,
# and without any the job ends as if no data had arrived. In virtual time, since on
# a busy host rxe has timeouts of its own.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/08-lost-ack.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# metric CASE NAME
metric()
{
	jq -c ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# end_of CASE: how rank 1 ended
end_of()
{
	jq -r "select(.case == \"$1\" and .type == \"end\" and .rank == 1).error" \
		"$tmp/out/events.jsonl"
}

# tried_ms CASE: how long rank 1 was in its last step
tried_ms()
{
	jq "select(.case == \"$1\" and .type == \"step\" and .rank == 1 and .broken) |
		(.sync_ns - .t_ns) / 1e6 | floor" "$tmp/out/events.jsonl"
}

between()
{
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab shows what it should" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

ok "the page says what became of the first one" grep -q \
	'next ACK arrives and speaks for all before it' "$tmp/page"
ok "and what the last one cost" grep -q \
	"Without it the sender's timer ran out after" "$tmp/page"
for name in no-acks no-data; do
	ok "$name: error 12 is explained" eval \
		"end_of $name | grep -q '^retry exceeded: 6+1 tries × 67.1 ms (timeout 14) = 470 ms without an acknowledgement; message '"
	ok "$name: after 7 timers" between "$(tried_ms $name)" 400 600
	is "$name: no other rank ran out of retries" \
		"$(metric $name 'rank[].rxe.retry_exceeded')" "[0,1,0,0]"
	is "$name: the step in which it ended isn't done" "$(metric $name step.done)" 9
done
ok "the page's first sentence says how it ended" grep -q \
	'^  The faults of "no-acks" ended the job in step 10 of 20: rank 1: retry exceeded' "$tmp/page"
ok "and there is no bill for a step's stall" grep -q \
	'The job ended here. What that costs is the work since its last checkpoint' "$tmp/page"

# Data that gets lost in place of its ACKs isn't taken for that
sed -e '/name: covered/,/^  # Both/d' -e '/name: no-data/,$d' \
	-e 's/drop v3 tx class ack .*/drop v2 tx class write dst 10.77.0.3 step 10/' \
	"$lab" >"$tmp/data.yaml"
rdmafault run --deadline 3600s --out "$tmp/data" "$tmp/data.yaml" >"$tmp/page" 2>&1
is "lost data fails the case of lost ACKs" $? 1
is "by the receiver's counter alone" "$(grep -A1 'NOT MET' "$tmp/page" | grep -c want)" 1
ok "that of duplicates" grep -q \
	'NOT MET *no-acks: want rank\[2\].rxe.duplicate >= 1, got 0' "$tmp/page"
