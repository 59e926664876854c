#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# NAKs and RNR NAKs in a responder's stead. The requester's own counters and
# completions tell that it has taken them for real.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"

fabric 2
ports v1 v2

# Message 5 of 8, whose first packet has four messages before it: by then the
# requester's QP is known. In the middle of a message, as rxe counts a NAK only
# if it is beyond what was acknowledged.
fifth=(class write message 5 packet 2 attempt 1)

# try_rule WORDS WANTED COUNTER PORT DIRECTION RULE...: COUNTER of rxe1 moves once
try_rule()
{
	local words=$1 wanted=$2 counter=$3 id

	shift 3
	remember
	id=$(rule "$@")
	is "$words: ${wanted/done/messages}" "$(probe 1 2 write 8 4096)" \
		"$wanted"
	is "$words: $counter" "$(moved rxe1 "$counter")" 1
	is "$words: the packet never came to the responder" \
		"$(port_stat "$1" "$2" dropped)" 1
	is "$words: it was answered" "$(port_stat "$1" "$2" answered)" 1
	is "$words: the rule has no hit without effect" \
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
	is "control: no NAK, no RNR NAK" \
		"$(moved rxe1 rcvd_seq_err) $(moved rxe1 rcvd_rnr_err)" "0 0"
	rdmafault rule flush v1
}

leaving_ok()
{
	try_rule "NAK, PSN sequence error" "$good" rcvd_seq_err \
		v1 tx "${fifth[@]}" nak psn-sequence
	fresh_ports
	try_rule "RNR NAK" "$good" rcvd_rnr_err v1 tx "${fifth[@]}" rnr 1
	fresh_ports
}

arriving_ok()
{
	try_rule "arriving, NAK" "$good" rcvd_seq_err \
		v2 rx "${fifth[@]}" nak psn-sequence
	fresh_ports
	try_rule "arriving, RNR NAK" "$good" rcvd_rnr_err \
		v2 rx "${fifth[@]}" rnr 1
	fresh_ports
}

# Statuses 9 to 11: remote invalid request, access, operation error
fatal_ok()
{
	local code status=9

	for code in invalid-request remote-access remote-operational; do
		remember
		rule v1 tx "${fifth[@]}" nak $code >/dev/null
		is "NAK, $code: the request completes with status $status" \
			"$(probe 1 2 write 8 4096)" \
			"done=4 wrong=0 status=$status"
		unseen "NAK, $code"
		rdmafault rule flush v1
		status=$((status + 1))
	done
}

# The first packet of all: nobody knows the requester's QP.
not_known_yet_ok()
{
	local id

	fresh_ports
	remember
	id=$(rule v1 tx class write message 1 packet 1 nak remote-access)
	is "first packet: it goes on" "$(probe 1 2 write 8 4096)" "$good"
	is "first packet: that is counted" "$(port_stat v1 tx unanswered)" 1
	is "first packet: the rule counts it as a hit and as unanswered" \
		"$(rule_stat v1 "$id" hits) $(rule_stat v1 "$id" unanswered)" "1 1"
	ok "first packet: rule show prints both" sh -c \
		"rdmafault rule show v1 | grep -q 'hits 1, .*unanswered 1'"
	rdmafault rule flush v1
	fresh_ports
	ok "first packet: so does the end of a command" grep -q \
		"^rdmafault: v1 rule [0-9]*: matched 1, hits 1, unanswered 1\$" \
		<<<"$(rdmafault nak v1 tx remote-access class write message 1 packet 1 \
			-- rcprobe rxe1 rxe2 write 8 4096 2>&1)"
}

# The answer goes to another QP, which has no use for it: as if it were lost.
named_qp_ok()
{
	remember
	rule v1 tx class write message 1 packet 1 attempt 1 \
		nak remote-access to-qp 0xabcdef >/dev/null
	is "another's QP: the packet is lost, that is all" \
		"$(probe 1 2 write 8 4096)" "$good"
	is "another's QP: detected by the timeout" \
		"$(moved rxe1 completer_retry_err)" 1
	unseen "another's QP"
	rdmafault rule flush v1
}

# What of the request flow KEY is, as the ledger has it
request_flow()
{
	rdmafault --json stat --flows v1 |
		jq --arg key "$1" '[.. | objects |
			select(.direction? == "tx" and .response? != true and
			       has("timeouts"))][0][$key]'
}

# The flow of requests has got its NAK, in the other direction. rxe counts it
# and each timeout as a retry.
ledger_ok()
{
	fresh_ports
	remember
	rule v1 rx class nak observe >/dev/null
	rule v1 tx "${fifth[@]}" drop >/dev/null
	rule v1 tx class write message 7 position last attempt 1 drop >/dev/null
	probe 1 2 write 8 4096 >/dev/null
	is "ledger: one NAK" "$(request_flow naks)" 1
	is "ledger: the other retries were timeouts" \
		"$(request_flow timeouts)" \
		$(($(moved rxe1 completer_retry_err) - 1))
	rdmafault rule flush v1
}

nonsense_fails()
{
	refused "a NAK of another code" "code" \
		rdmafault rule add v1 tx qp 5 nak 9
	refused "an RNR timer of 32" "31" \
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
