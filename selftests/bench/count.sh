# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The counting part of scripts/bench, sourced by guest.sh in the VM. For each subject it
# makes a netdev, sets the subject up, sends frames with the module in driver/, and deletes
# the netdev. A round is one measurement of every subject. Each figure is a line of JSON.
#
# A line of the list has the case, the subject ("ours" or its name in the table), the plan for
# the driver (COUNT FLOWS BURST LATER DSCPS [rx|fw]), and the function that sets the subject up,
# with its arguments. The subject "bare" is the netdev without a qdisc.

dev=bench0
# If this is empty, only rdmafault and the bare netdev are measured, not the other tools.
peers=1

subjects() {
	cat <<-'LIST'
	loaded  bare              4000 1 0 0 1  bare
	loaded  ours              4000 1 0 0 1  loaded
	idle    pfifo             4000 1 0 0 1  qdisc pfifo
	idle    prio 8            4000 1 0 0 1  qdisc prio bands 8
	idle    netem             4000 1 0 0 1  qdisc netem
	idle    ours              4000 1 0 0 1  ours
	queue   bare              4000 1 0 0 1  on_ifb qdisc noqueue
	queue   pfifo             4000 1 0 0 1  on_ifb qdisc pfifo
	queue   ours              4000 1 0 0 1  on_ifb ours
	armed   netem             4000 1 0 0 1  qdisc netem
	armed   netem loss        4000 1 0 0 1  qdisc netem loss 0.0001%
	armed   tc u32            4000 1 0 0 1  u32 1
	armed   tc flower         4000 1 0 0 1  flower 1
	armed   nft egress        4000 1 0 0 1  nft_rules 1
	armed   ours              4000 1 0 0 1  rules 1
	many    tc u32 100        1000 1 0 0 1  u32 100
	many    tc u32 1000       200 1 0 0 1   u32 1000
	many    tc u32 10000      50 1 0 0 1    u32 10000
	many    tc flower 100     4000 1 0 0 1  flower 100
	many    tc flower 10000   4000 1 0 0 1  flower 10000
	many    nft egress 100    1000 1 0 0 1  nft_rules 100
	many    nft egress 1000   200 1 0 0 1   nft_rules 1000
	many    nft set 10000     4000 1 0 0 1  nft_set 10000
	many    ours 1            4000 1 0 0 1  rules 1
	many    ours 100          4000 1 0 0 1  rules 100
	many    ours 1000         4000 1 0 0 1  rules 1000
	many    ours 10000        4000 1 0 0 1  rules 10000
	drop    netem loss 100%   4000 1 0 0 1  qdisc netem loss 100%
	drop    gact drop         4000 1 0 0 1  u32_action drop
	drop    ours              4000 1 0 0 1  ours qp 0x20 drop
	mark    netem ecn         4000 1 0 0 1  qdisc netem loss 100% ecn
	mark    skbedit           4000 1 0 0 1  u32_action skbedit priority 3
	mark    ours              4000 1 0 0 1  ours qp 0x20 mark
	delay   bare 1            40 1 1 0 1    bare
	delay   netem 1           40 1 1 0 1    qdisc netem delay 1ms
	delay   fq 1              40 1 1 1000000 1  qdisc fq
	delay   ours 1            40 1 1 0 1    ours qp 0x20 delay 1ms
	delay   bare 10           40 1 10 0 1   bare
	delay   netem 10          40 1 10 0 1   qdisc netem delay 1ms
	delay   fq 10             40 1 10 1000000 1  qdisc fq
	delay   ours 10           40 1 10 0 1   ours qp 0x20 delay 1ms
	delay   bare 100          20 1 100 0 1  bare
	delay   netem 100         20 1 100 0 1  qdisc netem delay 1ms
	delay   fq 100            20 1 100 1000000 1  qdisc fq
	delay   ours 100          20 1 100 0 1  ours qp 0x20 delay 1ms
	delay   bare 1000         10 1 1000 0 1 bare
	delay   netem 1000        10 1 1000 0 1 qdisc netem delay 10ms
	delay   fq 1000           10 1 1000 10000000 1  qdisc fq flow_limit 2000
	delay   ours 1000         10 1 1000 0 1 ours qp 0x20 delay 10ms
	event   bare              4000 1 0 0 1  bare
	event   net_dev_queue     4000 1 0 0 1  traced net/net_dev_queue bare
	event   ours, off         4000 1 0 0 1  ours qp 0x20 observe
	event   ours              4000 1 0 0 1  traced rdmafault/rf_hit ours qp 0x20 observe
	tracked netem loss        4000 1 0 0 1  qdisc netem loss 0.0001%
	tracked ours              4000 1 0 0 1  ours all attempt 2 drop
	tracked ours 1000         256000 1000 0 0 1  ours all attempt 2 drop
	chance  netem loss        4000 1 0 0 1  qdisc netem loss 0.0001%
	chance  ours              4000 1 0 0 1  ours all probability 0.0001% drop
	chance  ours 1000         256000 1000 0 0 1  ours all probability 0.0001% drop
	eight   prio + red        4000 1 0 0 8  prio_red
	eight   ours              4000 1 0 0 8  eight
	link    bare              20 1 100 0 8  bare
	link    tbf + prio + red  20 1 100 0 8  tbf_prio_red
	link    ours              20 1 100 0 8  eight_link
	pause   prio + red + plug 4000 1 0 0 8  prio_red_plug
	pause   ours              4000 1 0 0 8  eight_paused
	flows   ours 1            4000 1 0 0 1  rules 1
	flows   ours 10           4000 10 0 0 1 rules 1
	flows   ours 100          4000 100 0 0 1 rules 1
	flows   ours 1000         8000 1000 0 0 1 rules 1
	rx      bare              4000 1 0 0 1 rx  bare
	rx      clsact            4000 1 0 0 1 rx  clsact
	rx      ours, idle        4000 1 0 0 1 rx  ours
	rx      u32               4000 1 0 0 1 rx  ingress_u32
	rx      ours, no match    4000 1 0 0 1 rx  rx_rule qp 0x800000 drop
	rx      gact drop         4000 1 0 0 1 rx  ingress_action drop
	rx      ours, drop        4000 1 0 0 1 rx  rx_rule qp 0x20 drop
	rx      skbedit           4000 1 0 0 1 rx  ingress_action skbedit priority 3
	rx      pedit + csum      4000 1 0 0 1 rx  ingress_mark
	rx      ours, mark        4000 1 0 0 1 rx  rx_rule qp 0x20 mark
	forward bare              4000 1 0 0 1 fw  bridged
	forward ours, idle        4000 1 0 0 1 fw  bridged_ports
	forward ours, no match    4000 1 0 0 1 fw  bridged_ports qp 0x800000 drop
	forward ours, tracked     4000 1 0 0 1 fw  bridged_ports attempt 200 drop
	forward ours, path ecmp   4000 1 0 0 1 fw  bridged_path ecmp
	forward ours, path adaptive 4000 1 0 0 1 fw  bridged_path adaptive
	LIST
}

