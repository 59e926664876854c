#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test which priorities a storm pauses, and for how long. A storm with frames pauses the
# neighbour; a storm without frames pauses the port's own queue. Each priority has a
# separate storm, which ends when the requesting socket is closed. The neighbour shows which
# priorities are paused.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/queues.sh"

need_python
queue_ports t1 t2
# At 1 Mbit/s the longest XOFF lasts 33 s, so no XOFF expires during the test.
rdmafault link set t1 rate 1mbit
rdmafault link set t2 rate 1mbit
rdmafault prio set t2 prio-pfc all:on
python_test "$selftests/pause/holds.py" t1 t2
