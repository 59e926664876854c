#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the requests of the netlink family with messages made from the specification: rules are
# returned as they were added, and a request adds up to 10,000 rules. A dump is a snapshot, or
# reports that it was interrupted. A rule is removed when it expires, or when the socket that
# added it is closed (lease). Also test announced steps, flow statistics and reset. Dumps do not
# affect the ports of another network namespace.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2
defer ip netns del rf-other
ip netns add rf-other

python_test "$selftests/kmod/netlink.py" t1 t2
