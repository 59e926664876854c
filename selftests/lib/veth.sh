# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two netdevs back to back that nothing but the test speaks over: no IPv6
# announces itself. Packets come out in the order that they went in, whichever
# CPU hands them over.

# The kernel's own queue between the two ends of a veth must lose nothing. It is
# one for each CPU, and for all netdevs.
veth_room()
{
	local before

	before=$(sysctl -n net.core.netdev_max_backlog)
	[ "$before" -lt 20000 ] || return 0
	defer sysctl -q -w "net.core.netdev_max_backlog=$before"
	sysctl -q -w net.core.netdev_max_backlog=20000
}

# veth_pair NEAR FAR [MTU]: until the end of the test
veth_pair()
{
	local dev rps=/sys/class/net/$2/queues/rx-0/rps_cpus

	veth_room
	defer ip link del "$1"
	ip link add "$1" type veth peer name "$2"
	# A kernel for one CPU has none, nor a need for it.
	[ ! -e "$rps" ] || echo 1 >"$rps"
	for dev in "$1" "$2"; do
		sysctl -q -w "net.ipv6.conf.$dev.disable_ipv6=1"
		ip link set "$dev" mtu "${3:-1500}" up
	done
}

# veth_port DEV...: each is a port, until the end of the test
veth_port()
{
	local dev

	for dev in "$@"; do
		defer tc qdisc del dev "$dev" root
		tc qdisc add dev "$dev" root rdmafault
	done
}
