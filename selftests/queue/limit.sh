#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the limits of priority queues: the queue accepts exactly as many packets or bytes as the
# limit permits and drops further packets. Other priorities are not affected, and no sender
# sees an error. A pause fills the queues. Packets to QP 16 + p have priority p.
#
#   sendroce - t1 (port) ======= t2 - sendframe, tcpdump
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pause_all.sh"
. "$selftests/lib/faults.sh"

# A frame has 1000 bytes.
PAYLOAD=942
# more packets than 64 MiB of memory have room for
SWAMP=10000

trace=/sys/kernel/tracing/instances/rf-limit
tmp=$(mktemp -d)
defer rm -r "$tmp"

# fill COUNT: send COUNT packets of each of the priorities 2, 3 and 4
fill()
{
	local prio

	pause_all
	for prio in 2 3 4; do
		sendroce t1 qp $((16 + prio)) dscp $((prio * 8)) count "$1" \
			payload $PAYLOAD || echo failed >>"$tmp/errors"
	done
	resume_all
}

# first FILE PRIO: if the captured packets of PRIO are the first ones that were sent (no PSN is
# missing), print their number
first()
{
	packets "$1" | awk -v qp=$((16 + $2)) '
		$1 == qp { if ($2 != n++) wrong++ }
		END { print wrong ? "not the first" : n + 0 }'
}

limits_ok()
{
	local all

	rdmafault prio set t1 prio-limit 2:100p 3:50000
	captured t2 "$tmp/limits" fill 250
	is "a limit of 100 packets passes the first 100 packets" "$(first "$tmp/limits" 2)" 100
	is "a limit of 50000 bytes passes the first 50 packets of 1000 bytes" "$(first "$tmp/limits" 3)" 50
	is "control: a priority without a limit passes all packets" \
		"$(first "$tmp/limits" 4)" 250
	all="$(prio_stat t1 2 full) $(prio_stat t1 3 full) $(prio_stat t1 4 full)"
	is "packets beyond the limit are counted as full" "$all" "150 200 0"
	is "peak_bytes is the largest queue length in bytes" \
		"$(prio_stat t1 2 peak_bytes) $(prio_stat t1 3 peak_bytes)" \
		"100000 50000"
	ok "tc counts packets beyond the limit as dropped" grep -q 'dropped 350,' \
		<<<"$(tc -s qdisc show dev t1)"
	ok "the sender sees no error for packets beyond the limit" [ ! -e "$tmp/errors" ]
}

# swamp PORT: send more packets than the port has room for; sets $passed, the packets that it
# queues, and $full, those that it drops. The packets are large, so that also a slow kernel
# sends them before the first one reaches the max-hold.
swamp()
{
	full=$(prio_stat "$1" 2 full)
	sendroce "$1" qp 18 dscp 16 count $SWAMP payload 4096
	passed=$(prio_stat "$1" 2 backlog)
	full=$(($(prio_stat "$1" 2 full) - full))
}

# The packets of a port can use 64 MiB of memory, whatever the limits of the priorities are.
# A frame of 4154 bytes needs more than 8000 bytes and less than 16800.
memory_ok()
{
	local passed full alone

	sysctl -q -w net.core.wmem_default=$((256 << 20))
	rdmafault prio set t1 prio-limit 2:100000p
	pause_all
	swamp t1
	resume_all
	is "packets beyond 64 MiB of memory are counted as full" $((passed + full)) $SWAMP
	is "a port queues packets of 64 MiB of memory" \
		"$((passed > 3900 && passed < SWAMP - 500))" 1
	alone=$passed
	two_ports_ok
}

# While t1 is full, another port has the same room. A storm pauses it.
two_ports_ok()
{
	veth_pair u1 u2 4200
	veth_port u1
	rdmafault port set u1 max-hold 20s
	rdmafault prio set u1 prio-limit 2:100000p
	defer rmdir "$trace"
	mkdir "$trace"
	echo 1 >"$trace/events/rdmafault/enable"
	rdmafault -q pause u1 prio 2 storm forever persist
	pause_all
	swamp t1
	is "with a listener, a port queues as many packets" "$passed $((passed + full))" "$alone $SWAMP"
	swamp u1
	is "a second port queues as many packets" "$passed $((passed + full))" "$alone $SWAMP"
	rdmafault -q pause u1 stop
	resume_all
	echo 0 >"$trace/events/rdmafault/enable"
}

# A new limit below the queue length must not drop queued packets.
live_ok()
{
	rdmafault prio set t1 prio-limit 2:10000p
	captured t2 "$tmp/live" fill_then_limit
	is "a new limit below the queue length drops no queued packet" \
		"$(first "$tmp/live" 2)" 250
	is "a new limit below the queue length drops new packets" "$(prio_stat t1 2 full)" $((150 + 10))
}

fill_then_limit()
{
	pause_all
	sendroce t1 qp 18 dscp 16 count 250 payload $PAYLOAD
	rdmafault prio set t1 prio-limit 2:10p
	sendroce t1 qp 18 dscp 16 count 10 psn 250 payload $PAYLOAD
	resume_all
}

bad_input_fails()
{
	refused "prio-limit without a limit is refused" "prio-limit" rdmafault prio set t1 prio-limit 2:
	refused "prio-limit of 0 packets is refused" "prio-limit" \
		rdmafault prio set t1 prio-limit 2:0p
	refused "prio-limit of priority 8 is refused" "prio-limit 8:10p: invalid" rdmafault prio set t1 prio-limit 8:10p
	refused "prio-limit with a negative limit is refused" "prio-limit" \
		rdmafault prio set t1 prio-limit 2:-1
}

# The queue has room for 20 packets, and the priority is paused until a packet was dropped: whether
# the sender or the link is faster makes no difference.
rxe_sends_again_ok()
{
	local sender

	fabric 2
	ports v1
	rdmafault prio set v1 prio-limit all:20p prio-pfc all:on
	remember
	pfc 0xff 65535 65535 65535 65535 65535 65535 65535 65535 | pause_v1 1mbit
	probe 1 2 write 2 131072 0 16 >"$tmp/probe" &
	sender=$!
	ok "rxe with a limited queue: packets are dropped" wait_until "$soon" is_dropped
	pfc 0xff 0 0 0 0 0 0 0 0 | pause_v1 none
	wait "$sender"
	is "rxe with a limited queue: all messages arrive" "$(cat "$tmp/probe")" \
		"done=2 wrong=0 status=0"
	ok "rxe with a limited queue: the sender counts retries" \
		[ "$(moved rxe1 completer_retry_err)" -gt 0 ]
	unseen "rxe with a limited queue"
}

# pause_v1 RATE <FRAME: set the rate of v1's link, which a pause is measured by, and send FRAME to v1
pause_v1()
{
	rdmafault link set v1 rate "$1"
	sendframe p1
}

is_dropped()
{
	[ "$(prio_sum v1 full)" -gt 0 ]
}

pausable_link
limits_ok
live_ok
memory_ok
bad_input_fails
rxe_sends_again_ok
