#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the action "delay" is as accurate as netem. Packets are sent through both in
# turn, in the same boot. The test runs in virtual time, where an instruction takes a
# nanosecond and load on the host changes nothing.
#
#   delayprobe - t1 (port) ======= t2 - delayprobe
#   delayprobe - n1 (netem) ====== n2 - delayprobe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"

virtual_only

# A packet is sent over t1 and over n1 every GAP us. No delay below is a multiple of the
# gap, so that no packet is released while another is sent.
PACKETS=1000 GAP=1310 SLACK=2000

veth_pair t1 t2
veth_pair n1 n2
defer tc qdisc del dev t1 root
tc qdisc add dev t1 root rdmafault

# value KEY: prints the number after "KEY=" in the line on standard input
value()
{
	sed "s/.*\<$1=\([0-9]*\).*/\1/"
}

# exact MS KEY: test that with a delay of MS ms the error of the action "delay" is at
# most that of netem plus SLACK ns. The error is the time by which a packet is delayed
# too long. KEY is p50 for its median, or p99 for its 99th percentile.
exact()
{
	local ours netems

	ours=$(($(grep ^t1 <<<"$out" | value "$2") - $1 * 1000000))
	netems=$(($(grep ^n1 <<<"$out" | value "$2") - $1 * 1000000))
	ok "delay $1 ms: $2 of the error ($ours ns) is at most netem's ($netems ns) + $SLACK ns" \
		[ "$ours" -ge 0 -a "$ours" -le $((netems + SLACK)) ]
}

as_exact_as_netem_ok()
{
	local ms=$1 out

	rdmafault rule add t1 tx qp 0x20 delay "${ms}ms" >/dev/null
	tc qdisc replace dev n1 root netem delay "${ms}ms"
	out=$(delayprobe $PACKETS $GAP t1 t2 n1 n2)
	exact "$ms" p50
	exact "$ms" p99
	is "delay $ms ms: all packets arrive in order" \
		"$(grep ^t1 <<<"$out" | cut -d' ' -f2,3)" \
		"arrived=$PACKETS late=0"
	rdmafault rule flush t1
}

as_exact_as_netem_ok 1
as_exact_as_netem_ok 10
as_exact_as_netem_ok 100
