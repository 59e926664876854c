#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test "rdmafault link down": both ends of a link have no carrier for some time, and rxe does what
# a NIC does. The application gets the events PORT_ERR and PORT_ACTIVE, the queue pairs stay in RTS,
# and retransmissions repair what was lost. Afterwards the link and the fabric are as before, also
# if the command is killed. Without the rule of this command, rxe ends its queue pairs (Linux 6.10
# and later). PFC, a link rate, observers and other namespaces make no difference.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
fabric 2
ports v1 v2 p1 p2

# An atomic takes less time than a WRITE of 4 KiB. The job must last until the link is down.
declare -A messages=([write]=2000 [read]=2000 [add]=20000)

# ibv_asyncwatch of Debian 12 watches the first device, which is rxe1.
stdbuf -oL ibv_asyncwatch >"$tmp/events" 2>&1 &
watcher=$!
defer kill $watcher
wait_until "$soon" grep -q 'async event FD' "$tmp/events"

# events: prints the events of rxe1 since the last call
events()
{
	sed -n 's/.*event_type IBV_EVENT_\([A-Z_]*\).*/\1/p' "$tmp/events" | tail -n +"$((seen + 1))" |
		paste -sd ' '
}
seen=0

forget_events()
{
	seen=$(grep -c event_type "$tmp/events")
}

has_events()
{
	[ "$(events)" = "$*" ]
}

# start_job OPERATION TIMEOUT: send messages between rxe1 and rxe2 in the background. With timeout
# 18 the queue pairs can retransmit for 7.5 s, with 20 for 30 s.
start_job()
{
	local bytes=4096

	[ "$1" != add ] || bytes=8
	good="done=${messages[$1]} wrong=0 status=0"
	remember
	forget_events
	rcprobe rxe1 rxe2 "$1" "${messages[$1]}" $bytes 0 "$2" 6 >"$tmp/job" 2>&1 &
	job=$!
	wait_until "$soon" sends
}

sends()
{
	[ "$(moved rxe1 sent_pkts)" -ge 50 ]
}

# job_is TITLE EXPECTED
job_is()
{
	wait $job
	is "$1" "$(cat "$tmp/job")" "$2"
}

state_of_qps()
{
	rdma resource show qp link rxe1 | sed -n '/rcprobe/s/.* state \([A-Z]*\) .*/\1/p'
}

is_down()
{
	[ "$(cat /sys/class/net/v1/operstate)" = lowerlayerdown ]
}

is_up()
{
	[ "$(cat /sys/class/net/v1/operstate) $(cat /sys/class/net/p1/operstate)" = "up up" ]
}

# What the link must have again afterwards. The bridge learns the address of v1 from packets.
state()
{
	ip -o address show v1
	ip -o link show v1
	ip neighbour show dev v1
	ip route show dev v1
	bridge link show dev p1
	bridge fdb show dev p1 | grep permanent
	rdma link show rxe1/1
	rdmafault rule show
}

before=$(state)

like_before()
{
	is "$1: addresses, neighbours, bridge port and rules are as before" "$(state)" "$before"
}

# The job survives, with the retransmissions of one timer or a few.
survives()
{
	job_is "$1: all messages arrive" "$good"
	unseen "$1"
	ok "$1: rxe1 retransmits" [ "$(moved rxe1 completer_retry_err)" -ge 1 ]
	ok "$1: the application sees ${2-PORT_ERR PORT_ACTIVE}" \
		wait_until "$soon" has_events "${2-PORT_ERR PORT_ACTIVE}"
}

operations_ok()
{
	local op out

	for op in write read add; do
		# The timer of 268 ms expires while the link is down, so at least one packet is dropped.
		start_job "$op" 16
		out=$(rdmafault --json link down v1 for 600ms)
		is "link down during $op: the result has netdev and peer" \
			"$(jq -r '"\(.netdev) \(.peer)"' <<<"$out")" "v1 p1"
		ok "link down during $op: the link is down for 600 ms, and packets are dropped" \
			jq -e '.down_ns >= 6e8 and .dropped >= 1' <<<"$out"
		survives "link down during $op"
	done
	like_before "link down"
}

