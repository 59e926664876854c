#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test head-of-line blocking. Node 1 sends to a node with a slow link. Node 3 sends to
# a node with a fast link. Both use the link between the two switches. With the same
# priority, the pauses that node 1's traffic causes also block node 3's traffic. With
# separate priorities they do not.
#
#   culprit  rxe1 v1 ── p1 ┐                        ┌ p2 ── v2 rxe2 (6 Mbit/s)
#                          ├ rfbr0 ─ s1 ── s2 ─ rfbr1 ┤
#   victim   rxe3 v3 ── p3 ┘                        └ p4 ── v4 rxe4
#
# The time that the victim's messages take is measured in pauses of the shared link. On a
# busy host it would vary, so the test runs in virtual time.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/chain.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/capture.sh"

virtual_only

# The victim sends enough messages for some dozens of pauses on any kernel.
MESSAGES=960
# A retransmission timer of 17 s, so that a blocked sender does not retransmit.
TIMEOUT=22

tmp=$(mktemp -d)
defer rm -r "$tmp"

# XON is sent when 48 KiB have left over the slow link, 65 ms after XOFF. Until then the
# victim's packets wait. prio-share limits the part of the buffer that the priority can
# use, so that the rest is left to other priorities.
lossless()
{
	rdmafault link set "$1" buffer 1MiB
	rdmafault prio set "$1" prio-pfc 3:on prio-headroom 3:768KiB \
		prio-share 3:64KiB prio-xoff 3:64KiB prio-xon 3:16KiB
}

# xoffs: prints how often the link between the switches was paused
xoffs()
{
	prio_stat s1 3 xoff_rx
}

congested()
{
	[ "$(xoffs)" -gt "$xoffs0" ]
}

# wait_congestion TITLE: run the test TITLE: the link between the switches must be paused
# again within 30 s
wait_congestion()
{
	xoffs0=$(xoffs)
	ok "$1: the culprit's traffic pauses the link between the switches" wait_until 30 congested
}

# culprit_starts: send messages of 256 KiB on priority 3, each of which takes a third of a
# second. 128 packets of 1 KiB are in flight, twice as much as the XOFF threshold.
culprit_starts()
{
	probe 1 2 write 300 262144 96 $TIMEOUT >"$tmp/culprit" &
	culprit=$!
}

culprit_ends()
{
	ok "control: the culprit still sends at the end" kill -0 "$culprit"
	ok "the culprit's link accepts a higher rate" rdmafault link set p2 rate 200mbit
	wait "$culprit"
	is "all messages of the culprit arrive" "$(cat "$tmp/culprit")" "done=300 wrong=0 status=0"
}

# listen NETDEV FILTER...: capture the frames that the netdev receives
listen()
{
	capture_begin "$tmp/$1.err" --immediate-mode -U -i "$1" -Q in \
		-w "$tmp/$1" "${@:2}"
	listeners+=("$capture_pid")
}

# moments NETDEV: prints the time of each captured packet and, for a pause frame, its timer
# for class 3
moments()
{
	tcpdump -r "$tmp/$1" -n -tt -xx 2>/dev/null | awk '
		/^[0-9]/ { time = $1 }
		$1 == "0x0010:" { print time, $6 }'
}

# clock: prints the number of XONs between the first and last packet of the victim
clock()
{
	{ moments v4; echo; moments s1; } | awk '
		!NF { pauses = 1; next }
		!pauses { first = first ? first : $1; last = $1; next }
		$2 == "0000" && $1 > first && $1 < last { xons++ }
		END { print xons + 0 }'
}

# victim TITLE CLASS: run the test TITLE: send messages of 1 KiB one by one with this
# traffic class; sets $ticks to the number of pauses in that time
victim()
{
	listeners=()
	listen v4 udp port 4791 and src host 10.77.0.3
	listen s1 ether proto 0x8808
	is "$1: all messages of the victim arrive" \
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
victim "victim alone" 96
is "victim alone: the link between the switches is never paused" "$(xoffs)" 0
culprit_starts
wait_congestion "the same priority"
victim "the same priority" 96
shared=$ticks
wait_congestion "separate priorities"
victim "separate priorities" 128
own=$ticks
culprit_ends
ok "the same priority: the victim's $MESSAGES messages take at least 4 pauses ($shared)" \
	[ "$shared" -ge 4 ]
ok "separate priorities: the victim's messages take less than half as many pauses ($own)" \
	[ $((2 * own)) -lt "$shared" ]
is "node 3 itself is never paused, because its switch port has no PFC" \
	"$(prio_stat v3 3 pauses) $(prio_stat v3 4 pauses)" "0 0"
for key in full no_buffer expired; do
	is "no port drops a packet ($key)" "$(chain_sum $key)" 0
done
