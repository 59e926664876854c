#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test storms and pause frames with messages made from the netlink specification: like a rule,
# a storm ends when the socket that requested it is closed. An invalid request is refused with
# an error that names the wrong attribute. The request starts no storm and sends no frame.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/pause/netlink.py" t1
