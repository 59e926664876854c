#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test storms and pause frames with messages made from the netlink specification: a storm is
# leased like a rule; an invalid request is refused with the wrong attribute, and starts and
# sends nothing.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/pause/netlink.py" t1
