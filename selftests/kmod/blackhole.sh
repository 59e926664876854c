#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the action "blackhole". For some time, the port must drop all RoCEv2 packets
# in one direction or in both, and no other packets. The sender must retry until the
# blackhole ends.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
#   sendframe - t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

fabric 2
ports v1 v2

good="done=8 wrong=0 status=0"

control_ok()
{
	remember
	rule v1 tx class write psn +9 observe >/dev/null
	is "control: all messages arrive" "$(probe 1 2 write 8 4096)" "$good"
	is "control: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err)" 0
	rdmafault rule flush v1
}

# try_rule TITLE PORT DIRECTION RULE...: run the test TITLE: add RULE and send messages;
# all messages must arrive after the blackhole
try_rule()
{
	local words=$1

	shift
	remember
	rule "$@" >/dev/null
	is "$words: all messages arrive after the blackhole" \
		"$(probe 1 2 write 8 4096)" "$good"
	ok "$words: the sender retries" \
		[ "$(moved rxe1 completer_retry_err)" -ge 1 ]
	ok "$words: more than one packet is blackholed" \
		[ "$(port_stat "$1" "$2" blackholed)" -gt 1 ]
	unseen "$words"
	rdmafault rule flush "$1"
}

link_comes_back_ok()
{
	try_rule "blackhole at tx" v1 tx class write psn +9 count 1 blackhole 400ms
	try_rule "blackhole at rx" v2 rx class write psn +9 count 1 blackhole 400ms
}

# With "both", ACKs are dropped too, in a direction that has no rules.
both_directions_ok()
{
	local before

	before=$(port_stat v1 rx blackholed)
	remember
	rule v1 tx class write psn +100 count 1 blackhole 400ms both >/dev/null
	# Delayed ACKs are still on their way when the blackhole begins.
	rule v2 tx class ack delay 200ms >/dev/null
	ok "blackhole both: perftest succeeds" \
		write_bw 2 1 -n 40 -s 65536 -u 17 -Q 1
	unseen "blackhole both"
	ok "blackhole both: ACKs are blackholed too" \
		[ $(($(port_stat v1 rx blackholed) - before)) -gt 0 ]
	rdmafault rule flush v1
	rdmafault rule flush v2
}

passed()
{
	[ "$(cat /sys/class/net/t2/statistics/rx_packets)" -ge "$1" ]
}

# Packets that are not RoCEv2 must pass, and reset must end a blackhole early.
others_and_reset_ok()
{
	local before

	veth_pair t1 t2
	veth_port t1
	rule t1 tx qp 7 blackhole 10s >/dev/null
	before=$(cat /sys/class/net/t2/statistics/rx_packets)
	{
		roce4 7 7 100
		roce4 7 8 100
		# the discard port
		roce4 7 8 101 | sed 's/12b7/0009/'
	} | sendframe t1
	ok "a packet of another protocol passes a blackhole" \
		wait_until "$soon" passed $((before + 1))
	is "no RoCEv2 packet passes a blackhole" \
		$(($(cat /sys/class/net/t2/statistics/rx_packets) - before)) 1
	rdmafault reset
	rule t1 tx qp 7 observe >/dev/null
	roce4 7 8 102 | sendframe t1
	ok "reset ends a blackhole" wait_until "$soon" passed $((before + 2))
}

# swallowed DIRECTION NETDEV: send one packet from NETDEV; prints 1 if the blackhole of
# t1 in this direction drops the packet, 0 if the packet passes, and nothing if it does
# not reach t1
swallowed()
{
	local roce before after

	roce=$(port_stat t1 "$1" roce)
	before=$(port_stat t1 "$1" blackholed)
	roce4 7 9 300 | sendframe "$2"
	wait_until "$soon" came "$1" $((roce + 1)) || return
	after=$(port_stat t1 "$1" blackholed)
	[ -z "$before" ] || [ -z "$after" ] || echo $((after - before))
}

came()
{
	[ "$(port_stat t1 "$1" roce)" -ge "$2" ]
}

swallows()
{
	[ "$(swallowed "$@")" = 1 ]
}

is_open()
{
	[ "$(swallowed rx t2)" = 0 ]
}

# A short blackhole of both directions must not end a longer one of one direction.
longer_one_ok()
{
	rdmafault reset
	rule t1 tx qp 7 blackhole 20s >/dev/null
	rule t1 rx qp 7 blackhole 300ms both >/dev/null
	roce4 7 7 100 | sendframe t1
	ok "a long blackhole of tx drops packets" swallows tx t1
	roce4 7 7 200 | sendframe t2
	ok "a shorter blackhole of both directions ends at rx" wait_until "$soon" is_open
	ok "the long blackhole of tx continues after the shorter one" swallows tx t1
	rdmafault reset
}

nonsense_fails()
{
	refused "a blackhole without a time is refused" "blackhole" \
		rdmafault rule add v1 tx qp 5 blackhole
	refused "a blackhole of 0 s is refused" "delay" \
		rdmafault rule add v1 tx qp 5 blackhole 0s
}

control_ok
link_comes_back_ok
both_directions_ok
others_and_reset_ok
longer_one_ok
nonsense_fails
