#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the actions "corrupt", "truncate" and "rewrite". rxe drops a packet whose ICRC is
# wrong, and the sender retransmits it. A packet with a valid ICRC is accepted with its
# changed data. rxe's counters, the received bytes and the completions show the result.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
#   sendroce - t1 (port) ======= t2 (port) - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"
. "$selftests/lib/capture.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
fabric 2
ports v1 v2
veth_pair t1 t2
veth_port t1
veth_port t2

# rcprobe sends 8 messages. A message has 4 packets of 1024 bytes; psn +0 is its first packet.
messages=8
good="done=8 wrong=0 status=0"

# try_rule TITLE WANTED RETRIES PORT DIRECTION RULE...: run the test TITLE: add RULE and
# send messages by rcprobe. The rule must hit one packet, rcprobe must print WANTED, and
# rxe1 must retry RETRIES times.
try_rule()
{
	local words=$1 wanted=$2 retries=$3 id

	shift 3
	remember
	id=$(rule "$@")
	is "$words: the requester ends with ${wanted/done/messages}" \
		"$(probe 1 2 write $messages 4096)" "$wanted"
	is "$words: the rule hits once" "$(rule_stat "$1" "$id" hits)" 1
	is "$words: the rule counts ${unchanged:-0} packets unchanged" \
		"$(rule_stat "$1" "$id" unchanged)" "${unchanged:-0}"
	is "$words: the requester retries $retries times" \
		"$(moved rxe1 completer_retry_err)" "$retries"
	unseen "$words"
	rdmafault rule flush "$1"
}

# The same rule with the action "observe" changes nothing, so all changes in the other tests
# are made by their actions.
control_ok()
{
	try_rule "control" "$good" 0 v1 tx class write psn +9 attempt 1 observe
}

damage_is_found_ok()
{
	try_rule "corrupt a bit of the P_Key" "$good" 1 \
		v1 tx class write psn +9 attempt 1 corrupt bit at 16
	try_rule "corrupt the ICRC alone" "$good" 1 \
		v1 tx class write psn +9 attempt 1 corrupt icrc
	try_rule "corrupt a byte of the payload at rx" "$good" 1 \
		v2 rx class write psn +9 attempt 1 corrupt payload
	try_rule "truncate to 100 bytes" "$good" 1 \
		v1 tx class write psn +9 attempt 1 truncate 100
}

valid_icrc_gets_past_ok()
{
	try_rule "corrupt payload valid-icrc" "done=8 wrong=1 status=0" 0 \
		v1 tx class write psn +9 attempt 1 corrupt payload at 7 valid-icrc
	try_rule "corrupt payload valid-icrc at rx" \
		"done=8 wrong=1 status=0" 0 \
		v2 rx class write psn +9 attempt 1 \
		corrupt payload at 7 value 1 valid-icrc
	try_rule "corrupt two payload bytes, valid-icrc" "done=8 wrong=2 status=0" 0 \
		v1 tx class write psn +9 attempt 1 \
		corrupt payload at 0 corrupt payload at 1023 valid-icrc
}

# The responder refuses a middle packet with 512 instead of 1024 bytes of payload (IBTA
# vol. 1, 9.7.4.1.6). The request completes with status 9, remote invalid request.
valid_length_is_refused_ok()
{
	local status

	remember
	rule v1 tx class write psn +9 attempt 1 truncate 512 valid-icrc >/dev/null
	status=$(probe 1 2 write $messages 4096)
	is "truncate valid-icrc: the request completes with status 9, invalid request" \
		"$status" "done=2 wrong=0 status=9"
	rdmafault rule flush v1
}

rewritten_is_accepted_ok()
{
	try_rule "rewrite the P_Key to the same value" "$good" 0 \
		v1 tx class write psn +9 attempt 1 rewrite pkey 0xffff
	try_rule "rewrite the PSN to a later one" "$good" 1 \
		v1 tx class write psn +9 attempt 1 rewrite psn 77
	try_rule "rewrite to an opcode that is invalid in the sequence, at rx" \
		"done=2 wrong=0 status=9" 0 \
		v2 rx class write psn +9 attempt 1 rewrite opcode 6
}

# Status 10 is a remote access error.
rkey_is_refused_ok()
{
	remember
	rule v1 tx class write psn +8 attempt 1 rewrite rkey 0x12345678 >/dev/null
	is "rewrite the rkey: the request completes with status 10, remote access error" \
		"$(probe 1 2 write $messages 4096)" "done=2 wrong=0 status=10"
	unseen "rewrite the rkey"
	rdmafault rule flush v1
}

# A change must be skipped and counted if the packet lacks the field or is shorter than the
# offset.
unchanged_ok()
{
	local before unchanged=1

	before=$(port_stat v1 tx unchanged)
	try_rule "rewrite the rkey of a packet without one" "$good" 0 \
		v1 tx class write psn +9 attempt 1 rewrite rkey 1
	try_rule "corrupt a byte beyond the end" "$good" 0 \
		v1 tx class write psn +9 attempt 1 corrupt byte at 9999
	try_rule "truncate to the length of the payload" "$good" 0 \
		v1 tx class write psn +9 attempt 1 truncate 1024
	is "the port counts the three packets unchanged" \
		$(($(port_stat v1 tx unchanged) - before)) 3
}

monitor_reports()
{
	[ "$(jq -s length "$tmp/hits" 2>/dev/null)" = "$1" ]
}

