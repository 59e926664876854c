#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the reaction point and the rate limiter of DCQCN. rxe sends at the rate of its flow,
# without a loss and without a local error.
#
#   rxe1 - v1 (port, marks, obeys CNPs) - p1 - bridge - p2 - v2 (port, sends CNPs) - rxe2
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/queues.sh"

need_python

fabric 2
ports v1 v2
queue_ports t1 t2
rdmafault link set v1 rate 100mbit >/dev/null
rdmafault link set v2 rate 100mbit >/dev/null

# All data has CE, so a flow gets a CNP each 20 ms and soon has the lowest rate, 10 Mbit/s.
rule v1 tx class write,read-response mark ce unless-ect mark >/dev/null
rdmafault dcqcn set v2 np on scale 400 >/dev/null

# flow_of KEY: prints a value of the only flow of v1
flow_of()
{
	rdmafault --json dcqcn show v1 | jq -r --arg key "$1" '.[0].flows | map(.[$key]) | join(" ")'
}

# send TITLE FROM TO OPERATION: send 16 messages of 64 KiB, without a retransmission. Sets took to
# the milliseconds.
send()
{
	local from

	remember
	from=$(date +%s%N)
	is "$1: all messages arrive" "$(probe "$2" "$3" "$4" 16 65536)" "done=16 wrong=0 status=0"
	took=$((($(date +%s%N) - from) / 1000000))
	is "$1: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err) $(moved rxe2 completer_retry_err)" "0 0"
	unseen "$1"
}

control_ok()
{
	send "control, CNPs are ignored" 1 2 write
	ok "control: CNPs are sent" test "$(port_stat v2 rx cnps_sent)" -gt 0
	is "control: none is received" "$(port_stat v1 rx cnps_received)" 0
	free=$took
}

# 16 messages of 64 KiB are 8.4 Mbit. At 10 Mbit/s they take 0.84 s.
limited_ok()
{
	rdmafault stat --reset v1 >/dev/null
	rdmafault stat --reset v2 >/dev/null
	rdmafault dcqcn set v1 rp on scale 400 min-rate 4gbit >/dev/null
	send "WRITE with CNPs" 1 2 write
	ok "WRITE with CNPs: they take more than 600 ms, $took ms instead of $free ms" \
		test "$took" -gt 600
	ok "WRITE with CNPs: packets wait" test "$(port_stat v1 tx paced)" -gt 50
	is "WRITE with CNPs: none waits too long, and none is dropped" \
		"$(port_stat v1 tx pace_expired) $(port_stat v1 tx pace_dropped)" "0 0"
	is "WRITE with CNPs: each CNP is received" "$(port_stat v1 rx cnps_received)" \
		"$(port_stat v2 rx cnps_sent)"
	is "WRITE with CNPs: rxe does not see them" "$(port_stat v1 rx cnps_refused)" 0
	send "READ with CNPs, data from v1" 2 1 read
	ok "READ with CNPs: they take more than 600 ms, $took ms" test "$took" -gt 600
	ok "two flows have a rate" test "$(flow_of qp | wc -w)" = 2
}

# WRITE, READ and atomic operations share a queue pair, in both directions, and both ports limit it.
mixed_ok()
{
	rule v2 tx class write,read-response mark ce unless-ect mark >/dev/null
	rdmafault dcqcn set v1 np on >/dev/null
	rdmafault dcqcn set v2 rp on min-rate 4gbit >/dev/null
	rdmafault stat --reset v1 >/dev/null
	rdmafault stat --reset v2 >/dev/null
	remember
	is "operations of both directions on one queue pair: all are verified" \
		"$(probe 1 2 mix 8 65536)" "done=8 wrong=0 status=0"
	is "operations of both directions on one queue pair: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err) $(moved rxe2 completer_retry_err)" "0 0"
	unseen "operations of both directions on one queue pair"
	ok "packets of both directions wait" \
		test "$(port_stat v1 tx paced)" -gt 50 -a "$(port_stat v2 tx paced)" -gt 50
	is "the CNPs of both directions are received" \
		"$(port_stat v1 rx cnps_received) $(port_stat v2 rx cnps_received)" \
		"$(port_stat v2 rx cnps_sent) $(port_stat v1 rx cnps_sent)"
	rdmafault rule flush v2
	rdmafault dcqcn set v1 np off >/dev/null
	rdmafault dcqcn set v2 rp off >/dev/null
}

