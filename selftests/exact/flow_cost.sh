#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a packet costs doesn't depend on what others have sent before: 4096 flows
# whose addresses have the same sum, and 4096 between the same addresses that an
# acknowledgment may be for. In virtual time a nanosecond is an instruction.
#
#   sendframe - t1 (port) ======= t2 - sendframe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

virtual_only

frames=4096
tmp=$(mktemp -d)
defer rm -r "$tmp"

took()
{
	local since

	since=$(date +%s%N)
	sendframe "$1" <"$2"
	echo $(($(date +%s%N) - since))
}

# cost DEV FILE: of the rules, for a frame. The netdev's own is measured without
# them; then the flows are made.
cost()
{
	local bare with

	sendframe "$1" <"$2"
	bare=$(took "$1" "$2")
	rules_add
	[ -z "${before:-}" ] || sendframe t1 <"$before"
	sendframe "$1" <"$2"
	with=$(took "$1" "$2")
	rdmafault rule flush t1
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
ok "a packet of one flow costs something" [ "$one" -gt 0 ]
ok "with $frames crafted flows it costs twice as much at most" \
	[ "$many" -le $((2 * one)) ]

crafted asking 1 >"$tmp/asking-one"
crafted asking $frames >"$tmp/asking-many"
crafted acks $frames >"$tmp/acks"
one=$(before=$tmp/asking-one cost t2 "$tmp/acks")
many=$(before=$tmp/asking-many cost t2 "$tmp/acks")
echo "# an acknowledgment: $one instructions with one flow, $many with $frames"
ok "an acknowledgment costs something" [ "$one" -gt 0 ]
ok "with $frames flows that it could be for, three times as much at most" \
	[ "$many" -le $((3 * one)) ]
