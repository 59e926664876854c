#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The buffer of a port, packet by packet: what came in by it and can't leave by
# another counts; XOFF and XON come where they are asked for; what finds no room is
# dropped, and nothing else; a change while packets are in it loses none and is
# obeyed at once; and a port that ends lets its neighbour go.
#
#   sendframe, tcpdump - t2 ======= t1 ─ rfbr ─ u1 ======= u2 - sendframe
#                                (port)          (port, paused)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"
. "$selftests/lib/capture.sh"

# Bytes of one packet
L=62
tmp=$(mktemp -d)
defer rm -r "$tmp"

# size PACKETS: as the commands take it
size()
{
	echo $(($1 * L))B
}

# buffer PACKETS HEADROOM XOFF XON: of priority 3, in packets
buffer()
{
	rdmafault link set t1 buffer "$(size "$1")"
	rdmafault prio set t1 prio-pfc 3:on "prio-headroom" "3:$(size "$2")" \
		prio-xoff "3:$(size "$3")" prio-xon "3:$(size "$4")"
}

# At 1 Mbit/s the longest XOFF holds for 33 s: nothing is renewed, and nothing
# lapses, while this lasts.
set_up()
{
	defer ip link del rfbr
	ip link add rfbr type bridge
	sysctl -q -w net.ipv6.conf.rfbr.disable_ipv6=1
	ip link set rfbr up
	veth_pair t1 t2
	veth_pair u1 u2
	ip link set t1 master rfbr
	ip link set u1 master rfbr
	for dev in t1 u1; do
		tc qdisc add dev $dev root rdmafault
		rdmafault link set $dev rate 1mbit
	done
	rdmafault port set u1 max-hold 20s
	rdmafault prio set u1 prio-pfc all:on
	capture_begin "$tmp/err" --immediate-mode -U -i t2 -Q in -w "$tmp/t2" \
		ether proto 0x8808
	defer kill "$capture_pid"
}

# pause_u1 QUANTA: by a frame of its neighbour's
pause_u1()
{
	sendframe u2 <<<"$(pfc 8 0 0 0 "$1")"
}

is_paused()
{
	[ "$(prio_stat u1 3 paused)" = "$1" ]
}

# arrive PACKETS [PRIO]: at t1, to leave by u1
arrive()
{
	local i

	for ((i = 0; i < $1; i++)); do
		prio_frame "${2:-3}"
	done | sendframe t2
}

# used PACKETS: is so much in the buffer of t1?
used()
{
	[ "$(prio_stat t1 3 buffer_used)" -eq $(($1 * L)) ]
}

# words: all that t1 has told its neighbour of class 3
words()
{
	tcpdump -r "$tmp/t2" -n -t -xx 2>/dev/null | awk '
		$1 == "0x0010:" && $2 != "0008" { print "other" }
		$1 == "0x0010:" && $2 == "0008" {
			print $6 == "0000" ? "xon" : "xoff"
		}'
}

# said: what of it since from_here, without what was said again
from_here()
{
	from=$(($(words | wc -l) + 1))
}

said()
{
	words | tail -n "+$from" | uniq | xargs
}

# says WORDS WHAT: in the end, and no more
says()
{
	wait_until "$soon" is_said "$2"
	is "$1" "$(said)" "$2"
}

is_said()
{
	[ "$(said)" = "$1" ]
}

no_buffer()
{
	prio_stat u1 3 no_buffer
}

received()
{
	cat /sys/class/net/u2/statistics/rx_packets
}

has_received()
{
	[ "$(received)" -ge "$1" ]
}

lost()
{
	[ "$(no_buffer)" -eq "$1" ]
}

waiting()
{
	[ "$(prio_stat u1 3 backlog)" -eq "$1" ]
}

# begin PACKETS: so many of them in the buffer and no more, u1 paused anew
# (nothing waits for longer than the max-hold, 20 s), and nothing said yet
begin()
{
	pause_u1 0
	wait_until "$soon" waiting 0
	pause_u1 65535
	wait_until "$soon" is_paused true
	arrive "$1"
	ok "$1 packets are in the buffer" wait_until "$soon" used "$1"
	from_here
}

