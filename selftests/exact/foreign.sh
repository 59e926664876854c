#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a port obeys pause frames written by another program. A frame pauses each
# class for quanta * 512 / rate; a timer of 0 resumes the class. A global pause frame
# pauses all classes, and an invalid frame pauses nothing. A capture at the other end of
# the link shows which packets leave, and when. The test runs in virtual time, because on
# a busy host packets leave late.
#
#   sendframe - t1 (port, 10 Mbit/s) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"

virtual_only

# One frame has eight timers, from 100 to 800 ms. Each must pause only its class.
each_class_its_own_timer_ok()
{
	local p timers=()

	for p in 1 2 3 4 5 6 7 8; do
		timers+=("$(quanta $((p * 100)))")
	done
	send_frames "$(pfc 0xff "${timers[@]}")" "$(every_priority)"
	wait_until "$soon" there 9
	for p in 0 1 2 3 4 5 6 7; do
		held_for "PFC frame with eight timers: a packet of class $p" $p $((p * 100 + 99))
	done
}

the_others_go_on_ok()
{
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "$(every_priority)"
	wait_until "$soon" there 9
	is "PFC frame for class 3: packets of all other classes leave" \
		"$(during 599000)" "0 1 2 4 5 6 7"
	held_for "PFC frame for class 3: a packet of class 3" 3 599
}

# The frame has a timer for class 3, but the bit of class 3 in the class-enable vector is not
# set.
a_class_left_out_ok()
{
	local q

	q=$(quanta 600)
	send_frames "$(pfc 0x80 0 0 0 "$q" 0 0 0 "$q")" "$(every_priority)"
	wait_until "$soon" there 9
	is "a timer without its bit in the class-enable vector pauses nothing" \
		"$(during 599000)" "0 1 2 3 4 5 6"
}

xon_ends_it_ok()
{
	local us

	send_frames "$(pfc 8 0 0 0 "$(quanta 3000)")" "$(prio_frame 3)"
	sendframe t2 <<<"$(pfc 8 0 0 0 0)"
	wait_until "$soon" there 3
	is "XON: the paused packet leaves after it" "$(in_order)" "pause pause 000003"
	us=$(held 3)
	ok "XON: the paused packet leaves at once ($us us)" [ "${us:-$late}" -lt "$late" ]
	is "XON: the paused packet leaves before the timer of XOFF" "$(during 2900000)" 3
}

# A second XOFF, received before the first one expires, restarts the timer.
refreshed_ok()
{
	local xoff

	xoff=$(pfc 8 0 0 0 "$(quanta 800)")
	send_frames "$xoff" "$(prio_frame 3)"
	sendframe t2 <<<"$xoff"
	wait_until "$soon" there 3
	is "second XOFF: the paused packet leaves after both" "$(in_order)" "pause pause 000003"
	held_for "second XOFF: the paused packet" 3 799
}

global_pause_ok()
{
	send_frames "$(global_pause "$(quanta 600)")" "$(every_priority)"
	wait_until "$soon" there 9
	is "global pause: no packet leaves before its timer" "$(during 599000)" ""
	held_for "global pause: a packet of class 0" 0 599
	held_for "global pause: a packet of class 7" 7 599
}

# For a tagged packet the priority of the VLAN tag counts, not the DSCP.
tag_before_dscp_ok()
{
	local tagged

	tagged=$(prio_frame 5 7 | tagged 3)
	send_frames "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 5)
$tagged"
	wait_until "$soon" there 3
	is "PFC frame for class 3 pauses a packet with tag priority 3 and DSCP 40, not one without the tag" \
		"$(during 599000)" 5
}

# A CNP must leave although every priority is paused.
control_goes_on_ok()
{
	local cnp

	cnp=$(roce4 0x81 0x20 9)
	send_frames "$(pfc 0xff 65535 65535 65535 65535 65535 65535 65535 65535)" \
		"$(prio_frame 3)
$cnp"
	wait_until "$soon" there 2
	is "PFC frame for all classes: a CNP leaves" "$(during 1000000)" 9
	sendframe t2 <<<"$(pfc 0xff 0 0 0 0 0 0 0 0)"
	ok "XON for all classes: the paused packets leave" wait_until "$soon" there 4
}

# bad_frames: prints invalid variants of a frame that would pause every class for 3.4 s
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
	ok "$count malformed pause frames and 8 packets arrive" \
		wait_until "$soon" there $((count + 8))
	is "malformed pause frames pause no class" "$(during 100000)" "0 1 2 3 4 5 6 7"
	is "all $count malformed pause frames are counted" "$(malformed)" "$count"
}

malformed()
{
	rdmafault --json pause show t1 | jq '.[0].malformed'
}

# A MAC control frame has no VLAN tag; a frame with a tag is no MAC control frame.
tagged_fails()
{
	send_frames "$(pfc 0xff 0 0 0 0 0 0 0 0)
$(pfc 8 0 0 0 65535 | sed 's/^.\{24\}/&81006001/')" "$(every_priority)"
	wait_until "$soon" there 9
	is "a pause frame with a VLAN tag pauses nothing" \
		"$(during 100000)" "0 1 2 3 4 5 6 7"
}

control_ok()
{
	send_frames "$(pfc 8 0 0 0 0)" "$(every_priority)"
	ok "control: after XON all packets arrive" wait_until "$soon" there 9
	is "control: after XON packets of all classes leave at once" \
		"$(during 100000)" "0 1 2 3 4 5 6 7"
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
