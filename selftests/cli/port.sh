#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ports: who may become one, who may not, and who must not while it is in use.
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

ok "a netdev becomes a port" rdmafault port add v1
ok "an RDMA device does" rdmafault port add rxe2
ok "the port of a bridge does" rdmafault port add p1
is "they are listed" "$(port_names)" "p1 v1 v2"
is "with their RDMA devices" "rxe1" \
	"$(rdmafault --json port show v1 | jq -r '.[0].rdma')"
is "and without" "null" "$(rdmafault --json port show p1 | jq '.[0].rdma')"
refused "not twice" "^rdmafault: v1: " rdmafault port add v1
refused "nor by the other name" "v1: " rdmafault port add rxe1
refused "nor by force" "v1: " rdmafault port add v1 --force
is "a refusal leaves the port" "$(root_of v1)" rdmafault
ok "a port is taken away" rdmafault port del rxe1
is "and its qdisc with it" "$(port_names)" "p1 v2"
refused "what is no port can't be taken away" "^rdmafault: v1: " \
	rdmafault port del v1

ok "tc makes the same port" tc qdisc add dev v1 root rdmafault
is "as the list shows" "$(port_names)" "p1 v1 v2"
ok "and tc takes it away" tc qdisc del dev v1 root

refused "a netdev without SoftRoCE is refused" \
	"d0: .*rdma link add rxe0 type rxe netdev d0" \
	rdmafault port add d0
is "and untouched" "$(root_of d0)" noqueue
ok "unless forced" rdmafault port add d0 --force
ok "and taken away" rdmafault port del d0

tc qdisc replace dev v1 root handle 5: pfifo
refused "somebody else's qdisc is left alone" \
	"v1: .*pfifo 5:.*.*tc qdisc del dev v1 root" \
	rdmafault port add v1
is "and stays" "$(root_of v1)" pfifo
tc qdisc del dev v1 root

# A port of another namespace
ns=rf-$RANDOM
ip netns add $ns
defer ip netns del $ns
ip -n $ns link add a0 type veth peer name b0
inside()
{
	ip netns exec $ns rdmafault "$@"
}
ok "another namespace has ports of its own" inside port add a0 --force
is "which aren't listed here" "$(port_names)" "p1 v2"
is "but there" "$(inside --json port show | jq -r '.[].netdev')" a0
ok "it takes a rule" inside drop a0 tx qp 17
ok "a reset here" rdmafault reset
is "is none there" "$(inside --json rule show | jq length)" 1
is "and here the rule isn't seen" "$(rdmafault --json rule show | jq length)" 0

# Two QPs that live until they are killed.
rdmafault port del v2
port=$((19600 + RANDOM % 1000))
ib_write_bw -d rxe2 -x 1 -p $port -D 60 >/dev/null 2>&1 &
disown
defer kill $!
wait_until 20 grep -q "$(printf ':%04X 0*:0000 0A' $port)" \
	/proc/net/tcp /proc/net/tcp6
ib_write_bw -d rxe1 -x 1 -p $port -D 60 127.0.0.1 >/dev/null 2>&1 &
disown
defer kill $!

two_live()
{
	[ "$(rdma resource show qp | grep -c 'type RC.*state RT')" -eq 2 ]
}
ok "two queue pairs are live" wait_until 30 two_live

refused "a device with live queue pairs is refused" \
	"rxe1: .*1.*--force" \
	rdmafault port add v1
is "and untouched" "$(root_of v1)" noqueue
ok "a switch port isn't concerned" rdmafault port add p2
refused "nor does the fabric go" \
	"fabric: .*2.*--force" \
	rdmafault fabric down
ok "a device is forced" rdmafault port add v2 --force
refused "a port with live queue pairs stays" \
	"rxe2: .*1" rdmafault port del v2
ok "unless forced" rdmafault port del v2 --force
ok "the fabric is forced down" rdmafault fabric down --force
is "and its users are gone" "$(pgrep -c ib_write_bw)" 0