bare() { :; }

loaded() { modprobe rdmafault; }

# on_ifb FUNCTION...: run FUNCTION with an ifb as the netdev. Unlike a dummy netdev, an ifb has
# a queue. Like a dummy netdev, it frees the frames that are sent.
on_ifb() {
	ip link del $dev
	dev_up ifb
	"$@"
}

qdisc() { tc qdisc add dev $dev root "$@"; }

# ours [RULE...]: add a port, and the rule if one is given
ours() {
	qdisc rdmafault || return
	[ $# -eq 0 ] || rdmafault rule add $dev tx "$@" >/dev/null
}

# other_qps COUNT: prints queue pair numbers that no frame has
other_qps() { seq $((0x800000)) $((0x800000 + $1 - 1)); }

# rules COUNT: add a port with this many rules, none of which matches a frame
rules() {
	qdisc rdmafault
	other_qps "$1" | sed 's/.*/qp & drop/' >"$work/rules"
	rdmafault rule replace $dev tx "$work/rules" >/dev/null
}

# u32 COUNT: add u32 filters that compare the destination QP in the BTH. At most 4095 filters
# can have the same preference (the word "prio" of tc filter).
u32() {
	tc qdisc add dev $dev clsact
	other_qps "$1" | awk -v dev=$dev '{
		printf "filter add dev %s egress protocol ip prio %d u32 match u32 0x%x 0x00ffffff at 32 action drop\n",
			dev, int(NR / 4000) + 1, $1 }' >"$work/u32"
	tc -batch "$work/u32"
}

