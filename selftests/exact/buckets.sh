#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A gradient in one bucket travels when all is computed, one in four meanwhile. The
# link is slow, so that it is the wire that takes the time: 256 KiB are 105 ms at
# 20 Mbit/s, beside 200 ms of computing. In virtual time, for on a busy host it is
# the processor that takes it.
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

# What is read from the host for the first time takes host's time, in which virtual
# time runs away: longer than ranks wait for each other
train -N 2 --data synthetic --steps 1 --timeout 18 >/dev/null 2>&1
one=$(quickest_ms)
four=$(quickest_ms --buckets 4)
ok "one bucket travels when all is computed: $one ms" [ "$one" -ge 305 ]
ok "four buckets travel meanwhile: $four ms" [ "$four" -lt 305 ]
