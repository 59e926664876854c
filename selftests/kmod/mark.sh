#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ECN field, as the far side of the link sees it: tcpdump reads it there and
# checks the header checksum. rxe takes marked packets like any other, for the
# ICRC leaves the field out.
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

# All that passes p1 on its way in is written to the capture.
listen()
{
	capture_begin "$capture.log" --immediate-mode -U -Q in -i p1 \
		-w "$capture" 'udp port 4791'
}

# heard ECN: packets with that codepoint, as hexadecimal of the ToS, in the
# capture, and those with a bad checksum; all must be there first
all_heard()
{
	[ "$(tcpdump -r "$capture" 2>/dev/null | wc -l)" -ge "$packets" ]
}

heard()
{
	wait_until "$soon" all_heard
	capture_end
	tcpdump -v -r "$capture" 2>/dev/null | awk -v tos="tos $1" '
		index($0, tos) { hits++ }
		/bad cksum/ { bad++ }
		END { print hits + 0, bad + 0 }'
}

# try_rule WORDS MARKED TOS RULE...
try_rule()
{
	local words=$1 marked=$2 tos=$3

	shift 3
	# The requests, in four messages of four
	packets=16
	remember
	listen
	rule v1 tx "$@" >/dev/null
	is "$words: all messages arrive" "$(probe 1 2 write 4 4096)" \
		"done=4 wrong=0 status=0"
	is "$words: $marked packets with ToS $tos, no bad checksum" \
		"$(heard "$tos")" "$marked 0"
	is "$words: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err)" 0
	unseen "$words"
	rdmafault rule flush v1
}

marks_ok()
{
	try_rule "control" 0 0x3 class write psn +5 observe
	try_rule "CE on what isn't ECT, left alone" 0 0x3 \
		class write psn +5 mark ce
	try_rule "CE on what isn't ECT, marked all the same" 1 0x3 \
		class write psn +5 mark ce unless-ect mark
	try_rule "ECT(0), and then CE" 16 0x3 \
		class write mark ect0 mark ce unless-ect mark
	try_rule "ECT(1)" 4 0x1 class write position first mark ect1
}

# As a router does it with what it can't mark
drop_unless_ect_ok()
{
	remember
	rule v1 tx class write psn +5 attempt 1 mark ce unless-ect drop >/dev/null
	is "CE or drop: all messages arrive" "$(probe 1 2 write 4 4096)" \
		"done=4 wrong=0 status=0"
	is "CE or drop: the packet that isn't ECT was lost" \
		"$(moved rxe2 out_of_seq_request)" 1
	unseen "CE or drop"
	rdmafault rule flush v1
}

arriving_ok()
{
	remember
	rule v2 rx class write mark ce unless-ect mark >/dev/null
	is "arriving: all messages arrive" "$(probe 1 2 write 4 4096)" \
		"done=4 wrong=0 status=0"
	is "arriving: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err)" 0
	is "arriving: all are marked" "$(port_stat v2 rx marked)" 16
	rdmafault rule flush v2
}

marks_ok
drop_unless_ect_ok
arriving_ok
