#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how a port counts attempts, relative PSNs and message numbers, with frames
# written by hand: when PSNs wrap from 0xffffff to 0, in sixteen flows at once, in both
# directions.
# Attempts are tested at both ports: t1 for tx, t2 for rx. Rules with "attempt" at t2 track its
# flows.
# Also test which flows are tracked: if all rules name QPs, flows to other QPs are
# untracked.
#
#   sendframe - t1 (port) ======= t2 (port) - sendframe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

veth_pair t1 t2
veth_port t1
veth_port t2

add()
{
	rdmafault --json rule add "$@" | jq -r .id
}

# burst QP FIRST COUNT: prints RDMA WRITE middle packets with consecutive PSNs, modulo 2^24
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
	is "PSN wrap: 40 new packets are attempt 1" "$(rule_stat t1 "$first" hits)" 40
	is "PSN wrap: no new packet is attempt 2" "$(rule_stat t1 "$again" hits)" 0
	is "PSN wrap: psn +20 after 0xfffff0 is PSN 4" \
		"$(rule_stat t1 "$rel" hits) $(rule_stat t1 "$absolute" hits)" "1 1"
	burst 0x20 0xfffff8 32 | sendframe t1
	is "PSN wrap: 32 retransmitted packets are attempt 2" \
		"$(rule_stat t1 "$again" hits)" 32
	rdmafault rule flush t1
}

# A fault delays the copy of a packet by a second. When the copy arrives, the sender
# is thousands of PSNs further. The copy must not count as a new packet of the flow.
late_copies_ok()
{
	local first place copied

	first=$(add t1 tx qp 0x30 psn +0 observe)
	place=$(add t1 tx qp 0x30 psn +3000 message 751 packet 1 observe)
	copied=$(add t1 tx qp 0x30 psn 1500 attempt 1 observe)
	sendroce t1 qp 0x30 psn 1000 count 3000 message 4
	roce4 7 0x30 1500 | sendframe t1
	sendroce t1 qp 0x30 psn 4000 count 4 message 4
	is "a late copy does not change the flow's PSNs and messages" \
		"$(rule_stat t1 "$place" hits)" 1
	is "a late copy has no attempt number" "$(rule_stat t1 "$copied" hits)" 1
	sendroce t1 qp 0x30 psn 1000 count 128 message 4
	is "128 late copies in a row do not begin a new flow" \
		"$(rule_stat t1 "$first" hits)" 1
	sendroce t1 qp 0x30 psn 1128 count 8 message 4
	is "more than 128 late packets in a row begin a new flow" \
		"$(rule_stat t1 "$first" hits)" 2
	rdmafault rule flush t1
}

# The PSN of one of 100 packets is corrupt, far ahead of the others.
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
	is "a packet with a corrupt PSN does not change the flow's PSNs and messages" \
		"$(rule_stat t1 "$first" hits) $(rule_stat t1 "$rel" hits)" \
		"100 49"
	rdmafault rule flush t1
}

# Send READs of 8 packets of 1024 bytes. The READ with PSN 100 is retransmitted, beginning
# with its fourth packet.
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
	is "a READ retransmitted from its middle is message 1, the next READ is message 2" \
		"$(rule_stat t1 "$rest" hits) $(rule_stat t1 "$next" hits)" \
		"1 1"
	rdmafault rule flush t1
}

# The third READ has a PSN so much lower than the second that it begins a new flow. The module
# must remember this READ, to recognise its retransmission.
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
	is "the first READ of a new flow, retransmitted from its middle, is message 1" \
		"$(rule_stat t1 "$rest" hits)" 1
	rdmafault rule flush t1
}

# responses QP FIRST LAST: prints the responses to a READ, with PSNs FIRST to LAST
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
	is "READ responses retransmitted from the middle are message 1, the next ones 2" \
		"$(rule_stat t1 "$rest" hits) $(rule_stat t1 "$next" hits)" \
		"1 1"
	rdmafault rule flush t1
}

