#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test ports without queues. The first rule makes a netdev a port, below each root qdisc, while
# a job runs on it. The job ends with right results, rxe counts no local error, and the rule
# drops the packets that it names. Such a port ends by "port del", with the module, with its
# netdev or with its network namespace, also while traffic passes it and while packets are in
# its delay queue. The runner reads the kernel's log.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 - rxe2      sendframe - t1 ======= t2
#   rxe7 - q7 (4 queues) ======= q8 - rxe8
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

iterations=300
[ -z "${KSFT_MACHINE_SLOW:-}" ] || iterations=60

sent()
{
	cat "/sys/class/net/$1/statistics/tx_packets"
}

# has_sent DEV PACKETS: succeeds if DEV has sent more packets. It starts no program, because on
# a busy host a program can take seconds, and a job can end meanwhile.
has_sent()
{
	local now

	read -r now <"/sys/class/net/$1/statistics/tx_packets"
	[ "$now" -gt "$2" ]
}

has_hits()
{
	[ "$(rule_stat "$1" 1 hits)" = "$2" ]
}

# job DEV DEVICES: start a job that verifies each iteration, and wait until it sends. Its
# processes are a group.
job()
{
	local before

	before=$(sent "$1")
	# 16 retransmission timers must fit into the job's patience.
	setsid collperf all_reduce --device "$2" --algo ring -b 64K -n $iterations -w 0 \
		-z 1 -c $iterations --place out --timeout 17 --deadline 100s >/dev/null 2>&1 &
	job=$!
	ok "$3: a job runs" wait_until 30 has_sent "$1" $((before + 200))
}

# job_ends TITLE DEVICE: the job ends with right results, and without a local error of DEVICE
job_ends()
{
	wait "$job"
	is "$1: the job ends with right results" $? 0
	is "$1: rxe counts no local error" "$(hw "$2" send_err)" "$errors"
}

# joins DEV DEVICES TITLE: drop three named packets of a job that already runs
joins()
{
	local rxe=${2%%,*}

	errors=$(hw "$rxe" send_err)
	job "$1" "$2" "$3"
	ok "$3: a rule makes the netdev a port" \
		rdmafault rule add "$1" tx class write attempt 1 every 20 count 3 drop
	is "$3: the port has no queues" "$(rdmafault --json port show "$1" | jq '.[0].queues')" false
	ok "$3: the rule hits three packets" wait_until 30 has_hits "$1" 3
	is "$3: three packets are dropped" "$(port_stat "$1" tx dropped)" 3
	ok "$3: port del succeeds under traffic" rdmafault port del "$1"
	job_ends "$3" "$rxe"
}

