#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the netlink family with random requests made from its specification. A request has
# any attributes, of any size, nested in any other attribute. Requests are first sent one by
# one, then from many sockets at once, which are closed while requests are running. The order of
# the attributes is random. A refused request must change nothing, and the family must work
# afterwards. The test takes at least ABUSE_SECONDS, by default 20; with ABUSE=long 600.
#
#   t1 (port) ======= t2 (port)
#    | bridge
#   t3 (becomes a port and ends as one; link of a path)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/abuse.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2
defer ip link del t3
ip link add t3 type dummy
veth_bridge t0 t1 t3

seconds=${ABUSE_SECONDS:-$(amount 20 600)}
python_test "$selftests/abuse/fuzz.py" "$seed" 1000 $((seconds / 2)) t3 t1 t2
rdmafault reset
ok "port t1 can be deleted after random requests" tc qdisc del dev t1 root
ok "port t2 can be deleted after random requests" tc qdisc del dev t2 root
ok "the module can be unloaded after random requests" modprobe -r rdmafault
