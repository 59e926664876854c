#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the action "trim". Frames that arrive at the other end are compared with frames that
# were built without the module, over IPv4 and IPv6. The counters of the priorities show
# which queue the packets leave by. rxe does not know trimmed packets: the received bytes
# and the completions show what it makes of them.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
#   t1 (port) ======= t2
#    | bridge
#   t3 (port) ======= t4
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/veth.sh"

need_python

fabric 2
ports v1 v2
veth_pair t1 t2 4200
veth_pair t3 t4 4200
# The bridge delivers to t4 the frames that have passed the ingress hook of t1.
veth_bridge tr0 t1 t3
veth_port t1 t3

# queued NETDEV: prints "PACKETS BYTES" of the priorities 1 and 5 of a port
queued()
{
	rdmafault --json prio show "$1" | jq -r \
		'[.[0].prio[] | select(.prio == 1 or .prio == 5) | .packets, .bytes] | join(" ")'
}

# has_queued NETDEV COUNTERS: succeeds if the counters are these
has_queued()
{
	[ "$(queued "$1")" = "$2" ]
}

# leaves TITLE FROM PORT DIRECTION COUNTERS ACTION...: run the test TITLE: the rule with ACTION
# is in DIRECTION of t1. Send 50 packets of 1062 bytes with DSCP 8 from FROM; the counters of
# PORT must be COUNTERS.
leaves()
{
	local words=$1 from=$2 port=$3 dir=$4 counters=$5

	shift 5
	rdmafault stat --reset "$port" >/dev/null
	rule t1 "$dir" qp 0x20 "$@" >/dev/null
	sendroce "$from" qp 0x20 payload 1004 dscp 8 count 50
	wait_until "$soon" has_queued "$port" "$counters"
	is "$words" "$(queued "$port")" "$counters"
	rdmafault rule flush t1
}

# A trimmed packet with 64 bytes of payload has 122 bytes.
priority_ok()
{
	rdmafault link set t1 rate 1gbit
	rdmafault link set t3 rate 1gbit
	leaves "control: DSCP 8 has priority 1" t1 t1 tx "50 53100 0 0" observe
	leaves "trim without DSCP: the short packets stay in priority 1" \
		t1 t1 tx "50 6100 0 0" trim 64
	leaves "trim with DSCP 46: the short packets have priority 5" \
		t1 t1 tx "0 0 50 6100" trim 64 dscp 46
	leaves "trim to the length of the payload: the packets stay in priority 1" \
		t1 t1 tx "50 53100 0 0" trim 1004 dscp 46
	leaves "trim with DSCP 46 at rx: the packets leave the other port in priority 5" \
		t2 t3 rx "0 0 50 6100" trim 64 dscp 46
	rdmafault link set t1 rate none
	rdmafault link set t3 rate none
}

# try_rxe TITLE OPERATION BYTES WANTED PORT DIRECTION RULE...: run the test TITLE: rcprobe
# sends 8 messages and must print WANTED. The rule must hit one packet.
try_rxe()
{
	local words=$1 operation=$2 bytes=$3 wanted=$4 id

	shift 4
	remember
	id=$(rule "$@")
	is "$words: the requester ends with ${wanted/done/messages}" \
		"$(probe 1 2 "$operation" 8 "$bytes")" "$wanted"
	is "$words: the rule hits once" "$(rule_stat "$1" "$id" hits)" 1
	is "$words: nothing is retransmitted" "$(moved rxe1 completer_retry_err)" 0
	unseen "$words"
	rdmafault rule flush "$1"
}

# A message of 4096 bytes has 4 packets of 1024 bytes; one of 1000 bytes has one packet. rxe
# refuses a packet whose length does not fit the message with status 9, invalid request. A SEND
# of one packet has no other length than that of the packet, so rxe accepts it.
rxe_ok()
{
	local short_send="done=2 wrong=0 status=9"

	# rxe of Linux 6.1 does not check the lengths of the packets of a SEND.
	[[ $(uname -r) != 6.1.* ]] || short_send="done=8 wrong=512 status=0"
	try_rxe "control, WRITE" write 4096 "done=8 wrong=0 status=0" \
		v1 tx psn +9 attempt 1 class write observe
	try_rxe "control, SEND" send 1000 "done=8 wrong=0 status=0" \
		v1 tx psn +2 attempt 1 class send observe
	try_rxe "trim a middle packet of a WRITE" write 4096 "done=2 wrong=0 status=9" \
		v1 tx psn +9 attempt 1 class write trim 512 dscp 46
	try_rxe "trim a middle packet of a WRITE at rx" write 4096 "done=2 wrong=0 status=9" \
		v2 rx psn +9 attempt 1 class write trim 512 dscp 46
	try_rxe "trim the first packet of a WRITE" write 4096 "done=2 wrong=0 status=9" \
		v1 tx psn +8 attempt 1 class write trim 512 dscp 46
	try_rxe "trim the last packet of a WRITE" write 4096 "done=2 wrong=0 status=9" \
		v1 tx psn +11 attempt 1 class write trim 512 dscp 46
	try_rxe "trim a WRITE of one packet" write 1000 "done=2 wrong=0 status=9" \
		v1 tx psn +2 attempt 1 class write trim 64 dscp 46
	try_rxe "trim a SEND of one packet" send 1000 "done=8 wrong=936 status=0" \
		v1 tx psn +2 attempt 1 class send trim 64 dscp 46
	try_rxe "trim a SEND of one packet at rx" send 1000 "done=8 wrong=936 status=0" \
		v2 rx psn +2 attempt 1 class send trim 64 dscp 46
	try_rxe "trim a middle packet of a SEND" send 4096 "$short_send" \
		v1 tx psn +9 attempt 1 class send trim 512 dscp 46
	try_rxe "trim to the length of the payload" write 4096 "done=8 wrong=0 status=0" \
		v1 tx psn +9 attempt 1 class write trim 1024 dscp 46
}

