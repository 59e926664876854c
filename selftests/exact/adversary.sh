#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the highest cost of a frame. The frames are crafted to cause the most work for the
# module (throwframes.c lists the kinds). The mean cost of a frame of each kind must stay
# within a bound, compared with a plain packet of one tracked flow. Also test that
# packets whose delay ends at the same time leave the delay queue in portions, with other
# work in between. In virtual time a nanosecond is an instruction.
#
#   throwframes - t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

virtual_only

FRAMES=3000

# A crafted packet may cost more instructions than a plain packet of a tracked flow.
# FLOW_BOUND is the limit of this difference, for tracking the packet's flow in both
# directions. MODEL_BOUND is added for each rule with a loss model.
FLOW_BOUND=100000
MODEL_BOUND=50000

# throw_ns KIND COUNT: send frames; prints the nanoseconds that this takes
throw_ns()
{
	local from

	from=$(date +%s%N)
	throwframes 1 "$2" "t1:$1" >/dev/null || return
	echo $(($(date +%s%N) - from))
}

# cost_of KIND: prints the instructions per frame, without those that start the program
cost_of()
{
	local few many

	few=$(throw_ns "$1" 32)
	many=$(throw_ns "$1" $((32 + FRAMES)))
	echo $(((many - few) / FRAMES))
}

# kinds_ok TITLE BOUND: run the test TITLE: a packet of each kind must cost at most
# BOUND instructions more than a plain packet
kinds_ok()
{
	local kind cost

	for kind in plain leaps blocks wraps backs flows buckets returns answers \
		collisions reads; do
		cost=$(cost_of $kind)
		ok "$1: a frame of kind $kind costs at most $((plain + $2)) instructions ($cost)" \
			[ "$cost" -le $((plain + $2)) ]
	done
}

flows_ok()
{
	rule t1 tx all observe >/dev/null
	rule t2 rx all observe >/dev/null
	plain=$(cost_of plain)
	is "control: no packet is untracked" "$(port_stat t1 tx flows_lost)" 0
	ok "control: a plain packet costs more than 0 instructions ($plain)" [ "$plain" -gt 0 ]
	throwframes 1 5000 t1:flows >/dev/null
	ok "control: 5000 flows fill the table of flows" \
		[ "$(port_stat t1 tx flows_lost)" -gt 0 ]
	kinds_ok "full table of flows" $FLOW_BOUND
	rdmafault rule flush t2
}

models_ok()
{
	rule t1 tx all gemodel 1% 30% once flow observe >/dev/null
	kinds_ok "a rule with a loss model" $((FLOW_BOUND + MODEL_BOUND))
	rule t1 tx all state 1% 30% 10% 20% once qp observe >/dev/null
	rule t1 tx all probability 1% burst 3 burst-max 8 observe >/dev/null
	kinds_ok "three rules with loss models" $((FLOW_BOUND + 3 * MODEL_BOUND))
	rdmafault rule flush t1
}

waiting_ok()
{
	local cost

	rule t1 tx all reorder 1000 within 5s >/dev/null
	throwframes 1 5000 t1:flows >/dev/null
	ok "at least 4096 packets wait for later packets of their flows" \
		[ "$(port_stat t1 tx held)" -ge 4096 ]
	cost=$(cost_of plain)
	ok "with 4096 waiting packets a plain packet costs at most $((plain + FLOW_BOUND)) instructions ($cost)" \
		[ "$cost" -le $((plain + FLOW_BOUND)) ]
	rdmafault reset t1
}

# most_at_once: prints the largest number of packets released in one softirq
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
	is "256 packets wait for one later packet" "$(port_stat t2 rx held)" 256
	echo 1 >$traced/events/irq/softirq_entry/enable
	echo 1 >$traced/events/rdmafault/rf_release/enable
	sendroce t1 qp 0x20 psn 256
	ok "the waiting packets are released after the later packet" wait_until "$soon" all_left
	echo 0 >$traced/tracing_on
	is "each of 256 waiting packets is released once" \
		"$(grep -c 'rf_release: t2 rx' $traced/trace)" 256
	most=$(most_at_once)
	ok "at most 64 packets are released in one softirq ($most)" \
		[ "$most" -gt 0 -a "$most" -le 64 ]
}

veth_pair t1 t2
veth_port t1 t2
flows_ok
models_ok
waiting_ok
portions_ok
