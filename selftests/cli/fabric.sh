#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that fabric up makes a whole fabric or nothing, and that fabric down removes
# everything that fabric up made.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp)
defer rm "$tmp"
defer rdmafault fabric down --force

# traces: prints everything that a fabric could leave behind
traces()
{
	ip -o link | awk -F': ' '{print $2}'
	ls /sys/class/infiniband 2>/dev/null
	ip -o addr show to 10.77.0.0/24
	ip neigh show to 10.77.0.0/24
	cat /proc/sys/net/core/netdev_max_backlog
}

reaches()
{
	write_bw 2 1 -n 5 -s 4096
}

modprobe rdma_rxe
modprobe dummy numdummies=0
before=$(traces)

is "fabric show --json without a fabric has no nodes" "$(rdmafault --json fabric show | jq -c .)" \
	'{"cm":false,"node":[],"nodes":0}'
refused "fabric down without a fabric is refused" \
	"^rdmafault: no fabric is up$" rdmafault fabric down

for n in 2 4 64; do
	ok "fabric up $n succeeds" rdmafault fabric up $n
	is "fabric up $n makes $n active RDMA devices" "$(rdma link | grep -c 'state ACTIVE')" $n
	is "fabric up $n gives each device a GID" "$(rdmafault --json fabric show |
		jq "[.node[] | select(.gid_index != null)] | length")" $n
	is "fabric up $n makes $n switch ports" "$(ip -o link show master rfbr0 | wc -l)" $n
	[ $n -ne 4 ] || ok "perftest between two nodes of 4 succeeds" reaches
	ok "fabric down of $n nodes succeeds" rdmafault fabric down
	is "fabric down of $n nodes leaves nothing" "$(traces)" "$before"
done

ok "fabric up without a number succeeds" rdmafault fabric up
is "fabric up without a number makes 4 nodes with fixed names and addresses" \
	"$(rdmafault --json fabric show | jq -c \
	'[.nodes, .node[3].rank, .node[3].rdma, .node[3].netdev, .node[3].switch_port, .node[3].address]')" \
	'[4,3,"rxe4","v4","p4","10.77.0.4"]'
is "the MAC addresses of a fabric are fixed" \
	"$(cat /sys/class/net/v3/address /sys/class/net/p3/address)" \
	"$(printf '02:72:66:00:00:03\n02:72:66:01:00:03')"
is "the four RDMA devices of a fabric have IB MTU 4096" \
	4 "$(ibv_devinfo | grep -c 'active_mtu:.*4096')"

ip link del p3
ok "fabric down succeeds after a netdev of the fabric was deleted" rdmafault fabric down
is "fabric down leaves nothing after a netdev was deleted" "$(traces)" "$before"

rdmafault fabric up 2
rdmafault port add v1
rdmafault port add p2
rdmafault drop v1 tx qp 17 >/dev/null
ok "fabric down succeeds with ports and rules" rdmafault fabric down
is "fabric down leaves nothing of ports and rules" "$(traces)" "$before"

# lossless: prints each port with the priorities on which it has PFC
lossless()
{
	rdmafault --json prio show | jq -c 'map({ (.netdev):
		[.prio[] | select(.pfc) | .prio] }) | add'
}

ok "fabric up with pfc 3,5 succeeds" rdmafault fabric up 2 shape chain pfc 3,5
is "fabric up with pfc 3,5 makes all its netdevs ports with PFC" "$(lossless)" \
	'{"p1":[3,5],"p2":[3,5],"s1s2":[3,5],"s2s1":[3,5],"v1":[3,5],"v2":[3,5]}'
ok "perftest over a fabric with PFC succeeds" reaches
rdmafault fabric down
is "fabric down of a fabric with PFC leaves nothing" "$(traces)" "$before"
refused "fabric up with pfc 8 is refused" \
	"^rdmafault: pfc 8: out of range; 0 to 7, several with commas, or all$" \
	rdmafault fabric up 2 pfc 8
is "a refused fabric up with pfc 8 makes nothing" "$(traces)" "$before"

for name in v3 p2 rfbr0; do
	ip link add $name type dummy
	refused "fabric up is refused when the name $name exists" \
		"^rdmafault: $name: the fabric needs this name, but another device already has this name$" \
		rdmafault fabric up 4
	ip link del $name
	is "fabric up makes nothing when the name $name exists" "$(traces)" "$before"
done
ip link add d0 type dummy
rdma link add rxe2 type rxe netdev d0
refused "fabric up is refused when the RDMA device rxe2 exists" \
	"rxe2: .* another device already has this name" rdmafault fabric up 2
rdma link del rxe2
ip link del d0
ok "fabric up succeeds after rxe2 was deleted" rdmafault fabric up 2
rdmafault fabric down