# flower COUNT: add flower filters that compare UDP ports, because flower cannot match a BTH
flower() {
	tc qdisc add dev $dev clsact
	seq "$1" | awk -v dev=$dev '{
		printf "filter add dev %s egress protocol ip prio 1 flower ip_proto udp dst_port 4791 src_port %d action drop\n",
			dev, $1 }' >"$work/flower"
	tc -batch "$work/flower"
}

# nft_file: add the rules on standard input to an egress chain
nft_file() {
	{
		echo "add table netdev bench"
		echo "add chain netdev bench out { type filter hook egress device $dev priority 0; }"
		cat
	} | nft -f -
}

nft_rules() {
	other_qps "$1" | awk '{
		printf "add rule netdev bench out udp dport 4791 @th,104,24 %d drop\n", $1 }' |
		nft_file
}

nft_set() {
	{
		echo "add set netdev bench qps { typeof @th,104,24; }"
		other_qps "$1" | awk '{
			printf "%s%d", NR == 1 ? "add element netdev bench qps { " : ", ", $1
			} END { print " }" }'
		echo "add rule netdev bench out udp dport 4791 @th,104,24 @qps drop"
	} | nft_file
}

# u32_action WORD...: add a u32 filter that applies the action WORD... to all packets to the
# driver's first queue pair
u32_action() {
	tc qdisc add dev $dev clsact
	tc filter add dev $dev egress protocol ip u32 \
		match u32 0x20 0x00ffffff at 32 action "$@"
}

clsact() { tc qdisc add dev $dev clsact; }

# rx_rule RULE...: add a port and one rule for received frames
rx_rule() {
	qdisc rdmafault
	rdmafault rule add $dev rx "$@" >/dev/null
}

# bridged: make a bridge of $dev and another dummy netdev, which is the port of the destination
bridged() {
	ip link add br-bench mtu 4200 type bridge forward_delay 0 mcast_snooping 0
	ip link add far-bench mtu 4200 type dummy
	for port in $dev far-bench; do
		sysctl -q -w net.ipv6.conf."$port".disable_ipv6=1
		ip link set "$port" up master br-bench
	done
	sysctl -q -w net.ipv6.conf.br-bench.disable_ipv6=1
	ip link set br-bench up
	bridge fdb add 02:00:00:00:00:01 dev "$dev" master static
	bridge fdb add 02:00:00:00:00:02 dev far-bench master static
}

# bridged_ports [RULE...]: the same with a port on both netdevs, and RULE where packets arrive and
# where they leave
bridged_ports() {
	bridged
	qdisc rdmafault && tc qdisc add dev far-bench root rdmafault || return
	[ $# -eq 0 ] || {
		rdmafault rule add $dev rx "$@" && rdmafault rule add far-bench tx "$@"
	} >/dev/null
}

# bridged_path MODE: the same with a path over four links, which are no ports
bridged_path() {
	local port links=far-bench

	bridged
	for port in far2-bench far3-bench far4-bench; do
		ip link add $port mtu 4200 type dummy
		sysctl -q -w net.ipv6.conf.$port.disable_ipv6=1
		ip link set $port up master br-bench
		links+=,$port
	done
	rdmafault path set "$dev" "$@" links "$links" >/dev/null
}

# ingress_u32: add a u32 filter for received frames that matches none
ingress_u32() {
	clsact
	tc filter add dev $dev ingress protocol ip u32 \
		match u32 0x800000 0x00ffffff at 32 action drop
}

# ingress_action WORD...: like u32_action, for received frames
ingress_action() {
	clsact
	tc filter add dev $dev ingress protocol ip u32 \
		match u32 0x20 0x00ffffff at 32 action "$@"
}

# ingress_mark: set CE in each received frame and correct the checksum, as the action "mark" of
# a rule does
ingress_mark() {
	ingress_action pedit ex munge ip dsfield set 3 retain 3 pipe action csum ip4h
}

# traced EVENT FUNCTION...: call FUNCTION, which sets up what is measured, and enable the
# tracepoint EVENT
traced() {
	local event=$1

	shift
	"$@"
	echo 1 >"/sys/kernel/tracing/events/$event/enable"
}

red_words=(limit 400000 min 30000 max 90000 avpkt 1000 burst 55 bandwidth 10Gbit ecn)

