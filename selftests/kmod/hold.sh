#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rules, ports, netdevs, namespaces and the module can be removed while
# packets are in the delay queue. No packet may be left and the kernel must not
# complain; the runner reads the kernel's log. A full delay queue must drop packets
# without an error for the sender. A shorter max-hold must apply at once. A released
# packet must pass each hook of nftables once.
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

# fill NETDEV DIRECTION: put 50 packets into the delay queue of t1 tx or t2 rx
fill()
{
	rule "$1" "$2" qp 0x20 delay 20s >/dev/null
	sendframe t1 <"$frames"
	wait_until "$soon" held "$1" "$2" 50
}

# gone TITLE COMMAND...: run the test TITLE: run COMMAND with 50 packets in the delay
# queue of t1 tx, then with 50 packets in the delay queue of t2 rx
gone()
{
	local words=$1 dev dir

	shift
	for dev in t1 t2; do
		dir=$([ $dev = t1 ] && echo tx || echo rx)
		pair
		ok "$words ($dir): 50 packets are in the delay queue" fill $dev "$dir"
		ok "$words ($dir): the command succeeds" "$@" "$dev"
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
	gone "tc qdisc del" del_qdisc
	gone "ip link del" del_netdev
	gone "ip link set down" down
	gone "modprobe -r" unload
}

held_there()
{
	[ "$(ip netns exec rf-hold rdmafault --json stat t1 | jq '.[0].tx.held')" = 50 ]
}

# Each qdisc holds a reference to the module, so 0 references mean no port with queues in any
# namespace.
no_port_left()
{
	[ "$(awk '$1 == "rdmafault" { print $3 }' /proc/modules)" = 0 ]
}

# The kernel removes a namespace, with its port, some time after "ip netns del" ends.
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
	ok "50 packets are in the delay queue of a port in a namespace" \
		wait_until "$soon" held_there
	ok "ip netns del of a namespace with a full delay queue succeeds" \
		timeout 20 ip netns del rf-hold
	ok "the port is removed with its namespace" wait_until "$soon" no_port_left
}

# reset releases delayed packets at once; deleting their rule does not.
reset_releases_ok()
{
	pair
	fill t1 tx
	rdmafault rule flush t1
	ok "packets stay in the delay queue when their rule is deleted" held t1 tx 50
	rdmafault reset t1
	# Only the reset can send the packets so soon: their delay is 20 s.
	ok "reset sends the delayed packets of tx" wait_until 10 received 50
	ok "the delay queue of tx is empty after reset" wait_until "$soon" held t1 tx 0
	fill t2 rx
	rdmafault reset
	ok "reset releases the delayed packets of rx" wait_until 10 held t2 rx 0
	ip link del t1
}

# The delay queue has room for 16384 packets. 150 packets with 112 copies each would be
# 16950.
full_hold_ok()
{
	local copies=() i

	too_slow "a full delay queue drops packets" "sends 16950 packets in 20 s" && return
	pair
	for ((i = 0; i < 7; i++)); do
		copies+=(duplicate 16)
	done
	refused "a delay whose jitter exceeds the max-hold is refused" "max-hold" \
		rdmafault rule add t1 tx qp 0x20 delay 11s jitter 10s
	rule t1 tx qp 0x20 delay 20s "${copies[@]}" >/dev/null
	cat "$frames" "$frames" "$frames" | sendframe t1
	is "a full delay queue holds 16384 packets" "$(port_stat t1 tx held)" 16384
	is "packets that find the delay queue full are counted in delay_queue_full" \
		"$(port_stat t1 tx delay_queue_full)" 566
	is "the netdev counts no send error when the delay queue is full" \
		"$(ip -s -json link show t1 | jq '.[0].stats64.tx.errors')" 0
	ip link del t1
}

moved_on()
{
	[ "$(port_stat v1 tx delayed)" -gt "$1" ]
}

# Test packets of rxe: they are charged to rxe's socket until they enter the delay queue.
under_traffic_ok()
{
	local traffic

	fabric 2
	ports v1 v2
	remember
	rule v1 tx class write delay 20ms >/dev/null
	rule v2 rx class write delay 20ms jitter 10ms keep-order >/dev/null
	write_bw 2 1 -D 40 -s 65536 -u 17 -Q 1 >/dev/null 2>&1 &
	traffic=$!
	ok "more than 200 packets of perftest are delayed" wait_until 30 moved_on 200
	unseen "delayed perftest"
	ok "port del --force succeeds while v1 delays traffic" rdmafault port del v1 --force
	ok "port del --force succeeds while v2 delays traffic" rdmafault port del v2 --force
	ok "the module can be unloaded during the traffic" modprobe -r rdmafault
	pkill -x ib_write_bw
	wait $traffic || :
}

