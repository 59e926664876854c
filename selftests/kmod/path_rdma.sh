#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test paths with verbs over a fabric with two leaves and four spines. Each message is verified,
# in each mode and for each operation, also with a listener and a rule, with queues behind the
# ports and on the links, and when a link fails. With ecmp, the link of each flow is predicted from
# the numbers of its queue pairs, from which rxe computes the UDP source port.
#
#   rxe1 v1 ══ p1 (path) ── leaf 1 ─┬─ l1s1 ══ spine 1 ══ l2s1 ─┬─ leaf 2 ── p2 (path) ══ v2 rxe2
#                                   ├─ ...                  ... ─┤
#                                   └─ l1s4 ══ spine 4 ══ l2s4 ─┘
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/rdma.sh"

need_python

near=l1s1,l1s2,l1s3,l1s4
far=l2s1,l2s2,l2s3,l2s4

defer rdmafault fabric down --force
rdmafault fabric up 2 shape leaf-spine leaves 2 spines 4 >/dev/null ||
	{ echo "Bail out! the fabric cannot be made"; exit 1; }

# paths MODE...: set the paths of both nodes
paths()
{
	printf 'path set %s seed 3\n' "p1 $* links $near" "p2 $* links $far" |
		rdmafault -q -batch -
}

# chosen: prints the packets for which each of the paths has chosen a link
chosen()
{
	rdmafault --json path show | jq 'map([.links[].packets] | add)[]'
}

# sent LEAF: prints the packets that the links of a leaf have sent
sent()
{
	local file packets sum=0

	for file in "/sys/class/net/l$1s"[1-4]/statistics/tx_packets; do
		read -r packets <"$file"
		sum=$((sum + packets))
	done
	echo $sum
}

# carries TITLE [OPERATION [BYTES]]: test that rcprobe's messages arrive, and that the paths have
# chosen the links of all packets that leave the leaves. The timer of 67 ms repairs a lost order.
carries()
{
	local before after

	mapfile -t before < <(chosen; sent 1; sent 2)
	is "$1: all messages are verified" \
		"$(rcprobe rxe1 rxe2 "${2:-write}" 20 "${3:-8192}" 0 14 7)" \
		"done=20 wrong=0 status=0"
	mapfile -t after < <(chosen; sent 1; sent 2)
	is "$1: the paths choose the links of all packets" \
		"$((after[0] - before[0])) $((after[1] - before[1]))" \
		"$((after[2] - before[2])) $((after[3] - before[3]))"
	ok "$1: each message has packets in both directions" \
		test $((after[0] - before[0])) -ge 20 -a $((after[1] - before[1])) -ge 20
}

modes()
{
	carries "ecmp, READ" read
	carries "ecmp, atomic operations" add 8
	paths qp && carries qp
	paths flowlet 100us && carries flowlet
	paths spray && carries spray
	rdmafault -q path set p1 list dst 10.77.0.2 via l1s2 links $near
	carries list
	is "list: all packets take the link of the route" \
		"$(rdmafault --json path show p1 | jq -c '.[0].links | map(.packets > 0)')" \
		"[false,true,false,false]"
}

# Queues behind the ports, and on each link, which is then the second port in a row
features()
{
	local dev

	paths adaptive
	for dev in p1 p2 ${near//,/ } ${far//,/ }; do
		printf '%s\n' "port add $dev" "link set $dev rate 500mbit"
	done | rdmafault -q -batch -
	carries "adaptive with queues"
	paths ecmp
	defer tracepoints 0
	tracepoints 1
	rdmafault rule add p1 rx all observe >/dev/null
	carries "with a listener, a rule and queues"
	tracepoints 0
	rdmafault -q rule flush p1
}

has_chosen()
{
	[ "$(chosen | head -n 1)" -gt 10 ]
}

# The link of a flow fails, and is then marked as down. The timer of 0.5 s expires seven times
# before the queue pair fails.
failure()
{
	local out link

	paths ecmp
	out=$(mktemp)
	defer rm -f "$out"
	rcprobe rxe1 rxe2 write 3000 1024 0 17 >"$out" &
	ok "the flow has a link" wait_until "$soon" has_chosen
	link=$(rdmafault --json path show p1 | jq -r '.[0].links[] | select(.packets > 0).netdev')
	ip link set "s${link#l1s}l1" down
	printf 'path link %s down\n' "p1 $link" "p2 l2${link#l1}" | rdmafault -q -batch -
	wait $!
	is "$link fails: all messages arrive over another link" "$(<"$out")" \
		"done=3000 wrong=0 status=0"
	ok "another link has packets" test "$(rdmafault --json path show p1 |
		jq --arg link "$link" '[.[0].links[] | select(.netdev != $link).packets] | add')" -gt 0
}

paths ecmp
python_test "$selftests/kmod/path_rdma.py"
modes
features
failure
is "rxe counts no send error" "$(hw rxe1 send_err) $(hw rxe2 send_err)" "0 0"
