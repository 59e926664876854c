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
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/kmod/netlink.py" t1 t2
