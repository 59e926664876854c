#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the statuses of completions that a remote peer or the network causes (enum ibv_wc_status, 5
# and 9 to 13): each is made by one rule. Documentation/completion-statuses.rst lists these rules.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"

fabric 2
ports v1 v2

# The timer is 67 ms, and the requester retransmits twice.
quick=(0 14 2)

# ends_with STATUS TITLE OPERATION RULE...: with this rule, the fifth of eight messages of rcprobe
# completes with STATUS
ends_with()
{
	local status=$1 words=$2 operation=$3

	shift 3
	remember
	rule "$@" >/dev/null
	is "$words: status $status" "$(probe 1 2 "$operation" 8 4096 "${quick[@]}")" \
		"done=4 wrong=0 status=$status"
	unseen "$words"
	rdmafault rule flush "$1"
}

for operation in write flush read send; do
	is "control: $operation without a rule succeeds" \
		"$(probe 1 2 "$operation" 8 4096 "${quick[@]}")" "done=8 wrong=0 status=0"
done

fifth=(message 5 attempt 1)

ends_with 9 "remote invalid request" write v1 tx class write "${fifth[@]}" nak invalid-request
ends_with 10 "remote access error" write v1 tx class write "${fifth[@]}" nak remote-access
ends_with 10 "remote access error of a READ" read \
	v1 tx class read-request "${fifth[@]}" nak remote-access
ends_with 11 "remote operation error" send v1 tx class send "${fifth[@]}" nak remote-operational
ends_with 12 "retries exceeded" write v1 tx class write message 5 drop
ends_with 12 "retries exceeded by lost ACKs" write v1 rx class ack after 4 drop
ends_with 13 "RNR retries exceeded" send v1 tx class send message 5 rnr 1
ends_with 5 "flushed, after a remote access error" flush \
	v1 tx class write "${fifth[@]}" nak remote-access
