#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the configuration of a port's queues with messages made from the netlink specification:
# a setting that was made is read back unchanged, and other settings do not change. An invalid
# request is refused with an error that names the wrong attribute, and changes nothing.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/queue/conf.py" t1