# While the link is down, the port is not active, and the queue pairs are in RTS.
states_ok()
{
	start_job write 20
	rdmafault link down p1 for 60s >"$tmp/out" &
	local down=$!

	ok "link down of the other end: v1 has no carrier" wait_until "$soon" is_down
	is "the state of the RDMA port is DOWN" \
		"$(cat /sys/class/infiniband/rxe1/ports/1/state)" "1: DOWN"
	is "the queue pairs are in RTS" "$(state_of_qps)" RTS
	refused "a second link down of the same link is refused" \
		'^rdmafault: v1: the link to p1 is down already; "ip link set p1 up" sets it up$' \
		rdmafault link down v1 for 1ms
	kill -INT $down
	wait $down
	is "SIGINT ends link down with status 0" $? 0
	ok "the text names both ends, the time and the packets" \
		grep -Eq '^v1: link to p1 down for [0-9.]+ m?s, [0-9,]+ packets? dropped$' "$tmp/out"
	survives "link down ended by SIGINT"
}

killed_ok()
{
	start_job write 20
	rdmafault link down v1 for 60s >"$tmp/out" &
	local down=$!

	wait_until "$soon" is_down
	kill -KILL $down
	wait $down 2>/dev/null
	ok "the carrier is back after SIGKILL of the command" wait_until "$soon" is_up
	wait_until "$soon" eval "! pgrep rf-link-keeper"
	survives "link down after SIGKILL"
	like_before "link down after SIGKILL"

	rdmafault link down v1 for 60s >"$tmp/out" 2>"$tmp/err" &
	down=$!
	wait_until "$soon" is_down
	pkill -KILL rf-link-keeper
	wait $down
	is "link down fails if its keeper is killed" $? 1
	ok "link down says in one line that its keeper was killed" \
		[ "$(grep -c 'killed by signal 9; the link is set up again' "$tmp/err")" = 1 ]
	ok "the carrier is back after SIGKILL of the keeper" is_up
}

# With a link rate, packets wait in the qdisc of v1, which the kernel purges.
queue_ok()
{
	rdmafault link set v1 rate 20mbit
	start_job write 18
	rdmafault link down v1 for 300ms >/dev/null
	survives "link down with a link rate"
	rdmafault link set v1 rate none
}

# waits PAUSED: succeeds if packets wait at v1, and this is the state of its priority
waits()
{
	[ "$(prio_stat v1 0 paused)" = "$1" ] && [ "$(prio_stat v1 0 backlog)" -ge 1 ]
}

# The switch pauses v1, and packets of the job wait there. At 10 Mbit/s an XOFF lasts 3.4 s, so that
# it is renewed in time also on a busy machine.
paused_ok()
{
	local storm down

	messages[write]=300
	rdmafault link set v1 rate 10mbit
	rdmafault prio set v1 prio-pfc 0:on
	rdmafault prio set p1 prio-pfc 0:on
	start_job write 20
	rdmafault pause p1 prio 0 storm for 60s frames >/dev/null &
	storm=$!
	ok "a storm pauses v1, and packets wait there" wait_until "$soon" waits true
	rdmafault link down v1 for 60s >/dev/null &
	down=$!
	ok "link down during a storm: the packets that waited are lost, and the pause goes on" \
		wait_until "$soon" eval '[ "$(prio_stat v1 0 backlog) $(prio_stat v1 0 paused)" = "0 true" ]'
	kill -INT $down
	wait $down
	kill -INT $storm
	wait $storm
	survives "link down during a storm"
	rdmafault prio set v1 prio-pfc 0:off
	rdmafault link set v1 rate none
}

# p2 is slow: packets of the job wait there and are in the buffer of p1, which pauses v1. When these
# packets are lost with the link of p2, the buffer is empty, and v1 is resumed.
lossless_ok()
{
	local down

	rdmafault link set v1 rate 100mbit
	rdmafault prio set v1 prio-pfc 0:on
	rdmafault link set p2 rate 3mbit
	rdmafault link set p1 rate 100mbit buffer 1MiB
	rdmafault prio set p1 prio-headroom 0:512KiB prio-xoff 0:2000B
	start_job write 18
	ok "v1 is paused because packets wait at p2" wait_until "$soon" \
		eval '[ "$(prio_stat p1 0 xoff_tx)" -ge 1 ]'
	rdmafault link down v2 for 60s >/dev/null &
	down=$!
	ok "link down of v2: its packets leave the buffer of p1, and v1 is not paused" wait_until \
		"$soon" eval '[ "$(prio_stat p1 0 buffer_used) $(prio_stat v1 0 paused)" = "0 false" ]'
	kill -INT $down
	wait $down
	survives "link down of v2 with packets in the buffer of p1" ""
	is "link down of v2: the buffer of p1 had room for all packets" "$(prio_stat p1 0 no_buffer)" 0
	rdmafault reset >/dev/null
	messages[write]=2000
}

