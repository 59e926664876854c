#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What no RDMA device sends, and anybody else may: packets that are padded wrongly,
# datagrams that the kernel has yet to cut, frames that look like the port's own.
# And more copies than anybody can want. They come out whole, and what was not done
# to them is counted; the runner reads the kernel's log.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

command -v nft >/dev/null || skip_all "no nft"
veth_pair t1 t2
veth_port t1

# what t2 gets, by what nft's ingress sees there
count_at_t2()
{
	local words

	nft add table netdev others
	defer nft delete table netdev others
	nft add chain netdev others in \
		'{ type filter hook ingress device "t2" priority 0; }'
	for words in "ip length 50" "ip length 52" "udp dport 4791" "meta mark 7"; do
		# shellcheck disable=SC2086
		nft add rule netdev others in $words counter
	done
}

# counted N: packets, by the Nth of those rules
as_it_was=0 cut=1 roce=2 marked=3
counted()
{
	nft -j list table netdev others |
		jq "[.. | .counter? // empty | .packets][$1]"
}

counts()
{
	[ "$(counted "$1")" = "$2" ]
}

# A payload of six bytes and no padding; with five and the padding that it lacked
# it would be longer than before.
padding_ok()
{
	rdmafault rule add t1 tx qp 0x12 truncate 5 valid-icrc >/dev/null
	roce4 7 0x12 1 6 | sendframe t1
	is "a packet that is padded wrongly isn't made longer" \
		"$(port_stat t1 tx truncated) $(port_stat t1 tx unchanged)" "0 1"
	ok "it arrives as long as it was" wait_until "$soon" counts $as_it_was 1
	roce4 7 0x12 2 12 | sendframe t1
	is "one that is padded well is cut" "$(port_stat t1 tx truncated)" 1
	ok "and arrives so, padded" wait_until "$soon" counts $cut 1
	rdmafault rule flush t1 >/dev/null
}

# Each of eight looks like a packet of RoCEv2; they leave in one piece.
uncut_ok()
{
	ip addr add 192.0.2.1/24 dev t1
	ip neigh add 192.0.2.2 lladdr 02:00:00:00:00:02 dev t1 nud permanent
	rdmafault rule add t1 tx all corrupt payload >/dev/null
	python3 - <<-END
		import socket
		s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"t1")
		s.setsockopt(socket.IPPROTO_UDP, 103, 64)  # UDP_SEGMENT
		bth = bytes([4, 0, 255, 255, 0, 0, 0, 0x12, 0, 0, 0])
		s.sendto(b"".join(bth + bytes([n]) + bytes(52) for n in range(8)),
		         ("192.0.2.2", 4791))
	END
	is "datagrams that are yet to be cut are left alone" \
		"$(port_stat t1 tx malformed) $(port_stat t1 tx corrupted)" "1 0"
	ok "and come out" wait_until "$soon" counts $roce 3
	rdmafault rule flush t1 >/dev/null
}

# 3 rules with 8 actions of 16 copies each are 384
copies_ok()
{
	local before i words=

	for ((i = 0; i < 8; i++)); do
		words+=" duplicate 16"
	done
	for ((i = 0; i < 3; i++)); do
		# shellcheck disable=SC2086
		rdmafault rule add t1 tx qp 0x12 $words >/dev/null
	done
	before=$(counted $roce)
	roce4 7 0x12 3 8 | sendframe t1
	ok "256 copies and the packet come out" \
		wait_until "$soon" counts $roce $((before + 257))
	is "what is more is counted as without room" \
		"$(port_stat t1 tx duplicated) $(port_stat t1 tx hold_full)" "256 128"
	rdmafault rule flush t1 >/dev/null
}

# Where packets wait, the port's own frames have a mark until they leave.
marks_ok()
{
	rdmafault link set t1 rate 1gbit
	python3 - <<-END
		import socket
		s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
		s.bind(("t1", 0))
		s.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, 7)
		s.send(bytes.fromhex("0180c2000001" "020000000001" "8808" "0101" "0008")
		       + bytes(44))
	END
	ok "somebody else's pause frame keeps its mark" wait_until "$soon" counts $marked 1
	ok "the port sends one" rdmafault pause t1 prio 3 xoff
	is "which leaves without one" "$(counted $marked)" 1
}

count_at_t2
padding_ok
uncut_ok
copies_ok
marks_ok
