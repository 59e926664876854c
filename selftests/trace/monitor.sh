#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault monitor prints what happens, while it happens. A packet is dropped;
# what is told of it must agree with what the responder says of the hole (its
# NAK bears the PSN that it waits for), and with rxe's counters.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

instances=/sys/kernel/tracing/instances
tmp=$(mktemp -d)
defer rm -rf "$tmp"

fabric 2
ports v1 v2

# A QP timeout of two seconds, so that a busy machine causes none of its own
qp_timeout=${KSFT_MACHINE_SLOW:+20}
# 10 messages of 16 packets
traffic=(-n 10 -s 65536 -u "${qp_timeout:-19}" -Q 1 -F)

# listens PID POINT: has the monitor of that process switched POINT on?
listens()
{
	grep -q 1 "$instances/rdmafault-monitor-$1/events/rdmafault/$2/enable"
}

# monitor NAME POINT WORD...: in the background; $monitor is its process. It
# listens when POINT, the last of its tracepoints, is on.
monitor()
{
	local name=$1 point=$2

	shift 2
	rdmafault "$@" >"$tmp/$name" 2>"$tmp/$name.err" &
	monitor=$!
	defer kill "$monitor"
	wait_until "$soon" listens "$monitor" "$point" ||
		{ echo "Bail out! no monitor: $(cat "$tmp/$name.err")"; exit 1; }
}

# ended PID SIGNAL STATUS
ended()
{
	kill "-$2" "$1"
	wait "$1"
	is "$2 ends it with status $3" $? "$3"
	ok "and its buffer is gone" test ! -e "$instances/rdmafault-monitor-$1"
}

# of KIND JQ: what the monitor under --json said about events of a kind
of()
{
	jq -r --arg kind "$1" "select(.type == \$kind) | $2" "$tmp/json"
}

events_are_printed_ok()
{
	local json seq0 nak0

	rdmafault rule add v1 tx psn +100 attempt 1 drop >/dev/null
	rdmafault rule add v1 rx class nak observe >/dev/null
	monitor json rf_rule monitor --json
	json=$monitor
	monitor text rf_hit monitor v1 hit
	seq0=$(hw rxe2 out_of_seq_request)
	nak0=$(hw rxe1 rcvd_seq_err)
	ok "the traffic runs" write_bw 2 1 "${traffic[@]}"
	is "one hole at the receiver" \
		$(($(hw rxe2 out_of_seq_request) - seq0)) 1
	is "one NAK at the sender" $(($(hw rxe1 rcvd_seq_err) - nak0)) 1
	wait_until "$soon" grep -q '"type":"nak"' "$tmp/json"
	ended "$monitor" INT 0
	ended "$json" TERM 0
	is "nothing was lost" "$(cat "$tmp"/*.err)" ""
}

fields_are_right_ok()
{
	local psn

	is "JSON: the packet that was dropped" \
		"$(of hit 'select(.fault) | [.port, .direction, .rule, .action, .psn_rel, .opcode, .attempt, .flow, .message, .source, .destination] | join(" ")')" \
		"v1 tx 1 drop 100 rc-write-middle 1 1 7 10.77.0.1 10.77.0.2"
	psn=$(of hit 'select(.fault) | .psn')
	is "JSON: the responder waits for its PSN" "$(of nak .psn)" "$psn"
	is "JSON: with a sequence error" "$(of nak .syndrome)" 96
	is "JSON: the NAK was hit, and is another packet" \
		"$(of hit 'select(.direction == "rx") | .seq')" "$(of nak .seq)"
	is "JSON: each retransmitted packet is told" \
		"$(of retransmit 'select(.direction == "tx") | .type' | wc -l)" \
		"$(port_stat v1 tx retransmitted)"
	is "JSON: the dropped one among them" \
		"$(of retransmit "select(.direction == \"tx\" and .psn == $psn) | .attempt")" 2
	is "text: a line for each hit, and for nothing else" \
		"$(cut -d' ' -f2,3,5-7 "$tmp/text")" \
		"v1 tx hit rule 1:
v1 rx hit rule 2:"
	is "text: the packet in the words of a rule" \
		"$(head -n 1 "$tmp/text" | sed 's/.*rule 1: qp [0-9]* //')" \
		"psn $psn psn +100 opcode rc-write-middle attempt 1 flow 1 message 7 drop"
}