# has_hit NETDEV ID: succeeds if the rule has hit a packet
has_hit()
{
	[ "$(rule_stat "$1" "$2" hits)" != 0 ]
}

has_ended()
{
	! kill -0 "$1" 2>/dev/null
}

# The requester of a READ expects no more responses after a short one, so rxe does not start
# the timer again: the READ never ends. The timer of these queue pairs is 67 ms, and seven
# transmissions take half a second.
never_ends()
{
	local words=$1 port=$2 id probe

	remember
	id=$(rule "${@:2}")
	rcprobe rxe1 rxe2 read 8 4096 0 14 >/dev/null &
	probe=$!
	wait_until "$soon" has_hit "$port" "$id"
	wait_until 3 has_ended "$probe"
	is "$words: the READ does not end" $? 1
	kill "$probe" 2>/dev/null
	wait "$probe" 2>/dev/null
	is "$words: the rule hits once" "$(rule_stat "$port" "$id" hits)" 1
	is "$words: nothing is retransmitted" "$(moved rxe1 completer_retry_err)" 0
	unseen "$words"
	rdmafault rule flush "$port"
}

# Requests of READs, atomic operations and their answers have no payload to cut.
reads_ok()
{
	try_rxe "control, READ" read 4096 "done=8 wrong=0 status=0" \
		v2 tx psn +9 attempt 1 class read-response observe
	never_ends "trim a middle packet of the response" \
		v2 tx psn +9 attempt 1 class read-response trim 512 dscp 46
	never_ends "trim the last packet of the response at rx" \
		v1 rx psn +11 attempt 1 class read-response trim 512 dscp 46
	try_rxe "trim the request of a READ" read 4096 "done=8 wrong=0 status=0" \
		v1 tx psn +8 attempt 1 class read-request trim 0 dscp 46
	try_rxe "trim the request of an atomic operation" add 8 "done=8 wrong=0 status=0" \
		v1 tx psn +2 attempt 1 class atomic trim 0 dscp 46
	try_rxe "trim the answer to an atomic operation" add 8 "done=8 wrong=0 status=0" \
		v1 rx psn +2 attempt 1 opcode rc-atomic-acknowledge trim 0 dscp 46
}

# together TITLE PORT1 PORT2: trim packets of a WRITE at PORT1, and of a READ at PORT2, and
# count them at the next port
together()
{
	local id

	id=$(rule v2 rx class write payload 512 dscp 46 observe)
	try_rxe "$1: trim a middle packet of a WRITE" write 4096 "done=2 wrong=0 status=9" \
		"$2" tx psn +9 attempt 1 class write trim 512 dscp 46
	is "$1: the trimmed packet of the WRITE arrives at the next port" \
		"$(rule_stat v2 "$id" hits)" 1
	rdmafault rule flush v2
	id=$(rule v1 rx class read-response payload 512 dscp 46 observe)
	never_ends "$1: trim a middle packet of a response" \
		"$3" tx psn +9 attempt 1 class read-response trim 512 dscp 46
	is "$1: the trimmed packet of the response arrives at the next port" \
		"$(rule_stat v1 "$id" hits)" 1
	rdmafault rule flush v1
}

together_ok()
{
	defer tracepoints 0
	tracepoints 1
	together "with a listener" v1 v2
	tracepoints 0
	rdmafault link set v1 rate 100mbit
	rdmafault link set v2 rate 100mbit
	together "behind a queue" v1 v2
	together "at a switch port behind queues" p2 p1
	rdmafault link set v1 rate none
	rdmafault link set v2 rate none
}

nonsense_fails()
{
	refused "trim without a length is refused" "trim" rdmafault rule add v1 tx qp 5 trim
	refused "trim 4097 is refused" "0 to 4096" rdmafault rule add v1 tx qp 5 trim 4097
	refused "trim -1 is refused" "0 to 4096" rdmafault rule add v1 tx qp 5 trim -1
	refused "trim with DSCP 64 is refused" "dscp.*0 to 63" \
		rdmafault rule add v1 tx qp 5 trim 64 dscp 64
	refused "trim with valid-icrc is refused" "valid-icrc" \
		rdmafault rule add v1 tx qp 5 trim 64 valid-icrc
	is "no rule is left of the refused ones" "$(rdmafault --json rule show v1 | jq length)" 0
	rule v1 tx dscp 8 trim 64 dscp 46 >/dev/null
	is "the rule has both DSCPs" "$(rdmafault --json rule show v1 |
		jq -c '.[0] | [.match.dscp, .actions[0].length, .actions[0].dscp]')" "[8,64,46]"
	rdmafault rule flush v1
}

python_test "$selftests/kmod/trim.py"
rdmafault rule flush t1
priority_ok
rxe_ok
reads_ok
together_ok
nonsense_fails