# timer_seen FILE: bring the flow up to date, and succeed if FILE has an event of its timer
timer_seen()
{
	rdmafault dcqcn show v1 >/dev/null
	grep -q '"timer"' "$1"
}

# All tracepoints are enabled, a rule observes all packets, and monitor prints the events.
traced_ok()
{
	local json=/tmp/dcqcn.json monitor
	local events=/sys/kernel/tracing/instances/rdmafault-monitor

	rdmafault dcqcn off v1 >/dev/null
	rdmafault dcqcn set v1 rp on >/dev/null
	rule v1 tx all observe >/dev/null
	rule v1 rx all observe >/dev/null
	defer tracepoints 0
	tracepoints 1
	rdmafault monitor --json cnp rate >"$json" &
	monitor=$!
	wait_until "$soon" grep -q 1 "$events-$monitor/events/rdmafault/rf_rule/enable"
	rdmafault stat --reset v1 >/dev/null
	rdmafault stat --reset v2 >/dev/null
	send "WRITE with CNPs and listeners" 1 2 write
	wait_until "$soon" timer_seen "$json"
	kill -INT $monitor
	wait $monitor
	is "listeners: monitor loses no event" $? 0
	tracepoints 0
	is "each CNP that is sent or received is an event" \
		"$(jq -r 'select(.type == "cnp") | "\(.port) \(.received)"' "$json" | sort | uniq -c | xargs)" \
		"$(port_stat v1 rx cnps_received) v1 true $(port_stat v2 rx cnps_sent) v2 false"
	is "all events are about the flow" \
		"$(jq -r '"\(.source) \(.destination) \(.qp)"' "$json" | sort -u)" \
		"10.77.0.1 10.77.0.2 $(flow_of qp)"
	is "each reduction of the rate is an event" \
		"$(jq -r 'select(.cause == "cut") | .port' "$json" | wc -l)" "$(flow_of cuts)"
	is "the first rate is that of the link, and each event begins with the rate of the last one" \
		"$(jq -s '[.[] | select(.type == "rate")] |
			[.[0].before] + map(.rate)[:-1] == map(.before) and .[0].before == 100000000' \
			"$json")" true
	is "the times of the changes are in order, and not after those of the events" \
		"$(jq -s '[.[] | select(.type == "rate")] |
			(map(.at_ns) | . == sort) and all(.at_ns <= .t_ns)' "$json")" true
	ok "the increase timer is the cause of other events" \
		jq -se 'any(.cause == "timer" and .rate > .before)' "$json"
	rm "$json"
	rdmafault rule flush v1
	rule v1 tx class write,read-response mark ce unless-ect mark >/dev/null
}

# full_ok TITLE NUMBER: test that the number is above 0, as it is if the queue of the bridge fills
full_ok()
{
	too_slow "$1" "fills a queue of 20 Mbit/s" || ok "$1" test "$2" -gt 0
}

