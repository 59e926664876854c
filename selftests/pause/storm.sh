#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the report of a storm and a capture at the other end of the link agree on the number
# of frames and on the coverage (the fraction of the storm during which XOFF is in effect), also
# on a slow machine. exact/storm.sh runs in virtual time: it tests that XOFF is in effect
# without a gap, also on a link with a rate.
#
#   storm - t1 (port) ======= t2 (port) - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
RATE=10000000000	# of a veth
# Tolerance of the coverage (a fraction of 1). It is large on a slow machine, where a frame is
# captured long after it was sent.
slack=0.05
[ -z "${KSFT_MACHINE_SLOW:-}" ] || slack=0.25
. "$selftests/lib/storm.sh"

agrees()
{
	local saw

	saw=$(seen "$2")
	is "storm of $1: the report has as many XOFFs as were captured" \
		"$(jq .xoffs <<<"$saw")" "$(proof "$2" xoffs)"
	ok "storm of $1: report and capture have the same coverage, $(proof "$2" covered_ns) of $(proof "$2" requested_ns) ns: $saw" \
		jq -n -e --argjson saw "$saw" \
		--argjson said "$(proof "$2" covered_ns)" --argjson slack "$slack" \
		'$saw.held > 0 and ($saw.held - $said | fabs) < $slack * $said'
	is "storm of $1: the last frame is XON" "$(xoffs "$2" | tail -n 1 | cut -d' ' -f2)" 0
}

frames_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 2,3 storm for 2s frames
	heard
	agrees "priority 2" 2
	agrees "priority 3" 3
	is "a storm of priorities 2 and 3 sends no frame for priority 4" "$(xoffs 4 | wc -l)" 0
	is "the neighbour counts all XOFFs of the storm" \
		"$(prio_stat t2 3 xoff_rx)" "$(proof 3 xoffs)"
	is "the neighbour is not paused after the storm" \
		"$(prio_stat t2 3 paused)" false
}

# A storm without frames pauses the port itself.
gate_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 300ms
	heard
	is "a storm without frames sends no frame" "$(xoffs 3 | wc -l)" 0
	is "a storm without frames has no lapse" "$(proof 3 lapses)" 0
	ok "a storm without frames covers at least 95 %: $(proof 3 covered_ns) of $(proof 3 requested_ns) ns" \
		jq -n -e "$(proof 3 covered_ns) >= 0.95 * $(proof 3 requested_ns)"
	is "the port is not paused after a storm without frames" "$(prio_stat t1 3 paused)" false
}

storm_link
frames_ok
gate_ok
