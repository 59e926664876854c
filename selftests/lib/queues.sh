# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two ports on a pair of netdevs, for tests of what waits.

# queue_ports NETDEV PEER: both are ports, and quiet
queue_ports()
{
	local dev

	defer ip link del "$1"
	ip link add "$1" type veth peer name "$2"
	for dev; do
		sysctl -q -w "net.ipv6.conf.$dev.disable_ipv6=1"
		ip link set "$dev" up
		defer tc qdisc del dev "$dev" root
		tc qdisc add dev "$dev" root rdmafault
	done
}
