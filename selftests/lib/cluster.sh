# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Make four nodes on two machines (scripts/vm --machines 2), on one layer 2 network:
#
#   vm1  v1 (rxe1) -- p1 \                       / p1 -- (rxe1) v1  vm2
#                         br0 -- eth0 == eth0 -- br0
#        v2 (rxe2) -- p2 /                       \ p2 -- (rxe2) v2
#
# Node k, from 1 to 4 on both machines, has the address 10.77.0.k. Its devices are
# numbered within the machine, so that local rank l uses rxe(l+1).

# machine NUMBER: make the two nodes of this machine. NUMBER is 1 or 2: the number of this
# machine.
machine()
{
	local l k

	sysctl -qw net.ipv4.conf.all.accept_local=1 net.ipv4.conf.all.rp_filter=0 \
		net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2
	ip link add br0 mtu 4200 type bridge forward_delay 0 mcast_snooping 0
	ip address flush dev eth0
	ip address add "10.78.0.$1/24" dev br0
	ip link set eth0 master br0
	ip link set br0 up
	for l in 1 2; do
		k=$((2 * $1 - 2 + l))
		ip link add v$l mtu 4200 address 02:72:66:00:00:0$k \
			type veth peer name p$l mtu 4200
		sysctl -qw net.ipv4.conf.v$l.rp_filter=0
		ip link set p$l master br0
		ip link set p$l up
		ip address add 10.77.0.$k/24 dev v$l
		ip link set v$l up
		rdma link add rxe$l type rxe netdev v$l
		for k in 1 2 3 4; do
			ip neighbour replace 10.77.0.$k lladdr 02:72:66:00:00:0$k \
				nud permanent dev v$l
		done
	done
}

# gids: succeeds if both devices have their IPv4 GID
gids()
{
	grep -q 0a4d:0 /sys/class/infiniband/rxe1/ports/1/gids/1 &&
		grep -q 0a4d:0 /sys/class/infiniband/rxe2/ports/1/gids/1
}

# cluster: make all four nodes
cluster()
{
	machine 1
	on vm2 "$(declare -f machine gids); machine 2; until gids; do sleep 0.1; done"
	wait_until 20 gids
}

# verified FILE: succeeds if collperf's table has rows and none of them has a wrong value
verified()
{
	grep -q '^# Out of bounds values : 0 OK' "$1" &&
		awk '$1 ~ /^[0-9]+$/ { n++; bad += $9 != "0" } END { exit !n || bad }' "$1" ||
		{ cat "$1"; return 1; }
}

# devices FILE: prints the machine and the device of each rank, from the output of collperf
devices()
{
	sed -n 's/^# *Rank .* on *\(vm.\) .*\[\(rxe.\)\].*/\1 \2/p' "$1" | paste -sd,
}

# no_process: succeeds if no process and no queue pair of a job is left on both machines
no_process()
{
	local look='! pgrep -x "collperf|train|orted|slurmstepd" && ! rdma resource show qp | grep -Eq "collperf|train"'

	eval "$look" && on vm2 "$look"
}