# The ports of the bridge are ports, too. One has the queue that marks. Both try to obey CNPs,
# which are for v1.
row_ok()
{
	ports p1 p2
	rdmafault rule flush v1
	rdmafault link set p1 rate 100mbit >/dev/null
	rdmafault link set p2 rate 20mbit >/dev/null
	rdmafault ecn set p2 prio 0 kmin 4KiB kmax 16KiB pmax 100% not-ect mark >/dev/null
	rdmafault dcqcn set p1 rp on scale 400 min-rate 4gbit >/dev/null
	rdmafault dcqcn set p2 rp on scale 400 min-rate 4gbit >/dev/null
	rdmafault stat --reset v1 >/dev/null
	rdmafault stat --reset v2 >/dev/null
	send "ports in a row" 1 2 write
	full_ok "ports in a row: the queue of the bridge marks" "$(port_stat p2 tx marked)"
	full_ok "ports in a row: the receiver sends CNPs" "$(port_stat v2 rx cnps_sent)"
	is "ports in a row: all CNPs pass the bridge to the sender" \
		"$(port_stat v1 rx cnps_received)" "$(port_stat v2 rx cnps_sent)"
	is "ports in a row: the ports of the bridge leave them alone" \
		"$(port_stat p2 rx cnps_received) $(port_stat p2 rx cnps_refused)" "0 0"
	is "ports in a row: only the sender holds packets" \
		"$(port_stat p1 tx paced) $(port_stat p2 tx paced)" "0 0"
	full_ok "ports in a row: the sender holds packets" "$(port_stat v1 tx paced)"
	rdmafault port del p1
	rdmafault port del p2
	rule v1 tx class write,read-response mark ce unless-ect mark >/dev/null
}

# The packets that wait belong to a queue pair that is destroyed.
destroy_ok()
{
	local before after

	before=$(date +%s)
	ok "a queue pair whose packets wait is destroyed" \
		sh -c "echo | rcprobe rxe1 rxe2 leave 1 1048576 | grep -q ^destroyed="
	after=$(date +%s)
	ok "this takes less than 20 s" test $((after - before)) -lt 20
	is "no packet waits any more" "$(flow_of held | tr ' ' '\n' | sort -u)" 0
}

# The port forgets its flows while packets wait.
off_ok()
{
	remember
	probe 1 2 write 16 65536 >/tmp/dcqcn.out &
	wait_until "$soon" packets_wait
	rdmafault dcqcn off v1 >/dev/null
	wait $!
	is "dcqcn off while packets wait: all messages arrive" "$(cat /tmp/dcqcn.out)" \
		"done=16 wrong=0 status=0"
	is "dcqcn off while packets wait: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err)" 0
	unseen "dcqcn off while packets wait"
	rm /tmp/dcqcn.out
}

packets_wait()
{
	rdmafault --json dcqcn show v1 | jq -e '[.[0].flows[].held] | add > 10'
}

refusals_ok()
{
	refused_all "dcqcn set v1" <<-'EOT'
		rp|rp: value missing; on or off
		parameters qcn|parameters qcn: invalid; paper, ns3 or mlx5
		dce-tcp-g 0|dce-tcp-g 0: out of range; 1 to 1024
		time-reset 0s|time-reset 0s: invalid; 1ns to 10s, for example 55us
		rp on scale 1 parameters paper|v1: hai-rate: greater than the link rate times scale
		rp on scale 400 ai-rate 50gbit|v1: ai-rate: greater than the link rate times scale
		rp on scale 400 ai-rate 100kbit|v1: ai-rate: less than 1/100000 of the link rate
		rp on scale 400 min-rate 50gbit|v1: min-rate: greater than the link rate times scale
		rp on scale 400 max-rate 1gbit min-rate 4gbit|v1: max-rate: less than min-rate
		rate-reduce-monitor-period 4us|v1: rate-reduce-monitor-period: must be 0 with the order cut-first
		order alpha-first|v1: rate-reduce-monitor-period: must not be 0 with the order alpha-first
		rp on scale 400 min-rate 100mbit|v1: min-rate 100mbit with scale 400: 64 packets take 8\.[0-9]* s, more than max-hold, 5s; raise min-rate
	EOT
	rdmafault dcqcn set v1 rp on scale 400 min-rate 4gbit >/dev/null
	refused "the link cannot lose its rate while CNPs are obeyed" \
		"v1: rp: the link has no rate" rdmafault link set v1 rate none
	rdmafault reset v1 >/dev/null
	refused "CNPs cannot be obeyed without a link rate" \
		"v1: rp: the link has no rate" rdmafault dcqcn set v1 rp on
}

python_test "$selftests/kmod/dcqcn.py"
control_ok
limited_ok
mixed_ok
traced_ok
row_ok
destroy_ok
off_ok
refusals_ok
