#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the functions of lib/frames.sh that build frames for other tests: tshark must
# read the intended opcode, QP and PSN. Runs on the host.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/frames.sh"

for tool in tshark text2pcap; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

dir=$(mktemp -d)
defer rm -r "$dir"

# tshark_reads TITLE FRAME EXPECTED: the opcode, QP and PSN that tshark reads must be EXPECTED.
# TITLE is the name of the test.
tshark_reads()
{
	sed 's/../& /g; s/^/000000 /' <<<"$2" >"$dir/frame"
	text2pcap -q "$dir/frame" "$dir/pcap" 2>/dev/null
	is "$1" "$(tshark -r "$dir/pcap" -T fields -E separator=' ' \
		-e infiniband.bth.opcode -e infiniband.bth.destqp \
		-e infiniband.bth.psn 2>/dev/null)" "$3"
}

tshark_reads "tshark reads opcode, QP and PSN of an IPv4 frame" "$(roce4 7 0x12 0xfffffe)" "7 0x000012 16777214"
tshark_reads "tshark reads opcode, QP and PSN of an IPv6 frame" "$(roce6 6 0x12 5 20)" "6 0x000012 5"
tshark_reads "tshark reads opcode, QP and PSN of a READ request" "$(read4 0x12 100 0x10000 8192)" "12 0x000012 100"
tshark_reads "tshark reads opcode, QP and PSN of an IPv4 frame with a VLAN tag" "$(eth 81000064 0800; ip4 28; udp 20
	bth 17 0xffffff 1; zeros 8)" "17 0xffffff 1"
