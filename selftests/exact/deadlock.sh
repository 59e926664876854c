#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test PFC deadlocks, with the cases of Hu et al. (HotNets 2016). On a ring of four switches, two flows
# close a cycle of links, but their pauses end. A third flow makes a deadlock: each of the four ports
# waits for the next one. The deadlock remains when the senders are dead, and a PFC watchdog ends it.
# There is no deadlock if the third flow has a twentieth of the rate, or (only with --full) on leaf and
# spine switches.
# Command line: rdmafault pause deadlock.
#
#         node 1, 2   node 3, 4
#               │           │              flows 1 → 7: s1s2, s2s3, s3s4
#            switch 1 ─▶ switch 2                5 → 3: s3s4, s4s1, s1s2
#               ▲           ▼              third 4 → 6: s2s3
#            switch 4 ◀─ switch 3
#               │           │
#         node 7, 8   node 5, 6
#
# The buffers hold 15 packets before XOFF, so that a pause is short: the two flows fill only a part of
# the buffer of the switch before. The rate is low, so that one CPU sends as fast as the links.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only

# The deadlock must last for 10 s, twice as long as the max-hold, or with --full for 300 s. Flows without
# a deadlock must transfer this many packets, and begin at several different times.
persistence=10
packets=500
starts=1
seeds=0
[ "${FAULT_RUNS:-0}" -lt 50 ] || { persistence=300; packets=15000; starts=3; seeds=10; }

ring=(s1s2 s2s3 s3s4 s4s1)
cycle='[3,500000000,"s1s2","s2s3","s3s4","s4s1"]'
jobs=()
tmp=$(mktemp -d)
defer rm -r "$tmp"
defer end_flows

# set_up SHAPE...: make a fabric whose switches send XOFF early. Only ports of switches, which no
# queue pair waits for, keep packets for longer than the max-hold.
set_up()
{
	local port

	rdmafault fabric up 8 shape "$@" pfc 3 >/dev/null ||
		{ echo "Bail out! the fabric cannot be made"; exit 1; }
	for port in $(rdmafault --json port show | jq -r '.[].netdev'); do
		echo "link set $port rate 25mbit"
		[[ $port != v* ]] || continue
		echo "link set $port buffer 1MiB"
		echo "prio set $port prio-headroom 3:512KiB prio-share 3:16KiB prio-xoff 3:16KiB prio-xon 3:8KiB"
		echo "port set $port hold-forwarded on"
	done | rdmafault -q -batch -
}

# The shortest paths of these flows have fewer links. Other packets take the shortest path.
set_up_ring()
{
	set_up ring switches 4
	rdmafault -q path set p1 list dst 10.77.0.7 via s1s2 links s1s2,s1s4
	rdmafault -q path set p5 list dst 10.77.0.3 via s3s4 links s3s4,s3s2
}

tear_down()
{
	rdmafault fabric down --force >/dev/null
}

# flow FROM TO: send data in priority 3 (DSCP 24) without end
flow()
{
	setsid collperf broadcast -N 2 --device "rxe$1,rxe$2" -b 1M -n 1000000 -w 0 -c 0 \
		--mtu 1024 --tclass 96 --timeout 21 --deadline 600s >"$tmp/flow$1$2" 2>&1 &
	jobs+=($!)
}

end_flows()
{
	local job

	for job in "${jobs[@]}"; do
		kill -KILL -- "-$job"
		wait "$job"
	done 2>/dev/null
	jobs=()
	wait_until "$soon" no_queue_pairs
}

no_queue_pairs()
{
	! has_queue_pairs
}

# sent: prints the packets of priority 3 that each port of the ring has sent
sent()
{
	rdmafault --json prio show |
		jq -c --args '[.[] | select(.netdev as $n | $ARGS.positional | index($n)).prio[3].packets]' "${ring[@]}"
}

# sum KEY [NETDEV...]: prints the sum of this counter of priority 3 over these ports, or all ports
sum()
{
	rdmafault --json prio show | jq --arg key "$1" --args '[.[] |
		select($ARGS.positional == [] or (.netdev as $n | $ARGS.positional | index($n))) |
		.prio[3][$key]] | add' "${@:2}"
}

