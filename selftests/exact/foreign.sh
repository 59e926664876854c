#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Pause frames that another program has written hold a port for as long as they
# say, quanta * 512 / rate, class by class; a time of 0 ends it; the global pause
# holds all; what is no pause frame holds nothing. What comes out, and when, is
# seen at the other end of the link. In virtual time, for a busy host lets go late.
#
#   sendframe - t1 (port, 10 Mbit/s) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"

virtual_only

# Eight timers in one frame, 100 ms apart
each_class_its_own_timer_ok()
{
	local p timers=()

	for p in 1 2 3 4 5 6 7 8; do
		timers+=("$(quanta $((p * 100)))")
	done
	send_frames "$(pfc 0xff "${timers[@]}")" "$(every_priority)"
	wait_until "$soon" there 9
	for p in 0 1 2 3 4 5 6 7; do
		held_for "class $p" $p $((p * 100 + 99))
	done
}

the_others_go_on_ok()
{
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "$(every_priority)"
	wait_until "$soon" there 9
	is "class 3 is held and no other" "$(during 599000)" "0 1 2 4 5 6 7"
	held_for "class 3" 3 599
}

# Class 3 isn't in the vector, its timer is.
a_class_left_out_ok()
{
	local q

	q=$(quanta 600)
	send_frames "$(pfc 0x80 0 0 0 "$q" 0 0 0 "$q")" "$(every_priority)"
	wait_until "$soon" there 9
	is "a timer without its bit in the vector holds nothing" \
		"$(during 599000)" "0 1 2 3 4 5 6"
}

xon_ends_it_ok()
{
	local us

	send_frames "$(pfc 8 0 0 0 "$(quanta 3000)")" "$(prio_frame 3)"
	sendframe t2 <<<"$(pfc 8 0 0 0 0)"
	wait_until "$soon" there 3
	is "held until XON" "$(in_order)" "pause pause 000003"
	us=$(held 3)
	ok "XON ends it: $us us" [ "${us:-$late}" -lt "$late" ]
	is "not by the timer" "$(during 2900000)" 3
}

# The second XOFF comes while the first holds; the time counts from there.
refreshed_ok()
{
	local xoff

	xoff=$(pfc 8 0 0 0 "$(quanta 800)")
	send_frames "$xoff" "$(prio_frame 3)"
	sendframe t2 <<<"$xoff"
	wait_until "$soon" there 3
	is "the packet comes behind both" "$(in_order)" "pause pause 000003"
	held_for "a second XOFF" 3 799
}

global_pause_ok()
{
	send_frames "$(global_pause "$(quanta 600)")" "$(every_priority)"
	wait_until "$soon" there 9
	is "the global pause holds all" "$(during 599000)" ""
	held_for "its last class" 0 599
	held_for "and its first" 7 599
}

# The tag's priority counts and not the DSCP behind it.
tag_before_dscp_ok()
{
	local tagged

	tagged=$(prio_frame 5 7 | sed 's/^.\{24\}/&81006001/')
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 5)
$tagged"
	wait_until "$soon" there 3
	is "a packet with tag priority 3 is held, one with DSCP 40 isn't" \
		"$(during 599000)" 5
}

# A congestion notification is no data: it goes out through any pause.
control_goes_on_ok()
{
	local cnp

	cnp=$(roce4 0x81 0x20 9)
	send_frames "$(pfc 0xff 65535 65535 65535 65535 65535 65535 65535 65535)" \
		"$(prio_frame 3)
$cnp"
	wait_until "$soon" there 2
	is "a CNP isn't held" "$(during 1000000)" 9
	sendframe t2 <<<"$(pfc 0xff 0 0 0 0 0 0 0 0)"
	ok "and XON for all lets the rest go" wait_until "$soon" there 4
}

# All that is wrong with these would pause every class for 3.4 s if it weren't.
bad_frames()
{
	local all global len opcode dest

	all=$(pfc 0xff 65535 65535 65535 65535 65535 65535 65535 65535)
	for ((len = 14; len < 34; len++)); do
		echo "${all:0:len * 2}"
	done
	global=$(global_pause 65535)
	for len in 16 17; do
		echo "${global:0:len * 2}"
	done
	for opcode in 0000 0002 0100 0102 0201 ffff; do
		echo "${all:0:28}$opcode${all:32}"
	done
	for dest in 0180c2000000 0180c2000002 ffffffffffff 020000000099; do
		echo "$dest${all:12}"
	done
}

bad_frames_fail()
{
	local count

	count=$(bad_frames | wc -l)
	send_frames "$(bad_frames)" "$(every_priority)"
	ok "$count bad frames" wait_until "$soon" there $((count + 8))
	is "hold no class" "$(during 100000)" "0 1 2 3 4 5 6 7"
	is "all are counted" "$(malformed)" "$count"
}

malformed()
{
	rdmafault --json pause show t1 | jq '.[0].malformed'
}

# MAC control has no tag; what has one is not for the MAC.
tagged_fails()
{
	send_frames "$(pfc 0xff 0 0 0 0 0 0 0 0)
$(pfc 8 0 0 0 65535 | sed 's/^.\{24\}/&81006001/')" "$(every_priority)"
	wait_until "$soon" there 9
	is "a pause frame behind a VLAN tag holds nothing" \
		"$(during 100000)" "0 1 2 3 4 5 6 7"
}

control_ok()
{
	send_frames "$(pfc 8 0 0 0 0)" "$(every_priority)"
	ok "control: without XOFF all arrive" wait_until "$soon" there 9
	is "at once" "$(during 100000)" "0 1 2 3 4 5 6 7"
}

neighbour
bad_frames_fail
tagged_fails
control_ok
each_class_its_own_timer_ok
the_others_go_on_ok
a_class_left_out_ok
xon_ends_it_ok
refreshed_ok
global_pause_ok
tag_before_dscp_ok
control_goes_on_ok
