#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the path of a port sends each packet over the link that its documentation predicts,
# and leaves all other packets to the bridge. The packets are captured at the far ends of the
# links. Rules come before the path. Links can be marked, removed, and end.
#
#                      leaf bridge     ┌ t1 ═ s1
#   h1 ═══════ p1 (path) ── lf ── p2   ├ t2 ═ s2    the bridge knows 02:..:02 behind t1,
#                           │     ║    ├ t3 ═ s3    and 02:..:22 behind p2
#                           │     h2   │
#                           └──────────┴ t4 ═ s4
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

need_python

links=t1,t2,t3,t4
defer rdmafault port del p1
for n in 1 2 3 4; do
	veth_pair t$n s$n
done
veth_pair p1 h1
veth_pair p2 h2
veth_pair u1 u2
veth_bridge lf p1 p2 t1 t2 t3 t4
bridge fdb add 02:00:00:00:00:02 dev t1 master static
bridge fdb add 02:00:00:00:00:22 dev p2 master static

# path KEY: prints a member of the path of p1
path()
{
	rdmafault --json path show p1 | jq -c ".[0]$1"
}

refusals()
{
	refused_all "path set p1" <<-EOT
	random links $links|mode random: .*; ecmp, qp, flowlet, spray, adaptive or list
	flowlet 0 links $links|gap 0: .*; 1ns to 20s
	flowlet links $links|gap links: .*; 1ns to 20s
	flowlet 21s links $links|gap 21s: .*; 1ns to 20s
	flowlet 6s links $links|p1: gap: longer than the port's max-hold, 5s
	ecmp|links missing; 1 to 16 netdevs
	ecmp links t1,|links t1,: .*; 1 to 16 netdevs
	ecmp links t1,t2,t1|links t1,t2,t1: t1 given twice
	ecmp links $(seq -s, 17)|links .*: more than 16 netdevs
	ecmp links t1 links t2|links: given twice
	ecmp links t1,t9|link t9: no such netdev
	ecmp links t1,u1|link u1: not in lf, the bridge of p1
	ecmp links t1,p1|p1: link: is the port itself
	ecmp links t1 seed -1|seed -1: .*; 0 to
	ecmp random links t1,t2|unexpected "random"
	ecmp linsk t1|unknown word "linsk"; did you mean "links"
	list links t1,t2|list: no routes
	list via t1 links t1,t2|list: dst and qp missing in route 1
	list qp 17 links t1,t2|list: via missing in route 1
	list qp 0 via t1 links t1|qp 0: .*; 1 to 16777215
	list dst t1 via t1 links t1|dst t1: .*; an IPv4 or IPv6 address
	list qp 17 via t3 links t1,t2|via t3: t3 is not one of the links t1,t2
	EOT
	refused_all path <<-EOT
	set u1 ecmp links t1|u1: not a port of a bridge
	set p1|path set: MODE missing
	show p1|p1: path: the port has none
	del p1|p1: path: the port has none
	link p1 t1 off|path link: unknown state "off"; up or down
	EOT
	is "no path is left of the refused ones" "$(rdmafault --json path show | jq -c .)" "[]"
}

limits()
{
	rdmafault -q path set p1 flowlet 1s links $links
	refused "max-hold cannot become shorter than the gap" 'shorter than the gap of the path' \
		rdmafault port set p1 max-hold 999ms
	refused "an invalid path is refused" 'longer than' \
		rdmafault path set p1 flowlet 6s links t1
	is "the earlier path stays" "$(path '| [.mode, .gap_ns, (.links | length)]')" \
		'["flowlet",1000000000,4]'
	refused "a link that is not of the path cannot be marked" 'u1 is not a link of its path' \
		rdmafault path link p1 u1 down
	rdmafault -q reset p1
	is "reset ends the path" "$(rdmafault --json path show | jq -c .)" "[]"
}

# A link that leaves the bridge, or ends, is removed from the path, and its packets go over the
# others. The bridge knows the destination behind t1, which stays.
removal()
{
	rdmafault -q path set p1 ecmp seed 5 links $links
	ip link set t3 nomaster
	is "a link that leaves the bridge is removed" "$(path '.links[2].state')" '"removed"'
	ip link set t3 master lf
	is "a link that comes back stays removed" "$(path '.links[2].state')" '"removed"'
	ip link del t4
	is "a link that ends is removed" "$(path '.links[3].state')" '"removed"'
	is "the others stay" "$(path '.links[:2][].state' | xargs)" "up up"
}

# flood: send packets for the path until the process is killed
flood()
{
	while :; do
		sendroce h1 count 2000 flows 64 || return
	done
}

# has_sent COUNT: succeeds if the path has sent more packets than this
has_sent()
{
	[ "$(path '.links | map(.packets) | add')" -gt "$1" ]
}

under_traffic()
{
	local sender sent

	rdmafault -q path set p1 spray links t1,t2
	flood &
	sender=$!
	ok "the path sends packets" wait_until "$soon" has_sent 100
	ok "a link ends under traffic" ip link del t2
	is "it is removed" "$(path '.links[1].state')" '"removed"'
	sent=$(path '.links[0].packets')
	ok "the packets take the other link" wait_until "$soon" has_sent $((sent + 1000))
	ok "the module is unloaded under traffic" modprobe -r rdmafault
	kill $sender
	wait $sender
	modprobe rdmafault
	is "the path has ended with the module" "$(rdmafault --json path show | jq -c .)" "[]"
}

python_test "$selftests/kmod/path.py"
refusals
limits
removal
under_traffic
