#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ten thousand rules on a port: each hits its own packet, and a set of them is
# replaced by another while traffic runs. Both sets have one rule for each PSN,
# which makes one copy of the packet, in opposite orders. A packet that saw
# half of a set would be copied by no rule or by two; so on the far side, which
# counts packets, exactly two must arrive for each that was sent.
#
#   sendroce - t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

rules=10000
work=$(mktemp -d)
defer rm -rf "$work"
veth_pair t1 t2
veth_port t1

seq 0 $((rules - 1)) | sed 's/.*/qp 16 psn & duplicate/' >"$work/up"
tac "$work/up" >"$work/down"
sed 's/duplicate/observe/' "$work/up" >"$work/observe"

far_packets()
{
	cat /sys/class/net/t2/statistics/rx_packets
}

tallies()
{
	rdmafault --json rule show t1 | jq -r "[.[].$1] | $2"
}

each_hits_its_own_ok()
{
	ok "$rules rules are taken" rdmafault rule replace t1 tx "$work/observe"
	is "and counted" "$(port_stat t1 tx rules)" $rules
	sendroce t1 count $rules
	is "each has hit one packet" "$(tallies hits 'map(select(. == 1)) | length')" \
		$rules
	sendroce t1 qp 17 count 100
	is "and none of another QP" "$(tallies matched add)" $rules
}

one_more_and_one_less_ok()
{
	local id

	id=$(rdmafault --json rule add t1 tx qp 17 psn 3 drop | jq -r .id)
	is "one more" "$(port_stat t1 tx rules)" $((rules + 1))
	sendroce t1 qp 17 count 10
	is "hits" "$(rule_stat t1 "$id" hits)" 1
	ok "and goes" rdmafault rule del t1 "$id"
	is "the others stay" "$(port_stat t1 tx rules)" $rules
}

too_many_fail()
{
	refused "20000 rules are refused" "too many" \
		rdmafault rule replace t1 rx "$work/observe"
	is "and nothing has changed" \
		"$(port_stat t1 tx rules) $(port_stat t1 rx rules)" "$rules 0"
}

# Sends until there is a file "enough"; how many is in "sent".
keep_sending()
{
	local sent=0

	until [ -e "$work/enough" ]; do
		sendroce t1 count $rules
		sent=$((sent + rules))
		echo $sent >"$work/sent"
	done
}

has_sent_more_than()
{
	[ "$(cat "$work/sent")" -gt "$1" ]
}

replaced_under_traffic_ok()
{
	local far0 hits0 copies0 sent i replaced=0

	rdmafault rule replace t1 tx "$work/up" >/dev/null
	far0=$(far_packets)
	hits0=$(port_stat t1 tx hits)
	copies0=$(port_stat t1 tx duplicated)
	echo 0 >"$work/sent"
	keep_sending &
	for i in 1 2 3; do
		rdmafault rule replace t1 tx "$work/down" >/dev/null && replaced=$((replaced + 1))
		rdmafault rule replace t1 tx "$work/up" >/dev/null && replaced=$((replaced + 1))
	done
	wait_until 30 has_sent_more_than "$(cat "$work/sent")"
	touch "$work/enough"
	wait $!
	sent=$(cat "$work/sent")
	is "$rules rules are replaced under traffic, 6 times" $replaced 6
	is "meanwhile every packet is hit" \
		$(($(port_stat t1 tx hits) - hits0)) "$sent"
	is "by one rule alone" $(($(port_stat t1 tx duplicated) - copies0)) \
		"$sent"
	is "two arrive for each that was sent" $(($(far_packets) - far0)) \
		$((2 * sent))
	is "none was lost for want of room" "$(port_stat t1 tx delay_queue_full)" 0
	echo "# $sent packets were sent meanwhile"
}

# A command line takes 256 numbers.
delete_all()
{
	rdmafault --json rule show t1 | jq -r '.[].id' |
		xargs -n 256 rdmafault rule del t1
}

deleted_ok()
{
	ok "$rules rules are deleted by number" delete_all
	is "and gone" "$(port_stat t1 tx rules)" 0
}

each_hits_its_own_ok
one_more_and_one_less_ok
too_many_fail
replaced_under_traffic_ok
deleted_ok
