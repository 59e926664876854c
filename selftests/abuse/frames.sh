#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a port with frames of every kind, most of them invalid, sent through it in both
# directions. The port has rules of every action in both directions, and PFC and ECN are enabled
# on all priorities. Every lost frame must be counted, and no frame may arrive twice unless a
# rule duplicated it.
#
# Some frames are crafted to collide in hash tables (see throwframes.c). A flow that
# sends its packets in order between such frames must be tracked and hit as if it were
# alone. At the end all memory must be freed.
#
#   throwframes - t1 (port) ======= t2 - throwframes
#                  | bridge
#                 t3 (port) ======= t4
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/abuse.sh"
. "$selftests/lib/memory.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

frames=$(amount 20000 1000000)

# all_states: prints rules with every kind of state per flow and per queue pair
all_states()
{
	cat <<-END
	all gemodel 1% 30% once flow observe
	all gemodel 2% 30% 80% 1% observe
	all state 1% 30% 10% 20% 1% once qp observe
	all probability 1% correlation 25% observe
	all probability 1% burst 3 burst-max 8 observe
	all every 10 once step observe
	all nth 7 burst 5 observe
	all after 100 every 3 burst 2 observe
	END
}

# all_actions: prints rules that match many frames. Their delays are short, so that the
# delay queue does not fill.
all_actions()
{
	cat <<-END
	all observe
	all every 50 drop
	all probability 3% delay 1ms jitter 1ms
	all probability 2% reorder 3 within 5ms
	all every 31 duplicate 2
	all every 37 duplicate 1 after 1ms
	all every 17 corrupt bit
	all every 19 corrupt payload valid-icrc
	all every 23 corrupt icrc
	all every 29 truncate 3
	all every 47 trim 3 dscp 46
	all every 7 mark ce unless-ect mark
	all every 41 rewrite psn 77
	all every 43 rewrite qp 78
	all every 53 nak invalid-request
	all every 59 rnr 3
	all every 2003 blackhole 1ms
	all every 2011 blackhole 1ms both
	attempt 2+ observe
	qp any psn +3 observe
	END
	all_states
}

# arm DEVICE BUFFER: add rules of all actions to the port, enable PFC and ECN on all
# priorities, and set the size of its buffer. t3 is a switch port and has no rules that
# send a NAK, because the NAKs would come back to t3.
arm()
{
	local dev=$1 dir

	for dir in tx rx; do
		all_actions | if [ "$dev" = t3 ]; then grep -vE ' (nak|rnr)'; else cat; fi |
			rdmafault rule replace "$dev" $dir - || return
	done
	rdmafault link set "$dev" buffer "$2" || return
	rdmafault port set "$dev" max-hold 20s || return
	rdmafault prio set "$dev" prio-pfc all:on prio-headroom all:4KiB \
		prio-limit all:500p || return
	rdmafault ecn set "$dev" prio all kmin 1KiB kmax 20KiB pmax 50% \
		not-ect drop || return
	rdmafault pause "$dev" watchdog prio 0,1,2,3,4,5 detect 100ms restore 100ms \
		poll 10ms action drop
}

dev_stat()
{
	cat "/sys/class/net/$1/statistics/$2"
}

empty()
{
	rdmafault --json prio show | jq -e 'all(.[].prio[]; .backlog == 0)' &&
		rdmafault --json stat | jq -e 'all(.[]; .tx.held == 0 and .rx.held == 0)'
}

# prios DEVICE KEY...: prints the sum of these counters over all priorities of the port
prios()
{
	rdmafault --json prio show "$1" |
		jq '[.[0].prio[] | .[$ARGS.positional[]]] | add' --args "${@:2}"
}

# pauses DEVICE KEY: prints the counter KEY of the pause frames of the port
pauses()
{
	rdmafault --json pause show "$1" | jq --arg key "$2" '.[0][$key]'
}

stat()
{
	port_stat "$@"
}

# passed DEVICE DIRECTION: prints how many packets leave the rules in this direction: those
# that entered, plus copies, minus packets that rules dropped
passed()
{
	rdmafault --json stat "$1" | jq --arg dir "$2" '.[0][$dir] |
		if .delay_queue_full > 0 then "the delay queue was full"
		else .packets + .duplicated - .dropped end'
}

queue_lost()
{
	prios "$1" full no_buffer expired watchdog_dropped mark_dropped
}

