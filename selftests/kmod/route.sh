#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a route can be deleted while packets that were forwarded along it are in the
# delay queue. A forwarded packet refers to its route, but holds no reference on it, so
# a delayed packet needs one. All packets must arrive, and the kernel must not use freed
# memory: the debug kernel finds that.
#
#   sendroce - s1 ===== r1 - IPv4 forwarding - r2 (port) ===== d2 (port)
#                                            r2.5 (port) ===== d2.5
#
# The core releases the route of a packet before it reaches a veth, but not before it
# reaches a VLAN netdev.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/veth.sh"

each=50		# packets
far=02:00:00:00:00:02	# the destination address of sendroce

held()
{
	[ "$(port_stat "$1" "$2" held)" = "$3" ]
}

# route NETDEV: forward packets to 192.0.2.2 through this netdev
route()
{
	ip neigh replace 198.51.100.2 lladdr $far nud permanent dev "$1" &&
		ip route add 192.0.2.2 via 198.51.100.2 dev "$1"
}

arrived()
{
	[ "$(cat "/sys/class/net/$1/statistics/rx_packets")" -ge "$2" ]
}

# deleted TITLE NETDEV DIRECTION PORT FAR COUNT: delay packets at PORT that are routed through
# NETDEV, and delete the route before they are released. The netdev FAR must count COUNT packets.
deleted()
{
	local words=$1 dev=$2 dir=$3 port=$4 to=$5 count=$6 before

	ip addr add 198.51.100.1/24 dev "$dev"
	route "$dev"
	rule "$port" "$dir" qp 16 delay 20s >/dev/null
	rule "$port" "$dir" qp 16 duplicate 1 after 20s >/dev/null
	read -r before <"/sys/class/net/$to/statistics/rx_packets"
	sendroce s1 count $each
	ok "$words: packets and their duplicates are in the delay queue" \
		wait_until "$soon" held "$port" "$dir" $((2 * each))
	ok "$words: the route can be deleted" ip route del 192.0.2.2
	ip addr del 198.51.100.1/24 dev "$dev"
	# The kernel frees a route after RCU grace periods.
	sleep 1
	rdmafault -q reset "$port"
	ok "$words: all packets arrive" wait_until "$soon" arrived "$to" $((before + count))
	is "$words: the delay queue is empty" "$(port_stat "$port" "$dir" held)" 0
}

veth_pair s1 r1
veth_pair r2 d2
ip link set r1 address $far
sysctl -q -w net.ipv4.conf.r1.forwarding=1 net.ipv4.conf.all.rp_filter=0 \
	net.ipv4.conf.r1.rp_filter=0
for dev in r2 d2; do
	ip link add link $dev name $dev.5 type vlan id 5
	sysctl -q -w "net.ipv6.conf.$dev/5.disable_ipv6=1"
	ip link set $dev.5 up
done
veth_port r2 d2 r2.5
for dev in r2 r2.5 d2; do
	rdmafault -q port set $dev max-hold 20s
done
deleted "veth (tx)" r2 tx r2 d2 $((2 * each))
deleted "VLAN (tx)" r2.5 tx r2.5 d2.5 $((2 * each))
# A netdev counts a packet before the hook.
deleted "veth (rx)" r2 rx d2 d2 $each
