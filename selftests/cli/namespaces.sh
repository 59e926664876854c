#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rules, ECN and PFC on a network that other commands have made: two hosts and a switch, each
# in its own network namespace. The commands are those of Documentation/topologies.rst. At the end
# the namespaces are deleted while packets pass.
#
#   h1                    sw                    h2
#   eth1 (port) ==== swp1 (port) br0 swp2 (port) ==== eth1 (port)
#   192.0.2.1                                         192.0.2.2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"

# at NAMESPACE COMMAND...: run a command in a network namespace
at()
{
	ip netns exec "$@"
}

delete_all()
{
	local n

	for n in h1 h2 sw; do
		ip netns del $n 2>/dev/null
	done
}

# The MAC addresses are those of the packets of sendroce.
network()
{
	local n

	defer delete_all
	for n in h1 h2 sw; do
		ip netns add $n
		at $n sysctl -q -w net.ipv6.conf.default.disable_ipv6=1
	done
	ip -n sw link add br0 mtu 4200 type bridge mcast_snooping 0
	for n in 1 2; do
		ip link add eth1 mtu 4200 address 02:00:00:00:00:0$n netns h$n type veth \
			peer name swp$n mtu 4200 netns sw
		ip -n h$n address add 192.0.2.$n/24 dev eth1
		ip -n h$n link set eth1 up
		ip -n sw link set swp$n up master br0
	done
	ip -n sw link set br0 up
}

# came KEY...: prints how many packets h2 has received: InNoECTPkts, InECT0Pkts, InCEPkts
came()
{
	at h2 nstat -asz "${@/#/IpExt}" | awk '/^IpExt/ { n += $2 } END { print n }'
}

# count_of PORT PRIO KEY: prints a counter of a port of the switch
count_of()
{
	at sw rdmafault --json prio show "$1" | jq ".[0].prio[$2].$3"
}

# total: prints how many packets h2 has received
total()
{
	came InNoECTPkts InECT0Pkts InCEPkts
}

all_came()
{
	[ "$(total)" -ge "$1" ]
}

# send COUNT WORD NUMBER...: send packets from h1
send()
{
	at h1 sendroce eth1 count "$@"
}

rules_ok()
{
	local before

	before=$(total)
	send 100 payload 100
	ok "control: without a rule, all packets arrive" wait_until "$soon" all_came $((before + 100))
	at sw rdmafault drop swp1 rx psn 50 count 1 >/dev/null
	send 100 payload 100 psn 0
	ok "a rule of the switch drops one packet" wait_until "$soon" all_came $((before + 199))
	is "the rule of the switch has one hit" \
		"$(at sw rdmafault --json rule show swp1 | jq '.[0].hits')" 1
	is "the packet does not arrive" "$(total)" $((before + 199))
	is "other namespaces do not show the rule" "$(at h1 rdmafault --json rule show | jq length) $(
		rdmafault --json rule show | jq length)" "0 0"
	before=$(came InCEPkts)
	at sw rdmafault mark swp2 tx all every 10 >/dev/null
	send 100 ecn 2
	ok "a rule of the switch marks every tenth packet" wait_until "$soon" marked $((before + 10))
	at sw rdmafault reset >/dev/null
}

marked()
{
	[ "$(came InCEPkts)" = "$1" ]
}

has_paused()
{
	[ "$(count_of swp2 3 xoff_rx)" -ge 1 ]
}

# A host pauses priority 3 of the switch. Packets of priority 1 pass. With a rate of 10 Mbit/s, an
# XOFF lasts 3.4 s, so that the host renews it in time also on a busy machine.
pause_of_host_ok()
{
	local before storm

	at sw rdmafault link set swp2 rate 10mbit >/dev/null
	at h2 rdmafault link set eth1 rate 10mbit >/dev/null
	at sw rdmafault port set swp2 max-hold 20s >/dev/null
	at sw rdmafault prio set swp2 prio-pfc 3:on >/dev/null
	ip netns exec h2 rdmafault pause eth1 prio 3 storm for 60s frames >"$tmp/storm" &
	storm=$!
	wait_until "$soon" has_paused
	before=$(total)
	send 20 dscp 24
	send 20 dscp 8
	ok "h2 pauses priority 3: packets of priority 1 arrive" wait_until "$soon" all_came $((before + 20))
	is "h2 pauses priority 3: its packets wait in the switch" "$(count_of swp2 3 backlog)" 20
	kill -INT $storm
	wait $storm
	ok "after the pause, the packets of priority 3 arrive" wait_until "$soon" all_came $((before + 40))
	is "no more packets arrive than were sent" "$(total)" $((before + 40))
}

