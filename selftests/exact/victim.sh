#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Head-of-line blocking. Node 1 sends over a slow last link; node 3 sends to a
# node with a fast one, but both take the link between the two switches. As long
# as node 3's traffic has the same priority, it is held up by a pause that is
# meant for node 1's; with a priority of its own it isn't.
#
#   culprit  rxe1 v1 ── p1 ┐                        ┌ p2 ── v2 rxe2 (6 Mbit/s)
#                          ├ rfbr0 ─ s1 ── s2 ─ rfbr1 ┤
#   victim   rxe3 v3 ── p3 ┘                        └ p4 ── v4 rxe4
#
# The clock is the pauses: how many of them the victim's messages last. On a busy
# host that isn't the same twice, so it is virtual time.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/chain.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/capture.sh"

virtual_only

# Many, for in virtual time they are quick: some dozens of pauses, on any kernel
MESSAGES=960
# 17 s: nobody sends again for being held up.
TIMEOUT=22

tmp=$(mktemp -d)
defer rm -r "$tmp"

# XON comes when 48 KiB have left by the slow link, 65 ms after XOFF, and what
# the victim sends meanwhile waits. The share is what leaves the rest of the
# buffer to other priorities.
lossless()
{
	rdmafault link set "$1" buffer 1MiB
	rdmafault prio set "$1" prio-pfc 3:on prio-headroom 3:768KiB \
		prio-share 3:64KiB prio-xoff 3:64KiB prio-xon 3:16KiB
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

# Messages of 256 KiB on priority 3, a third of a second each. 128 packets of 1
# KiB are under way, twice as much as XOFF needs.
culprit_starts()
{
	probe 1 2 write 300 262144 96 $TIMEOUT >"$tmp/culprit" &
	culprit=$!
}

culprit_ends()
{
	ok "the culprit was there all the time" kill -0 "$culprit"
	ok "its link gets faster" rdmafault link set p2 rate 200mbit
	wait "$culprit"
	is "all of it arrives" "$(cat "$tmp/culprit")" "done=300 wrong=0 status=0"
}

# listen NETDEV FILTER...: what comes to it
listen()
{
	capture_begin "$tmp/$1.err" --immediate-mode -U -i "$1" -Q in \
		-w "$tmp/$1" "${@:2}"
	listeners+=("$capture_pid")
}

# moments NETDEV: of each packet, and what its timer for class 3 says
moments()
{
	tcpdump -r "$tmp/$1" -n -tt -xx 2>/dev/null | awk '
		/^[0-9]/ { time = $1 }
		$1 == "0x0010:" { print time, $6 }'
}

# clock: XONs between the first packet of the victim's and the last
clock()
{
	{ moments v4; echo; moments s1; } | awk '
		!NF { pauses = 1; next }
		!pauses { first = first ? first : $1; last = $1; next }
		$2 == "0000" && $1 > first && $1 < last { xons++ }
		END { print xons + 0 }'
}

# victim WORDS CLASS: messages of 1 KiB, one after the other; sets $ticks
victim()
{
	listeners=()
	listen v4 udp port 4791 and src host 10.77.0.3
	listen s1 ether proto 0x8808
	is "$1: the victim's messages arrive" \
		"$(probe 3 4 write $MESSAGES 1024 "$2" $TIMEOUT)" \
		"done=$MESSAGES wrong=0 status=0"
	kill "${listeners[@]}"
	wait "${listeners[@]}" 2>/dev/null
	ticks=$(clock)
	echo "# $1: $(moments v4 | wc -l) packets, $(moments s1 | wc -l) pause frames"
}

chain
chain_rate 200mbit p2 6mbit
lossless s2
lossless p1
victim "alone" 96
is "alone: nobody is paused" "$(xoffs)" 0
culprit_starts
wait_congestion "the same priority"
victim "the same priority" 96
shared=$ticks
wait_congestion "a priority of its own"
victim "a priority of its own" 128
own=$ticks
culprit_ends
ok "the same priority: blocked, $MESSAGES messages last $shared pauses" \
	[ "$shared" -ge 4 ]
ok "a priority of its own: not blocked, they last $own" \
	[ $((2 * own)) -lt "$shared" ]
is "node 3 itself is never paused: its switch port is not lossless" \
	"$(prio_stat v3 3 pauses) $(prio_stat v3 4 pauses)" "0 0"
for key in full no_buffer expired; do
	is "nothing is dropped ($key)" "$(chain_sum $key)" 0
done
