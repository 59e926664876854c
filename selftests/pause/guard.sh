#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The watchdog: what it does to a pause that doesn't end, and when. Detection
# falls between D and D + P after the begin of the pause, restoration between R
# and R + P after its end, for a detection time D, a restoration time R and a
# polling interval P; the bounds are those that SONiC's own test has
# (test_pfcwd_timer_accuracy). What came out and when is seen at the other end.
#
#   sendframe - t1 (port, guarded) ======= t2 - sendframe, tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"

D=200 R=200 P=50
storm=$(pfc 8 0 0 0 65535)	# 33.6 s
xon=$(pfc 8 0 0 0 0)
# Packets of the trickle come 20 ms after one another, as long as this is there.
trickling=$(mktemp)
defer rm -f "$trickling"
spaced=$((late + 20000))
exec {never}<> <(:)

# A slow link, so that a storm outlasts all that is done in it; a packet takes a
# millisecond.
quanta()
{
	echo $(($1 * 1000 / 512))
}

# guard ACTION: anew, so that its counters tell of what follows
guard()
{
	tc qdisc del dev t1 root
	tc qdisc add dev t1 root rdmafault
	rdmafault link set t1 rate 1mbit
	rdmafault pause t1 watchdog prio 3 detect ${D}ms restore ${R}ms \
		poll ${P}ms action "$1"
}

# counter KEY: of priority 3
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

# within WORDS US LOW-MS HIGH-MS SLACK-US
within()
{
	local us=${2:-0}

	ok "$1: $3 ms to $4 ms: $us us" \
		[ "$us" -ge $(($3 * 1000)) -a "$us" -le $(($4 * 1000 + $5)) ]
}

times_ok()
{
	ok "$1: restored" wait_until 5 restored
	within "$1: its detection time" $(($(counter detect_time_ns) / 1000)) \
		$D $((D + P)) "$late"
	within "$1: its restoration time" $(($(counter restore_time_ns) / 1000)) \
		$R $((R + P)) "$late"
}

forward_ok()
{
	guard forward
	play "$storm" "$(prio_frame 3)
$(prio_frame 4)"
	wait_until 3 there 3
	is "forward: another priority doesn't wait" "$(during 100000)" 4
	within "forward: the pause is ignored from its detection on" \
		"$(held 3)" $D $((D + P)) "$late"
	sendframe t2 <<<"$xon"
	times_ok "forward"
	is "forward: nothing is dropped" "$(counter guarded)" 0
}

# Packets of priority 3, one each 20 ms, PSN 0x100 and on
trickle()
{
	local frame i

	frame=$(prio_frame 3 $((0x777)))
	for ((i = 0x100; i < 0x200; i++)); do
		[ -e "$trickling" ] || break
		printf '%s%06x%s\n' "${frame%000777*}" "$i" "${frame##*000777}"
		read -rt 0.02 <&"$never"
	done | sendframe t1
}

trickle_starts()
{
	touch "$trickling"
	trickle &
	trickle=$!
	ok "$1: what waited and what comes is dropped" wait_until 5 guards 3
}

guards()
{
	[ "$(counter guarded)" -ge "$1" ]
}

trickle_ends()
{
	wait_until 5 first_through
	rm "$trickling"
	wait $trickle
}

first_through()
{
	moments "$from" | grep -q ' 0001'
}

# The first of the trickle that gets through tells when the drop ended.
drop_ok()
{
	guard drop
	play "$storm" "$(prio_frame 3)
$(prio_frame 4)"
	ok "drop: detected" wait_until 3 detected
	is "drop: another priority goes on" "$(in_order)" "pause 000004"
	trickle_starts "drop"
	sendframe t2 <<<"$xon"
	trickle_ends
	within "drop: until restoration" \
		"$(held $((16#$(moments "$from" | awk '/ 0001/ { print $2; exit }'))))" \
		$R $((R + P)) $spaced
	times_ok "drop"
	is "drop: what waited never comes" \
		"$(moments "$from" | grep -c ' 000003')" 0
}

# Another XOFF, if a short one, and the restoration time begins anew.
rearmed_ok()
{
	guard drop
	play "$storm" "$(prio_frame 3)"
	wait_until 3 detected
	trickle_starts "an XOFF meanwhile"
	sendframe t2 <<<"$xon"
	read -rt 0.1 <&"$never"
	sendframe t2 <<<"$(pfc 8 0 0 0 "$(quanta 10)")"
	trickle_ends
	within "an XOFF meanwhile: from there" \
		"$(held $((16#$(moments "$from" | awk '/ 0001/ { print $2; exit }'))))" \
		$R $((R + P + 10)) $spaced
	is "it is the same storm" "$(counter detected)" 1
}

alert_ok()
{
	guard alert
	play "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 3)"
	wait_until 3 there 2
	held_for "alert: the pause goes on" 3 599
	times_ok "alert"
	is "alert: nothing is dropped" "$(counter guarded)" 0
}

# A pause that ends in time, again and again, is none for the watchdog; nor is
# a long one that nothing waits for.
no_storm_ok()
{
	local i

	guard drop
	for i in 1 2 3; do
		play "$(pfc 8 0 0 0 "$(quanta 120)")" "$(prio_frame 3)"
		wait_until 3 there 2
		held_for "a short pause ($i)" 3 119
	done
	is "short pauses: nothing is detected" "$(counter detected)" 0
	play "$(pfc 8 0 0 0 "$(quanta 600)")" "$(prio_frame 4)"
	read -rt 0.7 <&"$never"
	is "a long one without a packet: nothing is detected" \
		"$(counter detected)" 0
	is "and nothing dropped" "$(counter guarded)" 0
}

neighbour
forward_ok
drop_ok
rearmed_ok
alert_ok
no_storm_ok
