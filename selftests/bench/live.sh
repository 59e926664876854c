# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The measurements of scripts/bench --live, sourced by guest.sh in the VM. Each round
# measures rdmafault and the tool it is compared with (the peer) one after the other and
# writes one line with both figures, so that load on the host affects both.

# pair PART WHAT ROUND OURS PEER: print one JSON line with OURS, the figure of rdmafault, and
# PEER, the figure of the tool or netdev that rdmafault is compared with. WHAT says what was
# measured.
pair() {
	jq -n -c --arg part "$1" --arg what "$2" --argjson round "$3" \
		--argjson ours "${4:-null}" --argjson peer "${5:-null}" \
		'{part: $part, what: $what, round: $round, ours: $ours, peer: $peer}'
}

veth() {
	local end

	ip link add "$1" type veth peer name "$2"
	for end in "$1" "$2"; do
		sysctl -q -w "net.ipv6.conf.$end.disable_ipv6=1"
		ip link set "$end" up
	done
}

# error_of KEY MS: prints by how much the value of KEY in the line on standard input exceeds
# the delay of MS milliseconds, in ns
error_of() {
	sed -n "s/.*\<$1=\([0-9]*\).*/\1/p" | awk -v ms="$2" '{ print $1 - ms * 1000000 }'
}

# live_delay ROUNDS: measure the error of the action "delay" and of netem, with 300 frames
# each
live_delay() {
	local round ms out key

	veth t1 t2
	veth n1 n2
	tc qdisc add dev t1 root rdmafault
	for ms in 1 10; do
		rdmafault rule add t1 tx qp 0x20 delay "${ms}ms" >/dev/null
		tc qdisc replace dev n1 root netem delay "${ms}ms"
		for ((round = 1; round <= $1; round++)); do
			out=$(delayprobe 300 1310 t1 t2 n1 n2)
			for key in p50 p99; do
				pair delay "$ms ms, $key of the error, ns" "$round" \
					"$(grep ^t1 <<<"$out" | error_of $key $ms)" \
					"$(grep ^n1 <<<"$out" | error_of $key $ms)"
			done
		done
		rdmafault rule flush t1 >/dev/null
	done
	ip link del t1
	ip link del n1
}

# live_bandwidth ROUNDS: measure the bandwidth of perftest from node 1 to node 2, through ports
# without rules and without ports. The order changes in every round. One measurement takes a
# second, and the threads of rxe disturb each other differently each time. So this part has four
# times as many rounds as the others. This part is also measured in virtual time, with five
# times as many messages.
live_bandwidth() {
	local round ours peer what="ib_write_bw, 64 KiB, MB/s${vm_virtual:+, virtual time}"

	rdmafault fabric up 2 >/dev/null || return
	for ((round = 1; round <= $1 * 4; round++)); do
		[ $((round % 2)) = 0 ] || ours=$(megabytes_of_ports) || return
		peer=$(megabytes)
		[ $((round % 2)) = 1 ] || ours=$(megabytes_of_ports) || return
		pair bandwidth "$what" "$round" "$ours" "$peer"
	done
	rdmafault fabric down >/dev/null
}

megabytes() {
	write_bw 1 2 -s 65536 -n "${vm_virtual:+2}500" | awk 'NF == 5 && $1 == 65536 { print $4 }'
}

# megabytes_of_ports: measure the bandwidth with ports. Fails if the ports cannot be
# deleted, because the next measurement is without ports.
megabytes_of_ports() {
	ports add && megabytes
	ports del
}

# ports add|del: add or delete the ports of both nodes
ports() {
	rdmafault port "$1" v1 >/dev/null && rdmafault port "$1" v2 >/dev/null
}

# took DEV FLOWS: send 4000 frames of FLOWS flows over DEV; prints the median time to send one
# Ethernet frame, in ticks of the TSC
took() {
	echo "$1 4000 $2 0 0 1" >/proc/rfbench && jq .p50 /proc/rfbench
}

many_dev() {
	local i

	for ((i = 1; i <= $2; i++)); do
		ip link add "$1$i" type dummy
		sysctl -q -w "net.ipv6.conf.$1$i.disable_ipv6=1"
		ip link set "$1$i" up
	done
}

many_ports() {
	local i

	many_dev our "$1"
	many_dev net "$1"
	for ((i = 1; i <= $1; i++)); do
		tc qdisc add dev "our$i" root rdmafault
		rdmafault rule add "our$i" tx qp 0x800000 drop >/dev/null
		tc qdisc add dev "net$i" root netem
	done
}

no_ports() {
	local i

	for ((i = 1; i <= $1; i++)); do
		ip link del "our$i"
		ip link del "net$i"
	done
}

# live_flows ROUNDS: measure the time to send one Ethernet frame while frames of 1 to 1000 flows
# are sent in turn, on a port with a rule and on a netem qdisc without options
live_flows() {
	local round flows

	many_ports 1
	for flows in 1 10 100 1000; do
		for ((round = 1; round <= $1; round++)); do
			pair flows "$flows flows, ticks a frame" "$round" \
				"$(took our1 $flows)" "$(took net1 $flows)"
		done
	done
	no_ports 1
}

# live_ports ROUNDS: measure the time to send one Ethernet frame while 2 to 64 ports have a
# rule. For comparison, measure it while the same number of netdevs has a netem qdisc
# without options.
live_ports() {
	local round ports

	for ports in 2 8 64; do
		many_ports $ports
		for ((round = 1; round <= $1; round++)); do
			pair ports "$ports ports, ticks a frame" "$round" \
				"$(took our$ports 1)" "$(took net$ports 1)"
		done
		no_ports $ports
	done
}

# live ROUNDS PART...: run the parts of the measurement
live() {
	local rounds=$1 part

	shift
	modprobe rdmafault
	for part; do
		"live_$part" "$rounds" || return
	done
}
