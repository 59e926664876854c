#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the rings of a port, which record the latest RoCEv2 packets: their contents, verdicts of
# rules, overwriting, limits, and their end with the socket, the port and the netdev under
# traffic.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2 4200
for dev in t1 t2; do
	defer rdmafault -q port del $dev --force
	rdmafault -q port add $dev --rules-only
done
defer ip netns del rf-other
ip netns add rf-other

python_test "$selftests/kmod/ring.py" t1 t2