# prio_red_at PARENT...: add a prio qdisc with eight bands below PARENT (words of tc, such as
# "root"), and a red qdisc to each band
prio_red_at() {
	local band

	tc qdisc add dev $dev "$@" handle 1: \
		prio bands 8 priomap 0 1 2 3 4 5 6 7 0 0 0 0 0 0 0 0
	for band in 1 2 3 4 5 6 7 8; do
		tc qdisc add dev $dev parent "1:$band" red "${red_words[@]}"
	done
}

prio_red() { prio_red_at root; }

# tbf_prio_red: like prio_red, below a tbf qdisc that sends at 1 Gbit/s. The bucket of tbf has
# room for one frame, so each frame waits until the previous one has been sent, as on a link.
tbf_prio_red() {
	qdisc handle 2: tbf rate 1gbit burst 1200b limit 1m
	prio_red_at parent 2:1
}

# prio_red_plug: like prio_red, with a plug qdisc in the last band. Linux has no qdisc that obeys
# PFC. A plug qdisc holds all packets until it is released, like a priority that stays paused.
prio_red_plug() {
	prio_red
	tc qdisc replace dev $dev parent 1:8 plug limit 4194304
}

eight() {
	local prio

	qdisc rdmafault
	for prio in 0 1 2 3 4 5 6 7; do
		rdmafault prio set $dev prio-xoff $prio:200KiB prio-pfc $prio:on >/dev/null
		rdmafault ecn set $dev prio $prio kmin 30000 kmax 90000 pmax 10% >/dev/null
	done
}

# eight_link: like the function "eight", with a link of 1 Gbit/s. The link is configured with an
# overhead of 0 bytes per frame, because tbf adds no overhead either.
eight_link() {
	eight
	rdmafault link set $dev rate 1gbit overhead 0 >/dev/null
}

# eight_paused: like the function "eight"; priority 7 stays paused
eight_paused() {
	eight
	rdmafault pause $dev prio 7 storm for 60s persist >/dev/null
}

# dev_up [TYPE]: make the netdev
dev_up() {
	ip link add $dev type "${1:-dummy}"
	sysctl -q -w net.ipv6.conf.$dev.disable_ipv6=1
	ip link set $dev mtu 4200 up
}

dev_down() {
	echo 0 >/sys/kernel/tracing/events/enable
	nft delete table netdev bench 2>/dev/null
	ip link del $dev
	for link in far-bench far2-bench far3-bench far4-bench br-bench; do
		ip link del $link 2>/dev/null
	done
	return 0
}

# one ROUND CASE SUBJECT PLAN COMMAND...: measure SUBJECT (rdmafault, another tool or the bare
# netdev) and print its figure. COMMAND sets up the subject. PLAN is what the driver measures,
# as written to /proc/rfbench.
one() {
	local round=$1 case=$2 subject=$3 plan=$4

	shift 4
	dev_up
	if ! "$@" || ! echo "$dev $plan" >/proc/rfbench ||
	   ! echo "$dev $plan" >/proc/rfbench; then
		echo "bench: $case: $subject: could not be measured" >&2
		dev_down
		return 1
	fi
	jq -c --arg case "$case" --arg subject "$subject" --argjson round "$round" \
		--arg plan "$plan" --arg command "$*" \
		'{case: $case, subject: $subject, round: $round, plan: $plan,
		  command: $command} + .' /proc/rfbench
	dev_down
}

# count ROUNDS [CASE...]: print all figures
count() {
	local rounds=$1 round line case rest plan subject status=0

	shift
	for ((round = 1; round <= rounds; round++)); do
		while read -r line; do
			read -r case rest <<<"$line"
			[ $# -eq 0 ] || [[ " $* " == *" $case "* ]] || continue
			[[ $rest =~ ^(.*[^ ])' '+([0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+( (rx|fw))?)' '+(.*)$ ]] || return 2
			subject=${BASH_REMATCH[1]} plan=${BASH_REMATCH[2]}
			[ -n "$peers" ] || [[ $subject == @(ours|bare)* ]] || continue
			# shellcheck disable=SC2086 # the list's words are words
			one "$round" "$case" "${subject%"${subject##*[! ]}"}" "$plan" \
				${BASH_REMATCH[5]} || status=1
		done < <(subjects)
	done
	return $status
}
