#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Delays: a constant one reorders nothing, nor does a jitter that keeps the order;
# and what can't be asked for. How exact they are is measured in virtual time, by
# exact/delay.sh.
#
#   delayprobe - t1 (port) ======= t2 (port) - delayprobe
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/veth.sh"

veth_pair t1 t2
veth_port t1 t2

# value KEY: of the line on standard input
value()
{
	sed "s/.*\<$1=\([0-9]*\).*/\1/"
}

# delayed WORDS LATE PORT DIRECTION RULE...
delayed()
{
	local words=$1 test=$2 out

	shift 2
	rule "$@" >/dev/null
	out=$(delayprobe 300 500 t1 t2)
	is "$words: all arrive" "$(value arrived <<<"$out")" 300
	ok "$words: late ones, $(value late <<<"$out"), are ${test}" \
		test "$(value late <<<"$out")" "${test% *}" 0
	ok "$words: it was held" [ "$(value p50 <<<"$out")" -gt 3000000 ]
	rdmafault rule flush "$1"
}

order_ok()
{
	delayed "constant, arriving" "-eq 0" t2 rx qp 0x20 delay 5ms
	delayed "jitter" "-gt 0" t1 tx qp 0x20 delay 10ms jitter 5ms
	delayed "jitter, order kept" "-eq 0" \
		t1 tx qp 0x20 delay 10ms jitter 5ms keep-order
	delayed "normal jitter, order kept, arriving" "-eq 0" t2 rx qp 0x20 \
		delay 10ms jitter 2ms distribution normal keep-order
	delayed "pareto jitter, correlated" "-gt 0" t1 tx qp 0x20 \
		delay 10ms jitter 2ms correlation 25% distribution pareto
}

# In one run the seed gives each packet its delay; so it does in the next.
jitter_repeats_ok()
{
	local first

	first=$(hold_times)
	ok "60 packets were held" [ "$(wc -w <<<"$first")" = 60 ]
	is "jitter: the same in the next run" "$(hold_times)" "$first"
}

hold_times()
{
	local trace=/sys/kernel/tracing/instances/rf-delay

	mkdir $trace
	echo 1 >$trace/events/rdmafault/rf_hold/enable
	rule t1 tx qp 0x20 seed 5 delay 10ms jitter 5ms >/dev/null
	delayprobe 60 200 t1 t2 >/dev/null
	sed -n 's/.* ns=\([0-9]*\) .*/\1/p' $trace/trace | tr '\n' ' '
	rdmafault rule flush t1
	rmdir $trace
}

# Nobody goes back for a packet that is only late.
traffic_ok()
{
	fabric 2
	ports v1 v2
	remember
	rule v1 tx class write delay 3ms >/dev/null
	rule v2 rx class write delay 2ms >/dev/null
	rule v1 rx class ack delay 1ms >/dev/null
	is "traffic, delayed three times: all messages arrive" \
		"$(probe 1 2 write 8 16384)" "done=8 wrong=0 status=0"
	is "traffic: no hole, nothing retransmitted" \
		"$(moved rxe2 out_of_seq_request) $(moved rxe1 completer_retry_err)" \
		"0 0"
	unseen "traffic"
}

nonsense_fails()
{
	refused "longer than the max-hold" "max-hold" \
		rdmafault rule add t1 tx qp 5 delay 6s
	refused "longer with its jitter" "max-hold" \
		rdmafault rule add t1 tx qp 5 delay 3s jitter 3s
	refused "two actions longer together" "max-hold" \
		rdmafault rule add t1 tx qp 5 delay 3s reorder 1 within 3s
	refused "a distribution of no jitter" "jitter" \
		rdmafault rule add t1 tx qp 5 delay 1ms distribution normal
	is "nothing of it is there" "$(rdmafault --json rule show t1 | jq length)" 0
}

order_ok
jitter_repeats_ok
nonsense_fails
traffic_ok
