#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test to which priority a packet belongs, and in which order the priorities are served. A pause
# fills all queues; a capture at the other end of the link shows the order of packets. Packets
# to QP 16 + p have priority p.
#
#   sendroce, sendframe - t1 (port) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pause_all.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"

# order FILE: prints the priority of each captured packet, one per line, in order of arrival
order()
{
	packets "$1" | awk '{ print $1 - 16 }'
}

# fill PRIO:COUNT:PAYLOAD...: pause all priorities; for each argument, send COUNT packets of
# priority PRIO with PAYLOAD bytes of payload; then resume all priorities
fill()
{
	local each prio count payload

	pause_all
	for each; do
		IFS=: read -r prio count payload <<<"$each"
		sendroce t1 qp $((16 + prio)) dscp $((prio * 8)) \
			count "$count" payload "$payload"
	done
	resume_all 100mbit
}

strict_ok()
{
	local capture=$tmp/strict

	rdmafault prio set t1 prio-tsa all:strict
	captured t2 "$capture" fill 0:50:100 3:50:1000 7:50:100 5:50:4000
	is "strict priorities: the highest is served first, in any order of arrival" \
		"$(order "$capture" | uniq -c | xargs)" "50 7 50 5 50 3 50 0"
	is "strict priorities: packets of a priority keep their order" \
		"$(packets "$capture" | awk '{ if ($2 != next_psn[$1]++) n++ }
			END { print n + 0 }')" 0
}

# shares_ok WEIGHT: test that priority 1 with weight WEIGHT and priority 2 with weight 1 share
# the bytes of the link by weight. A packet of priority 1 is an eighth as large as a packet of
# priority 2. As long as both priorities have packets, no priority may at any time have sent
# more than its share plus one round plus one packet.
shares_ok()
{
	local bw=$1 capture=$tmp/shares

	rdmafault prio set t1 prio-tsa 1:ets 2:ets prio-bw "1:$bw" 2:1
	captured t2 "$capture" fill 1:1600:442 2:200:3942
	order "$capture" | awk '
		{ bytes[$1] += $1 == 1 ? 500 : 4000; n[$1]++ }
		n[1] == 1600 || n[2] == 200 { exit }
		END { printf "%.0f %.0f\n", bytes[1], bytes[2] }' >"$tmp/bytes"
	ok "ets weights $bw and 1: bytes are shared by weight, $(<"$tmp/bytes") bytes" \
		awk -v bw="$bw" -v turn=4214 '{
			ahead = $1 / bw - $2
			exit !($2 > 20 * turn && ahead < 2 * turn && -ahead < 2 * turn)
		}' "$tmp/bytes"
}

strict_before_ets_ok()
{
	local capture=$tmp/both

	rdmafault prio set t1 prio-tsa 1:ets 2:ets 0:strict prio-bw 1:1 2:1
	captured t2 "$capture" fill 1:50:4096 2:50:4096 0:50:1000
	is "a strict priority is served before ets priorities" \
		"$(order "$capture" | head -50 | uniq -c | xargs)" "50 0"
	is "two ets priorities with equal weights alternate" \
		"$(order "$capture" | tail -100 | awk '
			$1 == before { twice++ } { before = $1 }
			END { print twice + 0 }')" 0
}

# now_packets: prints how many packets of each priority have been sent until now
now_packets()
{
	rdmafault --json prio show t1 |
		jq -r '[.[0].prio[] | .packets] | join(" ")'
}

# belongs TITLE PRIO FRAME: send FRAME, and test that only the counter of the priority PRIO
# counts it. TITLE describes the frame in the name of the test.
belongs()
{
	local before now

	before=$(now_packets)
	sendframe t1 <<<"$3"
	wait_until "$soon" left_one
	now=$(now_packets)
	is "a frame with $1 has priority $2" "$(echo "$before $now" | awk '{
		for (i = 1; i <= 8; i++)
			if ($(i + 8) != $i)
				printf "%s%d:%d", c++ ? " " : "", i - 1,
					$(i + 8) - $i }')" "$2:1"
}

left_one()
{
	[ "$(now_packets)" != "$before" ]
}

# with_dscp DSCP: read a frame from stdin and set its DSCP
with_dscp()
{
	sed "s/^\(.\{30\}\)00/\1$(printf '%02x' $(($1 << 2)))/"
}

priorities_ok()
{
	local frame

	frame=$(roce4 0x0a 0x20 1)
	rdmafault link set t1 rate 100mbit
	belongs "DSCP 0" 0 "$frame"
	belongs "DSCP 26" 3 "$(with_dscp 26 <<<"$frame")"
	belongs "DSCP 63" 7 "$(with_dscp 63 <<<"$frame")"
	belongs "VLAN priority 5" 5 "$(tagged 5 <<<"$frame")"
	belongs "VLAN priority 6 and DSCP 26" 6 \
		"$(with_dscp 26 <<<"$frame" | tagged 6)"
	belongs "IPv6 and traffic class 0x80" 4 \
		"$(roce6 0x0a 0x20 1 | sed 's/86dd60/86dd68/')"
	belongs "neither a VLAN tag nor an IP header" 0 "$(eth "" 88b5)$(zeros 50)"
	rdmafault prio set t1 dscp-prio 26:1
	belongs "DSCP 26 and a changed map" 1 "$(with_dscp 26 <<<"$frame")"
}

# A CNP (congestion notification packet) leaves while all priorities are paused.
control_band_ok()
{
	local capture=$tmp/cnp

	capture_begin "$capture.log" -i t2 -Q in --immediate-mode -U \
		-w "$capture" udp
	pause_all
	sendframe t1 <<<"$(roce4 0x0a 0x11 1)"
	sendframe t1 <<<"$(roce4 0x81 0x12 1 16)"
	ok "a CNP leaves while all priorities are paused" wait_until "$soon" came "$capture" 1
	is "only the CNP leaves while all priorities are paused" "$(prio_sum t1 backlog)" 1
	resume_all 100mbit
	wait_until "$soon" came "$capture" 2
	capture_end
	is "the packet that left during the pause is the CNP" "$(packets_in "$capture" | xargs)" "18 17"
}

came()
{
	[ "$(packets_in "$1" | wc -l)" -ge "$2" ]
}

# packets_in FILE: prints the QP of each packet. The last two bytes of the QP are at byte 48.
packets_in()
{
	tcpdump -n -r "$1" -xx 2>/dev/null |
		awk '$1 == "0x0030:" { print $2 }' |
		while read -r qp; do echo $((16#$qp)); done
}

pausable_link
rdmafault link set t1 seed 1
strict_ok
shares_ok 1
shares_ok 4
strict_before_ets_ok
priorities_ok
control_band_ok
