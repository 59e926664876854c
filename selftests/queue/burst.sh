#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that one call of dequeue moves at most 64 packets from the queues of a port to its link,
# so that other work is not delayed: after a pause, all queued packets can go to the link at
# once. The next call continues without a delay.
#
#   sendroce - t1 (port) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pause_all.sh"

BURST=64
COUNT=1000
tracing=/sys/kernel/tracing/instances/rf-burst
tmp=$(mktemp -d)
defer rm -r "$tmp"

# filled: packets wait in a pause. Then they go to a link that has a delay and no rate.
filled()
{
	pause_all delay 1ms
	sendroce t1 count $COUNT payload 100
	echo function >"$tracing/current_tracer"
	resume_all
}

# moved: prints for each call of dequeue how many packets it moves to the link
moved()
{
	awk '/: rf_prioq_dequeue / { print n + 0; n = 0 } /: rf_in_flight_enqueue / { n++ }
		END { print n + 0 }' "$tracing/trace"
}

pausable_link
defer rmdir "$tracing"
mkdir "$tracing"
printf '%s\n' rf_prioq_dequeue rf_in_flight_enqueue >"$tracing/set_ftrace_filter" ||
	skip_all "no function tracer"
captured t2 "$tmp/packets" filled
echo 0 >"$tracing/tracing_on"
is "one call of dequeue moves at most $BURST packets to the link" \
	"$(moved | sort -n | tail -n 1)" $BURST
is "all packets arrive in order" \
	"$(packets "$tmp/packets" | awk '$2 != n++ { exit } END { print n }')" $COUNT
