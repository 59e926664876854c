#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the tracepoints: which packets get a trace record, how many records a packet gets, and
# which fields a record has. Frames are written by hand. Trace records are read as the text that
# the kernel prints.
#
#   sendframe - t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/veth.sh"

tracefs=/sys/kernel/tracing
events=$tracefs/instances/rf_selftest/events/rdmafault
trace=$tracefs/instances/rf_selftest/trace

[ -d $tracefs/events ] || mount -t tracefs tracefs $tracefs ||
	skip_all "no tracefs"
veth_pair t1 t2 4200
veth_port t1
defer rmdir $tracefs/instances/rf_selftest
mkdir $tracefs/instances/rf_selftest

# listen EVENT...: clear the trace and enable only these events
listen()
{
	local event

	echo 0 >"$events/enable"
	for event; do
		echo 1 >"$events/$event/enable"
	done
	: >$trace
}

# records EVENT: prints the trace records of the tracepoint EVENT, without task, CPU and time
records()
{
	sed -n "s/.* $1: //p" $trace
}

# field NAME: prints the values of the field NAME of the trace records on standard input
field()
{
	sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" | paste -sd' '
}

hits_are_traced_ok()
{
	rdmafault rule add t1 tx qp 7 psn 2 observe >/dev/null
	rdmafault rule add t1 tx qp 7 psn 3 observe >/dev/null
	rdmafault rule add t1 tx qp 7 psn 3 drop >/dev/null
	listen rf_hit
	for psn in 1 2 3 4; do roce4 7 7 $psn; done | sendframe t1
	is "rf_hit: each rule that hits a packet makes one record" \
		"$(records rf_hit | field psn)" "0x000002 0x000003 0x000003"
	is "rf_hit: the record has rule, action, QP, PSN, relative PSN and opcode" \
		"$(records rf_hit | sed -n '3s/ *seq=[0-9]* / /p' | cut -d' ' -f3-9)" \
		"rule=3 drop value=0x0 qp=7 psn=0x000003 (+2) opcode=0x07"
	is "rf_hit: two rules that hit one packet record the same seq" \
		"$(records rf_hit | field seq | tr ' ' '\n' | uniq -c | awk '{ print $1 }' | paste -sd' ')" \
		"1 2"
	rdmafault rule flush t1
}

retransmissions_are_traced_ok()
{
	rdmafault rule add t1 tx qp 99 observe >/dev/null
	listen rf_retransmit
	for psn in 1 2 3 2 3 3; do roce4 7 8 $psn; done | sendframe t1
	is "rf_retransmit: each retransmitted packet has a record, hit by a rule or not" \
		"$(records rf_retransmit | field psn)" "0x000002 0x000003 0x000003"
	is "rf_retransmit: the record has the attempt" \
		"$(records rf_retransmit | field attempt)" "2 2 3"
	rdmafault rule flush t1
}

naks_are_traced_ok()
{
	rdmafault rule add t1 tx qp 99 observe >/dev/null
	listen rf_nak
	{
		aeth 0x11 9 1 0x1f
		aeth 0x11 9 2 0x60
		aeth 0x11 9 3 0x2e
	} | sendframe t1
	is "rf_nak: NAK and RNR NAK have a record, an ACK has none" \
		"$(records rf_nak | field syndrome)" "0x60 0x2e"
	rdmafault rule flush t1
}

bytes_are_traced_ok()
{
	rdmafault rule add t1 tx qp 7 psn 2 drop >/dev/null
	listen rf_packet
	{
		roce4 7 7 1
		roce4 7 7 2 3000
		roce6 7 7 3
	} | sendframe t1
	is "rf_packet: a long packet has several records with their offsets" \
		"$(records rf_packet | field offset)" "0 0 320 2272 0"
	is "rf_packet: the length is that of the frame" \
		"$(records rf_packet | field len)" "62 3058 3058 3058 82"
	is "rf_packet: the record has the rule and the verdict" \
		"$(records rf_packet | field rule)/$(records rf_packet | field verdict)" \
		"0 6 6 6 0/0 1 1 1 0"
	rdmafault rule flush t1
}

all_released()
{
	[ "$(records rf_release | wc -l)" = "$1" ]
}

hold_is_traced_ok()
{
	rdmafault rule add t1 tx qp 7 psn 2 observe delay 20ms >/dev/null
	listen rf_hit rf_hold rf_release
	for psn in 1 2 3; do roce4 7 7 $psn; done | sendframe t1
	wait_until "$soon" all_released 1
	is "rf_hit: the record names the first action of the rule" \
		"$(records rf_hit | cut -d' ' -f5)" "observe"
	is "rf_hold: the delayed packet has one record with its delay" \
		"$(records rf_hold | field psn) $(records rf_hold | field ns)" \
		"0x000002 20000000"
	is "rf_release: the record has the seq of the delayed packet" \
		"$(records rf_release | field seq)" "$(records rf_hit | field seq)"
	ok "rf_release: the recorded time is at least the delay" \
		[ "$(records rf_release | field ns)" -ge 20000000 ]
	rdmafault rule flush t1
}

no_event_enabled_ok()
{
	listen
	rdmafault rule add t1 tx qp 7 observe >/dev/null
	roce4 7 7 1 | sendframe t1
	is "control: without an enabled event the trace is empty" \
		"$(grep -c rf_ $trace)" 0
	rdmafault rule flush t1
}

hits_are_traced_ok
retransmissions_are_traced_ok
naks_are_traced_ok
bytes_are_traced_ok
hold_is_traced_ok
no_event_enabled_ok
