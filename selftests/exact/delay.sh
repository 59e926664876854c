#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How exact delays are, beside netem's in the same boot, packet by packet in
# turn. To be run in virtual time, where an instruction is a nanosecond and a busy
# host adds nothing.
#
#   delayprobe - t1 (port) ======= t2 - delayprobe
#   delayprobe - n1 (netem) ====== n2 - delayprobe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"

virtual_only

# PACKETS go out every GAP us over each of the two; the gap is no part of any
# delay below, so that none is let go while the next is sent.
PACKETS=1000 GAP=1310

veth_pair t1 t2
veth_pair n1 n2
defer tc qdisc del dev t1 root
tc qdisc add dev t1 root rdmafault

# value KEY: of the line on standard input
value()
{
	sed "s/.*\<$1=\([0-9]*\).*/\1/"
}

# exact MS KEY PERCENT: ours may be so many percent of netem's
exact()
{
	local ours netems

	ours=$(($(grep ^t1 <<<"$out" | value "$2") - $1 * 1000000))
	netems=$(($(grep ^n1 <<<"$out" | value "$2") - $1 * 1000000))
	ok "$1 ms: $2 of the error: $ours ns, netem's $netems ns" \
		[ "$ours" -ge 0 -a "$ours" -le $((netems * $3 / 100)) ]
}

# The error is what a packet is under way beyond its delay. Half of the packets
# meet nothing on their way, and are the same; who of the two meets a clock tick,
# of which the longest tell, is an accident.
as_exact_as_netem_ok()
{
	local ms=$1 out

	rdmafault rule add t1 tx qp 0x20 delay "${ms}ms" >/dev/null
	tc qdisc replace dev n1 root netem delay "${ms}ms"
	out=$(delayprobe $PACKETS $GAP t1 t2 n1 n2)
	exact "$ms" p50 102
	exact "$ms" p99 150
	is "$ms ms: all arrive, in order" \
		"$(grep ^t1 <<<"$out" | cut -d' ' -f2,3)" \
		"arrived=$PACKETS late=0"
	rdmafault rule flush t1
}

as_exact_as_netem_ok 1
as_exact_as_netem_ok 10
as_exact_as_netem_ok 100
