#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The frames that other tests send are what they say they are: tshark reads
# opcode, QP and PSN of them as we mean them. Runs on the host.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/frames.sh"

for tool in tshark text2pcap; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

dir=$(mktemp -d)
defer rm -r "$dir"

# tshark_reads WORDS FRAME WANTED
tshark_reads()
{
	sed 's/../& /g; s/^/000000 /' <<<"$2" >"$dir/frame"
	text2pcap -q "$dir/frame" "$dir/pcap" 2>/dev/null
	is "$1" "$(tshark -r "$dir/pcap" -T fields -E separator=' ' \
		-e infiniband.bth.opcode -e infiniband.bth.destqp \
		-e infiniband.bth.psn 2>/dev/null)" "$3"
}

tshark_reads "IPv4" "$(roce4 7 0x12 0xfffffe)" "7 0x000012 16777214"
tshark_reads "IPv6" "$(roce6 6 0x12 5 20)" "6 0x000012 5"
tshark_reads "a READ request" "$(read4 0x12 100 0x10000 8192)" "12 0x000012 100"
tshark_reads "IPv4 in a VLAN" "$(eth 81000064 0800; ip4 28; udp 20
	bth 17 0xffffff 1; zeros 8)" "17 0xffffff 1"