# below TITLE [QDISC...]: with this root qdisc on v1
below()
{
	local words=$1

	shift
	[ $# = 0 ] || tc qdisc replace dev v1 root "$@"
	joins v1 rxe1,rxe2 "$words"
	[ $# = 0 ] || is "$words: the root qdisc stays" \
		"$(tc qdisc show dev v1 root | awk '{ print $2; exit }')" "$1"
	[ $# = 0 ] || tc qdisc del dev v1 root
}

qdiscs_ok()
{
	below noqueue
	below pfifo_fast pfifo_fast
	below fq fq
	below prio prio
	rdmafault rule add v1 tx class write attempt 1 nth 5 drop >/dev/null
	rdmafault rule add v2 rx class write attempt 1 nth 5 drop >/dev/null
	is "two netdevs are ports" "$(rdmafault --json port show | jq length)" 2
	ok "port del of both succeeds" eval 'rdmafault port del v1 && rdmafault port del v2'
	is "no port is left" "$(rdmafault --json port show | jq length)" 0
}

# A listener on a port with rules only sees the hits, and the port can end while it listens.
listener_ok()
{
	local events

	events=$(mktemp)
	defer rm "$events"
	errors=$(hw rxe1 send_err)
	ok "port add --rules-only succeeds" rdmafault port add v1 --rules-only
	rdmafault monitor v1 hit >"$events" &
	defer kill $!
	job v1 rxe1,rxe2 monitor
	rdmafault drop v1 tx class write attempt 1 every 20 count 3 >/dev/null
	ok "monitor prints three hits" wait_until 30 eval '[ "$(grep -c ' hit ' "$events")" = 3 ]'
	ok "port del succeeds while monitor listens" rdmafault port del v1
	job_ends monitor rxe1
}

# Two nodes with netdevs that have four queues, and their root qdisc mq
multi_queue_ok()
{
	local n

	defer ip link del q7
	ip link add q7 numtxqueues 4 numrxqueues 4 type veth \
		peer name q8 numtxqueues 4 numrxqueues 4
	for n in 7 8; do
		sysctl -q -w net.ipv4.conf.q$n.accept_local=1 net.ipv4.conf.q$n.rp_filter=0 \
			net.ipv6.conf.q$n.disable_ipv6=1
		ip link set q$n mtu 4200 up
		ip addr add 10.79.0.$n/24 dev q$n
		tc qdisc add dev q$n root mq
		[ ! -e /sys/class/net/q$n/queues/rx-0/rps_cpus ] ||
			echo 1 | tee /sys/class/net/q$n/queues/rx-*/rps_cpus >/dev/null
	done
	ip neigh add 10.79.0.8 lladdr "$(cat /sys/class/net/q8/address)" dev q7 nud permanent
	ip neigh add 10.79.0.7 lladdr "$(cat /sys/class/net/q7/address)" dev q8 nud permanent
	rdma link add rxe7 type rxe netdev q7
	rdma link add rxe8 type rxe netdev q8
	joins q7 rxe7,rxe8 mq
	is "mq: the root qdisc stays" "$(tc qdisc show dev q7 root | awk '{ print $2; exit }')" mq
}

delayed()
{
	[ "$(port_stat "$1" "$2" delayed)" -gt 20 ]
}

# ends_under_traffic TITLE COMMAND...: end the ports v1 and v2 while they delay packets of a job
ends_under_traffic()
{
	local words=$1

	shift
	errors=$(hw rxe1 send_err)
	job v1 rxe1,rxe2 "$words"
	rdmafault delay v1 tx 3ms class write >/dev/null
	rdmafault delay v2 rx 3ms class write >/dev/null
	ok "$words: packets are delayed on tx" wait_until 30 delayed v1 tx
	ok "$words: packets are delayed on rx" wait_until 30 delayed v2 rx
	ok "$words: the ports can be removed while they delay packets" "$@"
	job_ends "$words" rxe1
}

del_both()
{
	rdmafault port del v1 && rdmafault port del v2
}

queue_commands_ok()
{
	errors=$(hw rxe1 send_err)
	job v1 rxe1,rxe2 "queue commands"
	# The queue pairs must be in use until all commands are refused.
	kill -STOP -- "-$job"
	ok "port add with live queue pairs makes a port with rules only" eval \
		'rdmafault port add v1 2>&1 | grep -q "queue pairs are in use.*rules only"'
	refused "port add of a port with rules only is refused with live queue pairs" \
		"queue pairs are in use.*--force" rdmafault port add v1
	refused "link with live queue pairs is refused" \
		"v1: .*rules only.*rxe1.*port add v1.*--force" rdmafault link set v1 rate 1gbit
	refused "prio with live queue pairs is refused" "v1: .*port add v1.*--force" \
		rdmafault prio set v1 prio-pfc 3:on
	refused "ecn with live queue pairs is refused" "v1: .*port add v1.*--force" \
		rdmafault ecn set v1 prio 0 kmin 10KiB kmax 100KiB pmax 50%
	refused "pause with live queue pairs is refused" "v1: .*port add v1.*--force" \
		rdmafault pause v1 prio 3 xoff
	refused "a storm with live queue pairs is refused" "v1: .*port add v1.*--force" \
		rdmafault pause v1 prio 3 storm for 10ms
	kill -CONT -- "-$job"
	job_ends "queue commands" rxe1
	ok "link without live queue pairs adds the queues" rdmafault link set v1 rate 1gbit
	is "the port has queues now" "$(rdmafault --json port show v1 | jq '.[0].queues')" true
	rdmafault rule add v1 tx all observe >/dev/null
	ok "the qdisc can be replaced" tc qdisc replace dev v1 root pfifo
	is "without the qdisc, the port has no queues" \
		"$(rdmafault --json port show v1 | jq '.[0].queues')" false
	is "without the qdisc, the rule stays" "$(rdmafault --json rule show v1 | jq length)" 1
	tc qdisc del dev v1 root
	rdmafault port del v1
}

refusals_ok()
{
	refused "rule add with an unknown netdev is refused" "nodev: no such" \
		rdmafault rule add nodev tx all drop
	refused "rule add with a netdev that is not Ethernet is refused" "lo: .*Ethernet" \
		rdmafault rule add lo tx all drop
	refused "port add --rules-only of a netdev that is not Ethernet is refused" "lo: .*Ethernet" \
		rdmafault port add lo --rules-only
	is "a refused rule makes no port" "$(rdmafault --json port show | jq length)" 0
	ok "port add --rules-only accepts a netdev without SoftRoCE" rdmafault port add t1 --rules-only
	refused "port add --rules-only of a port is refused" "t1: .*already a port" \
		rdmafault port add t1 --rules-only
	refused "link show of a port without queues is refused" "t1: .*rules only" \
		rdmafault link show t1
	is "link show of all ports omits a port without queues" \
		"$(rdmafault --json link show | jq length)" 0
	ok "port del succeeds" rdmafault port del t1
	refused "port del of a netdev that is no port is refused" "t1: not a port" \
		rdmafault port del t1
	ok "tc qdisc add makes a port" tc qdisc add dev t1 root rdmafault
	ok "tc qdisc del removes it" tc qdisc del dev t1 root
	is "a port that tc made ends with the qdisc" "$(rdmafault --json port show | jq length)" 0
}

frames=$(mktemp)
defer rm "$frames"
for ((psn = 100; psn < 150; psn++)); do
	roce4 7 0x20 $psn
done >"$frames"

held()
{
	[ "$(port_stat "$1" "$2" held)" = 50 ]
}

# fill: put 50 packets into the delay queue of t1 tx, and 50 into that of t2 rx
fill()
{
	rdmafault port add t1 --rules-only >/dev/null
	rdmafault port add t2 --rules-only >/dev/null
	rdmafault port set t1 max-hold 20s >/dev/null
	rdmafault port set t2 max-hold 20s >/dev/null
	rdmafault rule add t2 rx qp 0x20 delay 20s >/dev/null
	sendframe t1 <"$frames"
	wait_until "$soon" held t2 rx || return
	rdmafault rule add t1 tx qp 0x20 delay 20s >/dev/null
	sendframe t1 <"$frames"
	wait_until "$soon" held t1 tx
}

received()
{
	[ "$(cat /sys/class/net/t2/statistics/rx_packets)" = "$1" ]
}

no_ports()
{
	[ "$(rdmafault --json port show | jq length)" = 0 ]
}

delayed_packets_ok()
{
	local before

	veth_pair t1 t2
	before=$(cat /sys/class/net/t2/statistics/rx_packets)
	ok "100 packets are delayed" fill
	ok "port del sends the delayed packets of tx" eval \
		'rdmafault port del t1 && wait_until "$soon" received $((before + 100))'
	ok "port del with delayed packets of rx succeeds" rdmafault port del t2
	ok "100 packets are delayed again" fill
	ok "the module can be removed while packets are delayed" modprobe -r rdmafault
	ok "removal of the module sends the delayed packets" wait_until "$soon" \
		received $((before + 200))
	ok "100 packets are delayed before t1 goes down" fill
	ok "a netdev can be set down while packets are delayed" ip link set t1 down
	is "a netdev that is down has no delayed packets" "$(port_stat t1 tx held)" 0
	ip link set t1 up
	rdmafault port del t1
	rdmafault port del t2
	ok "100 packets are delayed before t1 is deleted" fill
	ok "a netdev can be deleted while packets are delayed" timeout 20 ip link del t1
	ok "its port has ended" no_ports
}

namespaces_ok()
{
	ip netns add rf-ports
	defer ip netns del rf-ports
	veth_pair t1 t2
	fill
	ok "a netdev with delayed packets can move to another namespace" \
		ip link set t1 netns rf-ports
	is "its port has ended" "$(rdmafault --json port show | jq -r '.[].netdev')" t2
	is "it is no port there" "$(ip netns exec rf-ports rdmafault --json port show | jq length)" 0
	ip -n rf-ports link set t1 netns $$
	ip link set t1 up
	rdmafault port del t2
	ip link add t5 netns rf-ports type veth peer name t6 netns rf-ports
	ip -n rf-ports link set t5 up
	ip -n rf-ports link set t6 up
	ip netns exec rf-ports rdmafault port add t5 --rules-only >/dev/null
	ip netns exec rf-ports rdmafault port set t5 max-hold 20s >/dev/null
	ip netns exec rf-ports rdmafault rule add t5 tx qp 0x20 delay 20s >/dev/null
	ip netns exec rf-ports sendframe t5 <"$frames"
	is "50 packets are delayed in the namespace" \
		"$(ip netns exec rf-ports rdmafault --json stat t5 | jq '.[0].tx.held')" 50
	ok "the namespace can be deleted" timeout 20 ip netns del rf-ports
	ok "the module can be removed" modprobe -r rdmafault
}

# above TYPE OPTION...: a port on a netdev above t1 sees the packets that pass it
above()
{
	ip link add link t1 name a1 type "$@" || { skip "$1: a port" "no netdev of this type"; return; }
	ip link set a1 up
	rdmafault rule add a1 tx qp 0x20 count 10 drop >/dev/null
	sendframe a1 <"$frames"
	is "$1: a rule on the netdev sees its packets" \
		"$(port_stat a1 tx roce) $(port_stat a1 tx dropped)" "50 10"
	ok "$1: the netdev can be deleted" timeout 20 ip link del a1
}

other_netdevs_ok()
{
	above vlan id 5
	above macvlan mode bridge
	above ipvlan mode l2
	ip link add b1 type bond mode active-backup 2>/dev/null ||
		{ skip "bond: a port" "no netdev of this type"; return; }
	defer ip link del b1
	ip link set t1 down
	ip link set t1 master b1
	ip link set b1 up
	rdmafault rule add b1 tx qp 0x20 count 10 drop >/dev/null
	ok "bond: the netdev gets a carrier" wait_until "$soon" \
		eval '[ "$(cat /sys/class/net/b1/carrier)" = 1 ]'
	sendframe b1 <"$frames"
	is "bond: a rule on the netdev sees its packets" \
		"$(port_stat b1 tx roce) $(port_stat b1 tx dropped)" "50 10"
	ok "bond: the netdev can be deleted" timeout 20 ip link del b1
}

modprobe -r rdmafault 2>/dev/null
fabric 2
qdiscs_ok
listener_ok
multi_queue_ok
ends_under_traffic "port del" del_both
ends_under_traffic "removal of the module" modprobe -r rdmafault
queue_commands_ok
delayed_packets_ok
veth_pair t1 t2
refusals_ok
ip link del t1
namespaces_ok
other_netdevs_ok
