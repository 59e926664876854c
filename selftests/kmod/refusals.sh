#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the netlink family must refuse, message by message, from the
# specification: every field out of its range, wrong lengths, unknown
# attributes, broken nests, messages cut short, contradictions. Each time the
# error names the field, and nothing has changed.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"

need_python
defer ip link del t1
ip link add t1 type veth peer name t2
ip link set t1 up
defer tc qdisc del dev t1 root
tc qdisc add dev t1 root rdmafault

python_test "$selftests/kmod/refusals.py" t1
