#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory that isn't there. Each allocation of each request, ours and those of tc,
# fails once (failslab.py), and nothing is half done; that nothing leaks is found
# by the runner, with kmemleak. For the data path see scarce.sh.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/failing.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_failing
need_python
veth_pair t1 t2
veth_port t1
# A flow to be dumped
rdmafault rule add t1 tx qp 1000 observe >/dev/null
roce4 7 1000 1 | sendframe t1
python_test "$selftests/kmod/failslab.py" t1 t2
