#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the setting hold-forwarded: packets that came from another netdev stay in a paused queue
# for longer than the max-hold, and packets of the host expire, also if they are queued between
# the others. Without the setting, all packets expire. Reset, the end of the qdisc, of the netdev
# and of the module release the packets, and the limits of the queue apply.
#
#   sendframe - t2 ======= t1 ─ rfbr ─ u1 ======= u2 - tcpdump
#                        (port)      (port, paused)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"
. "$selftests/lib/capture.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"

# The buffer of t1 counts the packets that have arrived there and wait at u1.
u1_up()
{
	veth_pair u1 u2
	ip link set u1 master rfbr
	rdmafault -q port add u1
	rdmafault -q port set u1 max-hold 2s
	rdmafault -q port set u1 hold-forwarded on
}

set_up()
{
	bridge_up rfbr
	veth_pair t1 t2
	ip link set t1 master rfbr
	rdmafault -q port add t1
	rdmafault -q link set t1 buffer 100kB
	u1_up
}

# forward PSN...: send packets that arrive at t1 and leave by u1
forward()
{
	local psn

	for psn in "$@"; do
		prio_frame 3 "$psn"
	done | sendframe t2
}

# local_packet PSN: send a packet of the host
local_packet()
{
	prio_frame 3 "$1" | sendframe u1
}

stat3()
{
	prio_stat u1 3 "$1"
}

# stands KEY NUMBER: succeeds if the counter KEY of priority 3 of u1 is NUMBER
stands()
{
	[ "$(stat3 "$1")" = "$2" ]
}

# queued COUNT: succeeds if COUNT packets have been queued or have expired since begin
queued()
{
	[ $(($(stat3 backlog) + $(stat3 expired) - expired)) = "$1" ]
}

pause()
{
	rdmafault -q pause u1 prio 3 storm forever persist
}

# begin: resume the queue until it is empty, and pause it again
begin()
{
	rdmafault -q pause u1 prio 3 stop
	wait_until "$soon" stands backlog 0
	pause
	expired=$(stat3 expired)
}

# outlive PSN...: queue forwarded packets and then a packet of the host, and wait until this
# packet, which is younger, has expired
outlive()
{
	begin
	forward "$@"
	wait_until "$soon" queued $#
	local_packet 99
	ok "control: a packet of the host that is queued behind $# others expires" \
		wait_until "$soon" stands expired $((expired + 1))
}

# arrivals: prints the PSNs of the packets captured at u2
arrivals()
{
	tcpdump -r "$tmp/u2" -n -t -xx 2>/dev/null |
		awk '$1 == "0x0030:" { printf "%s%d", sep, "0x" substr($3, 3) $4; sep = " " }' |
		xargs
}

arrived()
{
	[ "$(arrivals)" = "$1" ]
}

received()
{
	cat /sys/class/net/u2/statistics/rx_packets
}

# arrived_or_expired COUNT: succeeds if COUNT packets have arrived at u2 or, since reset, expired
arrived_or_expired()
{
	[ $(($(received) + $(stat3 expired))) = "$1" ]
}

# buffered PACKETS: succeeds if PACKETS packets are charged to the buffer of t1
buffered()
{
	[ "$(prio_stat t1 3 buffer_used)" = $(($1 * 62)) ]
}

expires_without_it_ok()
{
	rdmafault -q port set u1 hold-forwarded off
	begin
	forward 1 2 3
	ok "off: forwarded packets expire" wait_until "$soon" stands expired $((expired + 3))
	rdmafault -q port set u1 hold-forwarded on
}

