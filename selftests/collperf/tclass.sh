#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A job chooses its traffic class: it stands in every packet of the job, in what
# is acknowledged as in the acknowledgements, and without the option it is 0.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/capture.sh"

fabric 2
capture=$(mktemp)
defer rm -f "$capture" "$capture.log"

# classes OPTION...: run a job of two ranks and see what passes one of the two
# links, both ways; prints "opcode class" of all that is seen, each pair once.
# A write of one packet with immediate is 0x0b, its acknowledgement 0x11.
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

# Two messages a run and rank, and their acknowledgements, both ways
both_seen()
{
	[ "$(tcpdump -r "$capture" 2>/dev/null | wc -l)" -ge 16 ]
}

is "without the option: class 0" "$(classes)" "0b 00
11 00"
is "DSCP 24: both in class 96" "$(classes --tclass 96)" "0b 60
11 60"
is "DSCP 63 and ECT(1): class 253" "$(classes --tclass 253)" "0b fd
11 fd"
refused "a class beyond 8 bits" \
	"^collperf: --tclass takes a number from 0 to 255, not '256'" \
	collperf all_reduce --tclass 256
refused "a class that is no number" \
	"^collperf: --tclass takes a number from 0 to 255, not 'af31'" \
	collperf all_reduce --tclass af31
