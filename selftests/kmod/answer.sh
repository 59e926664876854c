#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the actions "nak" and "rnr", which send a forged NAK or RNR NAK on behalf of the
# responder. The requester's rxe counters and completions show that it accepts them.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"

fabric 2
ports v1 v2

# The rules name a packet of message 5 of 8: a NAK needs the requester's QP number, which
# the module learns from messages 1 to 4. The packet is in the middle of the message,
# because rxe counts a NAK only if the NAK's PSN has not been acknowledged.
fifth=(class write message 5 packet 2 attempt 1)

# try_rule TITLE WANTED COUNTER PORT DIRECTION RULE...: run the test TITLE: add RULE
# and send messages by rcprobe. rcprobe must print WANTED, and COUNTER of rxe1 must
# grow by one.
try_rule()
{
	local words=$1 wanted=$2 counter=$3 id

	shift 3
	remember
	id=$(rule "$@")
	is "$words: the requester ends with ${wanted/done/messages}" "$(probe 1 2 write 8 4096)" \
		"$wanted"
	is "$words: the requester counts one $counter" "$(moved rxe1 "$counter")" 1
	is "$words: the packet is dropped" \
		"$(port_stat "$1" "$2" dropped)" 1
	is "$words: the port counts one packet answered" "$(port_stat "$1" "$2" answered)" 1
	is "$words: the rule counts one hit and none unanswered" \
		"$(rule_stat "$1" "$id" hits) $(rule_stat "$1" "$id" unanswered)" "1 0"
	unseen "$words"
	rdmafault rule flush "$1"
}

fresh_ports()
{
	rdmafault port del v1 --force
	rdmafault port del v2 --force
	rdmafault port add v1 >/dev/null
	rdmafault port add v2 >/dev/null
}

good="done=8 wrong=0 status=0"

control_ok()
{
	remember
	rule v1 tx "${fifth[@]}" observe >/dev/null
	is "control: all messages arrive" "$(probe 1 2 write 8 4096)" "$good"
	is "control: the requester counts no NAK and no RNR NAK" \
		"$(moved rxe1 rcvd_seq_err) $(moved rxe1 rcvd_rnr_err)" "0 0"
	rdmafault rule flush v1
}

leaving_ok()
{
	try_rule "nak psn-sequence" "$good" rcvd_seq_err \
		v1 tx "${fifth[@]}" nak psn-sequence
	fresh_ports
	try_rule "rnr 1" "$good" rcvd_rnr_err v1 tx "${fifth[@]}" rnr 1
	fresh_ports
}

arriving_ok()
{
	try_rule "nak psn-sequence at rx" "$good" rcvd_seq_err \
		v2 rx "${fifth[@]}" nak psn-sequence
	fresh_ports
	try_rule "rnr 1 at rx" "$good" rcvd_rnr_err \
		v2 rx "${fifth[@]}" rnr 1
	fresh_ports
}

# Statuses 9 to 11: remote invalid request, remote access error, remote operation error
fatal_ok()
{
	local code status=9

	for code in invalid-request remote-access remote-operational; do
		remember
		rule v1 tx "${fifth[@]}" nak $code >/dev/null
		is "nak $code: the request completes with status $status" \
			"$(probe 1 2 write 8 4096)" \
			"done=4 wrong=0 status=$status"
		unseen "nak $code"
		rdmafault rule flush v1
		status=$((status + 1))
	done
}

# Before the first packet the module does not know the requester's QP number.
not_known_yet_ok()
{
	local id

	fresh_ports
	remember
	id=$(rule v1 tx class write message 1 packet 1 nak remote-access)
	is "nak of the first packet: the packet is forwarded and all messages arrive" \
		"$(probe 1 2 write 8 4096)" "$good"
	is "nak of the first packet: the port counts one packet unanswered" \
		"$(port_stat v1 tx unanswered)" 1
	is "nak of the first packet: the rule counts one hit and one unanswered" \
		"$(rule_stat v1 "$id" hits) $(rule_stat v1 "$id" unanswered)" "1 1"
	ok "nak of the first packet: rule show prints hits and unanswered" sh -c \
		"rdmafault rule show v1 | grep -q 'hits 1, .*unanswered 1'"
	rdmafault rule flush v1
	fresh_ports
	ok "nak of the first packet: a leased rule prints hits and unanswered at its end" grep -q \
		"^rdmafault: v1 rule [0-9]*: matched 1, hits 1, unanswered 1\$" \
		<<<"$(rdmafault nak v1 tx remote-access class write message 1 packet 1 \
			-- rcprobe rxe1 rxe2 write 8 4096 2>&1)"
}

# The NAK has the number of another QP, so it does not reach the QP of the requester, which must
# find the loss by its timeout.
named_qp_ok()
{
	remember
	rule v1 tx class write message 1 packet 1 attempt 1 \
		nak remote-access to-qp 0xabcdef >/dev/null
	is "nak to-qp of another QP: all messages arrive" \
		"$(probe 1 2 write 8 4096)" "$good"
	is "nak to-qp of another QP: the requester retries once, after its timeout" \
		"$(moved rxe1 completer_retry_err)" 1
	unseen "nak to-qp of another QP"
	rdmafault rule flush v1
}

# request_flow KEY: prints this field of the flow of requests in the flow statistics
request_flow()
{
	rdmafault --json stat --flows v1 |
		jq --arg key "$1" '[.. | objects |
			select(.direction? == "tx" and .response? != true and
			       has("timeouts"))][0][$key]'
}

# The NAK arrives in the other direction but is counted for the flow of requests. rxe
# counts the NAK and each timeout as a retry.
ledger_ok()
{
	fresh_ports
	remember
	rule v1 rx class nak observe >/dev/null
	rule v1 tx "${fifth[@]}" drop >/dev/null
	rule v1 tx class write message 7 position last attempt 1 drop >/dev/null
	probe 1 2 write 8 4096 >/dev/null
	is "flow statistics: the flow of requests has one NAK" "$(request_flow naks)" 1
	is "flow statistics: all other retries are counted as timeouts" \
		"$(request_flow timeouts)" \
		$(($(moved rxe1 completer_retry_err) - 1))
	rdmafault rule flush v1
}

nonsense_fails()
{
	refused "nak with an unknown code is refused" "nak 9: invalid; psn-sequence" \
		rdmafault rule add v1 tx qp 5 nak 9
	refused "an RNR timer of 32 is refused" "31" \
		rdmafault rule add v1 tx qp 5 rnr 32
}

control_ok
leaving_ok
arriving_ok
fatal_ok
not_known_yet_ok
named_qp_ok
ledger_ok
nonsense_fails
