#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the action "mark". tcpdump at the other end of the link reads the ECN field
# and checks the header checksum. rxe accepts marked packets, because the ICRC does
# not cover the field.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/capture.sh"

fabric 2
ports v1 v2
capture=$(mktemp)
defer rm "$capture"

# Capture all RoCEv2 packets that p1 receives.
listen()
{
	capture_begin "$capture.log" --immediate-mode -U -Q in -i p1 \
		-w "$capture" 'udp port 4791'
}

# Succeeds if the capture has all packets.
all_heard()
{
	[ "$(tcpdump -r "$capture" 2>/dev/null | wc -l)" -ge "$packets" ]
}

# heard TOS: prints the number of captured packets with this ToS byte, and the number of all
# captured packets with a bad checksum
heard()
{
	wait_until "$soon" all_heard
	capture_end
	tcpdump -v -r "$capture" 2>/dev/null | awk -v tos="tos $1" '
		index($0, tos) { hits++ }
		/bad cksum/ { bad++ }
		END { print hits + 0, bad + 0 }'
}

# try_rule TITLE MARKED TOS RULE...: run the test TITLE: add RULE and send 16 packets;
# MARKED of these must arrive with the ToS byte TOS
try_rule()
{
	local words=$1 marked=$2 tos=$3

	shift 3
	# There are four messages of four packets each.
	packets=16
	remember
	listen
	rule v1 tx "$@" >/dev/null
	is "$words: all messages arrive" "$(probe 1 2 write 4 4096)" \
		"done=4 wrong=0 status=0"
	is "$words: $marked packets leave with ToS $tos, none with a bad checksum" \
		"$(heard "$tos")" "$marked 0"
	is "$words: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err)" 0
	unseen "$words"
	rdmafault rule flush v1
}

marks_ok()
{
	try_rule "control" 0 0x3 class write psn +5 observe
	try_rule "mark ce, packet without ECT" 0 0x3 \
		class write psn +5 mark ce
	try_rule "mark ce unless-ect mark, packet without ECT" 1 0x3 \
		class write psn +5 mark ce unless-ect mark
	try_rule "mark ect0 mark ce" 16 0x3 \
		class write mark ect0 mark ce unless-ect mark
	try_rule "mark ect1" 4 0x1 class write position first mark ect1
}

# A router also drops a packet that it should mark, if the sender of the packet does not
# support ECN (no ECT).
drop_unless_ect_ok()
{
	remember
	rule v1 tx class write psn +5 attempt 1 mark ce unless-ect drop >/dev/null
	is "mark ce unless-ect drop: all messages arrive" "$(probe 1 2 write 4 4096)" \
		"done=4 wrong=0 status=0"
	is "mark ce unless-ect drop: the packet without ECT is dropped" \
		"$(moved rxe2 out_of_seq_request)" 1
	unseen "mark ce unless-ect drop"
	rdmafault rule flush v1
}

# A packet that is not ECN-capable passes without a mark, and is counted.
unchanged_ok()
{
	local id before

	before=$(port_stat v1 tx unchanged)
	id=$(rdmafault --json rule add v1 tx class write psn +5 mark ce | jq -r .id)
	is "mark ce: all messages arrive" "$(probe 1 2 write 4 4096)" \
		"done=4 wrong=0 status=0"
	is "mark ce: the rule counts the packet without ECT as unchanged" \
		"$(rule_stat v1 "$id" unchanged)" 1
	is "mark ce: the port counts the packet without ECT as unchanged" \
		"$(($(port_stat v1 tx unchanged) - before))" 1
	rdmafault rule flush v1
}

arriving_ok()
{
	remember
	rule v2 rx class write mark ce unless-ect mark >/dev/null
	is "mark at rx: all messages arrive" "$(probe 1 2 write 4 4096)" \
		"done=4 wrong=0 status=0"
	is "mark at rx: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err)" 0
	is "mark at rx: all 16 packets are counted as marked" "$(port_stat v2 rx marked)" 16
	rdmafault rule flush v2
}

# Two rules in a row: the second one finds the mark of the first one, whatever else evaluates
# or watches the packets.
# two_marks TITLE: run the test TITLE
two_marks()
{
	local words=$1

	packets=16
	listen
	rule v1 tx class write mark ect1 >/dev/null
	rule v1 tx class write mark ce unless-ect drop >/dev/null
	is "$words: all messages arrive" "$(probe 1 2 write 4 4096)" "done=4 wrong=0 status=0"
	is "$words: mark ect1, then mark ce: 16 packets leave with CE" "$(heard 0x3)" "16 0"
	is "$words: mark ect1, then mark ce: 32 marks, no packet unchanged" \
		"$(port_stat v1 tx marked) $(port_stat v1 tx unchanged)" "32 0"
	rdmafault rule flush v1
	rdmafault stat --reset v1 >/dev/null
}

two_marks_ok()
{
	rdmafault stat --reset v1 >/dev/null
	two_marks "two rules"
	defer tracepoints 0 rf_hit
	tracepoints 1 rf_hit
	two_marks "two rules and a listener"
	tracepoints 0 rf_hit
	rule v1 tx dscp 5 observe >/dev/null
	two_marks "two rules behind an observe rule"
}

marks_ok
unchanged_ok
two_marks_ok
drop_unless_ect_ok
arriving_ok
