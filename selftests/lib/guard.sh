# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A port with a PFC watchdog on priority 3, and a neighbour that pauses it for long (a
# storm). With the detection time D, the restoration time R and the polling interval P,
# detection must come between D and D + P after the start of the pause, and restoration
# between R and R + P after its end, as in SONiC's test_pfcwd_timer_accuracy.
#
#   guard ACTION        make the port and its watchdog, with new counters
#   counter KEY         prints a counter of priority 3
#   detected, restored  succeeds if the watchdog has detected the storm, or restored the
#                       priority
#   $storm, $xon        an XOFF frame that outlasts the test, and the XON that ends it
#   trickle COUNT US    prints packets of priority 3, with PSNs from 0x100, to be sent
#                       at this interval in microseconds
#   through             prints the microseconds from the last pause before it to the
#                       first of these packets that passes the port
#   within TITLE US LOW-MS HIGH-MS SLACK-US
#                       test that US microseconds are at least LOW-MS milliseconds, and
#                       exceed HIGH-MS by at most SLACK-US. TITLE is the name of the test
. "$selftests/lib/pfc.sh"

D=200 R=200 P=50
storm=$(pfc 8 0 0 0 65535)	# 33.6 s
# shellcheck disable=SC2034 # tests use it
xon=$(pfc 8 0 0 0 0)

# quanta MS: prints MS milliseconds in quanta of a 1 Mbit/s link, which are 512 us each. The link
# is slow, so that one XOFF lasts longer than the test. Sending a packet takes 1 ms.
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

	ok "$1: between $3 ms and $4 ms, measured $us us" \
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
