# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two links one behind the other, with a bridge between them, and eight senders,
# one for each priority and with a QP of its own:
#
#   sendroce ×8 ─ t1 ═══════ t2 ── t0 ── t3 ═══════ t4
#             (port)     (port)       (port)
#
#   hops                  set it up; rates are the test's business
#   lossless_hop          t2 has a buffer, and PFC keeps it from running over; t1
#                         must obey PFC
#   obeys_pfc NETDEV
#   send_each COUNT       so many packets of each priority, all at once
#   lacks FILE COUNT      what a capture of that at t4 lacks, see below
#   total NETDEV KEY      a statistic, summed over the priorities
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"

export NEAR=t1
# Of a packet: four KiB of payload, and the headers from Ethernet's to the ICRC
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

# What comes after XOFF depends on how soon the machine sends it: at 200 Mbit/s a
# headroom lasts for 168 ms.
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

# lost: never came; twice: came again; late: came behind a later one of its QP
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