# Of two processes that run fabric up, the second is refused and must not damage the
# fabric of the first.
for n in 1 2 3; do
	rdmafault fabric up 8 >/dev/null 2>"$tmp" &
	first=$!
	second=0
	rdmafault fabric up 6 shape chain >/dev/null 2>>"$tmp" || second=$?
	wait $first
	is "two fabric up at once: one succeeds" $(($? + second)) 1
	is "two fabric up at once: the other is refused" \
		"$(grep -c '^rdmafault: a fabric of . nodes is up already' "$tmp")" 1
	is "two fabric up at once: all devices of the one fabric are active" \
		"$(rdma link | grep -c 'state ACTIVE')" \
		"$(rdmafault --json fabric show | jq .nodes)"
	ok "two fabric up at once: fabric down succeeds" rdmafault fabric down
	is "two fabric up at once: fabric down leaves nothing" "$(traces)" "$before"
done

# watch_links: make every fabric link a port that counts its packets
watch_links()
{
	local dev

	for dev in $(rdmafault --json fabric show | jq -r '.fabric_link[].netdev'); do
		rdmafault port add "$dev" >/dev/null
		rdmafault observe "$dev" tx all >/dev/null
	done
}

sent()
{
	rdmafault --json stat | jq -c 'map({(.netdev): .tx.roce}) | add'
}

# passes FROM TO NETDEV...: test that packets from node FROM to node TO use only these
# fabric links
passes()
{
	local from=$1 to=$2 old

	shift 2
	old=$(sent)
	ok "perftest from node $from to node $to succeeds" write_bw "$to" "$from" -n 5 -s 65536
	is "perftest from node $from to node $to uses ${*:-no fabric link}" \
		"$(sent | jq -r --argjson old "$old" \
			'[to_entries[] | select(.value > $old[.key]).key] | sort | join(" ")')" \
		"$(printf '%s\n' "$@" | sort | paste -sd ' ')"
}

ok "fabric up of a chain of three switches succeeds" \
	rdmafault fabric up 6 shape chain switches 3
is "fabric show --json has the switches and links of the chain" \
	"$(rdmafault --json fabric show | jq -c \
	'[.nodes, .shape, .node[4].switch, [.fabric_link[].netdev], .fabric_link[2].nodes]')" \
	'[6,"chain","s3",["s1s2","s2s1","s2s3","s3s2"],[5,6]]'
refused "fabric up while a fabric is up is refused" "a fabric of 6 nodes is up already" \
	rdmafault fabric up 2
watch_links
passes 1 2
passes 1 4 s1s2 s2s1
passes 6 1 s3s2 s2s1 s1s2 s2s3
ip link del s2s3
ok "fabric down succeeds after a fabric link was deleted" rdmafault fabric down
is "fabric down leaves nothing after a fabric link was deleted" "$(traces)" "$before"

ok "fabric up of two leaves and two spines succeeds" \
	rdmafault fabric up 4 shape leaf-spine spines 2
watch_links
passes 1 3 l1s1 s1l2 l2s1 s1l1
passes 2 4 l1s2 s2l2 l2s2 s2l1
is "fabric show prints the pairs of nodes that cross each fabric link" \
	"$(rdmafault fabric show | sed -n '/^link/,$p' | tr -s ' ' | cut -d, -f1)" \
	"$(printf '%s\n' "link peer nodes" "l1s1 s1l1 1-2→3" "s1l1 l1s1 3-4→1" \
		"l1s2 s2l1 1-2→4" "s2l1 l1s2 3-4→2" "l2s1 s1l2 3-4→1" "s1l2 l2s1 1-2→3" \
		"l2s2 s2l2 3-4→2" "s2l2 l2s2 1-2→4")"
is "fabric show --json has the same pairs" "$(rdmafault --json fabric show |
	jq -c '.fabric_link[] | select(.netdev == "s2l1") | [.pairs, .nodes]')" '[[{"from":[3,4],"to":[2]}],[2]]'
is "bridges of a leaf-spine fabric, which has loops, neither flood nor learn" \
	"$(bridge -d -j link | jq -c '[.[] | select(.master) | .flood, .learning] | unique')" \
	'[false]'
ok "fabric down of two leaves and two spines succeeds" rdmafault fabric down
is "fabric down of two leaves and two spines leaves nothing" "$(traces)" "$before"

# reduces: run a verified collective of 8 ranks, which sends data to and from all nodes
reduces()
{
	collperf all_reduce -N 8 -b 64K -e 64K -n 2 -w 0 -c 1 >"$tmp" 2>&1
}

