#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Attempts and relative PSNs, on frames written by hand: across the wrap from
# 0xffffff to 0, in sixteen flows at once, in both directions of one port. And
# whose flows are followed: where all rules name QPs, those of others are not.
#
#   sendframe - t1 (port) ======= t2 (port) - sendframe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

veth_pair t1 t2
veth_port t1

add()
{
	rdmafault --json rule add "$@" | jq -r .id
}

# burst QP FIRST COUNT: write middles, PSNs modulo 2^24.
burst()
{
	local i

	for ((i = 0; i < $3; i++)); do
		roce4 7 "$1" $((($2 + i) & 0xffffff))
	done
}

wrap_ok()
{
	local first again rel absolute

	first=$(add t1 tx qp 0x20 attempt 1 observe)
	again=$(add t1 tx qp 0x20 attempt 2+ observe)
	rel=$(add t1 tx qp 0x20 psn +20 observe)
	absolute=$(add t1 tx qp 0x20 psn 4 observe)
	burst 0x20 0xfffff0 40 | sendframe t1
	is "wrap: 40 packets are attempt 1" "$(rule_stat t1 "$first" hits)" 40
	is "wrap: none is attempt 2" "$(rule_stat t1 "$again" hits)" 0
	is "wrap: psn +20 is PSN 4" \
		"$(rule_stat t1 "$rel" hits) $(rule_stat t1 "$absolute" hits)" "1 1"
	burst 0x20 0xfffff8 32 | sendframe t1
	is "wrap: 32 retransmitted packets are attempt 2" \
		"$(rule_stat t1 "$again" hits)" 32
	rdmafault rule flush t1
}

# What a fault holds back for a second is thousands of PSNs behind when it comes.
late_copies_ok()
{
	local first place copied

	first=$(add t1 tx qp 0x30 psn +0 observe)
	place=$(add t1 tx qp 0x30 psn +3000 message 751 packet 1 observe)
	copied=$(add t1 tx qp 0x30 psn 1500 attempt 1 observe)
	sendroce t1 qp 0x30 psn 1000 count 3000 message 4
	roce4 7 0x30 1500 | sendframe t1
	sendroce t1 qp 0x30 psn 4000 count 4 message 4
	is "a late copy: the flow goes on as if it hadn't come" \
		"$(rule_stat t1 "$place" hits)" 1
	is "a late copy: it has no attempt" "$(rule_stat t1 "$copied" hits)" 1
	sendroce t1 qp 0x30 psn 1000 count 128 message 4
	is "128 late copies in a row: no new flow" \
		"$(rule_stat t1 "$first" hits)" 1
	sendroce t1 qp 0x30 psn 1128 count 8 message 4
	is "more than that: the QP number has a new owner" \
		"$(rule_stat t1 "$first" hits)" 2
	rdmafault rule flush t1
}

# One PSN of 100 is spoilt, far ahead; that packet counts as lost.
spoilt_psn_ok()
{
	local first rel

	first=$(add t1 tx qp 0x31 attempt 1 message 1+ observe)
	rel=$(add t1 tx qp 0x31 psn +51-+99 attempt 1 observe)
	{
		burst 0x31 1000 50
		burst 0x31 0x101000 1
		burst 0x31 1051 49
	} | sendframe t1
	is "a spoilt PSN: the flow goes on as if its packet had been lost" \
		"$(rule_stat t1 "$first" hits) $(rule_stat t1 "$rel" hits)" \
		"100 49"
	rdmafault rule flush t1
}

# READs of 8 packets of 1024 bytes; that of PSN 100 is retransmitted from its fourth.
reads_from_the_middle_ok()
{
	local rest next

	rest=$(add t1 tx class read-request message 1 packet 4 observe)
	next=$(add t1 tx class read-request message 2 packet 1 observe)
	{
		read4 0x40 100 0x10000 8192
		read4 0x40 103 $((0x10000 + 3 * 1024)) $((5 * 1024))
		read4 0x40 108 0x20000 8192
	} | sendframe t1
	is "a READ from its middle is the old message, the next one the second" \
		"$(rule_stat t1 "$rest" hits) $(rule_stat t1 "$next" hits)" \
		"1 1"
	rdmafault rule flush t1
}

# From PSNs this far behind comes a new owner, whose first READ is remembered.
reads_of_a_new_owner_ok()
{
	local rest

	rest=$(add t1 tx class read-request message 1 packet 4 observe)
	{
		read4 0x42 0x800000 0x10000 8192
		read4 0x42 0x800008 0x20000 8192
		read4 0x42 0x700000 0x30000 8192
		read4 0x42 0x700003 $((0x30000 + 3 * 1024)) $((5 * 1024))
	} | sendframe t1
	is "a new owner's READ from its middle is that one's first message" \
		"$(rule_stat t1 "$rest" hits)" 1
	rdmafault rule flush t1
}

