#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that PFC spreads congestion backwards, hop by hop. The last link of a chain of two
# switches is slow. With PFC, the second switch pauses the first switch, the first switch
# pauses the sender, and no packet is dropped. Without PFC, the buffers have the same size, and
# packets of the same load are dropped.
#
#   rxe1 v1 ── p1 rfbr0 s1 ── s2 rfbr1 p2 ── v2 rxe2
#       ◀ XOFF          ◀ XOFF        10 Mbit/s
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/chain.sh"

# Each of four queue pairs has up to 128 packets of 4 KiB in flight, in total more than a
# buffer holds. The headroom has room for the packets of half a second. It is this large
# because rxe of Linux 6.1 occupies a CPU for 1024 packets at a time, and an XOFF waits for
# this CPU. DSCP 24 is priority 3.
load=(-q 4 -s 65536 -n 14 --tclass=96)
# Timeouts of rxe: 21 is 8.6 s, far longer than the packets need to leave, also on a busy host. If
# packets are dropped, rxe waits that long for each retransmission, so the control has 19, 2.1 s.
no_timeout=(-u 21)
timeout=(-u 19)
PACKETS=$((4 * 14 * 16))

tmp=$(mktemp -d)
defer rm -r "$tmp"

# lossless NETDEV on|off: turn PFC on or off. The buffer is the same in both cases.
lossless()
{
	rdmafault link set "$1" buffer 1536KiB
	rdmafault prio set "$1" prio-pfc "3:$2" prio-headroom 3:1408KiB \
		prio-xoff 3:64KiB prio-xon 3:32KiB
}

# listen NETDEV: capture the pause frames that arrive at NETDEV
listen()
{
	tcpdump --immediate-mode -U -i "$1" -Q in -s 64 -w "$tmp/$1" \
		'ether proto 0x8808' 2>"$tmp/$1.log" &
	listeners+=($!)
	wait_until "$soon" grep -q listening "$tmp/$1.log"
}

listen_everywhere()
{
	local dev

	listeners=()
	for dev in v1 s1 v3; do
		listen $dev
	done
}

# heard NETDEV TIMER: prints how many pause frames for class 3 were captured at NETDEV: the XONs
# (timer 0) if TIMER is 0, otherwise the XOFFs
heard()
{
	tcpdump -r "$tmp/$1" -n -t -xx 2>/dev/null | awk -v "want=$2" '
		$1 == "0x0010:" && $2 == "0008" {
			xon += $6 == "0000"
			xoff += $6 != "0000"
		}
		END { print (want ? xoff : xon) + 0 }'
}

# again: prints the sum of rxe's counters of missing packets and of retransmitted packets
again()
{
	echo $(($(hw rxe1 completer_retry_err) + $(hw rxe1 rcvd_seq_err) +
		$(hw rxe2 out_of_seq_request) + $(hw rxe2 duplicate_request)))
}

at_least()
{
	[ "$1" -ge "$2" ]
}

pause_reaches_the_sender_ok()
{
	local again0

	lossless s2 on
	lossless p1 on
	again0=$(again)
	listen_everywhere
	ok "with PFC: the load is transferred" write_bw 2 1 "${load[@]}" "${no_timeout[@]}"
	kill "${listeners[@]}"
	wait "${listeners[@]}" 2>/dev/null
	ok "with PFC: XOFF arrives at the first switch" at_least "$(heard s1 1)" 1
	ok "with PFC: XOFF arrives at the sender" at_least "$(heard v1 1)" 1
	ok "with PFC: XON arrives at the sender" at_least "$(heard v1 0)" 1
	is "with PFC: no XOFF arrives at a node that does not send" "$(heard v3 1)" 0
	is "with PFC: the second switch counts the XOFFs and XONs that it has sent" \
		"$(heard s1 1) $(heard s1 0)" \
		"$(prio_stat s2 3 xoff_tx) $(prio_stat s2 3 xon_tx)"
	is "with PFC: the first switch counts the XOFFs and XONs that it has received" \
		"$(heard s1 1) $(heard s1 0)" \
		"$(prio_stat s1 3 xoff_rx) $(prio_stat s1 3 xon_rx)"
	ok "with PFC: priority 3 of the sender was paused" at_least "$(prio_stat v1 3 paused_total_ns)" 1000000
	is "with PFC: priority 4 of the sender was not paused" "$(prio_stat v1 4 paused_total_ns)" 0
	for key in full no_buffer expired watchdog_dropped; do
		is "with PFC: no packet is dropped ($key)" "$(chain_sum $key)" 0
	done
	too_slow "with PFC: no packet is retransmitted" "sends ACKs within 8 s" ||
		is "with PFC: no packet is retransmitted" "$(again)" "$again0"
	ok "with PFC: all packets left by the slow link" \
		at_least "$(prio_stat p2 3 packets)" $PACKETS
	is "with PFC: the buffers are empty at the end" "$(prio_stat s2 3 buffer_used) $(prio_stat p1 3 buffer_used)" "0 0"
}

without_pfc_it_drops_ok()
{
	local xoffs again0

	too_slow "without PFC: packets are dropped" "sends more than a switch forwards" && return
	lossless s2 off
	lossless p1 off
	xoffs=$(prio_stat s1 3 xoff_rx)
	again0=$(again)
	ok "without PFC: the load is transferred" \
		write_bw 2 1 "${load[@]}" "${timeout[@]}"
	ok "without PFC: packets are dropped" at_least "$(chain_sum no_buffer)" 1
	ok "without PFC: packets are retransmitted" at_least "$(again)" $((again0 + 1))
	is "without PFC: the first switch receives no XOFF" "$(prio_stat s1 3 xoff_rx)" "$xoffs"
}

chain
chain_rate 25mbit p2 10mbit
pause_reaches_the_sender_ok
without_pfc_it_drops_ok
