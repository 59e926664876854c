#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a fabric for connection managers: "fabric up N cm" sends rdma_cm and TCP between two nodes
# over the links, and without cm no packet leaves a node. Rules with the word cm count the messages
# that tshark sees, and a lost REP delays a connection until its retransmission. "fabric down"
# restores the rules of the routing policy, also after "fabric up" was killed.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

# policy: prints the rules of the routing policy, and the tables that a fabric with cm uses
policy()
{
	ip -details rule
	ip route show table all | grep -w 'table 77[0-9][0-9]'
}

before=$(policy)

# restored WHAT: test that the routing policy is the same as before
restored()
{
	is "$1: the rules of the routing policy are the same as before" "$(policy)" "$before"
}

listens()
{
	rdma resource show cm_id | grep -q 'state LISTEN.* comm rping'
}

# connect [OPTION...]: run rping from a client to node 2
connect()
{
	local server status

	timeout 60 rping -s -a 10.77.0.2 -C 3 >/dev/null 2>&1 &
	server=$!
	wait_until "$soon" listens
	timeout 60 rping -c -a 10.77.0.2 -C 3 "$@"
	status=$?
	wait $server
	return $status
}

# ring NODES: open a TCP connection from each node to the next one. Print how many connections
# have worked, and from how many nodes packets have left.
ring()
{
	python3 - "$1" <<-'EOT'
		import socket
		import sys

		def sent(node):
		    with open(f'/sys/class/net/v{node}/statistics/tx_packets') as f:
		        return int(f.read())

		nodes = range(1, int(sys.argv[1]) + 1)
		before = {n: sent(n) for n in nodes}
		good = 0
		for n in nodes:
		    to = f'10.77.0.{n % len(nodes) + 1}', 7000
		    with socket.create_server(to) as server, \
		            socket.create_connection(to, 5, (f'10.77.0.{n}', 0)) as client:
		        with server.accept()[0] as peer:
		            client.sendall(b'x' * 1000)
		            good += peer.recv(1000, socket.MSG_WAITALL) == b'x' * 1000
		print(good, sum(sent(n) > before[n] for n in nodes))
	EOT
}

# messages WHERE: prints how many messages of each kind passed v1, WHERE tshark or the rules
# have seen them
messages()
{
	local i=0 m

	for m in 10:req 13:rep 14:rtu 15:dreq 16:drep; do
		i=$((i + 1))
		case $1 in
		rules) echo "${m#*:} $(rule_stat v1 $i hits) $(rule_stat v1 $((i + 5)) hits)" ;;
		tshark) echo "${m#*:} $(grep -c "^10.77.0.1 0x00${m%:*}" "$tmp/seen")" \
			"$(grep -c "^10.77.0.2 0x00${m%:*}" "$tmp/seen")" ;;
		esac
	done
}

capturing()
{
	grep -q 'listening on' "$tmp/tcpdump"
}

ms_since()
{
	echo $((($(date +%s%N) - $1) / 1000000))
}

without_cm()
{
	fabric_up 2
	ports v1 v2
	rdmafault rule add v1 tx class cm observe >/dev/null
	ok "control: rdma_cm between two nodes of a fabric without cm connects" connect
	is "control: without cm, no packet of rdma_cm passes the ports" \
		"$(port_stat v1 tx roce) $(port_stat v2 rx roce) $(rule_stat v1 1 hits)" "0 0 0"
	is "control: without cm, TCP connections work, and no packet leaves a node" "$(ring 2)" "2 0"
	is "fabric show --json has no cm" "$(rdmafault --json fabric show | jq .cm)" false
	rdmafault fabric down
	restored "fabric down without cm"
}

fabric_up()
{
	ok "fabric up $* succeeds" rdmafault fabric up "$@"
}

counts_are_those_of_tshark()
{
	local dir from m tcpdump

	for dir in tx rx; do
		for m in req rep rtu dreq drep; do
			rdmafault rule add v1 $dir cm $m observe >/dev/null
		done
	done
	tcpdump -i v1 --immediate-mode -U -w "$tmp/v1.pcap" 2>"$tmp/tcpdump" &
	tcpdump=$!
	wait_until "$soon" capturing
	from=$(date +%s%N)
	ok "rdma_cm connects over a fabric with cm, without a source address" connect
	fast=$(ms_since "$from")
	wait_until "$soon" eval '[ "$(rule_stat v1 5 hits)$(rule_stat v1 10 hits)" != 00 ]'
	kill -INT $tcpdump
	wait $tcpdump
	tshark -r "$tmp/v1.pcap" -Y 'infiniband.mad.mgmtclass == 7' -T fields -E separator=' ' \
		-e ip.src -e infiniband.mad.attributeid >"$tmp/seen" 2>/dev/null
	is "rules with the word cm count the messages that tshark sees" "$(messages rules)" \
		"$(messages tshark)"
	is "the client sends REQ and RTU, the server REP" "$(messages rules | head -n 3)" \
		$'req 1 0\nrep 0 1\nrtu 1 0'
	rdmafault rule flush v1
}