# dropped: prints the packets that the queues of all ports have dropped, except those of a watchdog
dropped()
{
	echo "$(sum full) $(sum no_buffer) $(sum expired)"
}

at_least()
{
	[ "$1" -ge "$2" ]
}

# sent_at_least COUNT NETDEV: succeeds if the port has sent COUNT packets in priority 3
sent_at_least()
{
	at_least "$(prio_stat "$2" 3 packets)" "$1"
}

# flow_goes NETDEV COUNT: succeeds if the port sends this many more packets
flow_goes()
{
	wait_until $((5 + $2 / 500)) sent_at_least $(($(prio_stat "$1" 3 packets) + $2)) "$1"
}

# found: prints the ports of the cycle that rdmafault finds, from s1s2 on
found()
{
	rdmafault --json pause deadlock longer 500ms | jq -c '.[] | [.prio, .longer_ns,
		((.ports | index("s1s2")) as $i | .ports[$i:] + .ports[:$i])[]]'
}

has_deadlock()
{
	! rdmafault -q pause deadlock longer 500ms
}

# no_deadlock TITLE [NETDEV COUNT]...: test that there is none, and that each port, which leads to
# a receiver, sends this many packets
no_deadlock()
{
	local title=$1 before

	shift
	before=$(dropped)
	while [ $# -gt 0 ]; do
		ok "$title: $2 packets leave $1" flow_goes "$1" "$2"
		shift 2
	done
	ok "$title: no deadlock is found" rdmafault -q pause deadlock longer 500ms
	is "$title: no packet was dropped" "$(dropped)" "$before"
}

# two_flows START: make two flows; the second one begins after START packets of the first one
two_flows()
{
	flow 1 7
	ok "control: the first flow sends" flow_goes p7 "$1"
	flow 5 3
	ok "control: the second flow sends" flow_goes p3 100
}

two_flows_ok()
{
	local port before=("$(prio_stat s2s3 3 pauses)" "$(prio_stat s4s1 3 pauses)")

	two_flows "$1"
	no_deadlock "two flows, the second one after $1 packets" p7 $packets p3 $packets
	ok "control: s2s3 was paused" at_least "$(prio_stat s2s3 3 pauses)" $((before[0] + 10))
	ok "control: s4s1 was paused" at_least "$(prio_stat s4s1 3 pauses)" $((before[1] + 10))
	for port in "${ring[@]}"; do
		ok "control: the flows close the cycle: they use $port" flow_goes "$port" 10
	done
}

deadlock_ok()
{
	local before

	flow 4 6
	ok "three flows: a deadlock is found" wait_until 60 has_deadlock
	is "three flows: each port of the ring waits for the next one" "$(found)" "$cycle"
	ok "three flows: the text names the ports" \
		grep -q '^deadlock of priority 3: .*s2s3, which waits for s3s4, .* for 500ms$' \
		<(rdmafault pause deadlock longer 500ms)
	rdmafault pause deadlock >/dev/null
	is "three flows: the exit status is 1" $? 1
	before=$(sent)
	end_flows
	ok "control: the flows have no queue pairs any more" no_queue_pairs
	sleep $persistence
	is "$persistence s after the senders are dead: no packet has left the ports of the ring" "$(sent)" "$before"
	is "$persistence s after the senders are dead: the deadlock is found" "$(found)" "$cycle"
	is "$persistence s after the senders are dead: no packet of a node waits" \
		"$(sum backlog v1 v4 v5)" 0
	is "$persistence s after the senders are dead: only packets of nodes have expired" \
		"$(sum expired v1 v4 v5)" "$(sum expired)"
	ok "control: packets of nodes have expired" at_least "$(sum expired)" 1
}

empty()
{
	[ "$(sum backlog)" = 0 ]
}

# detected KEY: prints this value of the watchdog of s1s2
detected()
{
	prio_stat s1s2 3 "$1"
}

has_detected()
{
	[ "$(detected detected)" = 1 ]
}

# uptime_ms: prints the time since boot in milliseconds, rounded up to the 10 ms of /proc/uptime
uptime_ms()
{
	awk '{ print $1 * 1000 + 10 }' /proc/uptime
}

# detected_ms: prints the time since boot of the first event of a watchdog
detected_ms()
{
	sed -n 's/.* \([0-9]*\)\.\([0-9]\{3\}\)[0-9]*: rf_watchdog: .*/\1\2/p' /sys/kernel/tracing/trace |
		head -n 1
}

# A watchdog that only reports the storm does not end the deadlock.
alert_ok()
{
	rdmafault -q pause s1s2 watchdog prio 3 detect 100ms restore 100ms poll 50ms action alert
	ok "control: a watchdog without drops detects the storm" wait_until "$soon" has_detected
	is "control: the deadlock remains" "$(found)" "$cycle"
	rdmafault -q pause s1s2 watchdog off
}

# The ports have been paused for long when the watchdog begins to check them.
watchdog_ok()
{
	local set

	defer tracepoints 0
	echo mono >/sys/kernel/tracing/trace_clock
	tracepoints 1 rf_watchdog
	rdmafault -q pause s1s2 watchdog prio 3 detect 100ms restore 100ms poll 50ms action drop
	set=$(uptime_ms)
	ok "watchdog: all queues become empty" wait_until "$soon" empty
	ok "watchdog: the storm is detected within detect + poll" \
		at_least $((set + 150)) "$(detected_ms)"
	ok "watchdog: it drops packets" at_least "$(detected watchdog_dropped)" 1
	is "watchdog: the other ports drop none" "$(sum watchdog_dropped)" "$(detected watchdog_dropped)"
	is "watchdog: the only other lost packets are those of the dead senders" \
		"$(dropped)" "0 0 $(sum expired v1 v4 v5)"
	ok "watchdog: no deadlock is found" rdmafault -q pause deadlock longer 500ms
	tracepoints 0
	rdmafault -q pause s1s2 watchdog off
	flow 1 7
	ok "watchdog: a new flow can use the ring" flow_goes p7 100
	end_flows
}

slow_third_flow_ok()
{
	rdmafault -q link set v4 rate 1250kbit
	two_flows $((100 * $1))
	flow 4 6
	no_deadlock "a slow third flow" p6 $((packets / 20)) p7 $packets p3 $packets
	end_flows
}

# up_down_ok SEED: the same flows over leaf and spine switches, with a slow receiver
up_down_ok()
{
	local node leaf

	for node in {1..8}; do
		leaf=$(((node + 1) / 2))
		echo "path set p$node ecmp links l${leaf}s1,l${leaf}s2 seed $1"
	done | rdmafault -q -batch -
	two_flows 100
	flow 4 6
	no_deadlock "leaf-spine with seed $1" p7 $((packets / 5)) p3 $((packets / 5)) p6 $((packets / 5))
	ok "control: the slow receiver pauses uplinks" \
		at_least "$(sum pauses l1s1 l1s2)" 1
	end_flows
}

usage_ok()
{
	refused_with=2 refused "without a fabric, the command fails" \
		'^rdmafault: pause deadlock: there is no fabric; "rdmafault fabric up" makes one$' \
		rdmafault pause deadlock
	refused "a time that is too short" '^rdmafault: longer 1us: invalid; 1ms to 3600s' \
		rdmafault pause deadlock longer 1us
}

usage_ok
defer tear_down
set_up_ring
is "an idle ring has no deadlock" "$(rdmafault --json pause deadlock | jq -c .)" "[]"
for ((start = 1; start < starts; start++)); do
	two_flows_ok $((100 * start))
	end_flows
done
two_flows_ok $((100 * starts))
deadlock_ok
alert_ok
watchdog_ok
for ((start = 1; start <= starts; start++)); do
	slow_third_flow_ok $start
done
[ $seeds -gt 0 ] || exit 0

tear_down
set_up leaf-spine leaves 4 spines 2
rdmafault -q link set p7 rate 5mbit
for ((seed = 1; seed <= seeds; seed++)); do
	up_down_ok $seed
done
