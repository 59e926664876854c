#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the delay and jitter of a link. The delay must add twice its value to a round
# trip, as accurately as netem in the same boot. Jitter must add to the delay and
# preserve the order of packets. The test runs in virtual time, where an instruction
# takes a nanosecond.
#
#   delayprobe - t1 (port)  ====== t2 (port)  - delayprobe
#   delayprobe - n1 (netem) ====== n2 (netem) - delayprobe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/veth.sh"

virtual_only

# ms, us: times in nanoseconds
ms=1000000
us=1000

# value NETDEV KEY: prints the number after "KEY=" in the line of this netdev
value()
{
	sed -n "s/^$1 .*\<$2=\([0-9]*\).*/\1/p" <<<"$out"
}

# trips MICROSECONDS: measure round trips with this delay in each direction
trips()
{
	local dev

	for dev in t1 t2; do
		rdmafault link set $dev delay "${1}us"
	done
	for dev in n1 n2; do
		tc qdisc replace dev $dev root netem delay "${1}us"
	done
	out=$(delayprobe -r 500 1310 t1 t2 n1 n2)
}

# The error of a round trip must be at most 110 % of netem's error. In virtual time, this
# error is the number of instructions that handle the packets.
twice_the_delay_ok()
{
	local out base netem_base ours netems delay

	trips 0
	base=$(value t1 p50)
	netem_base=$(value n1 p50)
	ok "a round trip without delay takes less than 1 ms ($base ns, with netem $netem_base ns)" \
		[ "$base" -gt 0 -a "$base" -lt "$ms" ]
	for delay in $((100 * us)) $((1 * ms)) $((10 * ms)); do
		trips $((delay / us))
		ours=$(($(value t1 p50) - 2 * delay))
		netems=$(($(value n1 p50) - 2 * delay))
		ok "link delay $delay ns: the error of a round trip ($ours ns) is at most 110 % of netem's ($netems ns)" \
			[ "$ours" -ge 0 -a "$ours" -le $((netems * 110 / 100)) ]
		is "link delay $delay ns: all packets arrive in order" \
			"$(value t1 arrived) $(value t1 late)" "500 0"
	done
}

# A packet is sent every 100 us over a link with a jitter of up to 2 ms. The link
# must keep the order of the packets. netem with the same jitter reorders packets,
# which shows that the jitter is large enough.
jitter_keeps_order_ok()
{
	local out max p50

	rdmafault link set t1 delay 1ms jitter 2ms
	rdmafault link set t2 delay 0ns
	tc qdisc replace dev n1 root netem delay 2ms 1ms
	out=$(delayprobe 1000 100 t1 t2 n1 n2)
	p50=$(value t1 p50)
	max=$(value t1 max)
	is "link jitter: all packets arrive in order" \
		"$(value t1 arrived) $(value t1 late)" "1000 0"
	ok "link delay 1ms jitter 2ms: p50 is more than 2 ms ($p50 ns), max less than 3.1 ms ($max ns)" \
		[ "$p50" -gt $((2 * ms)) -a "$p50" -lt "$max" -a \
		  "$max" -lt $((3 * ms + 100 * us)) ]
	ok "control: netem with the same jitter reorders packets" \
		[ "$(value n1 late)" -gt 0 ]
}

veth_pair t1 t2
veth_pair n1 n2
veth_port t1 t2
twice_the_delay_ok
jitter_keeps_order_ok
