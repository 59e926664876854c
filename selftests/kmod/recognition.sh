#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test which frames the module recognises as RoCEv2. Frames are written by hand and
# sent from one end of a veth pair; the counters of both ends are read: tx at t1, rx
# at t2.
#
#   sendframe - t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

veth_pair t1 t2 9000
veth_port t1 t2
rdmafault rule add t1 tx qp 0x12 observe >/dev/null
rdmafault rule add t2 rx qp 0x12 observe >/dev/null

# look: prints the counters "packets", "roce" and "malformed", each of them for t1 tx and t2 rx
look()
{
	rdmafault --json stat | jq -r '
		[(.[] | select(.netdev == "t1").tx),
		 (.[] | select(.netdev == "t2").rx)] |
		[.[].packets, .[].roce, .[].malformed] | join(" ")'
}

# arrived COUNT: succeeds when t1 has sent COUNT frames and t2 has received them
arrived()
{
	read -r tx rx roce_tx roce_rx bad_tx bad_rx <<<"$(look)"
	[ "$tx" = "$1" ] && [ "$rx" = "$1" ]
}

# seen FRAME-NAME FRAME ROCE MALFORMED: send one frame. At both ends, the counter roce must grow
# by ROCE, and the counter malformed by MALFORMED.
seen()
{
	local roce=$roce_tx bad=$bad_tx before=$tx

	sendframe t1 <<<"$2"
	wait_until "$soon" arrived $((before + 1))
	is "$1: the frame adds $3 to the counter roce and $4 to malformed" \
		"$((tx - before)): $roce_tx $roce_rx, $bad_tx $bad_rx" \
		"1: $((roce + $3)) $((roce + $3)), $((bad + $4)) $((bad + $4))"
}

rest()
{
	udp 20
	bth 7 0x12 "$1"
	zeros 8
}

recognised_ok()
{
	seen "IPv4" "$(roce4 7 0x12 1)" 1 0
	seen "IPv6" "$(roce6 7 0x12 2)" 1 0
	seen "IPv4 in a VLAN" "$(eth 81000064 0800; ip4 28; rest 3)" 1 0
	seen "IPv6 in a VLAN" \
		"$(eth 81000064 86dd; ip6 28; udp 20; bth 7 0x12 4; zeros 8)" 1 0
	seen "IPv4 in two VLANs" "$(eth 88a8000a81000064 0800; ip4 28; rest 5)" 1 0
	seen "IPv4 with options" \
		"$(eth "" 0800; ip4 28 4000 01010101; rest 6)" 1 0
	is "a rule for the QP hits all six recognised packets" \
		"$(port_stat t1 tx hits) $(port_stat t2 rx hits)" "6 6"
}

malformed_goes_on_untouched_ok()
{
	seen "unknown opcode" "$(roce4 0x1f 0x12 1)" 0 1
	seen "transport version 1" \
		"$(eth "" 0800; ip4 28; udp 20; bth 7 0x12 1 1; zeros 8)" 0 1
	seen "shorter than a BTH" \
		"$(eth "" 0800; ip4 16; udp 8; zeros 8)" 0 1
	seen "too short for the opcode's headers" "$(roce4 6 0x12 1 4)" 0 1
	seen "IP length greater than the frame" \
		"$(eth "" 0800; ip4 128; udp 120; bth 7 0x12 1; zeros 8)" 0 1
	seen "first fragment" \
		"$(eth "" 0800; ip4 28 2000; rest 1)" 0 1
}

other_packets_are_left_alone_ok()
{
	seen "other UDP port" \
		"$(eth "" 0800; ip4 28; udp 20 4790; bth 7 0x12 1; zeros 8)" 0 0
	seen "later fragment" "$(eth "" 0800; ip4 28 0010; rest 1)" 0 0
	seen "ARP" "$(eth "" 0806; zeros 46)" 0 0
	seen "bare VLAN tag" "$(eth 81000064 8100)" 0 0
}

arrived 0
recognised_ok
malformed_goes_on_untouched_ok
other_packets_are_left_alone_ok
