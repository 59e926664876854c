#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that no packet is lost, duplicated or reordered within its priority: a hundred million
# bytes pass through ports that use all features: rate, delay, jitter, strict priorities and
# weights, a buffer, PFC and ECN.
#
#   sendroce ×8 ─ t1 ═══════ t2 ── t0 ── t3 ═══════ t4 ─ tcpdump
#             (port) 500     (port)       (port) 400 Mbit/s
#
# t3 is slower than t1, so t2's buffer fills and t1 is paused. Controls show that all features
# were in use, and that the test would find a loss or a changed order.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/hops.sh"

BYTES=100000000
EACH=$((BYTES / 8 / HOPS_FRAME + 1))

tmp=$(mktemp -d)
defer rm -r "$tmp"

everything_on()
{
	local dev

	rdmafault link set t1 rate 200mbit delay 200us jitter 100us seed 7
	rdmafault link set t2 rate 200mbit delay 200us
	rdmafault link set t3 rate 160mbit delay 50us jitter 50us seed 8
	for dev in t1 t3; do
		rdmafault prio set $dev prio-tsa 7:strict 6:strict \
			0:ets 1:ets 2:ets 3:ets 4:ets 5:ets \
			prio-bw 0:5 1:10 2:15 3:20 4:20 5:30
	done
	lossless_hop
	obeys_pfc t1
	rdmafault ecn set t3 prio all kmin 16KiB kmax 128KiB pmax 50%
}

# ce FILE: prints the number of packets with CE
ce()
{
	od -An -v -tu1 -w70 -j24 "$1" |
		awk '$32 % 4 == 3 { n++ } END { print n + 0 }'
}

nothing_is_lost_ok()
{
	captured t4 "$tmp/all" send_each $EACH
	is "control: tcpdump has dropped no packet" \
		"$(awk '/dropped by kernel/ { print $1 }' "$tmp/all.log")" 0
	is "all of $((8 * EACH)) packets, $((8 * EACH * HOPS_FRAME)) bytes, arrive once and in order" \
		"$(lacks "$tmp/all" $EACH)" "lost 0 twice 0 late 0"
}

all_of_it_acted_ok()
{
	local dev key

	too_slow "control: t1 was paused" "sends more than 160 Mbit/s" ||
		ok "control: t1 was paused" [ "$(total t1 paused_total_ns)" -gt 0 ]
	too_slow "control: t2 has sent XOFF" "sends more than 160 Mbit/s" ||
		ok "control: t2 has sent XOFF" [ "$(total t2 xoff_tx)" -gt 0 ]
	is "t1 has received every XOFF of t2" \
		"$(total t1 xoff_rx)" "$(total t2 xoff_tx)"
	is "t1 has received every XON of t2" "$(total t1 xon_rx)" "$(total t2 xon_tx)"
	ok "control: t3 has marked packets" [ "$(total t3 marked)" -gt 0 ]
	is "the number of packets with CE is that of t3's counter" \
		"$(ce "$tmp/all")" "$(total t3 marked)"
	for dev in t1 t2 t3; do
		for key in full no_buffer expired watchdog_dropped mark_dropped; do
			is "$dev has dropped no packet ($key)" \
				"$(total $dev $key)" 0
		done
	done
}

all_is_over_ok()
{
	local dev

	is "no priority of t1 is paused at the end" "$(total t1 paused)" 0
	is "the buffer of t2 is empty at the end" "$(total t2 buffer_used)" 0
	for dev in t1 t3; do
		is "no packet is queued at $dev at the end" "$(total $dev backlog)" 0
	done
}

# The controls need only a fiftieth of the packets.
a_loss_would_be_seen_ok()
{
	rdmafault rule add t3 tx qp 0x13 psn 30 drop >/dev/null
	captured t4 "$tmp/loss" send_each $((EACH / 50))
	is "control: a packet dropped by a rule is found" \
		"$(lacks "$tmp/loss" $((EACH / 50)))" "lost 1 twice 0 late 0"
	rdmafault rule flush t3
	rdmafault rule add t3 tx qp 0x13 psn 30 reorder 3 >/dev/null
	captured t4 "$tmp/late" send_each $((EACH / 50))
	is "control: a packet reordered by a rule is found" \
		"$(lacks "$tmp/late" $((EACH / 50)))" "lost 0 twice 0 late 1"
	rdmafault rule flush t3
}

hops
everything_on
nothing_is_lost_ok
all_of_it_acted_ok
all_is_over_ok
a_loss_would_be_seen_ok