# responses QP FIRST LAST: to a READ, by PSN
responses()
{
	local psn

	roce4 0x0d "$1" "$2"
	for ((psn = $2 + 1; psn < $3; psn++)); do
		roce4 0x0e "$1" "$psn"
	done
	roce4 0x0f "$1" "$3"
}

responses_from_the_middle_ok()
{
	local rest next

	rest=$(add t1 tx opcode rc-read-response-first message 1 packet 4 observe)
	next=$(add t1 tx opcode rc-read-response-first message 2 packet 1 observe)
	{
		responses 0x41 100 107
		responses 0x41 103 107
		responses 0x41 108 115
	} | sendframe t1
	is "responses from the middle are the old message's, too" \
		"$(rule_stat t1 "$rest" hits) $(rule_stat t1 "$next" hits)" \
		"1 1"
	rdmafault rule flush t1
}

sixteen_flows_ok()
{
	local first again qp i

	first=$(add t1 tx attempt 1 observe)
	again=$(add t1 tx attempt 2 observe)
	for ((i = 0; i < 20; i++)); do
		for ((qp = 0x100; qp < 0x110; qp++)); do
			roce4 7 $qp $((1000 * qp + i))
		done
	done | sendframe t1
	burst 0x107 $((1000 * 0x107 + 5)) 10 | sendframe t1
	is "16 flows: all are followed" "$(port_stat t1 tx flows)" 16
	is "16 flows: 320 packets are attempt 1" \
		"$(rule_stat t1 "$first" hits)" 320
	is "16 flows: ten of one flow are attempt 2" \
		"$(rule_stat t1 "$again" hits)" 10
	rdmafault rule flush t1
}

arrived()
{
	[ "$(port_stat t1 rx roce)" = "$1" ]
}

both_directions_ok()
{
	local tx rx

	tx=$(add t1 tx qp 7 position middle nth 3 drop)
	rx=$(add t1 rx qp 7 position middle nth 5 drop)
	burst 7 0 10 | sendframe t1
	burst 7 0 10 | sendframe t2
	wait_until "$soon" arrived 10
	is "tx and rx: each rule hits in its direction alone" \
		"$(rule_stat t1 "$tx" matched) $(rule_stat t1 "$rx" matched)" \
		"10 10"
	is "tx and rx: one packet is dropped in each" \
		"$(port_stat t1 tx dropped) $(port_stat t1 rx dropped)" "1 1"
	rdmafault rule flush t1
}

responses_are_a_flow_of_their_own_ok()
{
	local again

	again=$(add t1 tx attempt 2+ observe)
	{
		burst 9 500 10
		roce4 0x11 9 505
	} | sendframe t1
	is "an ACK doesn't count as an attempt of a request" \
		"$(rule_stat t1 "$again" hits)" 0
	rdmafault rule flush t1
}

# ledger QP KEY...: these of each flow to the QP
ledger()
{
	local qp=$1

	shift
	rdmafault --json stat --flows t1 | jq -r --argjson qp $((qp)) \
		'[.[] | select(.qp == $qp) | [.[$ARGS.positional[]]] | join(" ")] | sort | join(", ")' \
		--args "$@"
}

# Two queue pairs send to one, and to others between: PSNs of each have gaps, and
# some of one are the other's, too.
datagrams_ok()
{
	local third again psn

	third=$(add t1 tx message 3 packet 1 observe)
	again=$(add t1 tx attempt 2+ observe)
	for psn in 100 110 5000; do
		ud4 0x50 $psn 7
		ud4 0x50 $((psn + 1)) 8
		ud4 0x51 $((psn + 1)) 7
		ud4 0x50 $((psn + 10)) 8
	done | sendframe t1
	is "datagrams: each sender is a flow, each packet a message" \
		"$(ledger 0x50 peer_qp packets messages retransmitted)" \
		"7 3 3 0, 8 6 6 0"
	is "datagrams: another peer has its own" \
		"$(ledger 0x51 peer_qp packets messages)" "7 3 3"
	is "datagrams: the third message of each flow" \
		"$(rule_stat t1 "$third" hits)" 3
	ud4 0x50 5000 7 | sendframe t1
	is "a copy of a datagram is the same message, attempt 2" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x50 peer_qp packets messages)" \
		"1 7 4 3, 8 6 6"
	rdmafault rule flush t1
}

