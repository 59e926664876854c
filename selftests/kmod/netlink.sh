#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the requests of the netlink family with messages made from the
# specification: rules are returned as they were given, batches have 10,000
# rules, a dump is a snapshot or says that it was interrupted, rules end with
# their lease or expire, announced steps, flow statistics, reset.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/kmod/netlink.py" t1 t2
