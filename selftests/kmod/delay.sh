#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the action "delay". A constant delay, and a jitter with keep-order, must
# preserve the order of packets. Invalid delays must be refused. exact/delay.sh
# measures the accuracy in virtual time.
#
#   delayprobe - t1 (port) ======= t2 (port) - delayprobe
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/veth.sh"

veth_pair t1 t2
veth_port t1 t2

# value KEY: prints the number after "KEY=" in the line on standard input
value()
{
	sed "s/.*\<$1=\([0-9]*\).*/\1/"
}

# delayed TITLE LATE PORT DIRECTION RULE...: run the test TITLE: add RULE and send
# packets. LATE is the condition that the number of reordered packets must meet, as
# arguments of test(1): "-eq 0" or "-gt 0".
delayed()
{
	local words=$1 test=$2 out

	shift 2
	rule "$@" >/dev/null
	out=$(delayprobe 300 500 t1 t2)
	is "$words: all 300 packets arrive" "$(value arrived <<<"$out")" 300
	ok "$words: the number of reordered packets, $(value late <<<"$out"), is ${test}" \
		test "$(value late <<<"$out")" "${test% *}" 0
	ok "$words: the median delay is more than 3 ms" [ "$(value p50 <<<"$out")" -gt 3000000 ]
	rdmafault rule flush "$1"
}

order_ok()
{
	delayed "constant delay at rx" "-eq 0" t2 rx qp 0x20 delay 5ms
	delayed "jitter" "-gt 0" t1 tx qp 0x20 delay 10ms jitter 5ms
	delayed "jitter with keep-order" "-eq 0" \
		t1 tx qp 0x20 delay 10ms jitter 5ms keep-order
	delayed "normal jitter with keep-order at rx" "-eq 0" t2 rx qp 0x20 \
		delay 10ms jitter 2ms distribution normal keep-order
	delayed "correlated pareto jitter" "-gt 0" t1 tx qp 0x20 \
		delay 10ms jitter 2ms correlation 25% distribution pareto
}

# The delay of each packet depends on the seed alone, so two runs have the same delays.
jitter_repeats_ok()
{
	local first

	first=$(hold_times)
	ok "the trace has the delays of 60 packets" [ "$(wc -w <<<"$first")" = 60 ]
	is "jitter: a second run has the same delays" "$(hold_times)" "$first"
}

hold_times()
{
	local trace=/sys/kernel/tracing/instances/rf-delay

	mkdir $trace
	echo 1 >$trace/events/rdmafault/rf_hold/enable
	rule t1 tx qp 0x20 seed 5 delay 10ms jitter 5ms >/dev/null
	delayprobe 60 200 t1 t2 >/dev/null
	sed -n 's/.* ns=\([0-9]*\) .*/\1/p' $trace/trace | tr '\n' ' '
	rdmafault -q rule flush t1
	rmdir $trace
}

# A delayed packet is not lost, so rxe must not retransmit it.
traffic_ok()
{
	fabric 2
	ports v1 v2
	remember
	rule v1 tx class write delay 3ms >/dev/null
	rule v2 rx class write delay 2ms >/dev/null
	rule v1 rx class ack delay 1ms >/dev/null
	is "requests and ACKs with three delays: all messages arrive" \
		"$(probe 1 2 write 8 16384)" "done=8 wrong=0 status=0"
	is "requests and ACKs with three delays: no sequence error, no retransmission" \
		"$(moved rxe2 out_of_seq_request) $(moved rxe1 completer_retry_err)" \
		"0 0"
	unseen "requests and ACKs with three delays"
}

nonsense_fails()
{
	refused "a delay longer than the max-hold is refused" "max-hold" \
		rdmafault rule add t1 tx qp 5 delay 6s
	refused "a delay that with its jitter exceeds the max-hold is refused" "max-hold" \
		rdmafault rule add t1 tx qp 5 delay 3s jitter 3s
	refused "two actions that together exceed the max-hold are refused" "max-hold" \
		rdmafault rule add t1 tx qp 5 delay 3s reorder 1 within 3s
	refused "a distribution without a jitter is refused" "jitter" \
		rdmafault rule add t1 tx qp 5 delay 1ms distribution normal
	is "no rule is left of the refused ones" "$(rdmafault --json rule show t1 | jq length)" 0
}

order_ok
jitter_repeats_ok
nonsense_fails
traffic_ok
