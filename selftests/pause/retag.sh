#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a packet is charged to the buffer of the port by which it arrived with the priority
# that it had there, whatever the switch does to its VLAN tag: the port sends XOFF for this
# priority, and its neighbour pauses this priority and no other.
#
#   sendframe - x2 ─── x1 ─ rfbx ─ t2 ─── t1 ─┬─ rfbr ─ u1 ─── u2 - sendframe
#                  (port)      (port)  (port) │     (paused)
#                      sendframe - w2 ─── w1 ─┘
#                              (port)  (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"

# Packets per case; XOFF is sent when the last one arrives
COUNT=5
trace=/sys/kernel/tracing/instances/rf-retag

# lossless DEV [DSCP:PRIO]: obey PFC, and send XOFF for a priority with $COUNT packets
lossless()
{
	rdmafault link set "$1" buffer 100kB
	rdmafault prio set "$1" prio-pfc all:on prio-xoff all:$((COUNT * 62))B prio-xon all:62B \
		${2:+dscp-prio "$2"}
}

# At 1 Mbit/s the longest XOFF lasts 33 s, so no XOFF expires during a case.
set_up()
{
	local dev

	defer ip link del rfbr
	defer ip link del rfbx
	ip link add rfbr type bridge
	ip link add rfbx type bridge
	veth_pair t1 t2
	veth_pair u1 u2
	veth_pair w1 w2
	veth_pair x1 x2
	for dev in rfbr rfbx; do
		sysctl -q -w net.ipv6.conf.$dev.disable_ipv6=1
		ip link set $dev up
	done
	ip link set t1 master rfbr
	ip link set u1 master rfbr
	ip link set w1 master rfbr
	ip link set x1 master rfbx
	ip link set t2 master rfbx
	# Packets leave rfbr by u1 alone. A copy at another port would be charged, too, and XOFF
	# would be sent too early.
	ip link set t1 type bridge_slave flood off
	ip link set w1 type bridge_slave flood off
	veth_port t1 t2 u1 w1 w2 x1
	for dev in t1 t2 u1 w1 w2; do
		rdmafault link set $dev rate 1mbit
		rdmafault port set $dev max-hold 20s
	done
	for dev in t2 u1 w2; do
		rdmafault prio set $dev prio-pfc all:on
	done
	lossless t1
	lossless w1 24:1
	lossless x1 24:6
}

pause_u1()
{
	pfc 255 "$1" "$1" "$1" "$1" "$1" "$1" "$1" "$1" | sendframe u2
}

# prios PORT EXPRESSION: prints the priorities of PORT for which a jq expression is true
prios()
{
	rdmafault --json prio show "$1" | jq -r "[.[0].prio[] | select($2) | .prio] | join(\" \")"
}

# total PORT KEY: prints the sum of a counter of all priorities
total()
{
	rdmafault --json prio show "$1" | jq "[.[0].prio[].$2] | add"
}

queued()
{
	[ "$(total u1 backlog)" = "$1" ]
}

paused()
{
	[ "$(prios "$1" .paused)" = "$2" ]
}

# charged TITLE SENDER NEIGHBOUR PORT PRIO FRAME: send FRAME $COUNT times from SENDER. The frames
# arrive at PORT, whose buffer charges them to PRIO, and the NEIGHBOUR of PORT pauses PRIO.
charged()
{
	local title=$1 sender=$2 neighbour=$3 port=$4 prio=$5 i

	pause_u1 65535
	wait_until "$soon" paused u1 "0 1 2 3 4 5 6 7"
	for ((i = 0; i < COUNT; i++)); do
		echo "$6"
	done | sendframe "$sender"
	ok "control, $title: the packets wait in the switch" wait_until "$soon" queued $COUNT
	is "$title: the packets are charged to the priority of their arrival" \
		"$(prios "$port" ".buffer_used > 0"): $(total "$port" buffer_used)" \
		"$prio: $((COUNT * 62))"
	ok "$title: the neighbour pauses this priority and no other" \
		wait_until "$soon" paused "$neighbour" "$prio"
	pause_u1 0
	wait_until "$soon" queued 0
	ok "$title: the neighbour is resumed" wait_until "$soon" paused "$neighbour" ""
	is "$title: the buffer is empty at the end" "$(total "$port" buffer_used)" 0
}

# retagged TITLE: a switch that adds a tag, then one that removes it
retagged()
{
	bridge vlan add dev u1 vid 1
	charged "$1, tag added" t2 t2 t1 3 "$untagged"
	bridge vlan add dev u1 vid 1 pvid untagged
	charged "$1, tag removed" t2 t2 t1 5 "$tagged"
}

untagged=$(prio_frame 3)
tagged=$(prio_frame 3 | tagged 5)
set_up
charged "plain bridge, no tag" t2 t2 t1 3 "$untagged"
charged "plain bridge, tag" t2 t2 t1 5 "$tagged"
ip link set rfbr type bridge vlan_filtering 1
retagged "VLAN-aware bridge"
bridge vlan add dev u1 vid 1
rdmafault -q rule add t1 rx all delay 1ms
charged "delayed on rx, tag added" t2 t2 t1 3 "$untagged"
rdmafault -q rule flush t1
charged "another port with another map" w2 w2 w1 1 "$untagged"
charged "two ports in a row with different maps" x2 t2 t1 3 "$untagged"
defer rmdir "$trace"
mkdir "$trace"
echo 1 >"$trace/events/rdmafault/enable"
retagged "with a listener"
echo 0 >"$trace/events/rdmafault/enable"

ip link set t1 nomaster
ip link add link t1 name t1.1 type vlan id 1
sysctl -q -w net.ipv6.conf.t1/1.disable_ipv6=1
ip link set t1.1 master rfbr up
charged "VLAN netdev" t2 t2 t1 5 "$tagged"