came()
{
	[ "$(port_stat t2 rx roce)" = "$1" ]
}

# attempts TITLE HITS WORD...: run the test TITLE: send the frames of standard input. Of the packets that match WORD, the rules for attempts 1, 2 and 3 must have HITS
# hits, at t1 and at t2.
attempts()
{
	local title=$1 hits=$2 place i frames before
	local -a ids

	shift 2
	frames=$(cat)
	for place in "t1 tx" "t2 rx"; do
		for i in 1 2 3; do
			# shellcheck disable=SC2086 # a port and a direction
			ids+=("$(add $place "$@" attempt "$i" observe)")
		done
	done
	before=$(port_stat t2 rx roce)
	sendframe t1 <<<"$frames"
	wait_until "$soon" came $((before + $(wc -l <<<"$frames")))
	for i in 0 1 2; do
		ids[i]=$(rule_stat t1 "${ids[i]}" hits)
		ids[i + 3]=$(rule_stat t2 "${ids[i + 3]}" hits)
	done
	is "$title, at t1 tx" "${ids[*]:0:3}" "$hits"
	is "$title, at t2 rx" "${ids[*]:3}" "$hits"
	rdmafault rule flush t1
	rdmafault rule flush t2
}

# rest QP PSN PACKETS DONE: prints a READ request for the rest of a READ of PACKETS packets of 1024
# bytes with the first PSN PSN, of which DONE packets have arrived
rest()
{
	read4 "$1" $((($2 + $4) & 0xffffff)) $((0x10000 + $4 * 1024)) $((($3 - $4) * 1024))
}

# read_attempts_ok TITLE QP PSN: a READ of 8 packets that begins at PSN
read_attempts_ok()
{
	attempts "$1: the rest of a READ is attempt 2, the rest of the rest attempt 3" "2 1 1" \
		class read-request < <(
			rest "$2" "$3" 8 0
			rest "$2" "$3" 8 3
			rest "$2" "$3" 8 5
			rest "$2" $(($3 + 8)) 8 0)
	attempts "$1: the same rest again is attempt 3" "1 1 1" class read-request < <(
		rest "$2" $(($3 + 16)) 8 0
		rest "$2" $(($3 + 16)) 8 3
		rest "$2" $(($3 + 16)) 8 3)
}

# response_attempts_ok TITLE
response_attempts_ok()
{
	attempts "$1: the responses to the rest of a READ are attempt 2" "8 5 0" \
		class read-response < <(
			responses 0x44 100 107
			responses 0x44 103 107)
	attempts "$1: RNR NAKs and NAKs are no attempts of READ responses" "16 0 0" \
		class read-response < <(
			aeth 0x11 0x45 100 0x20
			aeth 0x11 0x45 108 0x20
			aeth 0x11 0x45 103 0x60
			responses 0x45 100 107
			responses 0x45 108 115)
	attempts "$1: ACKs are no attempts of READ responses" "8 2 0" class read-response < <(
		responses 0x46 100 107
		aeth 0x11 0x46 107 0
		aeth 0x11 0x46 107 0
		responses 0x46 106 107)
	attempts "$1: READ responses are no attempts of ACKs" "1 1 0" class ack < <(
		responses 0x47 100 107
		aeth 0x11 0x47 107 0
		aeth 0x11 0x47 107 0)
	attempts "$1: RNR NAKs are no attempts of atomic responses" "2 1 0" \
		opcode rc-atomic-acknowledge < <(
			aeth 0x11 0x48 100 0x20
			aeth 0x11 0x48 101 0x20
			roce4 0x12 0x48 100 12
			roce4 0x12 0x48 101 12
			roce4 0x12 0x48 101 12)
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
	is "16 flows: all are tracked" "$(port_stat t1 tx flows)" 16
	is "16 flows: 320 new packets are attempt 1" \
		"$(rule_stat t1 "$first" hits)" 320
	is "16 flows: ten retransmitted packets of one flow are attempt 2" \
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
	is "rules for tx and rx: each matches the packets of its direction alone" \
		"$(rule_stat t1 "$tx" matched) $(rule_stat t1 "$rx" matched)" \
		"10 10"
	is "rules for tx and rx: one packet is dropped in each direction" \
		"$(port_stat t1 tx dropped) $(port_stat t1 rx dropped)" "1 1"
	rdmafault rule flush t1
}