observers_ok()
{
	rdmafault record --as-sent -o "$tmp/record" v1 >/dev/null 2>&1 &
	local recorder=$!

	wait_until "$soon" test -e "$tmp/record"
	start_job write 18
	rdmafault watch -o "$tmp/watch.pcapng" v1 -- rdmafault link down v1 for 300ms >/dev/null 2>&1
	wait $job
	kill -INT $recorder
	wait $recorder
	survives "link down with record and watch"
}

two_in_a_row_ok()
{
	start_job write 18
	rdmafault link down v1 for 200ms >/dev/null
	rdmafault link down v2 for 200ms >/dev/null
	survives "link down of v1, then of v2"
}

# A packet that has passed the rules when a link goes down must not meet a netdev that is set down:
# one of about twenty times, one is on its way.
many_ok()
{
	local i

	messages[write]=1000000
	start_job write 14
	for ((i = 0; i < 60; i++)); do
		rdmafault link down v1 for $((i % 7 + 1))ms >/dev/null
	done
	unseen "down 60 times"
	ok "down 60 times: the job still runs" kill -0 $job
	kill $job
	wait $job 2>/dev/null
	messages[write]=2000
}

job_has_ended()
{
	! kill -0 $job
}

# rxe itself: since 6.10, a packet that cannot be sent ends its queue pair. rxe1 sends one after 1.07
# s at the latest.
control_ok()
{
	local status

	start_job write 18
	ip link set p1 down
	wait_until 3 job_has_ended
	ip link set p1 up
	wait $job
	status=$(sed 's/.*status=//' "$tmp/job")
	if [ "$(printf '6.10\n%s\n' "$(uname -r)" | sort -V | head -1)" = 6.10 ]; then
		ok "control: without link down, rxe ends the queue pair" [ "$status" != 0 ]
	else
		is "control: without link down, rxe keeps the queue pair" "$status" 0
	fi
	ok "control: the link is up" wait_until "$soon" is_up
}

refusals_ok()
{
	refused_all "link down v1" <<-'END'
		for 0s|for 0s: invalid; 1ms to 86400s
		for 999us|for 999us: invalid; 1ms to 86400s
		for 86401s|for 86401s: invalid; 1ms to 86400s
		for 300|for 300: unit missing; 
		for|for: value missing; 
		for 1s for 2s|for: given twice$
		300ms|unknown word "300ms"; 
		for 1ms persist|unknown word "persist"; 
	END
	refused "link down without a time is refused" "^rdmafault: link down: time missing; for TIME" \
		rdmafault link down v1
	refused "link down without a port is refused" "^rdmafault: link down: DEV missing" \
		rdmafault link down
	refused "link down of a netdev that does not exist is refused" "^rdmafault: port v9: no such" \
		rdmafault link down v9 for 1ms
	refused "link down of a netdev that is no veth is refused" \
		'^rdmafault: rfbr0: cannot lose its carrier, .*"blackhole rfbr0 tx TIME both' \
		rdmafault link down rfbr0 for 1ms
	refused "link down without privilege is refused" "^rdmafault: v1: .*CAP_NET_ADMIN" \
		setpriv --reuid 65534 --clear-groups rdmafault link down v1 for 1ms
	ip link add a1 type veth peer name a2
	defer ip link del a1
	refused "link down of a link that is not set up is refused" \
		'^rdmafault: a1: the link to a2 is down already; ' rdmafault link down a1 for 1ms
	ip link set a1 up
	ip link set a2 up
	rdma link add rxa1 type rxe netdev a1
	rdma link add rxa2 type rxe netdev a2
	refused "link down of a link between two RDMA devices is refused" \
		'^rdmafault: a1: cannot lose its carrier, because both ends .* rxa1 and rxa2;' \
		rdmafault link down a1 for 1ms
	rdma link del rxa1
	rdma link del rxa2
	like_before "after refused commands"
}

# Another namespace can have a netdev of the same name, without an RDMA device.
namespace_ok()
{
	defer ip netns del other
	ip netns add other
	ip -n other link add v1 type veth peer name q1
	ip -n other link set v1 up
	ip -n other link set q1 up
	forget_events
	is "link down in another namespace takes the link there down" "$(
		ip netns exec other rdmafault --json link down v1 for 1ms | jq -r '"\(.netdev) \(.peer)"')" "v1 q1"
	is "link down in another namespace: rxe1 sees no event" "$(events)" ""
	ip link add a3 type veth peer name a4 netns other
	refused "link down of a link between two namespaces is refused" \
		'^rdmafault: a3: cannot lose its carrier, .* in this network namespace;' \
		rdmafault link down a3 for 1ms
}

operations_ok
states_ok
killed_ok
queue_ok
paused_ok
lossless_ok
observers_ok
two_in_a_row_ok
many_ok
namespace_ok
refusals_ok
control_ok