held_ok()
{
	begin
	capture_begin "$tmp/err" --immediate-mode -U -i u2 -Q in -w "$tmp/u2" udp port 4791
	defer kill "$capture_pid"
	forward 1 2
	ok "control: two forwarded packets are queued" wait_until "$soon" queued 2
	local_packet 3
	ok "control: a packet of the host is queued" wait_until "$soon" queued 3
	forward 4 5
	ok "control: two more forwarded packets are queued" wait_until "$soon" queued 5
	local_packet 6
	ok "on: packets of the host expire" wait_until "$soon" stands expired $((expired + 2))
	is "on: forwarded packets that are older stay" "$(stat3 backlog)" 4
	local_packet 7
	ok "on: further packets of the host are dropped" \
		wait_until "$soon" stands expired $((expired + 3))
	forward 8
	ok "on: further forwarded packets are queued" wait_until "$soon" stands backlog 5
	rdmafault -q pause u1 prio 3 stop
	ok "on: the forwarded packets leave in their order at the end of the pause" \
		wait_until "$soon" arrived "1 2 4 5 8"
}

# The forwarded packets are older than the max-hold when the packet of the host arrives.
late_ok()
{
	rdmafault -q port set u1 max-hold 10ms
	begin
	forward 1 2 3
	ok "control: three packets are queued" wait_until "$soon" queued 3
	local_packet 4
	ok "on: a packet of the host expires after packets that stay longer than the max-hold" \
		wait_until "$soon" stands expired $((expired + 1))
	is "on: they stay" "$(stat3 backlog)" 3
	rdmafault -q port set u1 max-hold 2s
}

ends_at_once_ok()
{
	outlive 1 2 3
	is "control: three packets are older than the max-hold" "$(stat3 backlog)" 3
	rdmafault -q port set u1 hold-forwarded off
	ok "turned off: the packets expire at once" wait_until "$soon" stands backlog 0
	is "turned off: the packets are counted" "$(stat3 expired)" $((expired + 4))
	rdmafault -q port set u1 hold-forwarded on
}

limit_ok()
{
	local full

	rdmafault -q prio set u1 prio-limit 3:4p
	full=$(stat3 full)
	outlive 1 2 3
	forward 4 5 6
	ok "the limit of the queue drops packets" wait_until "$soon" stands full $((full + 2))
	is "the limit of the queue bounds the packets that are held" "$(stat3 backlog)" 4
	rdmafault -q prio set u1 prio-limit 3:10000p
}

refused_ok()
{
	refused_all "port set u1 hold-forwarded" <<-'END'
	yes|hold-forwarded yes: invalid; on or off
	2|hold-forwarded 2: invalid; on or off
	END
	is "a refused value changes nothing" "$(shown)" "true 2000000000"
}

shown()
{
	rdmafault --json port show u1 | jq -r '.[0] | "\(.hold_forwarded) \(.max_hold_ns)"'
}

reset_ok()
{
	local got

	outlive 1 2 3
	got=$(received)
	rdmafault -q reset u1
	too_slow "reset: the packets arrive" "resets the port while the packets are young" ||
		ok "reset: the packets arrive, or are dropped if they are older than 5 s" \
			wait_until "$soon" arrived_or_expired $((got + 3))
	is "reset: the settings are those of a new port" "$(shown)" "false 5000000000"
	rdmafault -q port set u1 max-hold 2s
	rdmafault -q port set u1 hold-forwarded on
}

# released_ok TITLE COMMAND...: test that the command frees the packets that are held
released_ok()
{
	local title=$1

	shift
	outlive 1 2 3
	ok "control: three packets are charged to the buffer" buffered 3
	ok "$title: the command succeeds" "$@"
	ok "$title: the packets are freed" wait_until "$soon" buffered 0
}

module_goes()
{
	rdmafault -q port del u1 && rdmafault -q port del t1 && modprobe -r rdmafault &&
		! grep -q '^rdmafault ' /proc/modules
}

set_up
expires_without_it_ok
held_ok
late_ok
ends_at_once_ok
limit_ok
refused_ok
reset_ok
released_ok "the port is deleted" rdmafault -q port del u1 --force
rdmafault -q port add u1
rdmafault -q port set u1 max-hold 2s
rdmafault -q port set u1 hold-forwarded on
released_ok "the netdev is deleted" ip link del u1
u1_up
outlive 1 2 3
ok "the module can be removed while packets are held" module_goes