ok "fabric up of a ring of four switches succeeds" rdmafault fabric up 8 shape ring switches 4
watch_links
passes 1 3 s1s2 s2s1
passes 1 7 s1s4 s4s1
passes 1 5 s1s2 s2s3 s3s4 s4s1
ok "an all_reduce of 8 ranks over a ring of switches gives the right result" reduces
ok "fabric down of a ring succeeds" rdmafault fabric down
is "fabric down of a ring leaves nothing" "$(traces)" "$before"

ok "fabric up of a torus of 2x2x2 switches succeeds" rdmafault fabric up 8 shape torus dims 2x2x2
is "fabric show --json has the 12 links of the torus, with both ends" \
	"$(rdmafault --json fabric show | jq -c '[.shape, (.fabric_link | length)]')" '["torus",24]'
watch_links
passes 1 8 s1s2 s2s4 s4s8 s8s7 s7s5 s5s1
ok "an all_reduce of 8 ranks over a torus gives the right result" reduces
ok "fabric down of a torus succeeds" rdmafault fabric down
is "fabric down of a torus leaves nothing" "$(traces)" "$before"

ok "fabric up of 16 leaves and 4 spines succeeds" \
	rdmafault fabric up 16 shape leaf-spine leaves 16 spines 4
is "a fabric of 16 leaves and 4 spines has 128 link ends" \
	"$(rdmafault --json fabric show | jq '.fabric_link | length')" 128
ok "fabric down of 16 leaves and 4 spines succeeds" rdmafault fabric down
is "fabric down of 16 leaves and 4 spines leaves nothing" "$(traces)" "$before"

ip link add s2s1 type dummy
refused "fabric up is refused when the name of a fabric link exists" \
	"^rdmafault: s2s1: the fabric needs this name, but another device already has this name$" \
	rdmafault fabric up 4 shape chain
ip link del s2s1
is "fabric up makes nothing when the name of a fabric link exists" "$(traces)" "$before"

# Making 64 nodes takes seconds, so the command can be interrupted by a signal meanwhile.
for signal in INT TERM HUP; do
	# Python starts the command, because background jobs of a shell ignore SIGINT.
	python3 - $signal >"$tmp" 2>&1 <<-'END'
		import os, signal, subprocess, sys, time
		up = subprocess.Popen(["rdmafault", "fabric", "up", "64"])
		while up.poll() is None and not os.path.exists("/sys/class/net/v2"):
		    time.sleep(0.005)
		up.send_signal(getattr(signal, "SIG" + sys.argv[1]))
		sys.exit(up.wait())
	END
	is "SIG$signal during fabric up: the exit status is 99" $? 99
	is "SIG$signal during fabric up: one line says that nothing was made" "$(cat "$tmp")" \
		"rdmafault: fabric: interrupted; everything that was created is removed"
	is "SIG$signal during fabric up: nothing is left" "$(traces)" "$before"
done

ip link add up0 mtu 1500 type dummy
part=(fabric up 4 nodes 3-4 uplink up0)
refused "a part of a fabric is refused if the MTU of the uplink is too small" \
	"^rdmafault: uplink up0: its MTU is 1500; at least 4200 is needed$" rdmafault "${part[@]}"
ip link set up0 mtu 4200
ip address add 192.0.2.1/24 dev up0
refused "a part of a fabric is refused if the uplink has an address" \
	"^rdmafault: uplink up0: it has an IPv4 address" rdmafault "${part[@]}"
ip address del 192.0.2.1/24 dev up0
refused "a part of a fabric is refused if the uplink does not exist" \
	"^rdmafault: up1: uplink: No such device$" rdmafault "${part[@]/up0/up1}"
ok "fabric up of a part succeeds" rdmafault "${part[@]}"
is "fabric show --json has the nodes of the part, with their numbers in the whole fabric" \
	"$(rdmafault --json fabric show | jq -c '[.nodes, [.node[] | .rank, .netdev, .address]]')" \
	'[4,[2,"v3","10.77.0.3",3,"v4","10.77.0.4"]]'
is "the nodes of the part know the MAC addresses of all nodes" \
	"$(ip neigh show dev v3 nud permanent | sort | awk '{print $1, $3}' | paste -sd,)" \
	"10.77.0.1 02:72:66:00:00:01,10.77.0.2 02:72:66:00:00:02,10.77.0.4 02:72:66:00:00:04"
is "the uplink is a port of the bridge" \
	"$(ip -o link show master rfbr0 | awk -F'[ :@]+' '{print $2}' | sort | paste -sd' ')" "p3 p4 up0"
ok "fabric down of a part succeeds" rdmafault fabric down
ok "fabric down leaves the uplink, without a bridge" \
	test -z "$(ip -j link show up0 | jq -r '.[0].master // ""')"
ip link del up0
is "fabric down of a part leaves nothing" "$(traces)" "$before"