# A shorter max-hold applies to packets that already wait.
shorter_max_hold_ok()
{
	local storm

	pair
	fill t1 tx
	rdmafault -q rule flush t1
	fill t2 rx
	rdmafault -q rule flush t2
	rdmafault -q rule add t1 tx qp 0x20 reorder 100 within 20s
	sendframe t1 <"$frames"
	ok "control: all packets wait" held t1 tx 100
	rdmafault -q rule flush t1
	# The delays and the time limit are 20 s.
	rdmafault port set t1 max-hold 1s
	ok "a shorter max-hold releases delayed and reordered packets (tx)" \
		wait_until 10 held t1 tx 0
	rdmafault port set t2 max-hold 1s
	ok "a shorter max-hold releases delayed packets (rx)" wait_until 10 held t2 rx 0
	rdmafault reset
	rdmafault -q port set t1 max-hold 20s
	rdmafault pause t1 prio 0 storm for 18s >/dev/null &
	storm=$!
	ok "control: priority 0 of t1 is paused" wait_until "$soon" paused
	sendframe t1 <"$frames"
	is "control: packets are queued" "$(queued)" 50
	rdmafault port set t1 max-hold 1s
	ok "a shorter max-hold applies to queued packets" wait_until 8 eval '[ "$(queued)" = 0 ]'
	kill $storm
	wait $storm 2>/dev/null
	ip link del t1
}

# Prints the number of packets in the priority queues of t1
queued()
{
	rdmafault --json prio show t1 | jq '.[0].prio[0].backlog'
}

paused()
{
	rdmafault --json prio show t1 | jq -e '.[0].prio[0].paused'
}

# chain NETDEV HOOK PRIORITY [VERDICT]: count the RoCEv2 packets in this hook
chain()
{
	nft -f - <<-END
		table netdev rf-$1-$2-$(($3 & 0xffffffff)) {
			chain c {
				type filter hook $2 device $1 priority $3
				udp dport 4791 counter ${4:-accept}
			}
		}
	END
}

# passed NETDEV HOOK PRIORITY: prints how many packets have passed the chain
passed()
{
	nft -j list table netdev "rf-$1-$2-$(($3 & 0xffffffff))" |
		jq '[.. | .counter? // empty | .packets] | add'
}

three()
{
	head -3 "$frames" | sendframe t1
}

# A released packet passes the hooks behind ours, and no hook twice.
nftables_ok()
{
	local first=-2147483648 last=2147483647

	pair
	defer nft flush ruleset
	chain t1 egress $last
	chain t1 egress 0
	chain t2 ingress $first
	chain t2 ingress 0
	rdmafault -q rule add t1 tx qp 0x20 delay 20ms
	rdmafault -q rule add t2 rx qp 0x20 delay 20ms
	nft delete table netdev "rf-t2-ingress-$((first & 0xffffffff))"
	chain t2 ingress $first
	three
	ok "a chain before our hook: delayed packets are released" \
		wait_until 10 eval '[ "$(passed t2 ingress 0)" -ge 3 ]'
	sleep 1
	is "a chain before our hook: no packet meets a rule twice" \
		"$(port_stat t1 tx delayed) $(port_stat t2 rx delayed) $(port_stat t2 rx held)" \
		"3 3 0"
	is "delayed packets pass each chain once, before and behind our hooks" \
		"$(passed t1 egress 0) $(passed t1 egress $last)
$(passed t2 ingress $first) $(passed t2 ingress 0)" "3 3
3 3"
	nft flush ruleset
	rdmafault reset
	ip link del t1
}

# While packets are delayed, their last rule is removed. The next netdevs are t2, a bridge and u1.
later_netdev_ok()
{
	pair
	defer ip link del rf-br
	ip link add rf-br type bridge
	veth_pair u1 u2
	ip link set t2 master rf-br
	ip link set u1 master rf-br
	ip link set rf-br up
	# The packets leave the delay queue before the chain exists, and the link after that.
	rdmafault -q link set t1 delay 5s
	rdmafault -q rule add t1 tx qp 0x20 delay 1s
	three
	is "3 packets are delayed" "$(port_stat t1 tx held)" 3
	rdmafault -q rule flush t1
	ok "the packets leave the delay queue" wait_until "$soon" held t1 tx 0
	chain u1 egress 0
	ok "the egress chain of a later netdev sees the packets" \
		wait_until "$soon" eval '[ "$(passed u1 egress 0)" = 3 ]'
	nft flush ruleset
	ip link del t1
}

all_goes_ok
namespace_ok
reset_releases_ok
full_hold_ok
shorter_max_hold_ok
nftables_ok
later_netdev_ok
under_traffic_ok
