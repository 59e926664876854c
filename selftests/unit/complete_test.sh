#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that each action, attribute and counter of the netlink specification is in all tables,
# lists and documents that must name it.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"

need_python
python_test "$selftests/unit/complete_test.py"
