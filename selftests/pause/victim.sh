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
# XON comes when 96 KiB have left by the slow link, 79 ms after XOFF, and what
# the victim sends meanwhile waits. The share is what leaves the rest of the
# buffer to other priorities.
XOFF_MS=79
lossless()
{
	rdmafault link set "$1" buffer 1MiB
	rdmafault prio set "$1" prio-pfc 3:on prio-headroom 3:768KiB \
		prio-share 3:128KiB prio-xoff 3:128KiB prio-xon 3:32KiB
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

# wait_congestion WORDS: from now on
wait_congestion()
{
	xoffs0=$(xoffs)
	ok "$1: the culprit's link is congested" wait_until 30 congested
}

# 40 MiB on priority 3 at 10 Mbit/s, more than half a minute
culprit_starts()
{
	write_bw 2 1 -s 65536 -n 640 --tclass=96 -u 19 -F >/dev/null &
	culprit=$!
}

culprit_ends()
{
	ok "the culprit was there all the time" kill -0 "$culprit"
	ok "its link gets faster" rdmafault link set p2 rate 200mbit
	ok "it arrives, too" wait "$culprit"
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

# dropped NETDEV: by its priorities 3 and 4
dropped()
{
	local prio key sum=0

	for prio in 3 4; do
		for key in full no_buffer aged; do
			sum=$((sum + $(prio_stat "$1" $prio $key)))
		done
	done
	echo $sum
}

chain
chain_rate 200mbit p2 10mbit
lossless s2
lossless p1
victim "alone" 96
alone=$took
is "alone: nobody is paused" "$(xoffs)" 0
culprit_starts
wait_congestion "the same priority"
victim "the same priority" 96
shared=$took
wait_congestion "a priority of its own"
victim "a priority of its own" 128
own=$took
culprit_ends
blocked=$((MESSAGES * XOFF_MS / 2))
ok "the same priority: blocked, $shared ms, alone $alone ms" \
	[ "$shared" -gt $((alone + blocked)) ]
ok "a priority of its own: not blocked, $own ms" \
	[ "$own" -lt $((alone + blocked)) ]
is "node 3 itself is never paused: its switch port is not lossless" \
	"$(prio_stat v3 3 pauses) $(prio_stat v3 4 pauses)" "0 0"
for dev in s1 s2 p1 p2 p3 p4 v1 v3; do
	is "$dev drops nothing" "$(dropped $dev)" 0
done
