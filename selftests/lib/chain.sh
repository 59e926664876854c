# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Make two switches, the link between them, and four nodes:
#
#   rxe1 v1 ── p1 ┐                        ┌ p2 ── v2 rxe2
#                 ├ rfbr0 ─ s1 ── s2 ─ rfbr1 ┤
#   rxe3 v3 ── p3 ┘                        └ p4 ── v4 rxe4
#
# A packet from node 1 to node 2 leaves v1, s1 and p2, and arrives at p1, s2 and v2. All
# netdevs are ports, with PFC on priority 3. Packets of a flow keep their order (see
# tools/net/fabric.c).
. "$selftests/lib/rdma.sh"

chain()
{
	local dev

	fabric 4
	defer ip link del s1
	defer ip link del rfbr1
	chain_switch && chain_link s1 rfbr0 && chain_link s2 rfbr1 ||
		{ echo "Bail out! the two switches cannot be made"; exit 1; }
	ports v1 v2 v3 v4 p1 p2 p3 p4 s1 s2
	for dev in v1 v2 v3 v4 p1 p2 p3 p4 s1 s2; do
		rdmafault prio set $dev prio-pfc 3:on
	done
}

# chain_rate RATE [NETDEV RATE]: set the rate of all links in both directions, and another rate
# for packets that leave by NETDEV. The links are slow because an XOFF lasts longer on a slow
# link, 336 ms at 100 Mbit/s. At 10 Gbit/s, a slow emulated machine could not renew an XOFF
# before it expires.
chain_rate()
{
	local dev

	for dev in v1 v2 v3 v4 p1 p2 p3 p4 s1 s2; do
		rdmafault link set $dev rate "$1"
	done
	[ $# -eq 1 ] || rdmafault link set "$2" rate "$3"
}

# chain_sum KEY...: prints the sum of the counters KEY... over all ports and priorities
chain_sum()
{
	rdmafault --json prio show |
		jq '[.[].prio[] | .[$ARGS.positional[]]] | add' --args "$@"
}

chain_switch()
{
	ip link add rfbr1 type bridge && ip link add s1 type veth peer name s2 &&
		sysctl -q -w net.ipv6.conf.rfbr1.disable_ipv6=1 &&
		ip link set rfbr1 up && ip link set p2 master rfbr1 &&
		ip link set p4 master rfbr1
}

chain_link()
{
	local rps=queues/rx-0/rps_cpus

	# A kernel for one CPU has no receive packet steering (RPS), and does not need it.
	[ ! -e "/sys/class/net/$1/$rps" ] ||
		cat "/sys/class/net/p1/$rps" >"/sys/class/net/$1/$rps"
	sysctl -q -w "net.ipv6.conf.$1.disable_ipv6=1" &&
		ip link set "$1" mtu 4200 master "$2" up
}
