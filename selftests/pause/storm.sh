#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the module says of a storm is what was to be seen at the far side, however
# late the machine is: frame for frame, and their coverage. exact/storm.sh has what
# wants a machine that isn't late: that there is no gap, and an emulated wire.
#
#   storm - t1 (port) ======= t2 (port) - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
RATE=10000000000	# a veth's
# Tolerance of the coverage: a slow machine captures frames long after they left
slack=0.05
[ -z "${KSFT_MACHINE_SLOW:-}" ] || slack=0.25
. "$selftests/lib/storm.sh"

agrees()
{
	local saw

	saw=$(seen "$2")
	is "$1: as many XOFFs as were seen" \
		"$(jq .xoffs <<<"$saw")" "$(proof "$2" xoffs)"
	ok "$1: the same coverage, $(proof "$2" covered_ns) of $(proof "$2" requested_ns) ns: $saw" \
		jq -n -e --argjson saw "$saw" \
		--argjson said "$(proof "$2" covered_ns)" --argjson slack "$slack" \
		'$saw.held > 0 and ($saw.held - $said | fabs) < $slack * $said'
	is "$1: it ends with XON" "$(xoffs "$2" | tail -n 1 | cut -d' ' -f2)" 0
}

frames_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 2,3 storm for 2s frames
	heard
	agrees "priority 2" 2
	agrees "priority 3" 3
	is "a priority that has none: no frame" "$(xoffs 4 | wc -l)" 0
	is "the neighbour has got them all" \
		"$(prio_stat t2 3 xoff_rx)" "$(proof 3 xoffs)"
	is "the neighbour isn't paused any more" \
		"$(prio_stat t2 3 paused)" false
}

# The gate's own storm sends nothing.
gate_ok()
{
	listen t2 'ether proto 0x8808'
	storm t1 prio 3 storm for 300ms
	heard
	is "the gate: no frame is seen" "$(xoffs 3 | wc -l)" 0
	is "the gate: it doesn't lapse, on any machine" "$(proof 3 lapses)" 0
	ok "the gate: held for $(proof 3 covered_ns) of $(proof 3 requested_ns) ns" \
		jq -n -e "$(proof 3 covered_ns) >= 0.95 * $(proof 3 requested_ns)"
	is "the gate is open then" "$(prio_stat t1 3 paused)" false
}

storm_link
frames_ok
gate_ok