# honest_flow_ok RULE HITS: the flow that the rule names sends its packets in portions, with
# crafted frames between them. The rule must hit HITS of its packets.
honest_flow_ok()
{
	local i sent=0

	rdmafault port del t1
	ip link set t1 nomaster
	tc qdisc add dev t1 root rdmafault
	{ echo "$1"; all_states; } | rdmafault rule replace t1 tx -
	all_states | rdmafault rule replace t1 rx -
	for ((i = 0; i < 10; i++)); do
		sendroce t1 from 200 qp $honest psn $((0xffff00 + sent)) count 100 \
			message 10
		sent=$((sent + 100))
		throwframes $((seed + i)) $((frames / 20)) t1 t2 >/dev/null
		throwframes "$seed" 300 t1:collisions t2:collisions >/dev/null
	done
	is "${1#* src * }: a flow among crafted frames is tracked from its first packet on" \
		"$(rdmafault --json stat --flows t1 | jq -r --argjson qp $honest '
		.[] | select(.qp == $qp and .saddr == "192.0.2.200") |
		"\(.direction) \(.packets) \(.messages) \(.retransmitted)"')" \
		"tx 1000 100 0"
	is "${1#* src * }: a flow among crafted frames is hit $2 times, as if it were alone" \
		"$(rdmafault --json rule show t1 |
		jq '.[0].hits')" "$2"
}

# freed_ok KIB: test that the kernel uses at most 4 MiB more memory than before the test.
# KIB is the growth of its memory in KiB. The limit is not 0, because the rest of the
# kernel also allocates memory.
freed_ok()
{
	if [ -e /sys/kernel/debug/kmemleak ]; then
		skip "all memory is freed" "kmemleak is more precise"
	else
		ok "kernel memory grows by less than 4096 KiB ($1 KiB)" [ "$1" -lt 4096 ]
	fi
}

honest=$((0xabcde))
veth_pair t1 t2
veth_pair t3 t4
modprobe rdmafault && modprobe -r rdmafault
before=$(kernel_memory)
veth_port t1 t3
veth_bridge abuse0 t1 t3
ok "t1 accepts rules of every action, PFC and ECN" arm t1 200KiB
ok "t3 accepts rules of every action, PFC and ECN" arm t3 1MiB
ok "t1 accepts a rate of 1gbit, so that pauses have a length" rdmafault link set t1 rate 1gbit
ok "t3 accepts a limit of 20 packets for priority 6" \
	rdmafault prio set t3 prio-limit 6:20p
ok "t1 accepts a share of 20KiB for priority 7" \
	rdmafault prio set t1 prio-share 7:20KiB
ok "a storm pauses priorities 6 and 7 of t3" rdmafault pause t3 prio 6,7 storm forever persist
thrown=$(throwframes "$seed" "$frames" t1 t2)
read -r _ out_near _ _ out_far pauses <<<"$(xargs <<<"$thrown")"
is "throwframes sends $frames frames" $((out_near + out_far)) "$frames"
ok "pause stop ends the storms of t3" rdmafault pause t3 prio all stop
ok "all queued and delayed frames leave" wait_until 60 empty
# A NAK sent for a packet of one direction passes the port in the other direction.
is "t1 tx: the port counts all frames sent and the NAKs sent for rx" \
	"$(stat t1 tx packets)" $((out_near + $(stat t1 rx answered)))
is "t1 rx: the port counts all frames sent and the NAKs sent for tx" \
	"$(stat t1 rx packets)" $((out_far + $(stat t1 tx answered)))
is "t1 tx: all frames leave except those counted as lost" \
	"$(dev_stat t1 tx_packets) + $(dev_stat t1 tx_dropped)" \
	"$(($(passed t1 tx) - $(queue_lost t1) + $(pauses t1 sent))) + 0"
is "t1 rx: all frames are forwarded except pause frames and those counted as lost" \
	"$(stat t3 tx packets)" $(($(passed t1 rx) - $(pauses t1 received)))
is "t3 tx: all forwarded frames leave except those counted as lost" \
	"$(dev_stat t3 tx_packets) + $(dev_stat t3 tx_dropped)" \
	"$(($(passed t3 tx) - $(queue_lost t3) + $(pauses t3 sent))) + 0"
ok "t1 counts every pause frame received" [ "$(pauses t1 received)" -ge "$pauses" ]

# Test that every action was applied, and every limit was reached, at least once. Otherwise
# the test would prove nothing.
for key in dropped delayed reordered duplicated corrupted truncated trimmed \
	marked rewritten blackholed answered retransmitted malformed; do
	ok "control: the counter $key of t1 is not 0 in both directions" \
		[ "$(stat t1 tx $key)" -gt 0 -a "$(stat t1 rx $key)" -gt 0 ]
done
for key in full no_buffer mark_dropped marked; do
	ok "control: the counter $key of t3 is not 0" [ "$(prios t3 $key)" -gt 0 ]
done
ok "control: t1 was paused and sent XOFF" [ "$(prios t1 pauses)" -gt 0 -a \
	"$(prios t1 xoff_tx)" -gt 0 ]

honest_flow_ok "qp $honest src 192.0.2.200 every 7 observe" 142
honest_flow_ok "qp $honest src 192.0.2.200 message 51 packet 3 observe" 1
honest_flow_ok "qp $honest src 192.0.2.200 once flow observe" 1

ok "reset succeeds after all frames" rdmafault reset
for dev in t1 t3; do
	ok "port $dev can be deleted after all frames" tc qdisc del dev $dev root
done
ok "the module can be unloaded after all frames" modprobe -r rdmafault
freed_ok $(($(kernel_memory) - before))
