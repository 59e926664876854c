# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two ports on a pair of netdevs, for tests of queues.

. "$selftests/lib/veth.sh"

# queue_ports NETDEV PEER: make a veth pair, and make both ends ports of the module. Only
# packets of the test pass over this pair.
queue_ports()
{
	veth_pair "$1" "$2"
	veth_port "$1" "$2"
}
