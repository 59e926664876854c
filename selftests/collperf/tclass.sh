#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the option --tclass of collperf: all data packets and ACKs of the job must have this
# traffic class. Without the option, their traffic class must be 0.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/capture.sh"

fabric 2
capture=$(mktemp)
defer rm -f "$capture" "$capture.log"

# classes OPTION...: run a job of two ranks and capture one link in both directions;
# print the opcode and the traffic class of its packets, each pair once. Opcode 0x0b is
# "RDMA WRITE Only with Immediate", 0x11 is an ACK.
classes()
{
	capture_begin "$capture.log" --immediate-mode -U -i p1 -w "$capture" \
		'udp port 4791'
	collperf all_reduce -N 2 -b 4K -n 2 -w 0 -c 0 --place out --timeout 18 \
		"$@" >/dev/null || echo "the job fails"
	wait_until "$soon" both_seen
	capture_end
	tcpdump -r "$capture" -n -t -x 2>/dev/null | awk '
		$1 == "0x0000:" { class = substr($2, 3) }
		$1 == "0x0010:" { print substr($8, 1, 2), class }' | sort -u
}

# Succeeds if the capture has 16 packets: two messages per iteration and rank, and their ACKs,
# in both directions
both_seen()
{
	[ "$(tcpdump -r "$capture" 2>/dev/null | wc -l)" -ge 16 ]
}

is "without --tclass, data and ACKs have class 0" "$(classes)" "0b 00
11 00"
is "with --tclass 96, data and ACKs have class 96 (DSCP 24)" "$(classes --tclass 96)" "0b 60
11 60"
is "with --tclass 253, data and ACKs have class 253 (DSCP 63, ECT(1))" \
	"$(classes --tclass 253)" "0b fd
11 fd"
refused "--tclass 256 is refused" \
	"^collperf: --tclass 256: out of range; 0 to 255" \
	collperf all_reduce --tclass 256
refused "--tclass with a word is refused" \
	"^collperf: --tclass af31: invalid; 0 to 255" \
	collperf all_reduce --tclass af31
