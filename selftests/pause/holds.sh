#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Whom storms hold, and until when: each priority by itself, the neighbour or the
# port's own gate, as long as the socket that asked for it is there. Who is held is
# seen at the neighbour.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/queues.sh"

need_python
queue_ports t1 t2
# The longest XOFF holds for 33 s: nothing ends by itself here.
rdmafault link set t1 rate 1mbit
rdmafault link set t2 rate 1mbit
rdmafault prio set t2 prio-pfc all:on
python_test "$selftests/pause/holds.py" t1 t2
