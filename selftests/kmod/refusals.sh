#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the netlink family must refuse, message by message, from the
# specification: every field out of its range, wrong lengths, unknown
# attributes, broken nests, messages cut short, contradictions. Each time the
# error names the field, and nothing has changed.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1

python_test "$selftests/kmod/refusals.py" t1