# A NAK asks for the request that the ACK of the same PSN answers.
ack_behind_nak_ok()
{
	local again

	again=$(add t1 tx attempt 2+ observe)
	{
		aeth 0x11 0x52 104 0
		aeth 0x11 0x52 105 0x60
		aeth 0x11 0x52 105 0
	} | sendframe t1
	is "the first ACK behind a NAK isn't retransmitted" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x52 packets retransmitted naks)" \
		"0 3 0 1"
	aeth 0x11 0x52 105 0 | sendframe t1
	is "the second is" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x52 packets retransmitted naks)" \
		"1 4 1 1"
	{
		aeth 0x11 0x52 106 0x20
		aeth 0x11 0x52 106 0x20
		aeth 0x11 0x52 106 0
	} | sendframe t1
	is "and so is the second RNR NAK, but not the ACK behind it" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x52 packets retransmitted rnrs)" \
		"2 7 2 2"
	rdmafault rule flush t1
}

# sees WORDS FLOWS: two bursts to QP 0x20 and 0x21 leave so many flows behind, and
# 20 RoCEv2 packets more.
sees()
{
	local before

	before=$(port_stat t1 tx roce)
	{
		burst 0x20 100 10
		burst 0x21 100 10
	} | sendframe t1
	is "$1" "$(port_stat t1 tx flows) $(($(port_stat t1 tx roce) - before))" \
		"$2 20"
}

naks()
{
	port_stat t1 tx naks
}

untracked_ok()
{
	local rule

	rule=$(add t1 tx qp 0x20 psn +3 observe)
	sees "a rule names a QP: the other is counted, not followed" 1
	is "and its own is followed: psn +3 is there" \
		"$(rule_stat t1 "$rule" hits)" 1
	# PSN sequence error
	aeth 0x11 0x21 105 0x60 | sendframe t1
	is "a NAK to the other is counted" "$(naks)" 1
	rule=$(add t1 tx qp 0x21 observe)
	sees "a rule names the other: both are followed" 3
	is "and hit" "$(rule_stat t1 "$rule" hits)" 10
	rdmafault rule del t1 "$rule"
	is "it goes: the other's requests are forgotten" "$(port_stat t1 tx flows)" 2
	rdmafault rule flush t1
}

# What was sent while nobody looked is in no flow, so messages aren't miscounted.
begins_anew_ok()
{
	local all again

	add t1 tx qp 0x20 observe >/dev/null
	all=$(add t1 tx class write observe)
	sees "followed for a rule that is for all" 2
	rdmafault rule del t1 "$all"
	sees "it goes: one is followed" 1
	again=$(add t1 tx psn +0 observe)
	burst 0x20 110 10 | sendframe t1
	burst 0x21 200 10 | sendframe t1
	is "another comes: an untracked flow begins there" \
		"$(port_stat t1 tx flows) $(rule_stat t1 "$again" hits)" "2 1"
	rdmafault rule flush t1
}

# listen 0 | 1
listen()
{
	echo "$1" >/sys/kernel/tracing/events/rdmafault/rf_nak/enable
}

listener_ok()
{
	add t1 tx qp 0x20 observe >/dev/null
	defer listen 0
	listen 1
	sees "with a listener, all are followed" 2
	listen 0
	sees "and when he is gone, so that no packet is missing in a flow" 2
	rdmafault rule flush t1
}

# all_are_followed WORDS RULE-WORD...: beside a rule that names a QP
all_are_followed()
{
	local words=$1

	shift
	add t1 tx qp 0x20 observe >/dev/null
	add t1 "$@" >/dev/null
	sees "$words" 2
	rdmafault rule flush t1
}

no_untracked_ok()
{
	all_are_followed "a rule for all: all are followed" tx class write observe
	all_are_followed "a rule that draws: flows are numbered as ever" \
		tx qp 0x20 probability 50% observe
	all_are_followed "a rule that asks for a flow" tx qp 0x20 flow 2 observe
	all_are_followed "an action that draws" tx qp 0x20 delay 1us jitter 1us
	all_are_followed "rules in the other direction, whose answers tell" \
		rx qp 0x20 observe
}

wrap_ok
late_copies_ok
spoilt_psn_ok
reads_from_the_middle_ok
reads_of_a_new_owner_ok
responses_from_the_middle_ok
sixteen_flows_ok
datagrams_ok
untracked_ok
begins_anew_ok
listener_ok
no_untracked_ok
both_directions_ok
responses_are_a_flow_of_their_own_ok
ack_behind_nak_ok
