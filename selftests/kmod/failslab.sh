#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a request is refused as a whole if one of its memory allocations fails. failslab.py
# makes each allocation fail once, in each request of the netlink family and of tc. The runner
# looks for leaks with kmemleak. scarce.sh tests the data path.
#
#   t1 (port) ======= t2
#    | bridge
#   t3 (link of a path) ======= t4
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/failing.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_failing
need_python
veth_pair t1 t2
veth_pair t3 t4
veth_bridge t0 t1 t3
veth_port t1
# The flow that flow-get shows
rdmafault rule add t1 tx qp 1000 observe >/dev/null
roce4 7 1000 1 | sendframe t1
python_test "$selftests/kmod/failslab.py" t1 t2 t3
