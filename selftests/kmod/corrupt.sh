#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Damaged and rewritten packets. What the transport's check finds is lost to
# rxe, which sends it again; what has got past the check arrives, wrong data and
# all. rxe's counters, the bytes that arrive and the completions tell.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
#   sendroce - t1 (port) ======= t2 - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/veth.sh"
. "$selftests/lib/capture.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
fabric 2
ports v1 v2
veth_pair t1 t2
veth_port t1

# 8 messages of 4 packets of 1024 bytes, the first of which is psn +0.
messages=8
good="done=8 wrong=0 status=0"

# try_rule WORDS WANTED RETRIES PORT DIRECTION RULE...: the rule hits one packet
try_rule()
{
	local words=$1 wanted=$2 retries=$3 id

	shift 3
	remember
	id=$(rule "$@")
	is "$words: ${wanted/done/messages}" \
		"$(probe 1 2 write $messages 4096)" "$wanted"
	is "$words: the rule hit once" "$(rule_stat "$1" "$id" hits)" 1
	is "$words: hits that changed nothing" \
		"$(rule_stat "$1" "$id" unchanged)" "${unchanged:-0}"
	is "$words: retransmitted $retries times" \
		"$(moved rxe1 completer_retry_err)" "$retries"
	unseen "$words"
	rdmafault rule flush "$1"
}

# The same rule with nothing to do
control_ok()
{
	try_rule "control" "$good" 0 v1 tx class write psn +9 attempt 1 observe
}

damage_is_found_ok()
{
	try_rule "a bit of the P_Key" "$good" 1 \
		v1 tx class write psn +9 attempt 1 corrupt bit at 16
	try_rule "the ICRC alone" "$good" 1 \
		v1 tx class write psn +9 attempt 1 corrupt icrc
	try_rule "arriving, a byte of the payload" "$good" 1 \
		v2 rx class write psn +9 attempt 1 corrupt payload
	try_rule "cut short" "$good" 1 \
		v1 tx class write psn +9 attempt 1 truncate 100
}

valid_icrc_gets_past_ok()
{
	try_rule "payload with a valid ICRC" "done=8 wrong=1 status=0" 0 \
		v1 tx class write psn +9 attempt 1 corrupt payload at 7 valid-icrc
	try_rule "arriving, payload with a valid ICRC" \
		"done=8 wrong=1 status=0" 0 \
		v2 rx class write psn +9 attempt 1 \
		corrupt payload at 7 value 1 valid-icrc
	try_rule "two bytes of one packet" "done=8 wrong=2 status=0" 0 \
		v1 tx class write psn +9 attempt 1 \
		corrupt payload at 0 corrupt payload at 1023 valid-icrc
}

# A packet of 1024 bytes with a length of 512: the responder refuses it
# (IBTA vol. 1, 9.7.4.1.6), which is status 9, a remote invalid request.
valid_length_is_refused_ok()
{
	local status

	remember
	rule v1 tx class write psn +9 attempt 1 truncate 512 valid-icrc >/dev/null
	status=$(probe 1 2 write $messages 4096)
	is "cut short with a valid ICRC: the request is invalid" \
		"$status" "done=2 wrong=0 status=9"
	rdmafault rule flush v1
}

rewritten_is_accepted_ok()
{
	try_rule "P_Key rewritten to what it was" "$good" 0 \
		v1 tx class write psn +9 attempt 1 rewrite pkey 0xffff
	try_rule "the PSN of a later packet" "$good" 1 \
		v1 tx class write psn +9 attempt 1 rewrite psn 77
	try_rule "arriving, an opcode that doesn't follow" \
		"done=2 wrong=0 status=9" 0 \
		v2 rx class write psn +9 attempt 1 rewrite opcode 6
}

# Status 10 is a remote access error.
rkey_is_refused_ok()
{
	remember
	rule v1 tx class write psn +8 attempt 1 rewrite rkey 0x12345678 >/dev/null
	is "another rkey: a remote access error" \
		"$(probe 1 2 write $messages 4096)" "done=2 wrong=0 status=10"
	unseen "another rkey"
	rdmafault rule flush v1
}

