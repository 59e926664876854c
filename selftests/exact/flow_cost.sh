#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the cost of a packet does not depend on the number of other flows: with 4096 flows
# whose addresses have the same sum, and with 4096 flows between the same two addresses, so
# that an ACK can belong to any of them. Also test that closing a socket that owns no rule does not
# depend on the number of rules. In virtual time a nanosecond is an instruction.
#
#   sendframe - t1 (port) ======= t2 - sendframe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

virtual_only

frames=4096
few=128
some=32
tmp=$(mktemp -d)
defer rm -r "$tmp"

took()
{
	local since

	since=$(date +%s%N)
	sendframe "$1" <"$2"
	echo $(($(date +%s%N) - since))
}

# cost DEV FILE: prints by how many instructions the rules increase the cost of a frame. The
# frames in FILE are sent from DEV, first without rules. Then the rules are added, the flows are
# made, and the frames are sent again.
cost()
{
	local bare with

	sendframe "$1" <"$2"
	bare=$(took "$1" "$2")
	rules_add
	[ -z "${before:-}" ] || sendframe t1 <"$before"
	sendframe "$1" <"$2"
	with=$(took "$1" "$2")
	rdmafault -q rule flush t1
	echo $(((with - bare) / frames))
}

rules_add()
{
	rdmafault rule add t1 tx all observe >/dev/null
	rdmafault rule add t1 rx all observe >/dev/null
}

crafted()
{
	python3 "$selftests/lib/crafted.py" "$@"
}

veth_pair t1 t2
veth_port t1
crafted bucket $frames >"$tmp/many"
crafted bucket 1 | awk -v n=$frames '{ while (n--) print }' >"$tmp/one"
one=$(cost t1 "$tmp/one")
many=$(cost t1 "$tmp/many")
echo "# a packet: $one instructions with one flow, $many with $frames"
ok "control: with one flow a packet costs more than 0 instructions ($one)" [ "$one" -gt 0 ]
ok "with $frames crafted flows a packet costs at most twice as much ($many)" \
	[ "$many" -le $((2 * one)) ]

crafted asking 1 >"$tmp/asking-one"
crafted asking $some >"$tmp/asking-some"
crafted asking $few >"$tmp/asking-few"
crafted asking $frames >"$tmp/asking-many"
crafted acks $frames >"$tmp/acks"
one=$(before=$tmp/asking-one cost t2 "$tmp/acks")
part=$(before=$tmp/asking-some cost t2 "$tmp/acks")
base=$(before=$tmp/asking-few cost t2 "$tmp/acks")
many=$(before=$tmp/asking-many cost t2 "$tmp/acks")
echo "# an acknowledgment: $one instructions with one flow, $part with $some, $base with $few," \
	"$many with $frames"
ok "control: with one flow an ACK costs more than 0 instructions ($one)" [ "$one" -gt 0 ]
# The port looks at no more than 64 of these flows, twice as many as $some. The allowance of 100
# instructions is for the case that looking at a flow costs next to nothing.
ok "with $frames such flows, an ACK costs at most three times as much more than with one as with $some" \
	[ $((many - one)) -le $((3 * (part - one) + 100)) ]
ok "with $frames such flows, an ACK costs at most 25 % more than with $few ($base)" \
	[ "$many" -le $((5 * base / 4)) ]

# Print the instructions that it takes to open and close a generic netlink socket.
socket_cost()
{
	python3 -c '
import socket, time
def once():
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
    s.bind((0, 0))
    s.close()
once()
since = time.monotonic_ns()
for _ in range(50):
    once()
print((time.monotonic_ns() - since) // 50)'
}

one=$(socket_cost)
seq 0 9999 | sed 's/.*/qp 16 psn & observe/' >"$tmp/rules"
rdmafault -q rule replace t1 tx "$tmp/rules"
many=$(socket_cost)
echo "# a socket: $one instructions without rules, $many with 10000"
ok "control: a socket costs more than 0 instructions without rules ($one)" [ "$one" -gt 0 ]
ok "with 10000 rules, a socket that owns none costs at most 25 % more ($many)" \
	[ "$many" -le $((5 * one / 4)) ]
