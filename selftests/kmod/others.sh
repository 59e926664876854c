#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test packets that no RDMA device sends but another program can send: packets with
# wrong padding, datagrams that the kernel segments later (UDP GSO), and frames that
# look like the port's own pause frames. Also test rules that request more copies
# than the module makes. The port must forward them intact and count the actions
# that it did not apply. The runner reads the kernel's log.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

veth_pair t1 t2
veth_port t1 t2
rdmafault rule add t2 rx all observe >/dev/null

# came PACKETS BYTES: succeeds if t2 has received exactly this number of RoCEv2
# packets and of bytes; bytes are counted from the beginning of the IP header
came()
{
	[ "$(port_stat t2 rx roce) $(port_stat t2 rx roce_bytes)" = "$1 $2" ]
}

# The action "truncate" must not change a packet that has a payload of six bytes but, wrongly, no
# padding. Truncated to five bytes and padded to eight, its payload would become longer. A payload
# of twelve bytes is truncated to five bytes and padded to eight.
padding_ok()
{
	rdmafault rule add t1 tx qp 0x12 truncate 5 valid-icrc >/dev/null
	roce4 7 0x12 1 6 | sendframe t1
	is "truncate leaves a packet with wrong padding unchanged" \
		"$(port_stat t1 tx truncated) $(port_stat t1 tx unchanged)" "0 1"
	ok "the packet with wrong padding arrives with its length" wait_until "$soon" came 1 50
	roce4 7 0x12 2 12 | sendframe t1
	is "a packet with correct padding is truncated" "$(port_stat t1 tx truncated)" 1
	ok "the truncated packet arrives, padded" wait_until "$soon" came 2 102
	rdmafault rule flush t1 >/dev/null
}

# Eight datagrams that look like RoCEv2 packets pass the port as one GSO packet.
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
	is "a GSO packet is counted as malformed and not corrupted" \
		"$(port_stat t1 tx malformed) $(port_stat t1 tx corrupted)" "1 0"
	ok "the GSO packet arrives at the other port" wait_until "$soon" eval \
		'[ "$(port_stat t2 rx malformed)" = 1 ]'
	rdmafault rule flush t1 >/dev/null
}

# Three rules together request 384 copies of a packet: each rule has 8 actions, and each action
# makes 16 copies. The IP packet has 52 bytes.
copies_ok()
{
	local i words=

	for ((i = 0; i < 8; i++)); do
		words+=" duplicate 16"
	done
	for ((i = 0; i < 3; i++)); do
		# shellcheck disable=SC2086
		rdmafault rule add t1 tx qp 0x12 $words >/dev/null
	done
	roce4 7 0x12 3 8 | sendframe t1
	ok "the packet and 256 of 384 requested copies arrive" \
		wait_until "$soon" came 259 $((102 + 257 * 52))
	is "the other 128 copies are counted in delay_queue_full" \
		"$(port_stat t1 tx duplicated) $(port_stat t1 tx delay_queue_full)" "256 128"
	rdmafault rule flush t1 >/dev/null
}

# marks: prints the skb marks of the pause frames that arrive at t2. Another program first sends
# one frame with mark 7; then a storm at t1 sends frames. The module marks the frames of the storm,
# but only while they are queued.
marks()
{
	python3 - <<-END
		import socket, struct, subprocess
		ETH_P_ALL, RCVMARK = 3, 75
		far = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
		far.bind(("t2", ETH_P_ALL))
		far.setsockopt(socket.SOL_SOCKET, RCVMARK, 1)

		def marks(seconds):
		    far.settimeout(seconds)
		    try:
		        while True:
		            frame, parts, _, _ = far.recvmsg(2048, 64)
		            if frame[12:14] == b"\x88\x08":
		                yield from (struct.unpack("I", data)[0]
		                            for _, kind, data in parts
		                            if kind == socket.SO_MARK)
		    except TimeoutError:
		        pass

		near = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
		near.bind(("t1", 0))
		near.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, 7)
		near.send(bytes.fromhex("0180c2000001" "020000000001" "8808" "0101" "0008")
		          + bytes(44))
		other = next(marks($soon), "none")
		storm = "rdmafault pause t1 prio 3 storm for 10ms frames"
		# PFC is off at t2, so the command prints a warning. This test ignores the
		# warning.
		subprocess.run(storm.split(), check=True, stdout=subprocess.DEVNULL,
		               stderr=subprocess.DEVNULL)
		print(other, *{next(marks($soon), "none"), *marks(1)})
	END
}

marks_ok()
{
	rdmafault link set t1 rate 1gbit
	is "a foreign pause frame keeps its mark, frames of the port have mark 0" \
		"$(marks 2>&1)" "7 0"
}

padding_ok
uncut_ok
copies_ok
marks_ok
