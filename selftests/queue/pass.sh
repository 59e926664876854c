#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a port whose packets never wait: a veth without a link and without a pause. Its packets
# don't pass the qdisc, but limits and ECN profiles apply to them, and they are counted by
# priority. After a pause they pass the qdisc, with the same results. Packets to QP 16 + p have
# priority p.
#
#   sendroce - t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"
. "$selftests/lib/rdma.sh"

count=20

# to PRIO [PSN]: send packets of priority PRIO
to()
{
	sendroce t1 qp $((16 + $1)) dscp $(($1 * 8)) ecn 2 count $count psn "${2:-0}" payload 900
}

# counters PRIO: prints the packets sent and dropped
counters()
{
	echo "$(prio_stat t1 "$1" packets) $(prio_stat t1 "$1" full)"
}

# marked PRIO: prints the packets marked
marked()
{
	prio_stat t1 "$1" marked
}

# tc_sent: prints the packets that the qdisc of t1 has sent
tc_sent()
{
	tc -s -j qdisc show dev t1 root | jq '.[0].packets'
}

counted()
{
	[ "$(counters "$1")" = "$2" ]
}

# all_ok WORDS PSN FACTOR: send packets of the priorities 2 to 5, the first with PSN, and compare
# the counters with FACTOR times those of the first packets
all_ok()
{
	local prio all="$((count * $3)) 0" before

	before=("$(marked 3)" "$(marked 5)")
	for prio in 2 3 4 5; do
		ok "$1: the sender sees no error in priority $prio" to $prio "$2"
	done
	is "$1: packets of a priority without an ECN profile are counted" "$(counters 2)" "$all"
	is "$1: packets of a priority with an ECN profile are counted" "$(counters 3)" "$all"
	is "$1: packets larger than the limit are dropped" "$(counters 4)" "0 $((count * $3))"
	ok "$1: delayed packets are counted" wait_until "$soon" counted 5 "$all"
	ok "$1: the ECN profiles mark packets" \
		[ "$(marked 3)" -gt "${before[0]}" -a "$(marked 5)" -gt "${before[1]}" ]
	is "$1: without an ECN profile, no packet is marked" "$(marked 2)" 0
}

queue_ports t1 t2
rdmafault prio set t1 prio-limit 4:500
# The queues are empty, so the profiles need phantom queues.
rdmafault ecn set t1 prio 3 kmin 1 kmax 2 pmax 100% phantom 1mbit
rdmafault ecn set t1 prio 5 kmin 1 kmax 2 pmax 100% phantom 1mbit
rdmafault -q rule add t1 tx qp 21 delay 1ms
all_ok "without a pause" 0 1
is "without a pause: no packet passes the qdisc" "$(tc_sent)" 0
rdmafault -q pause t1 prio 7 storm for 1ms persist
all_ok "after a pause" $count 2
is "after a pause: the packets that are not dropped pass the qdisc" "$(tc_sent)" $((3 * count))
is "the other port receives all packets that are not dropped" "$(port_stat t2 rx packets)" \
	$((6 * count))

# The egress hook of t2 applies its limits, until packets pass the qdisc.
tracing=/sys/kernel/tracing

# hooked: does a packet that t2 sends pass an egress hook of rdmafault?
hooked()
{
	local calls

	sendroce t2 qp 18 count 1 payload 900
	calls=$(grep -c hook_egress "$tracing/trace")
	echo >"$tracing/trace"
	[ "$calls" -gt 0 ]
}

unhooked()
{
	! hooked
}

rdmafault -q rule flush t1
rdmafault prio set t2 prio-limit 4:500
if echo hook_egress >"$tracing/set_ftrace_filter" && echo function >"$tracing/current_tracer"; then
	ok "without a pause: the egress hook applies limits" hooked
	rdmafault -q pause t2 prio 7 storm for 1ms persist
	ok "after a pause: the egress hook is not registered any more" wait_until "$soon" unhooked
	echo nop >"$tracing/current_tracer"
	echo >"$tracing/set_ftrace_filter"
else
	skip "the egress hook is registered as long as it is needed" "no function tracer"
fi
