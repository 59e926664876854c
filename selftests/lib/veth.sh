# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two connected netdevs that carry only packets of the test: IPv6 is disabled. Packets
# arrive in the order in which they were sent, on any CPU.

# For the packets that pass from one end of a veth pair to the other, each CPU has one queue,
# which all netdevs share (netdev_max_backlog). This queue must not overflow.
veth_room()
{
	local before

	before=$(sysctl -n net.core.netdev_max_backlog)
	[ "$before" -lt 20000 ] || return 0
	defer sysctl -q -w "net.core.netdev_max_backlog=$before"
	sysctl -q -w net.core.netdev_max_backlog=20000
}

# veth_pair NEAR FAR [MTU]: make a veth pair that exists until the end of the test
veth_pair()
{
	local dev rps=/sys/class/net/$2/queues/rx-0/rps_cpus

	veth_room
	defer ip link del "$1"
	ip link add "$1" type veth peer name "$2"
	# A kernel for one CPU has no receive packet steering (RPS), and does not need it.
	[ ! -e "$rps" ] || echo 1 >"$rps"
	for dev in "$1" "$2"; do
		sysctl -q -w "net.ipv6.conf.$dev.disable_ipv6=1"
		ip link set "$dev" mtu "${3:-1500}" up
	done
}

# veth_port DEV...: make these netdevs ports until the end of the test
veth_port()
{
	local dev

	for dev in "$@"; do
		defer tc qdisc del dev "$dev" root
		tc qdisc add dev "$dev" root rdmafault
	done
}

# veth_bridge NAME DEV...: connect these netdevs with a bridge until the end of the test. It
# does not learn, because a bridge drops a frame if it has learnt the destination on the port
# that received the frame.
veth_bridge()
{
	local name=$1 dev

	shift
	defer ip link del "$name"
	ip link add "$name" type bridge stp_state 0 mcast_snooping 0
	sysctl -q -w "net.ipv6.conf.$name.disable_ipv6=1"
	ip link set "$name" up
	for dev in "$@"; do
		ip link set "$dev" master "$name"
		ip link set "$dev" type bridge_slave learning off
	done
}