# A field that the packet lacks, an offset behind its end
unchanged_ok()
{
	local before unchanged=1

	before=$(port_stat v1 tx unchanged)
	try_rule "a middle packet has no rkey" "$good" 0 \
		v1 tx class write psn +9 attempt 1 rewrite rkey 1
	try_rule "nothing there to corrupt" "$good" 0 \
		v1 tx class write psn +9 attempt 1 corrupt byte at 9999
	try_rule "nothing there to cut" "$good" 0 \
		v1 tx class write psn +9 attempt 1 truncate 1024
	is "they are counted as unchanged" \
		$(($(port_stat v1 tx unchanged) - before)) 3
}

# A file header of 24 bytes, then records of 16 and a frame of 62
as_lines()
{
	od -An -v -tx1 -w78 -j24 "$tmp/$1" | cut -c 49-
}

has_all()
{
	[ "$(as_lines "$1" | wc -l)" -eq 200 ]
}

# acks FILE: 200 ACKs through the rules of t1; there is room for them all
acks()
{
	capture_begin "$tmp/log" --immediate-mode -U -s 128 -B 8192 -Q in -i t2 \
		-w "$tmp/$1" 'udp port 4791'
	sendroce t1 qp 0x20 opcode 17 count 200
	wait_until "$soon" has_all "$1"
	capture_end
	rdmafault rule flush t1
}

# changed FILE: the bytes, from 0 on, that aren't as in the sound ones
changed()
{
	paste -d' ' <(as_lines sound) <(as_lines "$1") | awk '
		{ for (i = 1; i <= 62; i++) if ($i != $(62 + i)) print NR, i - 1 }'
}

# Where BTH, AETH and ICRC begin, and the byte that the ICRC leaves out
bth=42 icrc=58 masked=46

# A new ICRC undoes no change, and where it is the old one that stays, it is wrong.
drawn_is_found_ok()
{
	rule t1 tx qp 0x20 rewrite pkey 0xffff >/dev/null
	acks sound
	rule t1 tx qp 0x20 corrupt bit valid-icrc >/dev/null
	acks bit
	is "a drawn bit with a valid ICRC: each of 200 is another packet" \
		"$(changed bit | awk '$2 < '$icrc' { print $1 }' | uniq | wc -l)" 200
	rule t1 tx qp 0x20 rewrite pkey 0xffff >/dev/null
	rule t1 tx qp 0x20 corrupt byte >/dev/null
	acks byte
	is "a drawn byte: one of each" "$(changed byte | cut -d' ' -f1 | uniq | wc -l)" 200
	is "all of them between BTH and end, but for the one that no ICRC covers" \
		"$(changed byte | awk '{ print $2 }' | sort -nu | xargs)" \
		"$(seq $bth 61 | grep -vx $masked | xargs)"
	is "they are counted" "$(port_stat t1 tx corrupted)" 400
}

# What is cut off takes no time and no room.
cut_is_shorter_ok()
{
	local bytes=/sys/class/net/t1/statistics/tx_bytes before

	before=$(<$bytes)
	rdmafault link set t1 rate 1gbit
	rule t1 tx qp 0x20 truncate 0 >/dev/null
	sendroce t1 qp 0x20 payload 1000 count 50
	is "on a link a short packet is short" "$(prio_stat t1 0 bytes)" $((50 * 58))
	is "as it is on the wire" $(($(<$bytes) - before)) $((50 * 58))
	rdmafault link set t1 rate none
	rdmafault rule flush t1
}

nonsense_fails()
{
	refused "a bit with a value" "value" \
		rdmafault rule add v1 tx qp 5 corrupt bit value 3
	refused "an ICRC that is damaged and valid" "icrc" \
		rdmafault rule add v1 tx qp 5 corrupt icrc valid-icrc
	refused "a bit of the ICRC that there isn't" "offset" \
		rdmafault rule add v1 tx qp 5 corrupt icrc at 32
	refused "an action behind a drop" "vanish" \
		rdmafault rule add v1 tx qp 5 drop corrupt bit
	is "nothing of it is there" "$(rdmafault --json rule show v1 | jq length)" 0
}

control_ok
damage_is_found_ok
valid_icrc_gets_past_ok
valid_length_is_refused_ok
rewritten_is_accepted_ok
rkey_is_refused_ok
unchanged_ok
drawn_is_found_ok
cut_is_shorter_ok
nonsense_fails
