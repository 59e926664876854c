#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fabric comes whole or not at all, and goes without a trace.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp)
defer rm "$tmp"
defer rdmafault fabric down --force

# All that a fabric could leave behind
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

is "without one, none is shown" "$(rdmafault --json fabric show | jq -c .)" \
	'{"node":[],"nodes":0}'
refused "nor can it go" "^rdmafault: no fabric is up$" rdmafault fabric down

for n in 2 4 64; do
	ok "$n nodes come up" rdmafault fabric up $n
	is "with $n RDMA devices" "$(rdma link | grep -c 'state ACTIVE')" $n
	is "that have a GID each" "$(rdmafault --json fabric show |
		jq "[.node[] | select(.gid_index != null)] | length")" $n
	is "with $n switch ports" "$(ip -o link show master rfbr0 | wc -l)" $n
	[ $n -ne 4 ] || ok "data passes" reaches
	ok "$n nodes go down" rdmafault fabric down
	is "$n nodes leave nothing" "$(traces)" "$before"
done

ok "without a number there are 4" rdmafault fabric up
is "as shown" "$(rdmafault --json fabric show | jq -c \
	'[.nodes, .node[3].rank, .node[3].rdma, .node[3].netdev, .node[3].switch_port, .node[3].address]')" \
	'[4,3,"rxe4","v4","p4","10.77.0.4"]'
is "addresses of the link layer are fixed" \
	"$(cat /sys/class/net/v3/address /sys/class/net/p3/address)" \
	"$(printf '02:72:66:00:00:03\n02:72:66:01:00:03')"
is "the IB MTU is 4096" 4 "$(ibv_devinfo | grep -c 'active_mtu:.*4096')"

ip link del p3
ok "a half one goes, too" rdmafault fabric down
is "and leaves nothing" "$(traces)" "$before"

rdmafault fabric up 2
rdmafault port add v1
rdmafault port add p2
rdmafault drop v1 tx qp 17 >/dev/null
ok "one with ports and rules goes" rdmafault fabric down
is "and leaves nothing" "$(traces)" "$before"

# lossless: the ports with PFC, and on which priorities
lossless()
{
	rdmafault --json prio show | jq -c 'map({ (.netdev):
		[.prio[] | select(.pfc) | .prio] }) | add'
}

ok "one with PFC comes up" rdmafault fabric up 2 shape chain pfc 3,5
is "all its netdevs are ports with PFC" "$(lossless)" \
	'{"p1":[3,5],"p2":[3,5],"s1s2":[3,5],"s2s1":[3,5],"v1":[3,5],"v2":[3,5]}'
ok "data passes" reaches
rdmafault fabric down
is "and leaves nothing" "$(traces)" "$before"
refused "PFC for a priority that there isn't" \
	"^rdmafault: pfc: want priorities of 0 to 7 or all, as 3 or 3,4, got \"8\"$" \
	rdmafault fabric up 2 pfc 8
is "which makes nothing" "$(traces)" "$before"

for name in v3 p2 rfbr0; do
	ip link add $name type dummy
	refused "a taken name is told: $name" \
		"^rdmafault: $name: the fabric needs this name, but it is taken$" \
		rdmafault fabric up 4
	ip link del $name
	is "and nothing was made" "$(traces)" "$before"
done
ip link add d0 type dummy
rdma link add rxe2 type rxe netdev d0
refused "a taken RDMA name is told" "rxe2: .* it is taken" rdmafault fabric up 2
rdma link del rxe2
ip link del d0
ok "then it works" rdmafault fabric up 2
rdmafault fabric down

# Whoever comes second finds the first one's, and leaves it whole.
for n in 1 2 3; do
	rdmafault fabric up 8 >/dev/null 2>"$tmp" &
	first=$!
	second=0
	rdmafault fabric up 6 shape chain >/dev/null 2>>"$tmp" || second=$?
	wait $first
	is "two at once: one is made" $(($? + second)) 1
	is "two at once: the other is refused" \
		"$(grep -c '^rdmafault: a fabric of . nodes is up already' "$tmp")" 1
	is "two at once: the one is whole" \
		"$(rdma link | grep -c 'state ACTIVE')" \
		"$(rdmafault --json fabric show | jq .nodes)"
	ok "two at once: it goes" rdmafault fabric down
	is "two at once: nothing is left" "$(traces)" "$before"
done

# watch_links: what every fabric link sends is counted from now on
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

# passes FROM TO NETDEV...: data from node to node, by these and no other fabric link
passes()
{
	local from=$1 to=$2 old

	shift 2
	old=$(sent)
	ok "node $from writes to node $to" write_bw "$to" "$from" -n 5 -s 65536
	is "by way of ${*:-no fabric link}" \
		"$(sent | jq -r --argjson old "$old" \
			'[to_entries[] | select(.value > $old[.key]).key] | sort | join(" ")')" \
		"$(printf '%s\n' "$@" | sort | paste -sd ' ')"
}

ok "a chain of three switches comes up" rdmafault fabric up 6 shape chain switches 3
is "as shown" "$(rdmafault --json fabric show | jq -c \
	'[.nodes, .shape, .node[4].switch, [.fabric_link[].netdev], .fabric_link[2].nodes]')" \
	'[6,"chain","s3",["s1s2","s2s1","s2s3","s3s2"],[5,6]]'
refused "a second one is refused" "a fabric of 6 nodes is up already" \
	rdmafault fabric up 2
watch_links
passes 1 2
passes 1 4 s1s2 s2s1
passes 6 1 s3s2 s2s1 s1s2 s2s3
ip link del s2s3
ok "a half one goes" rdmafault fabric down
is "and leaves nothing" "$(traces)" "$before"

ok "two leaves and two spines come up" \
	rdmafault fabric up 4 shape leaf-spine spines 2
watch_links
passes 1 3 l1s1 s1l2 l2s1 s1l1
passes 2 4 l1s2 s2l2 l2s2 s2l1
is "nothing is flooded, for there is a loop" \
	"$(bridge -d -j link | jq -c '[.[] | select(.master) | .flood, .learning] | unique')" \
	'[false]'
ok "they go down" rdmafault fabric down
is "and leave nothing" "$(traces)" "$before"

ok "all leaves and spines that there may be come up" \
	rdmafault fabric up 16 shape leaf-spine leaves 16 spines 4
is "with two ports for each link" \
	"$(rdmafault --json fabric show | jq '.fabric_link | length')" 128
ok "and goes down" rdmafault fabric down
is "and leaves nothing" "$(traces)" "$before"

ip link add s2s1 type dummy
refused "a taken name of a fabric link is told" \
	"^rdmafault: s2s1: the fabric needs this name, but it is taken$" \
	rdmafault fabric up 4 shape chain
ip link del s2s1
is "and nothing was made" "$(traces)" "$before"

# With all 64 nodes it would take seconds.
for signal in INT TERM HUP; do
	# Not from here: a shell has its jobs ignore SIGINT.
	python3 - $signal >"$tmp" 2>&1 <<-'END'
		import os, signal, subprocess, sys, time
		up = subprocess.Popen(["rdmafault", "fabric", "up", "64"])
		while up.poll() is None and not os.path.exists("/sys/class/net/v2"):
		    time.sleep(0.005)
		up.send_signal(getattr(signal, "SIG" + sys.argv[1]))
		sys.exit(up.wait())
	END
	is "SIG$signal while it is made: exit status 1" $? 1
	is "and one line says so" "$(cat "$tmp")" \
		"rdmafault: fabric: interrupted, nothing was made"
	is "and nothing was" "$(traces)" "$before"
done
