#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the netlink family refuses every invalid message. The test makes the messages from the
# netlink specification. The messages have fields out of range, wrong lengths, unknown attributes,
# invalid nested attributes, or attributes that contradict each other; some messages are
# truncated. Each error must name the field, and the port must be unchanged.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1

python_test "$selftests/kmod/refusals.py" t1
