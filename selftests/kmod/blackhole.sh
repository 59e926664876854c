#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A link that is gone for a while: all RoCEv2 vanishes, in one direction or in
# both, and nothing else does. The sender retries until it is back.
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

# try_rule WORDS PORT DIRECTION RULE...
try_rule()
{
	local words=$1

	shift
	remember
	rule "$@" >/dev/null
	is "$words: all messages arrive in the end" \
		"$(probe 1 2 write 8 4096)" "$good"
	ok "$words: the sender had to try again" \
		[ "$(moved rxe1 completer_retry_err)" -ge 1 ]
	ok "$words: more than the one packet vanished" \
		[ "$(port_stat "$1" "$2" blackholed)" -gt 1 ]
	unseen "$words"
	rdmafault rule flush "$1"
}

link_comes_back_ok()
{
	try_rule "leaving" v1 tx class write psn +9 count 1 blackhole 400ms
	try_rule "arriving" v2 rx class write psn +9 count 1 blackhole 400ms
}

# The ACKs are swallowed too, by a direction that has no rules.
both_directions_ok()
{
	local before

	before=$(port_stat v1 rx blackholed)
	remember
	rule v1 tx class write psn +100 count 1 blackhole 400ms both >/dev/null
	# Acknowledges that are late are under way when the link goes.
	rule v2 tx class ack delay 200ms >/dev/null
	ok "both: the traffic runs" \
		write_bw 2 1 -n 40 -s 65536 -u 17 -Q 1 -F
	unseen "both"
	ok "both: ACKs vanished too" \
		[ $(($(port_stat v1 rx blackholed) - before)) -gt 0 ]
	rdmafault rule flush v1
	rdmafault rule flush v2
}

passed()
{
	[ "$(cat /sys/class/net/t2/statistics/rx_packets)" -ge "$1" ]
}

# What is not RoCEv2 passes; reset ends it before its time.
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
	ok "another protocol passes" wait_until "$soon" passed $((before + 1))
	is "and nothing else" \
		$(($(cat /sys/class/net/t2/statistics/rx_packets) - before)) 1
	rdmafault reset
	rule t1 tx qp 7 observe >/dev/null
	roce4 7 8 102 | sendframe t1
	ok "reset ends it" wait_until "$soon" passed $((before + 2))
}

# swallowed DIRECTION NETDEV: how many of one more packet, 0 or 1; nothing if it
# doesn't come
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

# A short one of both directions doesn't end the long one of the other.
longer_one_ok()
{
	rdmafault reset
	rule t1 tx qp 7 blackhole 20s >/dev/null
	rule t1 rx qp 7 blackhole 300ms both >/dev/null
	roce4 7 7 100 | sendframe t1
	ok "a long one of one direction" swallows tx t1
	roce4 7 7 200 | sendframe t2
	ok "then a short one of both, which ends" wait_until "$soon" is_open
	ok "and the long one goes on" swallows tx t1
	rdmafault reset
}

nonsense_fails()
{
	refused "a blackhole for how long?" "blackhole" \
		rdmafault rule add v1 tx qp 5 blackhole
	refused "of no time" "delay" \
		rdmafault rule add v1 tx qp 5 blackhole 0s
}

control_ok
link_comes_back_ok
both_directions_ok
others_and_reset_ok
longer_one_ok
nonsense_fails