# A storm that a job runs into, with a watchdog that only looks on, and an ECN profile that
# marks what waits. The queue pair waits for longer than the test does.
priorities_are_told_ok()
{
	rdmafault reset
	rdmafault pause v1 watchdog prio 0 detect 50ms restore 50ms poll 20ms \
		action alert
	monitor json rf_watchdog monitor --json v1 pause mark watchdog
	json=$monitor
	monitor text rf_watchdog monitor v1 watchdog
	rdmafault link set v1 rate 1mbit
	rdmafault ecn set v1 prio 0 kmax 1k not-ect mark
	rdmafault pause v1 prio 0 storm for 60s persist
	write_bw 2 1 "${traffic[@]}" -u 21 >/dev/null &
	job=$!
	ok "storm: its detection is printed" \
		wait_until 20 grep -q '"state":"detected"' "$tmp/json"
	rdmafault pause v1 stop
	rdmafault link set v1 rate none
	rdmafault ecn set v1 prio 0 off
	ok "storm: so is its end" \
		wait_until "$soon" grep -q '"state":"restored"' "$tmp/json"
	wait $job
	is "storm: the job goes on" $? 0
	ended "$monitor" INT 0
	ended "$json" TERM 0
	rdmafault pause v1 watchdog off
	is "JSON: who pauses" "$(of pause 'select(.paused) | .port, .prio, .by' |
		head -n 3 | xargs)" "v1 0 storm"
	is "JSON: the last pause ended in the past" \
		"$(of pause 'select(.paused | not) | .until_ns <= .t_ns' | tail -n 1)" true
	is "JSON: the watchdog took no less than it was told" \
		"$(of watchdog 'select(.action == "alert") | .after_ns >= 50000000' |
			sort -u)" true
	is "JSON: all marks, and the queue that was too long" \
		"$(of mark '[.prio, .dropped, .queue > 1024] | join(" ")' | sort | uniq -c | xargs)" \
		"$(prio_stat v1 0 marked) 0 false true"
	ok "text: detection and restoration" grep -Eqz \
		'v1 watchdog prio 0: detected after [0-9.]+ m?s, alert.*prio 0: restored after [0-9.]+ m?s, alert' \
		"$tmp/text"
}

other_ports_are_left_out_ok()
{
	rdmafault reset
	rdmafault rule add v1 tx class write count 3 observe >/dev/null
	rdmafault rule add v2 rx class write count 5 observe >/dev/null
	monitor text rf_hit monitor rxe2 hit
	ok "one port: the traffic runs" write_bw 2 1 "${traffic[@]}"
	ended "$monitor" INT 0
	is "one port: its own events alone" \
		"$(cut -d' ' -f2,3 "$tmp/text" | sort | uniq -c | xargs)" "5 v2 rx"
}

# With the number and the words that "rule add" and "rule show" print
added_rules_are_printed_ok()
{
	local json text id drawn

	rdmafault reset
	monitor json rf_rule monitor --json v1
	json=$monitor
	monitor text rf_rule monitor v1 rule
	text=$monitor
	monitor hits rf_hit monitor v1 hit
	id=$(rdmafault --json rule add v1 tx qp 17 count 3 drop | jq .id)
	drawn=$(rdmafault --json rule add v1 rx qp 18 probability 10% seed 7 key 9 drop |
		jq .id)
	rdmafault drop v2 tx qp 19 >/dev/null
	refused "added rules: one that the module refuses" '^rdmafault: ' \
		rdmafault drop v1 tx qp 20 nth 1 after 5
	rdmafault rule del v1 "$id"
	wait_until "$soon" sh -c "test \$(wc -l <$tmp/text) -ge 2"
	ended "$monitor" INT 0
	ended "$text" INT 0
	ended "$json" INT 0
	is "added rules: one line each, none for another port or a refused rule" \
		"$(cut -d' ' -f2- "$tmp/text")" \
"v1 tx rule $id added: qp 17 count 3 persist drop
v1 rx rule $drawn added: qp 18 probability 10% seed 7 key 9 persist drop"
	is "added rules: the words are those of rule show" \
		"$(of rule "select(.rule == $drawn) | .words")" \
		"$(rdmafault --json rule show v1 | jq -r ".[] | select(.id == $drawn).rule")"
	is "added rules: JSON, without kinds" \
		"$(of rule '[.port, .direction, .rule] | join(" ")')" \
"v1 tx $id
v1 rx $drawn"
	is "added rules: control, not among other kinds" "$(cat "$tmp/hits")" ""
}

