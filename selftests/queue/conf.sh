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
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/queue/conf.py" t1
