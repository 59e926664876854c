#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a port can become busy and idle again under traffic. Packets do not pass the
# qdisc of an idle port, one without rules, link settings and pauses: a veth has no queue,
# so its port has none until it needs one, and afterwards packets bypass the empty queue.
# While two senders send without a break, a rule, a rate or a storm is added to the port and
# removed, several times. No packet may be lost, except those that a storm holds
# longer than the max-hold; no packet may overtake another of its flow; and each
# packet must be counted once.
#
#   sendroce ×2 - t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

rounds=5
[ -z "${KSFT_MACHINE_SLOW:-}" ] || rounds=3
each=2000	# packets per burst
qps=(16 17)
left=/sys/class/net/t1/statistics/tx_packets
tmp=$(mktemp -d)
defer rm -r "$tmp"

# sender QP: send bursts at low priority until the file "stop" exists, then write the
# number of packets sent to a file
sender()
{
	local sent=0

	renice -n 19 -p "$BASHPID" >/dev/null
	until [ -e "$tmp/stop" ]; do
		sendroce t1 qp "$1" psn $((sent & 0xffffff)) count $each || break
		sent=$((sent + each))
	done
	echo "$sent" >"$tmp/sent.$1"
}

senders_start()
{
	local qp

	for qp in "${qps[@]}"; do
		sender "$qp" &
		senders+=($!)
	done
}

senders_end()
{
	touch "$tmp/stop"
	wait "${senders[@]}"
}

dev_stat()
{
	cat "/sys/class/net/$1/statistics/$2"
}

# goes_on: succeeds when further packets leave t1
goes_on()
{
	local before

	read -r before <"$left"
	wait_until "$soon" more_than "$before"
}

more_than()
{
	local now

	read -r now <"$left"
	[ "$now" -gt "$1" ]
}

# Succeeds if a packet is queued, or (on a slow machine) if a packet has already exceeded the
# max-hold.
waits()
{
	rdmafault --json prio show t1 | jq -e 'any(.[].prio[]; .backlog + .expired > '"$expired"')'
}

expired()
{
	rdmafault --json prio show t1 | jq '[.[].prio[].expired] | add'
}

by_rule()
{
	local id

	id=$(rdmafault --json rule add t1 tx all observe | jq -r .id) && goes_on || return
	rule_stat t1 "$id" matched >>"$tmp/matched"
	rdmafault -q rule flush t1
}

by_rate()
{
	rdmafault -q link set t1 rate 1gbit && goes_on && rdmafault -q link set t1 rate none
}

by_storm()
{
	local expired

	expired=$(expired)
	rdmafault -q pause t1 prio all storm forever persist && wait_until "$soon" waits &&
		rdmafault -q pause t1 prio all stop
}

# switched FUNCTION: make the port busy and idle again, several times. Traffic must
# continue after each change.
switched()
{
	local i

	for ((i = 0; i < rounds; i++)); do
		"$1" && goes_on || { echo "round $i"; return 1; }
	done
}

all_arrived()
{
	[ "$(port_stat t2 rx packets)" = $((sent - $(expired))) ]
}

# At t2 a packet that arrives twice, or after a later one of its flow, counts as
# attempt 2.
veth_pair t1 t2
veth_port t1 t2
rdmafault port set t1 max-hold 20s
late=$(rdmafault --json rule add t2 rx attempt 2+ observe | jq -r .id)
senders=()
before=$(dev_stat t1 tx_packets)
defer senders_end
senders_start
ok "packets pass an idle port" goes_on
for way in by_rule by_rate by_storm; do
	switched $way >"$tmp/said"
	is "$way: packets pass while the port becomes busy and idle $rounds times" \
		"$?$(<"$tmp/said")" 0
done
senders_end
sent=$(($(cat "$tmp"/sent.* | paste -sd+)))
ok "all of $sent packets arrive, except those held longer than the max-hold" \
	wait_until "$soon" all_arrived
is "no packet arrives twice or after a later one" "$(rule_stat t2 "$late" hits)" 0
# While the port has no rules, the netdev counts the packets. When that changes, a packet that is
# on its way through the stack of a CPU can be counted twice or not at all.
counted=$(port_stat t1 tx packets)
slack=$((8 * rounds))
ok "the port counts each packet sent once ($counted of $sent), except for $slack" \
	[ "$counted" -ge $((sent - slack)) -a "$counted" -le $((sent + slack)) ]
is "the netdev counts each packet sent once and no drop" \
	"$(($(dev_stat t1 tx_packets) - before)) $(dev_stat t1 tx_dropped)" \
	"$((sent - $(expired))) 0"
# The qdisc counts expired packets, but not their bytes.
is "the port counts the bytes of each packet" "$(port_stat t1 tx bytes)" \
	$(((counted - $(expired)) * $(dev_stat t1 tx_bytes) / $(dev_stat t1 tx_packets)))
matched=$(($(paste -sd+ "$tmp/matched")))
ok "some packets ($matched) met a rule, the others passed an idle port" \
	[ $matched -gt 0 -a $matched -lt "$sent" ]