# Ten packets, three of them headroom; XOFF at five, XON at two
thresholds_ok()
{
	buffer 10 3 5 2
	begin 4
	is "four: nothing is said" "$(words) $(prio_stat t1 3 xoff_tx)" " 0"
	arrive 1
	says "five: XOFF" "xoff"
	arrive 5
	ok "ten: the headroom is taken, too" wait_until "$soon" used 10
	is "none was dropped" "$(no_buffer)" 0
	arrive 2
	ok "two more have no room" wait_until "$soon" lost 2
	ok "ten are there still" used 10
	is "they are counted where they were to leave, and only there" \
		"$(prio_stat t1 3 no_buffer) $(prio_stat t1 4 buffer_used)" "0 0"
}

reminded()
{
	[ "$(prio_stat t1 3 xoff_tx)" -gt "$1" ]
}

# Who sends again though it was told not to has lost the frame, or computes with
# another rate.
reminder_ok()
{
	local before

	begin 6
	before=$(prio_stat t1 3 xoff_tx)
	arrive 1
	ok "one that comes in nevertheless has XOFF repeated" \
		wait_until "$soon" reminded "$before"
}

# What waits for u1 is eleven packets.
change_ok()
{
	local before lost

	too_slow "changes" "makes them all within a max-hold of 20 s" && return
	begin 10
	lost=$(no_buffer)
	before=$(received)
	buffer 40 3 30 20
	says "a larger buffer, more allowed: XON" "xon"
	arrive 1
	ok "there is room again" wait_until "$soon" used 11
	rdmafault prio set t1 prio-xoff "3:$(size 5)" prio-xon "3:$(size 2)"
	says "less is allowed: XOFF" "xon xoff"
	rdmafault link set t1 buffer "$(size 8)"
	ok "in a smaller buffer what was there stays" used 11
	rdmafault prio set t1 prio-pfc 3:off
	says "lossless no more: XON" "xon xoff xon"
	rdmafault prio set t1 prio-pfc 3:on
	says "lossless again: XOFF" "xon xoff xon xoff"
	pause_u1 0
	says "it empties: XON" "xon xoff xon xoff xon"
	ok "all that was in it arrives" wait_until "$soon" has_received $((before + 11))
	ok "nothing is in it then" wait_until "$soon" used 0
	is "no more than that" "$(received)" $((before + 11))
	is "nothing was dropped by all this" \
		"$(no_buffer) $(prio_stat u1 3 expired)" "$lost 0"
	is "the most there was" "$(prio_stat t1 3 buffer_peak)" $((11 * L))
}

used_by_4()
{
	[ "$(prio_stat t1 4 buffer_used)" -eq $(($1 * L)) ]
}

# Priority 4 has all of the shared part; when it has left, the other's packet
# needs no headroom any more.
others_make_room_ok()
{
	buffer 10 3 5 2
	begin 0
	sendframe u2 <<<"$(pfc 24 0 0 0 65535 65535)"
	arrive 7 4
	ok "the shared part is full of others" wait_until "$soon" used_by_4 7
	arrive 1
	says "one in the headroom: XOFF" "xoff"
	sendframe u2 <<<"$(pfc 16 0 0 0 0 0)"
	ok "the others leave" wait_until "$soon" used_by_4 0
	says "there is room: XON" "xoff xon"
	ok "before it has left itself" used 1
}

own_packets_ok()
{
	begin 0
	for _ in 1 2 3; do
		prio_frame 3
	done | sendframe u1
	ok "three of this host's own wait" wait_until "$soon" waiting 3
	ok "and are charged to nobody" used 0
}

the_end_ok()
{
	local before

	begin 6
	before=$(received)
	tc qdisc del dev t1 root
	says "the port ends: XON" "xon"
	ok "what was charged to it waits" waiting 6
	too_slow "and leaves" "comes here within a max-hold of 20 s" && return
	pause_u1 0
	ok "and leaves" wait_until "$soon" has_received $((before + 6))
}

set_up
thresholds_ok
reminder_ok
change_ok
others_make_room_ok
own_packets_ok
the_end_ok
