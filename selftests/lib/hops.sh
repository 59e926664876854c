# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Make two links in a row, with a bridge between them, and eight senders, one per priority,
# each with a different QP:
#
#   sendroce ×8 ─ t1 ═══════ t2 ── t0 ── t3 ═══════ t4
#             (port)     (port)       (port)
#
#   hops                  set it up; the test sets the rates
#   lossless_hop          give t2 a buffer and PFC, so that it does not overflow; t1
#                         must obey PFC
#   obeys_pfc NETDEV      enable PFC on all priorities
#   send_each COUNT       send COUNT packets of each priority, all at once
#   lacks FILE COUNT      compare a capture at t4 with those packets, see below
#   total NETDEV KEY      prints a statistic, summed over the priorities
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"

export NEAR=t1
# The size of a packet: 4 KiB of payload, the headers from Ethernet on, and the ICRC
HOPS_PAYLOAD=4096
HOPS_FRAME=$((14 + 20 + 8 + 12 + HOPS_PAYLOAD + 4))

hops_bridge()
{
	defer ip link del t0
	ip link add t0 type bridge
	sysctl -q -w net.ipv6.conf.t0.disable_ipv6=1
	ip link set t2 master t0
	ip link set t3 master t0
	ip link set t0 up
}

hops()
{
	local dev

	veth_pair t1 t2
	veth_pair t3 t4
	hops_bridge
	for dev in t1 t2 t3 t4; do
		ip link set $dev mtu 4200
	done
	for dev in t1 t2 t3; do
		defer tc qdisc del dev $dev root
		tc qdisc add dev $dev root rdmafault
	done
}

# An emulated machine can be slow to send XOFF. The packets that arrive in the meantime are
# stored in the headroom of 4 MiB, which at 200 Mbit/s has room for the packets of 168 ms.
lossless_hop()
{
	rdmafault link set t2 buffer 34MiB
	rdmafault prio set t2 prio-pfc all:on prio-headroom all:4MiB \
		prio-xoff all:64KiB prio-xon all:32KiB
}

obeys_pfc()
{
	rdmafault prio set "$1" prio-pfc all:on
}

send_each()
{
	local prio pids=()

	for prio in 0 1 2 3 4 5 6 7; do
		sendroce t1 qp $((16 + prio)) dscp $((prio * 8)) ecn 2 \
			count "$1" payload $HOPS_PAYLOAD \
			sport $((50000 + prio)) &
		pids+=($!)
	done
	wait "${pids[@]}"
}

# lacks FILE COUNT: compare the packets in FILE with the expected packets, which are COUNT packets
# in each of eight flows. Prints how many packets are lost (not in FILE), how many are in FILE
# twice, and how many are late (after a higher PSN of the same QP).
lacks()
{
	packets "$1" | awk -v "each=$2" '
		seen[$1, $2]++ { twice++ }
		$2 < highest[$1] { late++ }
		{ arrived++; if ($2 > highest[$1]) highest[$1] = $2 }
		END { printf "lost %d twice %d late %d\n",
			8 * each - arrived + twice, twice, late }'
}

total()
{
	rdmafault --json prio show "$1" |
		jq --arg key "$2" '[.[0].prio[][$key] |
			if type == "boolean" then if . then 1 else 0 end else . end] |
			add'
}
