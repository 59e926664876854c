#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What one frame costs at most. An adversary computes frames that each make the
# module do the most work (throwframes.c lists the kinds). In virtual time, where a
# nanosecond is an instruction, the mean cost of each kind stays within a bound; a
# plain packet of one tracked flow is the control. And packets that leave the delay
# queue at one time leave in portions: other work has its turn in between.
#
#   throwframes - t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

virtual_only

FRAMES=3000

# Instructions that a packet costs beyond a plain one of a tracked flow, at most:
# for its flow, in both directions, and for each rule with a loss model
FLOW_BOUND=100000
MODEL_BOUND=50000

# throw_ns KIND COUNT: how long that takes
throw_ns()
{
	local from

	from=$(date +%s%N)
	throwframes 1 "$2" "t1:$1" >/dev/null || return
	echo $(($(date +%s%N) - from))
}

# cost_of KIND: instructions for a frame, without those that start the program
cost_of()
{
	local few many

	few=$(throw_ns "$1" 32)
	many=$(throw_ns "$1" $((32 + FRAMES)))
	echo $(((many - few) / FRAMES))
}

# kinds_ok WORDS BOUND: beyond the plain one's cost
kinds_ok()
{
	local kind cost

	for kind in plain leaps blocks wraps backs flows buckets returns answers \
		collisions reads; do
		cost=$(cost_of $kind)
		ok "$1, $kind: $cost instructions" [ "$cost" -le $((plain + $2)) ]
	done
}

flows_ok()
{
	rule t1 tx all observe >/dev/null
	rule t2 rx all observe >/dev/null
	plain=$(cost_of plain)
	is "control: no packet is untracked" "$(port_stat t1 tx flows_lost)" 0
	ok "control: a plain packet costs $plain instructions" [ "$plain" -gt 0 ]
	throwframes 1 5000 t1:flows >/dev/null
	ok "as many flows as there is room for" \
		[ "$(port_stat t1 tx flows_lost)" -gt 0 ]
	kinds_ok "flows" $FLOW_BOUND
	rdmafault rule flush t2
}

models_ok()
{
	rule t1 tx all gemodel 1% 30% once flow observe >/dev/null
	kinds_ok "a model" $((FLOW_BOUND + MODEL_BOUND))
	rule t1 tx all state 1% 30% 10% 20% once qp observe >/dev/null
	rule t1 tx all probability 1% burst 3 burst-max 8 observe >/dev/null
	kinds_ok "three models" $((FLOW_BOUND + 3 * MODEL_BOUND))
	rdmafault rule flush t1
}

waiting_ok()
{
	local cost

	rule t1 tx all reorder 1000 within 5s >/dev/null
	throwframes 1 5000 t1:flows >/dev/null
	ok "4096 packets of as many flows wait" [ "$(port_stat t1 tx held)" -ge 4096 ]
	cost=$(cost_of plain)
	ok "waiting packets: $cost instructions for a plain one" \
		[ "$cost" -le $((plain + FLOW_BOUND)) ]
	rdmafault reset t1
}

# The most packets that left in one softirq
most_at_once()
{
	awk '/softirq_entry:/ { n = 0 } /rf_release: t2 rx/ { if (++n > most) most = n }
		END { print most + 0 }' "$traced/trace"
}

all_left()
{
	[ "$(port_stat t2 rx held)" = 0 ]
}

portions_ok()
{
	local most

	traced=/sys/kernel/tracing/instances/adversary
	defer rmdir $traced
	mkdir $traced
	rule t2 rx qp 0x20 psn 0-255 reorder behind psn 256 within 5s >/dev/null
	sendroce t1 qp 0x20 count 256
	is "256 packets wait for one" "$(port_stat t2 rx held)" 256
	echo 1 >$traced/events/irq/softirq_entry/enable
	echo 1 >$traced/events/rdmafault/rf_release/enable
	sendroce t1 qp 0x20 psn 256
	ok "they leave behind it" wait_until "$soon" all_left
	echo 0 >$traced/tracing_on
	is "each of them" "$(grep -c 'rf_release: t2 rx' $traced/trace)" 256
	most=$(most_at_once)
	ok "in portions of at most 64: $most" [ "$most" -gt 0 -a "$most" -le 64 ]
}

veth_pair t1 t2
veth_port t1 t2
flows_ok
models_ok
waiting_ok
portions_ok