# The timer of the CM of rdma_cm is 4.3 s (4.096 us times 2^20).
lost_rep_delays()
{
	local from slow

	rdmafault rule add v2 tx cm rep observe >/dev/null
	rdmafault drop v2 tx cm rep count 1 >/dev/null
	from=$(date +%s%N)
	ok "rdma_cm connects although a REP is lost" connect
	slow=$(ms_since "$from")
	is "one of two REP is dropped" "$(rule_stat v2 2 hits) $(rule_stat v2 1 hits)" "1 2"
	ok "with a lost REP, the connection takes more than 4 s: $slow instead of $fast ms" \
		[ "$slow" -gt 4000 -a "$slow" -gt "$fast" ]
}

with_cm()
{
	fabric_up 2 cm
	refused "fabric up with cm is refused while a fabric is up" \
		"^rdmafault: a fabric of 2 nodes is up already" rdmafault fabric up 2 cm
	is "fabric show says that the fabric has cm" "$(rdmafault fabric show | tail -n 1)" \
		"cm: rdma_cm and TCP between nodes use the links"
	is "fabric show --json says that the fabric has cm" \
		"$(rdmafault --json fabric show | jq .cm)" true
	ports v1 v2
	counts_are_those_of_tshark
	lost_rep_delays
	ok "rdma_cm connects with a source address, too" connect -I 10.77.0.1
	rdmafault fabric down
	restored "fabric down with cm"
}

# shapes NODES [WORD...]: test TCP between the nodes of a fabric with cm
shape()
{
	fabric_up "$@" cm
	is "fabric $*: with cm, all TCP connections work, and packets leave each node" \
		"$(ring "$1")" "$1 $1"
	rdmafault fabric down
	restored "fabric down of fabric $*"
}

# rules: prints how many rules of the routing policy belong to a fabric
rules()
{
	ip -details rule | grep -c 'proto 114'
}

# up_traced [OPTION...]: run "fabric up 4 cm" under strace, which writes its requests to $tmp/requests
up_traced()
{
	strace -qq -o "$tmp/requests" -e trace=sendmsg "$@" rdmafault fabric up 4 cm >/dev/null 2>&1
}

# killed_at REQUEST: test that fabric down repairs what fabric up leaves when it is killed at this
# request
killed_at()
{
	up_traced -e inject=sendmsg:signal=KILL:when="$1"
	refused "fabric up is refused after it was killed at request $1" \
		"^rdmafault: a fabric of 4 nodes is up already" rdmafault fabric up 2 cm
	echo "$(rules) rules" >"$tmp/killed"
	ok "fabric down succeeds after fabric up was killed at request $1" rdmafault fabric down
	restored "fabric down after a kill at request $1"
}

# The last three requests add the rule for no source address, and move that of the table local.
killed_ok()
{
	local last

	ok "control: fabric up succeeds under strace" up_traced
	last=$(grep -c sendmsg "$tmp/requests")
	rdmafault fabric down
	killed_at $((last - 7))
	is "the kill left only a part of the rules" "$(cat "$tmp/killed")" "3 rules"
	killed_at "$last"
}

# The netdevs of a fabric were removed, but not its rules.
leftovers_ok()
{
	fabric_up 2 cm
	ip link del group 29286
	refused "fabric up is refused while rules of an earlier fabric exist" \
		"^rdmafault: fabric: the IPv4 rules of an earlier fabric exist; remove them with \"rdmafault fabric down\"$" \
		rdmafault fabric up 2 cm
	ok "fabric down removes rules of an earlier fabric" rdmafault fabric down
	restored "fabric down of rules"
	refused "fabric down is refused after that" "^rdmafault: no fabric is up$" \
		rdmafault fabric down
}

other_rules_fail()
{
	ip rule add pref 2 from 192.0.2.0/24 lookup main
	refused "fabric up with cm is refused if another rule has preference 2" \
		"^rdmafault: fabric: cm: an IPv4 rule with a preference from 0 to 2 exists" \
		rdmafault fabric up 2 cm
	ip rule del pref 2
	restored "a refused fabric up"
	ip rule add pref 3 from 192.0.2.0/24 lookup main
	ok "fabric up with cm succeeds if another rule has preference 3" rdmafault fabric up 2 cm
	is "the rule of the table local is still before it" "$(ip rule | head -n 5 | tail -n 2)" \
		$'2:\tfrom all lookup local proto 114\n3:\tfrom 192.0.2.0/24 lookup main'
	rdmafault fabric down
	ip rule del pref 3
	restored "fabric down with another rule"
}

modprobe -a rdma_rxe rdma_ucm
without_cm
with_cm
shape 5 shape chain switches 3
shape 6 shape leaf-spine leaves 3 spines 2
shape 64
killed_ok
leftovers_ok
other_rules_fail
