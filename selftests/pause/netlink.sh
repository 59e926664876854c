#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Storms and pause frames, message by message, from the netlink specification: a
# storm is leased as a rule is, and what can't be meant is refused by the
# attribute that is wrong, begins nothing and sends nothing.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/pause/netlink.py" t1
