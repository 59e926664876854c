#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The netlink family under noise that is made from its own specification: any
# attributes, of any size, in any nest; one request after the other, and from many
# sockets at once that end in the middle of it. It stays whole, and of a request
# that it refused nothing is to be seen.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/abuse.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1 t2

python_test "$selftests/abuse/fuzz.py" "$seed" "$(amount 1000 100000)" t1 t2
rdmafault reset
ok "the ports go" tc qdisc del dev t1 root
ok "both of them" tc qdisc del dev t2 root
ok "and the module" modprobe -r rdmafault
