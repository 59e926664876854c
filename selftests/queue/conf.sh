#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a port is told about its queues, message by message, from the netlink
# specification: it comes back as it was given, what isn't given stays, and
# what can't be meant is refused by the attribute that is wrong, and changes
# nothing.
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

python_test "$selftests/queue/conf.py" t1