responses_are_a_separate_flow_ok()
{
	local again

	again=$(add t1 tx attempt 2+ observe)
	{
		burst 9 500 10
		roce4 0x11 9 505
	} | sendframe t1
	is "an ACK with the PSN of a request is not attempt 2 of it" \
		"$(rule_stat t1 "$again" hits)" 0
	rdmafault rule flush t1
}

# ledger QP KEY...: prints these statistics of each flow to the QP
ledger()
{
	local qp=$1

	shift
	rdmafault --json stat --flows t1 | jq -r --argjson qp $((qp)) \
		'[.[] | select(.qp == $qp) | [.[$ARGS.positional[]]] | join(" ")] | sort | join(", ")' \
		--args "$@"
}

# Two UD queue pairs send to two others in turn. The PSNs of each flow have gaps, and
# some PSNs occur in the flows of both senders.
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
	is "UD: each sender is a flow and each packet a message" \
		"$(ledger 0x50 peer_qp packets messages retransmitted)" \
		"7 3 3 0, 8 6 6 0"
	is "UD: packets to another QP are a separate flow" \
		"$(ledger 0x51 peer_qp packets messages)" "7 3 3"
	is "UD: message 3 hits once in each of three flows" \
		"$(rule_stat t1 "$third" hits)" 3
	ud4 0x50 5000 7 | sendframe t1
	is "UD: a copy of a packet is the same message, attempt 2" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x50 peer_qp packets messages)" \
		"1 7 4 3, 8 6 6"
	rdmafault rule flush t1
}

# A NAK has the PSN of the missing request. The ACK that later acknowledges this request has the
# same PSN, but must not count as a retransmission of the NAK.
ack_behind_nak_ok()
{
	local again

	again=$(add t1 tx attempt 2+ observe)
	{
		aeth 0x11 0x52 104 0
		aeth 0x11 0x52 105 0x60
		aeth 0x11 0x52 105 0
	} | sendframe t1
	is "the first ACK after a NAK with its PSN is not counted as retransmitted" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x52 packets retransmitted naks)" \
		"0 3 0 1"
	aeth 0x11 0x52 105 0 | sendframe t1
	is "a second ACK after a NAK with its PSN is counted as retransmitted" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x52 packets retransmitted naks)" \
		"1 4 1 1"
	{
		aeth 0x11 0x52 106 0x20
		aeth 0x11 0x52 106 0x20
		aeth 0x11 0x52 106 0
	} | sendframe t1
	is "a second RNR NAK is counted as retransmitted, the ACK after it is not" \
		"$(rule_stat t1 "$again" hits) $(ledger 0x52 packets retransmitted rnrs)" \
		"2 7 2 2"
	rdmafault rule flush t1
}

# sees TITLE FLOWS: run the test TITLE: send bursts to QP 0x20 and 0x21. Then t1 must
# track FLOWS flows and have counted 20 more RoCEv2 packets.
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
	local rule before

	rule=$(add t1 tx qp 0x20 psn +3 observe)
	sees "with a rule for one QP, packets of another are counted but not tracked" 1
	is "with a rule for one QP, its flow is tracked: psn +3 hits" \
		"$(rule_stat t1 "$rule" hits)" 1
	before=$(naks)
	# PSN sequence error
	aeth 0x11 0x21 105 0x60 | sendframe t1
	is "a NAK to an untracked QP is counted" "$(($(naks) - before))" 1
	rule=$(add t1 tx qp 0x21 observe)
	sees "with a rule for each QP, both are tracked" 2
	is "a rule for a QP that was untracked hits its packets" "$(rule_stat t1 "$rule" hits)" 10
	rdmafault rule del t1 "$rule"
	is "without its rule, the flow of requests to a QP is forgotten" \
		"$(port_stat t1 tx flows)" 1
	rdmafault rule flush t1
}

