#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets that come behind later ones, and packets that come more than once. The
# far side of the link tells in which order the PSNs arrive; rxe's counters tell
# that a receiver finds a hole, or a duplicate.
#
#   sendframe - t1 (port) ======= t2 (port) - tcpdump
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"
. "$selftests/lib/capture.sh"

veth_pair t1 t2
veth_port t1 t2
capture=$(mktemp)
defer rm "$capture" "$capture.log"

# send COUNT: write middles with the PSNs 100, 101 ...
send()
{
	local i

	for ((i = 0; i < $1; i++)); do
		roce4 7 0x20 $((100 + i))
	done | sendframe t1
}

psns()
{
	# A file header of 24 bytes, then records of 16 and a frame of 62
	od -An -v -tu1 -w78 -j24 "$capture" | awk '{ printf "%s ", $(16 + 54) }'
}

arrived()
{
	[ "$(psns | wc -w)" -ge "$1" ]
}

# order WORDS "PSN..." COUNT RULE...: COUNT frames are sent and come like that
order()
{
	local words=$1 wanted=$2 count=$3

	shift 3
	capture_begin "$capture.log" --immediate-mode -U -Q in -i t2 \
		-w "$capture" 'udp port 4791'
	rule t1 tx "$@" >/dev/null
	send "$count"
	wait_until "$soon" arrived "$(wc -w <<<"$wanted")"
	capture_end
	is "$words" "$(psns)" "$wanted "
	rdmafault rule flush t1
}

order_on_the_wire_ok()
{
	order "control: in order" "100 101 102 103 104" 5 \
		qp 0x20 psn 101 observe
	order "behind three" "100 102 103 104 101 105" 6 \
		qp 0x20 psn 101 reorder 3
	order "behind a named PSN" "100 102 103 101 104" 5 \
		qp 0x20 psn 101 reorder behind psn 103
	order "behind a relative PSN" "100 102 103 101 104" 5 \
		qp 0x20 psn 101 reorder behind psn +3
	order "two that wait come in their order" "102 103 100 101 104" 5 \
		qp 0x20 psn 100-101 reorder 2
}

# Nor does one that came before, and is late.
earlier_one_ok()
{
	capture_begin "$capture.log" --immediate-mode -U -Q in -i t2 \
		-w "$capture" 'udp port 4791'
	rule t1 tx qp 0x20 psn 100 delay 100ms >/dev/null
	rule t1 tx qp 0x20 psn 101 reorder 1 within 4s >/dev/null
	send 2
	wait_until "$soon" arrived 1
	roce4 7 0x20 102 | sendframe t1
	wait_until "$soon" arrived 3
	capture_end
	is "not behind an earlier one that is late" "$(psns)" "100 102 101 "
	rdmafault rule flush t1
}

# What is lost doesn't count.
lost_in_between_ok()
{
	rule t1 tx qp 0x20 psn 102 drop >/dev/null
	order "behind one that is lost: with the next" "100 103 101 104" 5 \
		qp 0x20 psn 101 reorder behind psn 102
}

nobody_follows_ok()
{
	order "nobody follows: it comes in the end" "100 101 102" 3 \
		qp 0x20 psn 102 reorder 5 within 300ms
}

copies_on_the_wire_ok()
{
	# Later than the others are sent
	local later=50${KSFT_MACHINE_SLOW:+0}ms

	order "a copy, right behind" "100 101 101 102" 3 \
		qp 0x20 psn 101 duplicate
	order "three copies" "100 101 101 101 101 102" 3 \
		qp 0x20 psn 101 duplicate 3
	order "a copy, later" "100 101 102 103 101" 4 \
		qp 0x20 psn 101 duplicate after "$later"
	order "a copy of one that is lost" "100 102 101" 3 \
		qp 0x20 psn 101 duplicate after "$later" drop
	order "a copy of one that is delayed" "100 102 101 101" 3 \
		qp 0x20 psn 101 delay "$later" duplicate
}

# try_rule WORDS HOLES DUPLICATES PORT DIRECTION RULE...: so many holes or more, if any
try_rule()
{
	local words=$1 holes=$2 duplicates=$3 as_many=-ge

	shift 3
	remember
	rule "$@" >/dev/null
	is "$words: all messages arrive" "$(probe 1 2 write 8 4096)" \
		"done=8 wrong=0 status=0"
	[ "$holes" != 0 ] || as_many=-eq
	ok "$words: holes $as_many $holes" \
		[ "$(moved rxe2 out_of_seq_request)" $as_many "$holes" ]
	[ "$holes" != 0 ] ||
		is "$words: $duplicates duplicates" \
			"$(moved rxe2 duplicate_request)" "$duplicates"
	unseen "$words"
	rdmafault rule flush "$1"
}

# wait_qp QP COUNT: so many packets of a QP come, from PSN 100 on
wait_qp()
{
	local i

	for ((i = 0; i < $2; i++)); do
		roce4 7 "$1" $((100 + i))
	done | sendframe t1
}

# With each packet of a flow that passes, those that wait are looked at.
flow_limit_ok()
{
	local full

	rdmafault port set t1 max-hold 20s
	full=$(port_stat t1 tx delay_queue_full)
	rule t1 tx qp 0x30,0x31 reorder 1000 within 20s >/dev/null
	wait_qp 0x30 300
	is "256 packets of a flow wait for others, and no more" \
		"$(port_stat t1 tx held) $(($(port_stat t1 tx delay_queue_full) - full))" \
		"256 44"
	wait_qp 0x31 3
	is "those of another flow do, too" "$(port_stat t1 tx held)" 259
	rdmafault reset t1
	ok "reset releases them" wait_until "$soon" released
}

released()
{
	[ "$(port_stat t1 tx held)" = 0 ]
}

receiver_sees_it_ok()
{
	fabric 2
	ports v1 v2
	try_rule "control" 0 0 v1 tx class write psn +9 attempt 1 observe
	try_rule "reordered" 1 - v1 tx class write psn +9 attempt 1 reorder 1
	try_rule "reordered, arriving" 1 - v2 rx class write psn +9 attempt 1 reorder 1
	try_rule "duplicated" 0 2 v1 tx class write psn +9 attempt 1 duplicate 2
	try_rule "duplicated, arriving" 0 2 v2 rx class write psn +9 attempt 1 duplicate 2
	is "the counters tell" \
		"$(port_stat v1 tx reordered) $(port_stat v2 rx duplicated)" "1 2"
}

nonsense_fails()
{
	refused "reorder without behind what" "reorder" \
		rdmafault rule add v1 tx qp 5 reorder
	refused "reorder by 1025" "1024" \
		rdmafault rule add v1 tx qp 5 reorder 1025
	refused "17 copies" "16" rdmafault rule add v1 tx qp 5 duplicate 17
}

order_on_the_wire_ok
earlier_one_ok
lost_in_between_ok
nobody_follows_ok
copies_on_the_wire_ok
flow_limit_ok
receiver_sees_it_ok
nonsense_fails
