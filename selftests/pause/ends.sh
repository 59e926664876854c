#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the end of a pause, with and without queued packets: after the pause, packets bypass the
# qdisc again. The next pause holds packets, even if packets were dropped during the previous
# pause.
#
#   sendroce - t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

trace=/sys/kernel/tracing/instances/rf-ends

# stands KEY NUMBER: succeeds if the counter KEY of priority 0 of t1 is NUMBER
stands()
{
	[ "$(prio_stat t1 0 "$1")" = "$2" ]
}

has_got()
{
	[ "$(port_stat t2 rx packets)" = "$1" ]
}

# enqueued N: send N packets; prints how many of them pass through the qdisc of t1
enqueued()
{
	local got

	got=$(port_stat t2 rx packets)
	echo >"$trace/trace"
	sendroce t1 count "$1"
	wait_until "$soon" has_got $((got + $1)) || echo "not all packets arrived"
	grep -c "ifindex=$(cat /sys/class/net/t1/ifindex) " "$trace/trace"
}

pause()
{
	rdmafault pause t1 prio "$1" storm forever persist
}

past_the_qdisc_again_ok()
{
	local id

	sendroce t1 count 2
	is "without a rule and a pause, packets bypass the qdisc" "$(enqueued 50)" 0
	id=$(rdmafault --json rule add t1 tx all observe | jq -r .id)
	is "with a rule, packets bypass the qdisc" "$(enqueued 50)" 0
	rdmafault rule del t1 "$id"
	pause 3
	is "while another priority is paused, packets pass through the qdisc" "$(enqueued 50)" 50
	rdmafault pause t1 prio 3 stop
	sendroce t1 count 2
	is "after a pause that ended without queued packets, packets bypass the qdisc" "$(enqueued 50)" 0
}

next_pause_holds_ok()
{
	local got

	got=$(port_stat t2 rx packets)
	pause 0
	sendroce t1 count 5
	ok "packets paused longer than the max-hold are dropped" \
		wait_until "$soon" stands expired 5
	rdmafault pause t1 prio 0 stop
	sendroce t1 count 3
	ok "packets sent after the pause leave" wait_until "$soon" has_got $((got + 3))
	rdmafault port set t1 max-hold 20s
	pause 0
	sendroce t1 count 5
	is "packets sent in the next pause are held" "$(prio_stat t1 0 backlog) $(prio_stat t1 0 expired)" "5 5"
	rdmafault pause t1 prio 0 stop
	ok "packets held in the next pause leave at its end" wait_until "$soon" has_got $((got + 8))
}

veth_pair t1 t2
veth_port t1 t2
rdmafault port set t1 max-hold 1s
defer rmdir "$trace"
mkdir "$trace"
echo 1 >"$trace/events/qdisc/qdisc_enqueue/enable"
past_the_qdisc_again_ok
next_pause_holds_ok
