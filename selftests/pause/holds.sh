#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test which queues a storm pauses and how long: each priority separately, the neighbour
# (with frames) or the port's own queue (without), as long as the requesting socket is open.
# Pauses are observed at the neighbour.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/queues.sh"

need_python
queue_ports t1 t2
# The longest XOFF lasts 33 s, so that none expires during the test.
rdmafault link set t1 rate 1mbit
rdmafault link set t2 rate 1mbit
rdmafault prio set t2 prio-pfc all:on
python_test "$selftests/pause/holds.py" t1 t2
