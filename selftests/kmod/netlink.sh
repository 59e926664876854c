#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the netlink family does when asked, message by message, from the
# specification: rules come back as they were given, batches of 10,000, dumps
# that are of one moment or say that they aren't, leases and expiry, what is
# announced, the ledger of flows, reset.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"

need_python
defer ip link del t1
ip link add t1 type veth peer name t2
for dev in t1 t2; do
	sysctl -q -w net.ipv6.conf.$dev.disable_ipv6=1
	ip link set $dev up
	defer tc qdisc del dev $dev root
	tc qdisc add dev $dev root rdmafault
done

python_test "$selftests/kmod/netlink.py" t1
