#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that each word of a match selects exactly the packets that it names. Rules drop
# packets out of a set that has at least one packet of every kind. A capture at the
# other end of the link shows which packets arrive. The name of a test consists of the
# rule and the labels of the packets that the rule must drop.
#
#   sendframe - t1 (port) ======= t2 - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/farside.sh"

# put OFFSET DIGITS: replace the bytes of $frame from the byte OFFSET on by the hexadecimal DIGITS
put()
{
	frame=${frame:0:$1 * 2}$2${frame:$1 * 2 + ${#2}}
}

# Offsets in an IPv4 frame
tos=15 saddr=26 daddr=30 sport=34 aeth=54 mad_class=63 mad_attribute=78

# one LABEL FRAME [OFFSET DIGITS]...: prints FRAME, with LABEL in its source address. Before that,
# the hexadecimal DIGITS replace the bytes of FRAME from the byte OFFSET on.
one()
{
	local name=$1

	frame=$2
	shift 2
	while [ $# -gt 0 ]; do
		put "$1" "$2"
		shift 2
	done
	label "$name" "$frame"
}

# Print at least one packet of every kind. Message 1 of QP 16 has the packets 01 to 03,
# message 2 has 04, message 3 has 05.
frames()
{
	one 01 "$(roce4 0x06 16 100 24)"
	one 02 "$(roce4 0x07 16 101 8)"
	one 03 "$(roce4 0x08 16 102 8)"
	one 04 "$(roce4 0x0a 16 103 24)"
	one 05 "$(roce4 0x04 16 104 8)"
	one 06 "$(roce4 0x07 16 101 8)"		# 02 again
	one 07 "$(roce4 0x0c 17 500 16)"	# read request
	one 08 "$(roce4 0x14 17 501 28)"	# fetch and add
	one 09 "$(roce6 0x0a 16 100 24)"
	one 0a "$(vlan5 0x0a 18 7)"
	one 0b "$(roce4 0x0a 19 1 24)" $tos 6a	# DSCP 26, ECT(0)
	one 0c "$(roce4 0x0a 19 2 24)" $tos 03	# CE
	one 0d "$(roce4 0x11 32 100)" $aeth 1f	# ACK
	one 0e "$(roce4 0x11 32 101)" $aeth 60	# NAK, sequence error
	one 0f "$(roce4 0x11 32 101)" $aeth 2e	# RNR NAK, timer 14
	one 10 "$(roce4 0x0d 32 102 12)" $aeth 1f
	one 11 "$(roce4 0x0e 32 103 8)"
	one 12 "$(roce4 0x81 16 0 16)"		# CNP
	one 13 "$(roce4 0x64 1 0 264)"		# to QP 1
	one 14 "$(roce4 0x0a 20 1 24)" $sport d00d
	one 15 "$(roce4 0x0a 20 1 24)" $saddr c000024d
	one 16 "$(roce4 0x0a 20 1 24)" $daddr c633640a
	one 17 "$(roce4 0x0a 20 2 116)"		# 100 bytes
	one 19 "$(roce4 0x64 1 0 264)" $mad_class 07 $mad_attribute 0013	# CM REP
	one 1a "$(roce4 0x64 1 0 264)" $mad_class 07 $mad_attribute 0016	# CM DREP
	one 1b "$(roce4 0x64 1 0 264)" $mad_class 03 $mad_attribute 0013	# another class
	one 1c "$(roce4 0x64 1 0 31)" $mad_class 07 $mad_attribute 0013	# MAD header too short
	one 1d "$(roce4 0x64 21 0 264)" $mad_class 07 $mad_attribute 0013	# not to QP 1
	one 1e "$(roce4 0x64 1 0 264)" $mad_class 07 $mad_attribute 001b	# no CM message
	one 18 "$(eth "" 0800; ip4 40; udp 32 4792; zeros 32)"	# not RoCEv2
}

# vlan5 OPCODE QP PSN: prints a packet in VLAN 10 with priority 5
vlan5()
{
	local frame

	frame=$(roce4 "$1" "$2" "$3" 24)
	echo "${frame:0:24}8100a00a${frame:24}"
}

who_ok()
{
	drops "qp 17" 07 08
	drops "qp 17,18,1" 07 08 0a 13 19 1a 1b 1c 1e
	drops "psn 101" 02 06 0e 0f
	drops "psn 101-103" 02 03 04 06 0e 0f 10 11
	drops "psn +2 qp 16" 03
	drops "psn +1-+3 qp 16" 02 03 04 06
	drops "flow 2" 07 08
}

what_ok()
{
	drops "opcode rc-write-middle" 02 06
	drops "opcode 0x81" 12
	drops "class send" 05 1d
	drops "class write qp 16" 01 02 03 04 06 09
	drops "class read-request,atomic" 07 08
	drops "class read-response" 10 11
	drops "class ack" 0d
	drops "class nak" 0e
	drops "class rnr" 0f
	drops "class cnp" 12
	drops "class cm" 13 19 1a 1b 1c 1e
	drops "class ack,nak,rnr,cnp,cm" 0d 0e 0f 12 13 19 1a 1b 1c 1e
	drops "cm rep" 19
	drops "cm req,mra,rej,rtu,dreq,drep,sidr-req,sidr-rep,lap,apr" 1a
	drops "position first" 01 10
	drops "position middle" 02 06 11
	drops "position last" 03
	drops "position only class send,atomic" 05 08 1d
	drops "syndrome 0x60" 0e
	drops "syndrome 0x20/0x60" 0f
	drops "syndrome 0x1f" 0d 10
	drops "payload 100" 17
	drops "payload 4-8 qp 16,20" 01 02 03 04 05 06 09 14 15 16
}

when_ok()
{
	drops "attempt 2+" 06 0f
	drops "attempt 1 qp 16" 01 02 03 04 05 09 12
	drops "message 1 qp 16" 01 02 03 06 09
	drops "message 2-3 qp 16" 04 05
	drops "packet 2 qp 16" 02 06
	drops "packet 2-3 qp 16" 02 03 06
}

network_ok()
{
	drops "priority 5" 0a
	drops "priority 3,5" 0a 0b
	drops "dscp 26" 0b
	drops "ecn ect0" 0b
	drops "ecn ce" 0c
	drops "ecn ect0,ce" 0b 0c
	drops "src 192.0.2.77" 15
	drops "src 192.0.2.64/26" 15
	drops "dst 198.51.100.10" 16
	drops "dst 2001:db8::2" 09
	drops "src 2001:db8::/32" 09
	drops "sport 0xd00d" 14
}

# Only rules that name QP 1 match its packets.
qp1_ok()
{
	drops "all" 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 14 \
		15 16 17 1d
	drops "qp 1" 13 19 1a 1b 1c 1e
}

steps_ok()
{
	announce t1 7 3 5
	drops "step 7 qp 17" 07 08
	drops "step 8"
	drops "step 6-7 qp 17" 07 08
	drops "message -4 qp 16" 04
	drops "step-message -1 qp 16" 05
	drops "step-message 1 qp 16" 01 02 03 06 09
	announce t1 0 0 0
}

# The job goes from step 1 to step 2 while packets of the flow are sent.
next_step_ok()
{
	local id=

	announce t1 1 2 4
	id=$(rdmafault --json rule add t1 tx step 2 step-message 1 observe |
		jq -r .id)
	sendroce t1 qp 50 count 6 message 3
	announce t1 2 2 4
	sendroce t1 qp 50 psn 6 count 6 message 3
	is "step 2 step-message 1: hits the three packets of the flow's message 3" \
		"$(rule_stat t1 "$id" hits)" 3
	rdmafault rule flush t1
	announce t1 0 0 0
}

# A list of queue pairs is a set.
twice_ok()
{
	local id

	id=$(rdmafault --json rule add t1 tx qp 18,18 observe | jq -r .id)
	sendroce t1 qp 18 count 100
	is "qp 18,18: each of 100 packets is hit once" "$(rule_stat t1 "$id" hits)" 100
	is "qp 18,18: rule show prints the queue pair once" \
		"$(rdmafault --json rule show t1 | jq -c '.[].match.qp')" "[18]"
	rdmafault rule flush t1
}

far_side frames
control_ok
who_ok
twice_ok
what_ok
when_ok
network_ok
qp1_ok
steps_ok
next_step_ok
