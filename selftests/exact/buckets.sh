#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a training step with four buckets sends while it computes, and that a step
# with one bucket sends after it has computed. The link is slow, so that sending takes a
# known time: 256 KiB take 105 ms at 20 Mbit/s, and computing takes 200 ms. The test
# runs in virtual time, because on a busy host the processor delays the packets.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

virtual_only

fabric 2
ports v1 v2
rdmafault link set v1 rate 20mbit
rdmafault link set v2 rate 20mbit

quickest_ms()
{
	training -N 2 --data synthetic --steps 12 --gradient 256K \
		--compute 200ms --timeout 18 "$@"
	said step 'map(.step_ns | max) | min / 1e6 | floor'
}

# The first run loads the program from the host's disk. Virtual time runs ahead
# meanwhile, for longer than ranks wait for each other.
train -N 2 --data synthetic --steps 1 --timeout 18 >/dev/null 2>&1
one=$(quickest_ms)
four=$(quickest_ms --buckets 4)
ok "a step with one bucket computes, then sends: at least 305 ms ($one ms)" [ "$one" -ge 305 ]
ok "a step with four buckets sends while it computes: less than 305 ms ($four ms)" \
	[ "$four" -lt 305 ]