# The link to h2 is slow. The switch pauses h1 before its buffer is full, and marks packets.
lossless_ok()
{
	local before marks

	at sw rdmafault link set swp2 rate 4mbit >/dev/null
	at sw rdmafault ecn set swp2 prio 3 kmin 5000B kmax 5000B >/dev/null
	at sw rdmafault link set swp1 rate 100mbit buffer 4MiB >/dev/null
	at sw rdmafault prio set swp1 prio-pfc 3:on prio-headroom 3:2MiB prio-xoff 3:20000B >/dev/null
	at h1 rdmafault link set eth1 rate 100mbit >/dev/null
	at h1 rdmafault prio set eth1 prio-pfc 3:on >/dev/null
	before=$(total)
	marks=$(came InCEPkts)
	send 200 dscp 24 ecn 2 payload 1000
	ok "slow link: all packets arrive" wait_until 60 all_came $((before + 200))
	is "slow link: the switch has room for all of them" "$(count_of swp2 3 no_buffer)" 0
	ok "slow link: the switch pauses h1" [ "$(count_of swp1 3 xoff_tx)" -ge 1 ]
	is "slow link: h1 receives all XOFFs" \
		"$(at h1 rdmafault --json prio show eth1 | jq '.[0].prio[3].xoff_rx')" "$(count_of swp1 3 xoff_tx)"
	is "slow link: the packets that h2 receives with CE are those that the switch has marked" \
		$(($(came InCEPkts) - marks)) "$(count_of swp2 3 marked)"
	ok "slow link: packets are marked" [ "$(came InCEPkts)" -gt "$marks" ]
}

# Since Linux 7.2, each network namespace can have its own SoftRoCE devices.
rxe_ok()
{
	local n status

	if [ "$(printf '7.2\n%s\n' "$(uname -r)" | sort -V | head -1)" != 7.2 ]; then
		skip "SoftRoCE in two namespaces" "needs Linux 7.2"
		return
	fi
	for n in 1 2; do
		at h$n rdma link add rxn$n type rxe netdev eth1
	done
	at sw rdmafault drop swp1 rx class write position middle nth 50 count 1 >/dev/null
	ip netns exec h2 timeout 60 ib_write_bw -d rxn2 -x 1 -F -n 100 -s 16384 >/dev/null 2>&1 &
	wait_until "$soon" at h2 sh -c 'ss -ltn | grep -q :18515'
	at h1 timeout 60 ib_write_bw -d rxn1 -x 1 -F -n 100 -s 16384 192.0.2.2 >"$tmp/out" 2>&1
	status=$?
	wait $!
	is "SoftRoCE in two namespaces: ib_write_bw ends with 0 on both sides" "$status $?" "0 0"
	is "SoftRoCE in two namespaces: the rule of the switch has one hit" \
		"$(at sw rdmafault --json rule show swp1 | jq '.[0].hits')" 1
	is "SoftRoCE in two namespaces: the receiver counts the gap" \
		"$(cat /sys/class/infiniband/rxn2/ports/1/hw_counters/out_of_seq_request)" 1
	for n in 1 2; do
		at h$n rdma link del rxn$n
	done
}

deleted_ok()
{
	local sender

	at sw rdmafault delay swp1 rx 2ms all >/dev/null
	ip netns exec h1 sendroce eth1 count 1000000000 dscp 24 payload 1000 &
	sender=$!
	wait_until "$soon" eval '[ "$(count_of swp2 3 backlog)" -ge 1 ]'
	ok "packets pass when the switch is deleted" kill -0 $sender
	ip netns del sw
	wait $sender 2>/dev/null
	delete_all
	is "no port is left" "$(rdmafault --json port show | jq length)" 0
	ok "the module can be unloaded" wait_until "$soon" modprobe -r rdmafault
}

network
at sw rdmafault port add swp1 >/dev/null
at sw rdmafault port add swp2 >/dev/null
at h1 rdmafault port add eth1 --force >/dev/null
at h2 rdmafault port add eth1 --force >/dev/null
rules_ok
rxe_ok
pause_of_host_ok
lossless_ok
deleted_ok
