# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A port with a watchdog on priority 3, and a neighbour that storms it. For a
# detection time D, a restoration time R and a polling interval P, detection falls
# between D and D + P after the begin of the pause, and restoration between R and
# R + P after its end; the bounds are those that SONiC's own test has
# (test_pfcwd_timer_accuracy).
#
#   guard ACTION        the watchdog, anew, so that its counters tell of what follows
#   counter KEY         of priority 3
#   detected, restored  has it been?
#   $storm, $xon        XOFF that outlasts the test, and the end of it
#   trickle COUNT US    packets of priority 3, so many microseconds after one
#                       another, PSN 0x100 and on
#   through             microseconds from the last pause before it to the first of
#                       them that is through
#   within WORDS US LOW-MS HIGH-MS SLACK-US
. "$selftests/lib/pfc.sh"

D=200 R=200 P=50
storm=$(pfc 8 0 0 0 65535)	# 33.6 s
# shellcheck disable=SC2034 # for who uses this
xon=$(pfc 8 0 0 0 0)

# A slow link, so that a storm outlasts all that is done in it; a packet takes a
# millisecond.
quanta()
{
	echo $(($1 * 1000 / 512))
}

guard()
{
	tc qdisc del dev t1 root
	tc qdisc add dev t1 root rdmafault
	rdmafault link set t1 rate 1mbit
	rdmafault prio set t1 prio-pfc all:on
	rdmafault pause t1 watchdog prio 3 detect ${D}ms restore ${R}ms \
		poll ${P}ms action "$1"
}

counter()
{
	prio_stat t1 3 "$1"
}

detected()
{
	[ "$(counter detected)" -ge 1 ]
}

restored()
{
	[ "$(counter restored)" -ge 1 ]
}

within()
{
	local us=${2:-0}

	ok "$1: $3 ms to $4 ms: $us us" \
		[ "$us" -ge $(($3 * 1000)) -a "$us" -le $(($4 * 1000 + $5)) ]
}

trickle()
{
	local frame i

	frame=$(prio_frame 3 $((0x777)))
	for ((i = 0x100; i < 0x100 + $1; i++)); do
		printf '+%d\n%s%06x%s\n' "$2" "${frame%000777*}" "$i" \
			"${frame##*000777}"
	done
}

first()
{
	moments "$from" | awk '$2 ~ /^000[1-9a-f]/ { print $2; exit }'
}

is_through()
{
	[ -n "$(first)" ]
}

through()
{
	wait_until "$soon" is_through
	held $((16#$(first)))
}
