#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a port with ten thousand rules: each rule hits its own packet, and replacing all rules
# under traffic is atomic. Two sets of rules replace each other in turn. Each set has one rule per
# PSN, and the rule makes one copy of its packet. The second set has the rules of the first set in
# reverse order. If a packet were compared with a part of each set, it could be copied twice or
# not at all. So exactly two packets must arrive at t2 for each packet that is sent.
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
	ok "rule replace accepts $rules rules" rdmafault rule replace t1 tx "$work/observe"
	is "the port counts $rules rules" "$(port_stat t1 tx rules)" $rules
	sendroce t1 count $rules
	is "each of $rules rules has hit one packet" \
		"$(tallies hits 'map(select(. == 1)) | length')" \
		$rules
	sendroce t1 qp 17 count 100
	is "packets of another QP match no rule" "$(tallies matched add)" $rules
}

one_more_and_one_less_ok()
{
	local id

	id=$(rdmafault --json rule add t1 tx qp 17 psn 3 drop | jq -r .id)
	is "rule add adds one rule to $rules" "$(port_stat t1 tx rules)" $((rules + 1))
	sendroce t1 qp 17 count 10
	is "the added rule hits its packet" "$(rule_stat t1 "$id" hits)" 1
	ok "rule del deletes the added rule" rdmafault rule del t1 "$id"
	is "rule del leaves the other $rules rules" "$(port_stat t1 tx rules)" $rules
}

too_many_fail()
{
	refused "20000 rules on one port are refused" "too many" \
		rdmafault rule replace t1 rx "$work/observe"
	is "the refused batch changes no rule" \
		"$(port_stat t1 tx rules) $(port_stat t1 rx rules)" "$rules 0"
}

# Send packets until the file "enough" exists, and write the number of packets sent so far to the
# file "sent".
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
	is "every packet sent during the replacements is hit" \
		$(($(port_stat t1 tx hits) - hits0)) "$sent"
	is "every packet sent during the replacements is copied once" \
		$(($(port_stat t1 tx duplicated) - copies0)) \
		"$sent"
	is "two packets arrive for each packet sent" $(($(far_packets) - far0)) \
		$((2 * sent))
	is "no packet is lost to a full delay queue" "$(port_stat t1 tx delay_queue_full)" 0
	echo "# $sent packets were sent meanwhile"
}

# "rule del" accepts at most 256 rule numbers.
delete_all()
{
	rdmafault --json rule show t1 | jq -r '.[].id' |
		xargs -n 256 rdmafault rule del t1
}

deleted_ok()
{
	ok "rule del deletes $rules rules by number" delete_all
	is "no rule is left after deleting all" "$(port_stat t1 tx rules)" 0
}

each_hits_its_own_ok
one_more_and_one_less_ok
too_many_fail
replaced_under_traffic_ok
deleted_ok
