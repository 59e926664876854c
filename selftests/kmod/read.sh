#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the attempts of a READ of which one response is lost. rxe requests only the rest of the
# READ: this request is attempt 2, at each port of its path. The responses of the rest are
# attempt 2 at the ports that have seen them before. Each READ has 16 responses, and only one
# READ is in flight, so only the timer can detect the loss.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 - rxe2        all are ports
#   requests ---->      <---- responses
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"

fabric 2
ports v1 p1 p2 v2

reads=8
responses=$((reads * 16))

# The timer is 0.54 s, on a slow machine 4.3 s, so that a busy machine does not cause timeouts.
timer=${KSFT_MACHINE_SLOW:+20}
read_job()
{
	perftest ib_read_bw 2 1 -n $reads -s 65536 -m 4096 -t 1 -Q 1 -u "${timer:-17}"
}

declare -A ids

# observe PORT DIRECTION CLASS: add rules for attempts 1, 2 and later
observe()
{
	local attempt

	for attempt in 1 2 3+; do
		ids[$*$attempt]=$(rule "$1" "$2" class "$3" attempt $attempt observe)
	done
}

# hits PORT DIRECTION CLASS: prints the hits of these rules
hits()
{
	local attempt

	for attempt in 1 2 3+; do
		rule_stat "$1" "${ids[$*$attempt]}" hits
	done | xargs
}

# request_flow: prints what v1 has counted for the flow of the requests
request_flow()
{
	rdmafault --json stat --flows v1 | jq -r '.[] | select(.kind == "requests") |
		"\(.packets) \(.retransmitted) \(.timeouts) \(.max_attempt)"'
}

# lost_response_ok TITLE: run the test TITLE with one lost response, PSN +5 at v2
lost_response_ok()
{
	local port

	for port in v1 p1 p2 v2; do
		rdmafault -q rule flush $port
	done
	observe v1 tx read-request
	observe p1 rx read-request
	observe p2 tx read-request
	observe v2 rx read-request
	observe v2 tx read-response
	observe v1 rx read-response
	rule v2 tx class read-response psn +5 attempt 1 drop >/dev/null
	remember
	ok "$1: the READs end without an error" read_job
	is "$1: at v1 tx, the request for the rest is attempt 2" \
		"$(hits v1 tx read-request)" "$reads 1 0"
	is "$1: at p1 rx, the request for the rest is attempt 2" \
		"$(hits p1 rx read-request)" "$reads 1 0"
	is "$1: at p2 tx, the request for the rest is attempt 2" \
		"$(hits p2 tx read-request)" "$reads 1 0"
	is "$1: at v2 rx, the request for the rest is attempt 2" \
		"$(hits v2 rx read-request)" "$reads 1 0"
	is "$1: the flow of the requests has one retransmission and one timeout" \
		"$(request_flow)" "$((reads + 1)) 1 1 2"
	is "$1: at the port of the loss, the responses of the rest are attempt 2" \
		"$(hits v2 tx read-response)" "$responses 11 0"
	is "$1: behind this port, the lost response is attempt 1" \
		"$(hits v1 rx read-response)" "$responses 10 0"
	unseen "$1"
}

lost_response_ok "without a listener"
defer tracepoints 0 rf_retransmit
tracepoints 1 rf_retransmit
lost_response_ok "with a listener"
