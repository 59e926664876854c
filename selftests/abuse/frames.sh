#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Frames of every kind, most of them spoilt, thrown at a port from both sides:
# what leaves by it, and what its neighbour sends. Rules of every action are armed
# in both directions, the priorities are lossless and mark. No frame is lost
# unless somebody counts it, and none is there twice unless it was duplicated.
#
# Some frames are computed by an adversary (see throwframes.c). Beside them, one
# flow that sends its packets in order is tracked and hit as if it were alone. In
# the end the kernel has its memory back.
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

switch_up()
{
	local dev

	defer ip link del abuse0
	ip link add abuse0 type bridge stp_state 0 mcast_snooping 0
	sysctl -q -w net.ipv6.conf.abuse0.disable_ipv6=1
	ip link set abuse0 up
	# What it has learnt, it would not forward
	for dev in t1 t3; do
		ip link set "$dev" master abuse0
		ip link set "$dev" type bridge_slave learning off
	done
}

# Every kind of state that a rule keeps for each flow and queue pair
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

# Rules that say little meet much. Who holds lets go soon, so that there is room.
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

# arm DEVICE BUFFER: a switch answers nobody, or its answers would come back to it
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

# prios DEVICE KEY...: of all priorities together
prios()
{
	rdmafault --json prio show "$1" |
		jq '[.[0].prio[] | .[$ARGS.positional[]]] | add' --args "${@:2}"
}

# pauses DEVICE KEY: of the frames that it got and sent
pauses()
{
	rdmafault --json pause show "$1" | jq --arg key "$2" '.[0][$key]'
}

stat()
{
	port_stat "$@"
}

# passed DEVICE DIRECTION: what came and was made by rules, without what they drop
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

# beside_ok RULE HITS: a flow that the rule names sends its packets in portions, and
# the adversary between them
beside_ok()
{
	local i sent=0

	tc qdisc del dev t1 root
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
	is "the flow beside them is tracked from its first packet on" \
		"$(rdmafault --json stat --flows t1 | jq -r --argjson qp $honest '
		.[] | select(.qp == $qp and .saddr == "192.0.2.200") |
		"\(.direction) \(.packets) \(.messages) \(.retransmitted)"')" \
		"tx 1000 100 0"
	is "and hit as if it were alone" "$(rdmafault --json rule show t1 |
		jq '.[0].hits')" "$2"
}

# freed KIB: what the kernel has beyond what it had; some megabytes are anybody's
freed_ok()
{
	if [ -e /sys/kernel/debug/kmemleak ]; then
		skip "the kernel has its memory back" "kmemleak tells better"
	else
		ok "the kernel has its memory back, but for $1 KiB" [ "$1" -lt 4096 ]
	fi
}

honest=$((0xabcde))
veth_pair t1 t2
veth_pair t3 t4
modprobe rdmafault && modprobe -r rdmafault
before=$(kernel_memory)
veth_port t1 t3
switch_up
ok "rules of every action, PFC and ECN: t1" arm t1 200KiB
ok "rules of every action, PFC and ECN: t3" arm t3 1MiB
ok "and a pause lasts" rdmafault link set t1 rate 1gbit
ok "behind the switch, one priority has little room" \
	rdmafault prio set t3 prio-limit 6:20p
ok "and another little of the buffer that the frames came in by" \
	rdmafault prio set t1 prio-share 7:20KiB
ok "both are paused" rdmafault pause t3 prio 6,7 storm forever persist
thrown=$(throwframes "$seed" "$frames" t1 t2)
read -r _ out_near _ _ out_far pauses <<<"$(xargs <<<"$thrown")"
is "$frames frames are thrown" $((out_near + out_far)) "$frames"
ok "they open" rdmafault pause t3 prio all stop
ok "all that waits leaves" wait_until 60 empty
# Answers come back out of the port, and up into it.
is "t1 tx: all that was thrown came, and answers" \
	"$(stat t1 tx packets)" $((out_near + $(stat t1 rx answered)))
is "t1 rx: all that was thrown came, and answers" \
	"$(stat t1 rx packets)" $((out_far + $(stat t1 tx answered)))
is "t1 tx: what left is what came, but for what is counted as lost" \
	"$(dev_stat t1 tx_packets) + $(dev_stat t1 tx_dropped)" \
	"$(($(passed t1 tx) - $(queue_lost t1) + $(pauses t1 sent))) + 0"
is "t1 rx: what was forwarded is what came, but for pauses and what is counted" \
	"$(stat t3 tx packets)" $(($(passed t1 rx) - $(pauses t1 received)))
is "t3 tx: what left is what was forwarded, but for what is counted as lost" \
	"$(dev_stat t3 tx_packets) + $(dev_stat t3 tx_dropped)" \
	"$(($(passed t3 tx) - $(queue_lost t3) + $(pauses t3 sent))) + 0"
ok "every pause was seen" [ "$(pauses t1 received)" -ge "$pauses" ]

# The control: all of it was met
for key in dropped delayed reordered duplicated corrupted truncated marked \
	rewritten blackholed answered retransmitted malformed; do
	ok "in both directions: $key" \
		[ "$(stat t1 tx $key)" -gt 0 -a "$(stat t1 rx $key)" -gt 0 ]
done
for key in full no_buffer mark_dropped marked; do
	ok "behind the switch: $key" [ "$(prios t3 $key)" -gt 0 ]
done
ok "XOFF was obeyed, and sent" [ "$(prios t1 pauses)" -gt 0 -a \
	"$(prios t1 xoff_tx)" -gt 0 ]

beside_ok "qp $honest src 192.0.2.200 every 7 observe" 142
beside_ok "qp $honest src 192.0.2.200 message 51 packet 3 observe" 1
beside_ok "qp $honest src 192.0.2.200 once flow observe" 1

# Nothing is held back when all of it is taken away.
ok "reset" rdmafault reset
for dev in t1 t3; do
	ok "$dev: the port goes" tc qdisc del dev $dev root
done
ok "the module goes" modprobe -r rdmafault
freed_ok $(($(kernel_memory) - before))
