#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test which netdevs can become a port, and that all other netdevs are refused. A
# netdev with live queue pairs becomes a port with rules only, except with --force.
#
#   rxe1      rxe2
#    v1        v2     d0 (dummy, no RDMA)
#    |         |
#    p1 rfbr0 p2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ip link add d0 type dummy
defer ip link del d0
ip link set d0 up

root_of()
{
	tc qdisc show dev "$1" root | awk '{print $2; exit}'
}

port_names()
{
	rdmafault --json port show | jq -r '[.[].netdev] | sort | join(" ")'
}

ok "port add accepts a netdev" rdmafault port add v1
ok "port add accepts an RDMA device" rdmafault port add rxe2
ok "port add accepts a bridge port" rdmafault port add p1
is "port show lists the three ports" "$(port_names)" "p1 v1 v2"
is "port show --json names the RDMA device of a port" "rxe1" \
	"$(rdmafault --json port show v1 | jq -r '.[0].rdma')"
is "port show --json has null for a port without an RDMA device" \
	"null" "$(rdmafault --json port show p1 | jq '.[0].rdma')"
refused "port add of a port is refused" "^rdmafault: v1: " rdmafault port add v1
refused "port add of a port by its RDMA device is refused" "v1: " rdmafault port add rxe1
refused "port add --force of a port is refused" "v1: " rdmafault port add v1 --force
is "a refused port add leaves the port" "$(root_of v1)" rdmafault
ok "port del accepts an RDMA device" rdmafault port del rxe1
is "port del removes the port" "$(port_names)" "p1 v2"
refused "port del of a netdev that is no port is refused" "^rdmafault: v1: " \
	rdmafault port del v1

ok "tc qdisc add rdmafault succeeds" tc qdisc add dev v1 root rdmafault
is "port show lists a port added by tc" "$(port_names)" "p1 v1 v2"
ok "tc qdisc del removes a port" tc qdisc del dev v1 root

refused "a netdev without SoftRoCE is refused" \
	"d0: .*rdma link add rxe0 type rxe netdev d0" \
	rdmafault port add d0
is "a refused port add leaves the qdisc of d0" "$(root_of d0)" noqueue
ok "port add --force accepts a netdev without SoftRoCE" rdmafault port add d0 --force
ok "port del removes a port without SoftRoCE" rdmafault port del d0

# d0 is renamed after it has become a port, and another netdev gets the name d0.
rdmafault -q port add d0 --force
ip link set d0 down
ip link set d0 name d1
defer ip link del d1
is "a renamed netdev keeps the name of its port" "d0" \
	"$(rdmafault --json port show d1 | jq -r '.[0].name')"
ip link add d0 type dummy
ip link set d0 up
ok "port add warns of a name that another port has" \
	eval 'rdmafault port add d0 --force 2>&1 | grep -q "warning: ports d1 and d0 have the name d0"'
rdmafault -q port set d0 name second
is "control: with another name, port add does not warn" "" \
	"$(rdmafault -q port add v1 2>&1)"
rdmafault -q port del d1
rdmafault -q port del d0
rdmafault -q port del v1

tc qdisc replace dev v1 root handle 5: pfifo
refused "port add of a netdev with another qdisc is refused" \
	"v1: .*pfifo 5:.*.*tc qdisc del dev v1 root" \
	rdmafault port add v1
is "a refused port add leaves the other qdisc" "$(root_of v1)" pfifo
tc qdisc del dev v1 root

# Test a port of another namespace.
ns=rf-$RANDOM
ip netns add $ns
defer ip netns del $ns
ip -n $ns link add a0 type veth peer name b0
inside()
{
	ip netns exec $ns rdmafault "$@"
}
ok "port add in another namespace succeeds" inside port add a0 --force
is "port show does not list ports of another namespace" "$(port_names)" "p1 v2"
is "port show lists the ports of its namespace" "$(inside --json port show | jq -r '.[].netdev')" a0
ok "a port in another namespace accepts a rule" inside drop a0 tx qp 17
ok "reset in the first namespace succeeds" rdmafault reset
is "reset leaves the rules of another namespace" "$(inside --json rule show | jq length)" 1
is "rule show does not list rules of another namespace" \
	"$(rdmafault --json rule show | jq length)" 0

# Make two QPs that stay connected until the end of the test.
rdmafault port del v2
port=$((19600 + RANDOM % 1000))
# A busy host can stop a virtual CPU for a second, which must not break the queue pairs (-u).
ib_write_bw -d rxe2 -x 1 -p $port -u 20 -D 60 >/dev/null 2>&1 &
disown
defer kill $!
wait_until 20 grep -q "$(printf ':%04X 0*:0000 0A' $port)" \
	/proc/net/tcp /proc/net/tcp6
ib_write_bw -d rxe1 -x 1 -p $port -u 20 -D 60 127.0.0.1 >/dev/null 2>&1 &
disown
defer kill $!

two_live()
{
	[ "$(rdma resource show qp | grep -c 'type RC.*state RT')" -eq 2 ]
}
ok "two queue pairs are connected" wait_until 30 two_live

ok "port add of a device with live queue pairs makes a port with rules only" eval \
	'rdmafault port add v1 2>&1 | grep -q "rxe1: 1 queue pairs are in use.*rules only"'
is "such a port add leaves the qdisc of v1" "$(root_of v1)" noqueue
ok "port del removes a port with rules only while queue pairs are live" rdmafault port del v1
ok "port add accepts a switch port while queue pairs are live" rdmafault port add p2
refused "fabric down with live queue pairs is refused" \
	"fabric: .*2.*--force" \
	rdmafault fabric down
ok "port add --force accepts a device with live queue pairs" rdmafault port add v2 --force
refused "port del of a device with live queue pairs is refused" \
	"rxe2: .*1" rdmafault port del v2
ok "port del --force removes a port with live queue pairs" rdmafault port del v2 --force
ok "fabric down --force succeeds with live queue pairs" rdmafault fabric down --force
is "fabric down --force ends the programs that use the fabric" "$(pgrep -c ib_write_bw)" 0
