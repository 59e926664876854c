#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets go past a port that nothing concerns (kmod/bypass.c). While several
# senders send without a pause, something concerns it, and then nothing does, over
# and over: a rule, a rate, a storm. No packet is lost but what a storm holds for
# longer than the max-hold, none overtakes another of its flow, and each is counted
# once, whichever way it took.
#
#   sendroce ×2 - t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

rounds=5
[ -z "${KSFT_MACHINE_SLOW:-}" ] || rounds=3
each=2000	# packets of a burst
qps=(16 17)
left=/sys/class/net/t1/statistics/tx_packets
tmp=$(mktemp -d)
defer rm -r "$tmp"

# sender QP: bursts until it is told to stop, not in the way of others; leaves how
# many packets they were
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

# goes_on: packets leave from now on
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

# Or has waited for longer than the max-hold, where all this takes long
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
	rdmafault rule flush t1
}

by_rate()
{
	rdmafault link set t1 rate 1gbit && goes_on && rdmafault link set t1 rate none
}

by_storm()
{
	local expired

	expired=$(expired)
	rdmafault pause t1 prio all storm forever persist && wait_until "$soon" waits &&
		rdmafault pause t1 prio all stop
}

# switched WAY: so many times, and traffic goes on in between
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

# What comes a second time, or behind a later one of its flow, is of attempt 2.
veth_pair t1 t2
veth_port t1 t2
rdmafault port set t1 max-hold 20s
late=$(rdmafault --json rule add t2 rx attempt 2+ observe | jq -r .id)
senders=()
before=$(dev_stat t1 tx_packets)
defer senders_end
senders_start
ok "traffic goes past an idle port" goes_on
for way in by_rule by_rate by_storm; do
	switched $way >"$tmp/said"
	is "$rounds times idle and not: $way" "$?$(<"$tmp/said")" 0
done
senders_end
sent=$(($(cat "$tmp"/sent.* | paste -sd+)))
ok "all of $sent packets arrive, but for those that waited too long" wait_until "$soon" all_arrived
is "none behind a later one" "$(rule_stat t2 "$late" hits)" 0
is "the port has counted each of them" "$(port_stat t1 tx packets)" "$sent"
is "and so has its netdev" "$(($(dev_stat t1 tx_packets) - before)) $(dev_stat t1 tx_dropped)" \
	"$((sent - $(expired))) 0"
is "and its bytes, those of each" "$(port_stat t1 tx bytes)" \
	$((sent * $(dev_stat t1 tx_bytes) / $(dev_stat t1 tx_packets)))
matched=$(($(paste -sd+ "$tmp/matched")))
ok "$matched met a rule, the others none" [ $matched -gt 0 -a $matched -lt "$sent" ]
