#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the buffer of a port, packet by packet: packets that have arrived at the port and are
# queued at another port are charged to the buffer. XOFF and XON are sent at their thresholds.
# A packet is dropped only if the buffer has no room for it. A change of the configuration
# loses no packet and takes effect at once. A port that is removed sends XON to its neighbour.
#
#   sendframe, tcpdump - t2 ======= t1 ─ rfbr ─ u1 ======= u2 - sendframe
#                                (port)          (port, paused)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"
. "$selftests/lib/capture.sh"

# Bytes per packet
L=62
tmp=$(mktemp -d)
defer rm -r "$tmp"

# size PACKETS: prints the size of that many packets as an argument for rdmafault, for
# example 100B
size()
{
	echo $(($1 * L))B
}

# buffer PACKETS HEADROOM XOFF XON: configure the buffer for priority 3. All sizes are
# numbers of packets.
buffer()
{
	rdmafault link set t1 buffer "$(size "$1")"
	rdmafault prio set t1 prio-pfc 3:on "prio-headroom" "3:$(size "$2")" \
		prio-xoff "3:$(size "$3")" prio-xon "3:$(size "$4")"
}

# At 1 Mbit/s the longest XOFF lasts 33 s, so no XOFF is renewed or expires during the test.
set_up()
{
	bridge_up rfbr
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

# pause_u1 QUANTA: send a pause frame from u2, the neighbour of u1, to pause u1
pause_u1()
{
	sendframe u2 <<<"$(pfc 8 0 0 0 "$1")"
}

is_paused()
{
	[ "$(prio_stat u1 3 paused)" = "$1" ]
}

# arrive PACKETS [PRIO]: send this number of packets, which arrive at t1 and leave by u1
arrive()
{
	local i

	for ((i = 0; i < $1; i++)); do
		prio_frame "${2:-3}"
	done | sendframe t2
}

# used PACKETS: succeeds if exactly PACKETS packets are in the buffer of t1
used()
{
	[ "$(prio_stat t1 3 buffer_used)" -eq $(($1 * L)) ]
}

# words: prints all XOFFs and XONs that t1 has sent for class 3
words()
{
	tcpdump -r "$tmp/t2" -n -t -xx 2>/dev/null | awk '
		$1 == "0x0010:" && $2 != "0008" { print "other" }
		$1 == "0x0010:" && $2 == "0008" {
			print $6 == "0000" ? "xon" : "xoff"
		}'
}

# from_here: forget the XOFFs and XONs that t1 has sent until now. said: prints the XOFFs and
# XONs that t1 has sent since the last from_here; equal frames in a row are printed once.
from_here()
{
	from=$(($(words | wc -l) + 1))
}

said()
{
	words | tail -n "+$from" | uniq | xargs
}

# says TITLE EXPECTED: wait until said prints EXPECTED, and test that t1 sent no other frames.
# TITLE is the name of the test.
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

# begin PACKETS: resume u1 until all packets have left, and pause u1 again. Then let PACKETS
# packets arrive, which stay in the buffer, and forget the frames captured so far. Packets are
# held for at most 20 s (max-hold).
begin()
{
	pause_u1 0
	wait_until "$soon" waiting 0
	pause_u1 65535
	wait_until "$soon" is_paused true
	arrive "$1"
	ok "control: $1 packets are in the buffer" wait_until "$soon" used "$1"
	from_here
}

# The buffer has room for ten packets, three of them in the headroom. XOFF is sent when the
# buffer has five packets, XON when it has two.
thresholds_ok()
{
	buffer 10 3 5 2
	begin 4
	is "a buffer with four packets, below XOFF, sends no frame" "$(words) $(prio_stat t1 3 xoff_tx)" " 0"
	arrive 1
	says "a buffer with five packets sends XOFF" "xoff"
	arrive 5
	ok "ten packets fit, with three in the headroom" wait_until "$soon" used 10
	is "none of ten packets is dropped" "$(no_buffer)" 0
	arrive 2
	ok "two packets without room are dropped" wait_until "$soon" lost 2
	ok "the ten packets stay in the buffer" used 10
	is "packets without room are counted at the port by which they would leave, and only there" \
		"$(prio_stat t1 3 no_buffer) $(prio_stat t1 4 buffer_used)" "0 0"
}

reminded()
{
	[ "$(prio_stat t1 3 xoff_tx)" -gt "$1" ]
}

# If the neighbour still sends after an XOFF, either this XOFF was lost, or the neighbour assumes
# another link rate and has already ended the pause. The port therefore repeats the XOFF.
reminder_ok()
{
	local before

	begin 6
	before=$(prio_stat t1 3 xoff_tx)
	arrive 1
	ok "XOFF is repeated when a packet arrives after it" \
		wait_until "$soon" reminded "$before"
}

# Eleven packets wait at u1.
change_ok()
{
	local before lost

	too_slow "changes of the buffer take effect at once" "makes all changes within the max-hold of 20 s" && return
	begin 10
	lost=$(no_buffer)
	before=$(received)
	buffer 40 3 30 20
	says "a larger buffer with higher thresholds sends XON" "xon"
	arrive 1
	ok "a larger buffer has room for another packet" wait_until "$soon" used 11
	rdmafault prio set t1 prio-xoff "3:$(size 5)" prio-xon "3:$(size 2)"
	says "lower thresholds send XOFF" "xon xoff"
	rdmafault link set t1 buffer "$(size 8)"
	ok "packets stay in a buffer that becomes smaller" used 11
	rdmafault prio set t1 prio-pfc 3:off
	says "a priority that becomes lossy sends XON" "xon xoff xon"
	rdmafault prio set t1 prio-pfc 3:on
	says "a priority that becomes lossless again sends XOFF" "xon xoff xon xoff"
	pause_u1 0
	says "a buffer that becomes empty sends XON" "xon xoff xon xoff xon"
	ok "all packets of the buffer arrive after the changes" wait_until "$soon" has_received $((before + 11))
	ok "the buffer is empty after the changes" wait_until "$soon" used 0
	is "no packet arrives twice after the changes" "$(received)" $((before + 11))
	is "the changes drop no packet" \
		"$(no_buffer) $(prio_stat u1 3 expired)" "$lost 0"
	is "the peak of the buffer is eleven packets" "$(prio_stat t1 3 buffer_peak)" $((11 * L))
}

used_by_4()
{
	[ "$(prio_stat t1 4 buffer_used)" -eq $(($1 * L)) ]
}

# Packets of priority 4 fill the shared part of the buffer, so the next packet of priority 3
# uses the headroom. After the packets of priority 4 have left, the packet of priority 3 is in
# the shared part.
others_make_room_ok()
{
	buffer 10 3 5 2
	begin 0
	sendframe u2 <<<"$(pfc 24 0 0 0 65535 65535)"
	arrive 7 4
	ok "control: priority 4 fills the shared part of the buffer" wait_until "$soon" used_by_4 7
	arrive 1
	says "a packet in the headroom sends XOFF" "xoff"
	sendframe u2 <<<"$(pfc 16 0 0 0 0 0)"
	ok "control: the packets of priority 4 leave" wait_until "$soon" used_by_4 0
	says "room in the shared part sends XON" "xoff xon"
	ok "XON is sent before the packet of priority 3 has left" used 1
}

own_packets_ok()
{
	begin 0
	for _ in 1 2 3; do
		prio_frame 3
	done | sendframe u1
	ok "control: three packets of this host are queued" wait_until "$soon" waiting 3
	ok "packets of this host are not charged to a buffer" used 0
}

the_end_ok()
{
	local before

	begin 6
	before=$(received)
	tc qdisc del dev t1 root
	says "a port that is removed sends XON" "xon"
	ok "packets charged to a removed port stay queued" waiting 6
	too_slow "packets charged to a removed port leave later" "comes here within the max-hold of 20 s" && return
	pause_u1 0
	ok "packets charged to a removed port leave later" wait_until "$soon" has_received $((before + 6))
}

set_up
thresholds_ok
reminder_ok
change_ok
others_make_room_ok
own_packets_ok
the_end_ok
