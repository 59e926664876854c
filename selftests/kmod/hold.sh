#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets are held, and everything goes meanwhile: rules, ports, netdevs,
# namespaces, the module. Nothing stays behind and nothing falls over, which the
# runner reads in the kernel's log. A hold that is full loses packets, and no
# sender sees it.
#
#   sendframe - t1 (port) ======= t2 (port)
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

frames=$(mktemp)
defer rm "$frames"
for ((psn = 100; psn < 150; psn++)); do
	roce4 7 0x20 $psn
done >"$frames"

pair()
{
	veth_pair t1 t2
	veth_port t1 t2
	rdmafault port set t1 max-hold 20s
	rdmafault port set t2 max-hold 20s
}

held()
{
	[ "$(port_stat "$1" "$2" held)" = "$3" ]
}

received()
{
	[ "$(port_stat t2 rx packets)" = "$1" ]
}

# fill NETDEV DIRECTION: 50 packets are held by t1, or by t2 when they arrive
fill()
{
	rule "$1" "$2" qp 0x20 delay 20s >/dev/null
	sendframe t1 <"$frames"
	wait_until "$soon" held "$1" "$2" 50
}

# gone WORDS COMMAND...: with 50 packets in each hold in turn
gone()
{
	local words=$1 dev dir

	shift
	for dev in t1 t2; do
		dir=$([ $dev = t1 ] && echo tx || echo rx)
		pair
		ok "$words: 50 packets are held ($dir)" fill $dev "$dir"
		ok "$words" "$@" "$dev"
		ip link del t1 2>/dev/null
	done
}

del_qdisc()
{
	tc qdisc del dev "$1" root
}

del_netdev()
{
	ip link del "$1"
}

down()
{
	ip link set "$1" down
}

unload()
{
	tc qdisc del dev t1 root
	tc qdisc del dev t2 root
	modprobe -r rdmafault
}

all_goes_ok()
{
	gone "the qdisc goes" del_qdisc
	gone "the netdev goes" del_netdev
	gone "the netdev goes down" down
	gone "the module goes" unload
}

held_there()
{
	[ "$(ip netns exec rf-hold rdmafault --json stat t1 | jq '.[0].tx.held')" = 50 ]
}

# The module has no port anywhere; each is a user of it.
no_port_left()
{
	[ "$(awk '$1 == "rdmafault" { print $3 }' /proc/modules)" = 0 ]
}

# A namespace with a port that holds packets. It goes after the command has ended,
# with all that is in it.
namespace_ok()
{
	defer ip netns del rf-hold
	ip netns add rf-hold
	ip link add t1 netns rf-hold type veth peer name t2 netns rf-hold
	ip netns exec rf-hold ip link set t1 up
	ip netns exec rf-hold ip link set t2 up
	ip netns exec rf-hold tc qdisc add dev t1 root rdmafault
	ip netns exec rf-hold rdmafault port set t1 max-hold 20s
	ip netns exec rf-hold rdmafault rule add t1 tx qp 0x20 delay 20s \
		>/dev/null
	ip netns exec rf-hold sendframe t1 <"$frames"
	ok "a namespace: 50 packets are held" wait_until "$soon" held_there
	ok "the namespace goes" timeout 20 ip netns del rf-hold
	ok "and its port with it" wait_until "$soon" no_port_left
}

# Packets that wait leave at once, in their order, and rules can go alone.
reset_lets_go_ok()
{
	pair
	fill t1 tx
	rdmafault rule flush t1
	ok "the rule goes, its packets stay" held t1 tx 50
	# At t2 the packets are counted as they arrive.
	rdmafault reset t1
	# By themselves they would go later
	ok "reset lets them go" wait_until 10 received 50
	ok "and none is left" wait_until "$soon" held t1 tx 0
	fill t2 rx
	rdmafault reset
	ok "reset lets arriving ones go" wait_until 10 held t2 rx 0
	ip link del t1
}

# 16384 packets and no more: 150 of them with 112 copies each would be 16950.
full_hold_ok()
{
	local copies=() i

	too_slow "a full hold" "fills it in 20 s" && return
	pair
	for ((i = 0; i < 7; i++)); do
		copies+=(duplicate 16)
	done
	refused "full: no rule beyond the max-hold" "max-hold" \
		rdmafault rule add t1 tx qp 0x20 delay 11s jitter 10s
	rule t1 tx qp 0x20 delay 20s "${copies[@]}" >/dev/null
	cat "$frames" "$frames" "$frames" | sendframe t1
	is "full: so many are held" "$(port_stat t1 tx held)" 16384
	is "full: the others are lost and counted" \
		"$(port_stat t1 tx delay_queue_full)" 566
	is "full: no sender has seen it" \
		"$(ip -s -json link show t1 | jq '.[0].stats64.tx.errors')" 0
	ip link del t1
}

moved_on()
{
	[ "$(port_stat v1 tx delayed)" -gt "$1" ]
}

# The traffic of rxe, whose packets count as its socket's until they are held
under_traffic_ok()
{
	local traffic

	fabric 2
	ports v1 v2
	remember
	rule v1 tx class write delay 20ms >/dev/null
	rule v2 rx class write delay 20ms jitter 10ms keep-order >/dev/null
	write_bw 2 1 -D 40 -s 65536 -u 17 -Q 1 -F >/dev/null 2>&1 &
	traffic=$!
	ok "traffic is held on its way" wait_until 30 moved_on 200
	unseen "traffic"
	ok "ports go under it" rdmafault port del v1 --force
	ok "both of them" rdmafault port del v2 --force
	ok "and the module" modprobe -r rdmafault
	pkill -x ib_write_bw
	wait $traffic || :
}

all_goes_ok
namespace_ok
reset_lets_go_ok
full_hold_ok
under_traffic_ok
