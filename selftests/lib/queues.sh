# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two ports on a pair of netdevs, for tests of queues.

. "$selftests/lib/veth.sh"

# queue_ports NETDEV PEER: make both ports; only the test sends packets
queue_ports()
{
	veth_pair "$1" "$2"
	veth_port "$1" "$2"
}
