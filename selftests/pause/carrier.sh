#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that an XON is not lost if it is due while the link is down: the port sends it when the
# link is up again. Otherwise the neighbour would wait until its XOFF expires.
#
#   sendframe - t2 ======= t1 ─ rfbr ─ u1 ======= u2 - sendframe
#           (port)       (port)        (port, paused)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"

# At 1 Mbit/s the longest XOFF lasts 33 s.
set_up()
{
	local dev

	bridge_up rfbr
	veth_pair t1 t2
	veth_pair u1 u2
	veth_port t1 t2 u1
	for dev in t1 t2 u1; do
		rdmafault link set $dev rate 1mbit
		rdmafault prio set $dev prio-pfc all:on
		rdmafault port set $dev max-hold 20s
	done
	ip link set t1 master rfbr
	ip link set u1 master rfbr
	rdmafault prio set t1 prio-xoff 3:300B prio-xon 3:100B
}

pause_u1()
{
	sendframe u2 <<<"$(pfc 8 0 0 0 "$1")"
}

# stands NETDEV KEY VALUE
stands()
{
	[ "$(prio_stat "$1" 3 "$2")" = "$3" ]
}

has_carrier()
{
	[ "$(cat "/sys/class/net/$1/carrier")" = 1 ]
}

is_down()
{
	! has_carrier "$1"
}

# in_xoff: five packets wait at u1, and t1 has paused t2
in_xoff()
{
	pause_u1 65535
	wait_until "$soon" stands u1 paused true
	for _ in 1 2 3 4 5; do
		prio_frame 3
	done | sendframe t2
	wait_until "$soon" stands t2 paused true
}

# comes_late DOWN OTHER: set the netdev DOWN down, which takes the carrier of OTHER, until the
# XON is due
comes_late()
{
	local sent got

	ok "control, $1 goes down: the neighbour is paused" in_xoff
	sent=$(prio_stat t1 3 xon_tx)
	got=$(prio_stat t2 3 xon_rx)
	ip link set "$1" down
	wait_until "$soon" is_down "$2"
	pause_u1 0
	ok "control, $1 is down: the packets leave" wait_until "$soon" stands t1 buffer_used 0
	is "$1 is down: no XON is sent, and the neighbour stays paused" \
		"$(prio_stat t1 3 xon_tx) $(prio_stat t2 3 paused)" "$sent true"
	ip link set "$1" up
	ok "$1 is up again: XON arrives" wait_until "$soon" stands t2 xon_rx $((got + 1))
	is "$1 is up again: the neighbour is resumed" "$(prio_stat t2 3 paused)" false
	is "$1 is up again: one XON is sent" "$(prio_stat t1 3 xon_tx)" $((sent + 1))
	wait_until "$soon" has_carrier "$2"
}

set_up
ok "control: the neighbour is paused" in_xoff
pause_u1 0
ok "control: XON arrives" wait_until "$soon" stands t2 xon_rx 1
comes_late t2 t1
comes_late t1 t2
