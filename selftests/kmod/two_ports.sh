#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that two ports in a row draw independent random numbers, although their rules have the
# same seed and key: a packet that the first port hits is hit by the second port with the
# probability of its rule. Ports with the same name, in two network namespaces, draw the same
# numbers until one of them gets another name.
#
#                        namespace "far"
#                  ┌──────────────────────────┐
#   sendroce - t1 ═╪═ t2 ── t0 ── t1 ═══ t4   │
#           (port) │            (port)        │
#                  └──────────────────────────┘
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

packets=3000

in_far()
{
	ip netns exec far "$@"
}

# far_stat ID KEY: prints a counter of a rule of the far port
far_stat()
{
	in_far rdmafault --json rule show t1 | jq ".[] | select(.id == $1).$2"
}

# is_near COUNT OF PERCENT: succeeds if COUNT of OF packets is at most four standard deviations
# away from PERCENT
is_near()
{
	awk -v k="$1" -v n="$2" -v p="$3" 'BEGIN {
		p /= 100; d = k - n * p
		exit !(n > 0 && d * d <= 16 * n * p * (1 - p))
	}'
}

# hits NAME NEAR-RULE FAR-RULE: delete all rules, add the two rules and send the packets; sets
# $near, and $far and $came, the hits of the rules and the packets at the far port
hits()
{
	# shellcheck disable=SC2086 # a rule consists of several words
	{
		rdmafault -q rule flush t1
		in_far rdmafault -q rule flush t1
		watch=$(in_far rdmafault --json rule add t1 tx all key 99 observe | jq .id)
		near=$(rdmafault --json rule add t1 tx key 0 $2 | jq .id)
		far=$(in_far rdmafault --json rule add t1 tx key 0 $3 | jq .id)
		[ -z "$first" ] || rdmafault -q rule add t1 tx $first
		sendroce t1 count $packets
	}
	near=$(rule_stat t1 "$near" hits)
	far=$(far_stat "$far" hits)
	came=$(far_stat "$watch" matched)
	echo "# $1: hits $near, at the far port $far of $came"
}

first=''
defer ip netns del far
ip netns add far
veth_pair t1 t2
veth_pair t3 t4
ip link set t2 netns far
ip link set t3 netns far
ip link set t4 netns far
in_far ip link set t3 name t1
in_far ip link add t0 type bridge
in_far sysctl -q -w net.ipv6.conf.all.disable_ipv6=1
for dev in t2 t1; do
	in_far ip link set $dev master t0
done
for dev in t2 t1 t4 t0; do
	in_far ip link set $dev up
done
veth_port t1
ok "the netdev t1 of the other namespace can be a port" \
	in_far tc qdisc add dev t1 root rdmafault

# A packet that the near rule hits is marked, so the far rule can match only these packets.
mark='all probability 10% mark ect1'
observe='ecn ect1 probability 10% observe'

hits "two ports named t1" "$mark" "$observe"
ok "control: the near rule hits 10 % of the packets ($near of $packets)" is_near "$near" $packets 10
is "control: two ports with the same name hit the same packets" "$far" "$near"
is "port show prints the netdev's name as the default" \
	"$(in_far rdmafault --json port show t1 | jq -r '.[].name')" t1

in_far rdmafault -q rule flush t1
ok "port set changes the name" in_far rdmafault -q port set t1 name far:t1
is "port show prints the new name" \
	"$(in_far rdmafault --json port show t1 | jq -r '.[].name')" far:t1
hits "two names" "$mark" "$observe"
ok "the near rule hits 10 % of the packets ($near of $packets)" is_near "$near" $packets 10
ok "10 % of these are hit by both rules ($far of $near)" is_near "$far" "$near" 10
again=$far
hits "two names again" "$mark" "$observe"
is "the same port hits the same packets again" "$far" "$again"

drop='all probability 10% drop'
hits "drop and drop" "$drop" "$drop"
ok "the near port drops 10 % ($near of $packets)" is_near "$near" $packets 10
ok "the far port drops 10 % of the rest ($far of $came)" is_near "$far" "$came" 10
ok "both together drop 19 % ($((near + far)) of $packets)" is_near $((near + far)) $packets 19

first='psn 0 drop'
hits "the first packet lost" "$drop" "$drop"
ok "if the far port misses the first packet, it drops 10 % of the rest ($far of $came)" \
	is_near "$far" "$came" 10
first=''

hits "gemodel" 'all gemodel 3% 30% mark ect1' 'ecn ect1 gemodel 3% 30% observe'
ok "gemodel: at most half of the packets hit at the near port are hit at both ($far of $near)" \
	[ "$near" -gt 100 -a $((2 * far)) -lt "$near" ]

refused "the name of a port with rules cannot change" "name: the port has rules" \
	in_far rdmafault port set t1 name other
in_far rdmafault -q rule flush t1
refused "an empty name is refused" "1 to 63 characters without spaces" in_far rdmafault port set t1 name ''
refused "a name of 64 characters is refused" "1 to 63 characters without spaces" \
	in_far rdmafault port set t1 name "$(printf '%064d' 0)"
in_far tc qdisc add dev t4 root rdmafault
refused "the name of another port is refused" "another port has this name" \
	in_far rdmafault port set t4 name far:t1
in_far rdmafault -q reset t1
is "reset returns to the netdev's name" \
	"$(in_far rdmafault --json port show t1 | jq -r '.[].name')" t1
