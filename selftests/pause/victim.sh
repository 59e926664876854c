#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Head-of-line blocking. Node 1 sends over a slow last link; node 3 sends to a
# node with a fast one, but both take the link between the two switches. As long
# as node 3's traffic has the same priority, it is held up by a pause that is
# meant for node 1's; with a priority of its own it isn't.
#
#   culprit  rxe1 v1 ── p1 ┐                        ┌ p2 ── v2 rxe2 (10 Mbit/s)
#                          ├ rfbr0 ─ s1 ── s2 ─ rfbr1 ┤
#   victim   rxe3 v3 ── p3 ┘                        └ p4 ── v4 rxe4
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/chain.sh"
. "$selftests/lib/faults.sh"

MESSAGES=20
# XON comes when 64 KiB have left by the slow link, 52 ms after XOFF, and what
# the victim sends meanwhile waits.
lossless()
{
	rdmafault link set "$1" buffer 1MiB
	rdmafault prio set "$1" prio-pfc 3:on prio-headroom 3:768KiB \
		prio-xoff 3:128KiB prio-xon 3:64KiB
}

# xoffs: how often the link between the switches was paused
xoffs()
{
	prio_stat s1 3 xoff_rx
}

congested()
{
	[ "$(xoffs)" -gt "$xoffs0" ]
}

# 6 MiB on priority 3 at 10 Mbit/s, some 5 s
culprit_starts()
{
	xoffs0=$(xoffs)
	write_bw 2 1 -s 65536 -n 96 --tclass=96 -u 19 -F >/dev/null &
	culprit=$!
	ok "$1: the culprit's link is congested" wait_until 20 congested
}

culprit_ends()
{
	ok "$1: the culprit arrives, too" wait "$culprit"
}

# victim WORDS CLASS: messages of 16 KiB, one after the other; sets $took, in
# milliseconds
victim()
{
	local start

	start=$(date +%s%N)
	is "$1: the victim's messages arrive" \
		"$(probe 3 4 write $MESSAGES 16384 "$2")" \
		"done=$MESSAGES wrong=0 status=0"
	took=$((($(date +%s%N) - start) / 1000000))
}

# under_congestion WORDS CLASS: sets $took
under_congestion()
{
	culprit_starts "$1"
	victim "$1" "$2"
	ok "$1: the culprit was there all the time" kill -0 "$culprit"
	culprit_ends "$1"
}

chain
chain_rate 200mbit p2 10mbit
lossless s2
lossless p1
victim "alone" 96
alone=$took
is "alone: nobody is paused" "$(xoffs)" 0
under_congestion "the same priority" 96
shared=$took
under_congestion "a priority of its own" 128
own=$took
ok "the same priority: blocked, $shared ms" \
	[ "$shared" -gt $((3 * alone + MESSAGES * 10)) ]
ok "a priority of its own: not blocked, $own ms, alone $alone ms" \
	[ "$own" -lt $((shared / 2)) ]
is "node 3 itself is never paused: its switch port is not lossless" \
	"$(prio_stat v3 3 pauses) $(prio_stat v3 4 pauses)" "0 0"
for dev in s1 s2 p1 p2 p3 p4 v1 v3; do
	is "$dev drops nothing" \
		"$(prio_stat $dev 3 no_buffer) $(prio_stat $dev 3 full) $(prio_stat $dev 4 no_buffer)" \
		"0 0 0"
done
