#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that traffic of perftest loses exactly the packets that rules name. rxe's own
# counters show the result. The receiver must count a sequence error
# (out_of_seq_request). The sender must count a NAK (rcvd_seq_err) or a timeout
# (completer_retry_err), but never a local error (send_err).
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1 v2

# perftest sends 40 messages of 16 packets of 4096 bytes. The QP timeout is two seconds, or
# four on a slow machine, so that load on the machine causes no timeout.
qp_timeout=${KSFT_MACHINE_SLOW:+20}
traffic=(-n 40 -s 65536 -u "${qp_timeout:-19}" -Q 1)
packets=640

remember()
{
	seq0=$(hw rxe2 out_of_seq_request)
	nak0=$(hw rxe1 rcvd_seq_err)
	retry0=$(hw rxe1 completer_retry_err)
	send0=$(hw rxe1 send_err)
	dropped0=$(port_stat v1 tx dropped)
}

# counts TITLE SEQUENCE-ERRORS RETRIES DROPPED: run the test TITLE: the counters of rxe and
# of the port must have grown by these numbers
counts()
{
	is "$1: the receiver counts $2 sequence errors" \
		$(($(hw rxe2 out_of_seq_request) - seq0)) "$2"
	is "$1: the sender counts $3 retries" \
		$(($(hw rxe1 completer_retry_err) - retry0)) "$3"
	is "$1: the port drops $4 packets" \
		$(($(port_stat v1 tx dropped) - dropped0)) "$4"
	is "$1: the sender counts no local error" \
		$(($(hw rxe1 send_err) - send0)) 0
}

without_rules_ok()
{
	remember
	ok "control: perftest succeeds" write_bw 2 1 "${traffic[@]}"
	counts "control" 0 0 0
	is "control: a port without rules parses no packet" "$(port_stat v1 tx roce)" 0
}

middle_of_a_message_ok()
{
	local id

	remember
	id=$(rdmafault --json rule add v1 tx class write psn +100 attempt 1 drop |
		jq -r .id)
	rdmafault rule add v1 tx attempt 2+ observe >/dev/null
	ok "psn +100: perftest succeeds" write_bw 2 1 "${traffic[@]}"
	counts "psn +100" 1 1 1
	is "psn +100: the sender receives one NAK" $(($(hw rxe1 rcvd_seq_err) - nak0)) 1
	is "psn +100: the rule hits once" "$(rule_stat v1 "$id" hits)" 1
	ok "psn +100: 1 to 128 packets are retransmitted" \
		between 1 128 "$(rule_stat v1 $((id + 1)) hits)"
	rdmafault rule flush v1
}

between()
{
	echo "$3"
	[ "$3" -ge "$1" ] && [ "$3" -le "$2" ]
}

last_of_all_is_found_by_the_timeout_ok()
{
	remember
	rdmafault rule add v1 tx psn +$((packets - 1)) attempt 1 drop >/dev/null
	ok "drop of the last packet: perftest succeeds" write_bw 2 1 "${traffic[@]}"
	counts "drop of the last packet" 0 1 1
	rdmafault rule flush v1
}

retransmission_is_lost_too_ok()
{
	remember
	rdmafault rule add v1 tx psn +200 attempt 1 drop >/dev/null
	rdmafault rule add v1 tx psn +200 attempt 2 drop >/dev/null
	ok "drop of attempts 1 and 2: perftest succeeds" write_bw 2 1 "${traffic[@]}"
	is "drop of attempts 1 and 2: both attempts are dropped" \
		$(($(port_stat v1 tx dropped) - dropped0)) 2
	is "drop of attempts 1 and 2: the sender counts no local error" \
		$(($(hw rxe1 send_err) - send0)) 0
	rdmafault rule flush v1
}

arriving_packet_ok()
{
	remember
	rdmafault rule add v2 rx class write position middle nth 77 drop >/dev/null
	ok "drop at rx: perftest succeeds" write_bw 2 1 "${traffic[@]}"
	is "drop at rx: one packet is dropped" "$(port_stat v2 rx dropped)" 1
	is "drop at rx: the receiver counts one sequence error" \
		$(($(hw rxe2 out_of_seq_request) - seq0)) 1
	rdmafault rule flush v2
}

lost_acks_are_covered_ok()
{
	remember
	rdmafault rule add v1 rx class ack nth 3 drop >/dev/null
	ok "drop of an ACK: perftest succeeds" write_bw 2 1 "${traffic[@]}"
	is "drop of an ACK: one packet is dropped" "$(port_stat v1 rx dropped)" 1
	is "drop of an ACK: the receiver counts no sequence error" \
		$(($(hw rxe2 out_of_seq_request) - seq0)) 0
	rdmafault rule flush v1
}

exact_count_ok()
{
	remember
	rdmafault rule add v1 tx position first count 5 drop >/dev/null
	ok "drop with count 5: perftest succeeds" write_bw 2 1 "${traffic[@]}"
	is "drop with count 5: five packets are dropped" \
		$(($(port_stat v1 tx dropped) - dropped0)) 5
	rdmafault rule flush v1
}

# A new device gets the QP numbers of the device that was removed, and collperf begins with the
# same PSNs. The port p2 is at the other end of the link, so it has no RDMA device.
new_device_ok()
{
	local first again far other dev sent

	ports p2
	other=$(rdmafault --json rule add v1 tx qp 0xbad attempt 2+ observe | jq .id)
	sendroce v1 qp 0xbad psn 7 count 20
	first=$(rdmafault --json rule add v1 tx class write attempt 1 observe | jq .id)
	again=$(rdmafault --json rule add v1 tx class write attempt 2+ observe | jq .id)
	far=$(rdmafault --json rule add p2 tx class write attempt 2+ observe | jq .id)
	ok "new device: the first job succeeds" \
		collperf all_reduce -N 2 -b 16K -n 3 -w 1
	sent=$(rule_stat v1 "$first" hits)
	is "new device, control: the packets of the first job are attempt 1" \
		"$(rule_stat v1 "$again" hits) $(rule_stat p2 "$far" hits)" "0 0"
	for dev in 1 2; do
		rdma link del rxe$dev
		rdma link add rxe$dev type rxe netdev v$dev
	done
	wait_until 20 grep -q 0a4d:0 /sys/class/infiniband/rxe1/ports/1/gids/1
	wait_until 20 grep -q 0a4d:0 /sys/class/infiniband/rxe2/ports/1/gids/1
	ok "new device: the second job succeeds" \
		collperf all_reduce -N 2 -b 16K -n 3 -w 1
	is "new device: the packets of the second job are attempt 1" \
		"$(rule_stat v1 "$again" hits) $(rule_stat v1 "$first" hits)" "0 $((2 * sent))"
	is "new device: at a port without a device, too" "$(rule_stat p2 "$far" hits)" 0
	sendroce v1 qp 0xbad psn 7 count 20
	is "new device, control: a flow of other addresses goes on" \
		"$(rule_stat v1 "$other" hits)" 20
	rdmafault rule flush v1
	rdmafault rule flush p2
}

without_rules_ok
new_device_ok
middle_of_a_message_ok
last_of_all_is_found_by_the_timeout_ok
retransmission_is_lost_too_ok
arriving_packet_ok
lost_acks_are_covered_ok
exact_count_ok