lost_events_are_counted_ok()
{
	local id hits printed lost status

	rdmafault reset
	id=$(rdmafault --json rule add v1 tx all observe | jq .id)
	monitor text rf_hit monitor --buffer 8KiB v1 hit
	kill -STOP "$monitor"
	ok "flood: the traffic runs" write_bw 2 1 "${traffic[@]}"
	kill -CONT "$monitor"
	kill -INT "$monitor"
	wait "$monitor"
	status=$?
	hits=$(rule_stat v1 "$id" hits)
	printed=$(wc -l <"$tmp/text")
	lost=$(sed -n 's/^rdmafault: \([0-9]*\) events were lost.*/\1/p' \
		"$tmp/text.err")
	is "flood: events were lost, the exit status says" "$status" 3
	ok "flood: what came first is kept" test "$printed" -gt 0
	is "flood: what is printed and what is lost is all" \
		$((printed + lost)) "$hits"
}

nobody_reads_ok()
{
	monitor out rf_hit monitor v1 hit
	ended "$monitor" INT 0
	rdmafault monitor v1 hit 2>"$tmp/err" > >(head -n 1 >"$tmp/out") &
	monitor=$!
	wait_until "$soon" listens "$monitor" rf_hit
	ok "no reader: the traffic runs" write_bw 2 1 "${traffic[@]}"
	wait_until "$soon" sh -c "! kill -0 $monitor"
	wait "$monitor"
	is "no reader: it ends by itself, with status 0" $? 0
	is "no reader: without a word" "$(cat "$tmp/err")" ""
	is "no reader: one line was read" "$(wc -l <"$tmp/out")" 1
	ok "no reader: its buffer is gone" \
		test ! -e "$instances/rdmafault-monitor-$monitor"
}

leftovers_are_removed_ok()
{
	local killed

	monitor killed rf_hit monitor v1 hit
	killed=$monitor
	kill -KILL "$killed"
	wait "$killed" 2>/dev/null
	ok "killed: its buffer stays" test -e "$instances/rdmafault-monitor-$killed"
	monitor one rf_hit monitor v1 hit
	ok "killed: the next tool removes it" \
		test ! -e "$instances/rdmafault-monitor-$killed"
	killed=$monitor
	monitor two rf_hit monitor v1 hit
	ok "control: not that of a living one" \
		test -e "$instances/rdmafault-monitor-$killed"
	ended "$monitor" INT 0
	ended "$killed" HUP 0
}

bad_input_fails()
{
	refused "an unknown kind" \
		'^rdmafault: monitor: want hit, retransmit, nak, hold, release, pause, mark, watchdog or rule, got "hits"$' \
		rdmafault monitor v1 hits
	refused "no device" '^rdmafault: .*v99' rdmafault monitor v99
	refused "no port" '^rdmafault: p1: is no port: ' rdmafault monitor p1
	refused "a buffer that is too small" \
		'^rdmafault: --buffer: want a size from 8KiB to 4GiB.*, got "4095"$' \
		rdmafault monitor --buffer 4095
	refused "no size" '^rdmafault: monitor: want --buffer SIZE' \
		rdmafault monitor --buffer
	refused "an unknown option" '^rdmafault: monitor: .*got "--follow"$' \
		rdmafault monitor --follow
}

full_disk_is_told_ok()
{
	rdmafault monitor v1 hit >/dev/full 2>"$tmp/err" &
	monitor=$!
	wait_until "$soon" listens "$monitor" rf_hit
	ok "full disk: the traffic runs" write_bw 2 1 "${traffic[@]}"
	wait "$monitor"
	is "full disk: the exit status says" $? 1
	is "full disk: so does a line" "$(cat "$tmp/err")" \
		"rdmafault: monitor: No space left on device"
}

events_are_printed_ok
fields_are_right_ok
priorities_are_told_ok
other_ports_are_left_out_ok
added_rules_are_printed_ok
lost_events_are_counted_ok
nobody_reads_ok
full_disk_is_told_ok
leftovers_are_removed_ok
bad_input_fails
is "no buffer is left" "$(find $instances -mindepth 1 -maxdepth 1 -name 'rdmafault-*')" ""