# A flow that was untracked for some time must be tracked like a new flow; otherwise
# its message numbers would be wrong.
begins_anew_ok()
{
	local all again

	add t1 tx qp 0x20 observe >/dev/null
	all=$(add t1 tx class write observe)
	sees "with a rule for all QPs, both flows are tracked" 2
	rdmafault rule del t1 "$all"
	sees "without the rule for all QPs, one flow is tracked" 1
	again=$(add t1 tx psn +0 observe)
	burst 0x20 110 10 | sendframe t1
	burst 0x21 200 10 | sendframe t1
	is "with a new rule for all QPs, an untracked flow begins at its next packet" \
		"$(port_stat t1 tx flows) $(rule_stat t1 "$again" hits)" "2 1"
	rdmafault rule flush t1
}

listener_ok()
{
	add t1 tx qp 0x20 observe >/dev/null
	defer tracepoints 0 rf_nak
	tracepoints 1 rf_nak
	sees "while a tracepoint is enabled, all flows are tracked" 2
	tracepoints 0 rf_nak
	sees "after the tracepoint is disabled, all flows stay tracked and complete" 2
	rdmafault rule flush t1
}

# What is only watched must not change the attempts that rules see.
listener_attempts_ok()
{
	defer tracepoints 0 rf_nak
	tracepoints 1 rf_nak
	read_attempts_ok "with a listener" 0x4b 100
	response_attempts_ok "with a listener"
	tracepoints 0 rf_nak
}

# later_rule: prints the hits of a rule that is added after 10 packets of its flow
later_rule()
{
	local rule

	add t1 tx qp 0x20 observe >/dev/null
	burst 0x21 300 10 | sendframe t1
	rule=$(add t1 tx qp 0x21 psn +2 attempt 1 observe)
	burst 0x21 305 10 | sendframe t1
	rule_stat t1 "$rule" hits
	rdmafault rule flush t1 >/dev/null
}

# A rule that is added to a flow in the middle counts from the next packet, also if the flow
# was watched before.
later_rule_ok()
{
	is "psn +2 attempt 1 counts from the first packet after the rule was added" \
		"$(later_rule)" 1
	defer tracepoints 0 rf_nak
	tracepoints 1 rf_nak
	is "psn +2 attempt 1 counts from the same packet if a tracepoint is enabled" \
		"$(later_rule)" 1
	tracepoints 0 rf_nak
}

# all_tracked TITLE RULE-WORD...: run the test TITLE: add this rule and a rule for one
# QP; all flows must be tracked
all_tracked()
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
	all_tracked "a rule without a QP makes all flows tracked" tx class write observe
	all_tracked "a rule with a probability makes all flows tracked, to number them" \
		tx qp 0x20 probability 50% observe
	all_tracked "a rule with a flow number makes all flows tracked" tx qp 0x20 flow 2 observe
	all_tracked "an action with jitter makes all flows tracked" tx qp 0x20 delay 1us jitter 1us
	all_tracked "a rule for rx without a QP makes all flows of tx tracked, too" rx all observe
	add t1 tx qp 0x20 observe >/dev/null
	add t1 rx qp 0x20 observe >/dev/null
	sees "control: with a rule for one QP in each direction, one flow is tracked" 1
	rdmafault rule flush t1
}

wrap_ok
late_copies_ok
spoilt_psn_ok
reads_from_the_middle_ok
reads_of_a_new_owner_ok
responses_from_the_middle_ok
read_attempts_ok "without a listener" 0x49 100
read_attempts_ok "PSNs that wrap" 0x4a 0xfffffc
response_attempts_ok "without a listener"
sixteen_flows_ok
datagrams_ok
untracked_ok
begins_anew_ok
listener_ok
listener_attempts_ok
later_rule_ok
no_untracked_ok
both_directions_ok
responses_are_a_separate_flow_ok
ack_behind_nak_ok