# An ACK has no payload. The event of a hit must say that the ACK did not change.
unchanged_event_ok()
{
	local near far

	rdmafault monitor --json hit >"$tmp/hits" &
	defer kill $!
	wait_until "$soon" grep -q 1 \
		"/sys/kernel/tracing/instances/rdmafault-monitor-$!/events/rdmafault/rf_hit/enable"
	near=$(rule t1 tx qp 0x20 corrupt payload)
	far=$(rule t2 rx qp 0x20 corrupt payload mark ect1)
	aeth 0x11 0x20 5 0 | sendframe t1
	roce4 7 0x20 6 8 | sendframe t1
	ok "monitor reports four hits" wait_until "$soon" monitor_reports 4
	is "corrupt payload of an ACK at tx counts as unchanged" \
		"$(rule_stat t1 "$near" hits) $(rule_stat t1 "$near" unchanged)" "2 1"
	is "corrupt payload of an ACK at rx counts as unchanged" \
		"$(rule_stat t2 "$far" hits) $(rule_stat t2 "$far" unchanged)" "2 1"
	is "the event of corrupt payload of an ACK says unchanged, without an offset" \
		"$(jq -c 'select(.psn == 5) | .actions' "$tmp/hits")" \
		'[{"action":"corrupt","unchanged":true}]
[{"action":"corrupt","unchanged":true},{"action":"mark"}]'
	is "control: the event of corrupt payload of a WRITE has an offset" \
		"$(jq -c 'select(.psn == 6) | .actions[0] | has("unchanged"), has("offset")' "$tmp/hits" |
			xargs)" "false true false true"
	rdmafault rule flush t1
	rdmafault rule flush t2
}

# A capture file has a header of 24 bytes. Each record has a header of 16 bytes and a frame
# of 62 bytes.
as_lines()
{
	od -An -v -tx1 -w78 -j24 "$tmp/$1" | cut -c 49-
}

has_all()
{
	[ "$(as_lines "$1" | wc -l)" -eq 200 ]
}

# acks FILE: send 200 ACKs through the rules of t1 and capture them; the capture's buffer
# has room for all
acks()
{
	capture_begin "$tmp/log" --immediate-mode -U -s 128 -Q in -i t2 \
		-w "$tmp/$1" 'udp port 4791'
	sendroce t1 qp 0x20 opcode 17 count 200
	wait_until "$soon" has_all "$1"
	capture_end
	rdmafault rule flush t1
}

# changed FILE: prints "PACKET OFFSET" for each byte in which the capture FILE differs from the
# capture "sound", which has the unchanged packets
changed()
{
	paste -d' ' <(as_lines sound) <(as_lines "$1") | awk '
		{ for (i = 1; i <= 62; i++) if ($i != $(62 + i)) print NR, i - 1 }'
}

# Offsets of the BTH, of the ICRC, and of the one byte that the ICRC does not cover
bth=42 icrc=58 masked=46

# A random change must really change the packet: a new ICRC must not hide it, and
# without a new ICRC the byte must be one that the ICRC covers.
drawn_is_found_ok()
{
	local before

	before=$(port_stat t1 tx corrupted)
	rule t1 tx qp 0x20 rewrite pkey 0xffff >/dev/null
	acks sound
	rule t1 tx qp 0x20 corrupt bit valid-icrc >/dev/null
	acks bit
	is "corrupt bit valid-icrc: all of 200 packets change before the ICRC" \
		"$(changed bit | awk '$2 < '$icrc' { print $1 }' | uniq | wc -l)" 200
	rule t1 tx qp 0x20 rewrite pkey 0xffff >/dev/null
	rule t1 tx qp 0x20 corrupt byte >/dev/null
	acks byte
	is "corrupt byte: all of 200 packets change" \
		"$(changed byte | cut -d' ' -f1 | uniq | wc -l)" 200
	is "corrupt byte: changes every byte from the BTH on except the one without ICRC" \
		"$(changed byte | awk '{ print $2 }' | sort -nu | xargs)" \
		"$(seq $bth 61 | grep -vx $masked | xargs)"
	is "the port counts 400 packets corrupted" \
		$(($(port_stat t1 tx corrupted) - before)) 400
}

# The truncated bytes must take no time on the link and must not be counted.
cut_is_shorter_ok()
{
	local bytes=/sys/class/net/t1/statistics/tx_bytes before

	before=$(<$bytes)
	rdmafault link set t1 rate 1gbit
	rule t1 tx qp 0x20 truncate 0 >/dev/null
	sendroce t1 qp 0x20 payload 1000 count 50
	is "the link counts the length of a truncated packet" \
		"$(prio_stat t1 0 bytes)" $((50 * 58))
	is "the netdev counts the length of a truncated packet" \
		$(($(<$bytes) - before)) $((50 * 58))
	rdmafault link set t1 rate none
	rdmafault rule flush t1
}

nonsense_fails()
{
	refused "corrupt bit with a value is refused" "value" \
		rdmafault rule add v1 tx qp 5 corrupt bit value 3
	refused "corrupt icrc with valid-icrc is refused" "icrc" \
		rdmafault rule add v1 tx qp 5 corrupt icrc valid-icrc
	refused "corrupt icrc at bit 32 is refused" "offset" \
		rdmafault rule add v1 tx qp 5 corrupt icrc at 32
	refused "an action after drop is refused" "not allowed after an action that consumes the packet" \
		rdmafault rule add v1 tx qp 5 drop corrupt bit
	is "no rule is left of the refused ones" "$(rdmafault --json rule show v1 | jq length)" 0
}

control_ok
damage_is_found_ok
valid_icrc_gets_past_ok
valid_length_is_refused_ok
rewritten_is_accepted_ok
rkey_is_refused_ok
unchanged_ok
unchanged_event_ok
drawn_is_found_ok
cut_is_shorter_ok
nonsense_fails
