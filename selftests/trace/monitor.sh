#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rdmafault monitor: it prints events when they happen. A packet is dropped. The responder
# then sends a NAK with the PSN of the lost packet. The printed events must agree with this NAK
# and with rxe's counters.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

instances=/sys/kernel/tracing/instances
tmp=$(mktemp -d)
defer rm -rf "$tmp"

fabric 2
ports v1 v2

# The QP timeout is 2.1 s, on a slow machine 4.3 s, so that a busy machine does not cause
# timeouts.
qp_timeout=${KSFT_MACHINE_SLOW:+20}
# 10 messages of 16 packets
traffic=(-n 10 -s 65536 -u "${qp_timeout:-19}" -Q 1)

# listens PID POINT: succeeds if the monitor with the process id PID has enabled the tracepoint
# POINT
listens()
{
	grep -q 1 "$instances/rdmafault-monitor-$1/events/rdmafault/$2/enable"
}

# monitor NAME POINT WORD...: start "rdmafault WORD..." in the background with its output in
# the file NAME, and wait until its last tracepoint POINT is enabled. Sets $monitor to its
# process id.
monitor()
{
	local name=$1 point=$2

	shift 2
	rdmafault "$@" >"$tmp/$name" 2>"$tmp/$name.err" &
	monitor=$!
	defer kill "$monitor"
	wait_until "$soon" listens "$monitor" "$point" ||
		{ echo "Bail out! the monitor did not start: $(cat "$tmp/$name.err")"; exit 1; }
}

# ended PID SIGNAL STATUS
ended()
{
	kill "-$2" "$1"
	wait "$1"
	is "SIG$2 ends monitor with exit status $3" $? "$3"
	ok "SIG$2 makes monitor remove its trace buffer" test ! -e "$instances/rdmafault-monitor-$1"
}

# of KIND JQ: prints the value of the jq expression JQ for each JSON event of the type KIND
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
	ok "control, monitor: the traffic runs" write_bw 2 1 "${traffic[@]}"
	is "control, monitor: the receiver counts one out-of-sequence request" \
		$(($(hw rxe2 out_of_seq_request) - seq0)) 1
	is "control, monitor: the sender counts one NAK" $(($(hw rxe1 rcvd_seq_err) - nak0)) 1
	wait_until "$soon" grep -q '"type":"nak"' "$tmp/json"
	ended "$monitor" INT 0
	ended "$json" TERM 0
	is "monitor loses no event" "$(cat "$tmp"/*.err)" ""
}

fields_are_right_ok()
{
	local psn

	is "monitor --json prints the identity of the dropped packet" \
		"$(of hit 'select(.fault) | [.port, .direction, .rule, .action, .psn_rel, .opcode, .attempt, .flow, .message, .source, .destination] | join(" ")')" \
		"v1 tx 1 drop 100 rc-write-middle 1 1 7 10.77.0.1 10.77.0.2"
	psn=$(of hit 'select(.fault) | .psn')
	is "monitor --json prints a NAK with the PSN of the dropped packet" "$(of nak .psn)" "$psn"
	is "monitor --json prints a NAK with the syndrome of a PSN sequence error" "$(of nak .syndrome)" 96
	is "monitor --json prints the hit and the event of a NAK with the same number" \
		"$(of hit 'select(.direction == "rx") | .seq')" "$(of nak .seq)"
	is "monitor --json prints each retransmitted packet" \
		"$(of retransmit 'select(.direction == "tx") | .type' | wc -l)" \
		"$(port_stat v1 tx retransmitted)"
	is "monitor --json prints the retransmission of the dropped packet as attempt 2" \
		"$(of retransmit "select(.direction == \"tx\" and .psn == $psn) | .attempt")" 2
	is "monitor with the kind hit prints one line per hit and no other" \
		"$(cut -d' ' -f2,3,5-7 "$tmp/text")" \
		"v1 tx hit rule 1:
v1 rx hit rule 2:"
	is "monitor prints a hit packet in the words of a rule" \
		"$(head -n 1 "$tmp/text" | sed 's/.*rule 1: qp [0-9]* //')" \
		"psn $psn psn +100 opcode rc-write-middle attempt 1 flow 1 message 7 drop"
}

# A job sends through a port that has a storm, a watchdog that only alerts, and an ECN profile
# that marks queued packets. The timeout of the queue pair is longer than the test.
priorities_ok()
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
	ok "monitor prints the detection of a storm" \
		wait_until 20 grep -q '"state":"detected"' "$tmp/json"
	rdmafault pause v1 stop
	rdmafault link set v1 rate none
	rdmafault ecn set v1 prio 0 off
	ok "monitor prints the end of a storm" \
		wait_until "$soon" grep -q '"state":"restored"' "$tmp/json"
	wait $job
	is "the job continues after the storm" $? 0
	ended "$monitor" INT 0
	ended "$json" TERM 0
	rdmafault pause v1 watchdog off
	is "monitor --json prints the port, priority and source of a pause" "$(of pause 'select(.paused) | .port, .prio, .by' |
		head -n 3 | xargs)" "v1 0 storm"
	is "monitor --json prints the end of a pause after it has ended" \
		"$(of pause 'select(.paused | not) | .until_ns <= .t_ns' | tail -n 1)" true
	is "monitor --json prints a detection after at least the detection time" \
		"$(of watchdog 'select(.action == "alert") | .after_ns >= 50000000' |
			sort -u)" true
	is "monitor --json prints every mark with the queue length" \
		"$(of mark '[.prio, .dropped, .queue > 1024] | join(" ")' | sort | uniq -c | xargs)" \
		"$(prio_stat v1 0 marked) 0 false true"
	ok "monitor prints detection and restoration as text" grep -Eqz \
		'v1 watchdog prio 0: detected after [0-9.]+ m?s, alert.*prio 0: restored after [0-9.]+ m?s, alert' \
		"$tmp/text"
}

other_ports_are_left_out_ok()
{
	rdmafault reset
	rdmafault rule add v1 tx class write count 3 observe >/dev/null
	rdmafault rule add v2 rx class write count 5 observe >/dev/null
	monitor text rf_hit monitor rxe2 hit
	ok "control, monitor of one port: the traffic runs" write_bw 2 1 "${traffic[@]}"
	ended "$monitor" INT 0
	is "monitor of one port prints only events of this port" \
		"$(cut -d' ' -f2,3 "$tmp/text" | sort | uniq -c | xargs)" "5 v2 rx"
}

# For an added rule, monitor prints the same number as "rule add" and the same words as "rule
# show".
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
	refused "control, monitor: the module refuses an invalid rule" '^rdmafault: ' \
		rdmafault drop v1 tx qp 20 nth 1 after 5
	rdmafault rule del v1 "$id"
	wait_until "$soon" sh -c "test \$(wc -l <$tmp/text) -ge 2"
	ended "$monitor" INT 0
	ended "$text" INT 0
	ended "$json" INT 0
	is "monitor prints one line per added rule, none for another port or a refused rule" \
		"$(cut -d' ' -f2- "$tmp/text")" \
"v1 tx rule $id added: qp 17 count 3 persist drop
v1 rx rule $drawn added: qp 18 probability 10% seed 7 key 9 persist drop"
	is "monitor --json prints an added rule in the words of rule show" \
		"$(of rule "select(.rule == $drawn) | .words")" \
		"$(rdmafault --json rule show v1 | jq -r ".[] | select(.id == $drawn).rule")"
	is "monitor --json without kinds prints added rules" \
		"$(of rule '[.port, .direction, .rule] | join(" ")')" \
"v1 tx $id
v1 rx $drawn"
	is "control: monitor with the kind hit prints no added rule" "$(cat "$tmp/hits")" ""
}

# A rule is added and deleted while the monitor is stopped.
deleted_rules_are_known_ok()
{
	local id

	rdmafault reset
	monitor text rf_rule monitor v1 hit
	kill -STOP "$monitor"
	id=$(rdmafault --json duplicate v1 tx 2 class write count 1 | jq .id)
	ok "control, deleted rule: the traffic runs" write_bw 2 1 "${traffic[@]}"
	rdmafault rule del v1 "$id"
	kill -CONT "$monitor"
	ended "$monitor" INT 0
	is "monitor prints the words of a rule that has been deleted" \
		"$(sed 's/.* message [0-9]* //' "$tmp/text")" "duplicate 2"
}

lost_events_are_counted_ok()
{
	local id hits printed lost status

	rdmafault reset
	id=$(rdmafault --json rule add v1 tx all observe | jq .id)
	monitor text rf_hit monitor --buffer 8KiB v1 hit
	kill -STOP "$monitor"
	ok "control, lost events: the traffic runs" write_bw 2 1 "${traffic[@]}"
	kill -CONT "$monitor"
	kill -INT "$monitor"
	wait "$monitor"
	status=$?
	hits=$(rule_stat v1 "$id" hits)
	printed=$(wc -l <"$tmp/text")
	lost=$(sed -n 's/^rdmafault: \([0-9]*\) events were lost.*/\1/p' \
		"$tmp/text.err")
	is "monitor exits with status 3 if events were lost" "$status" 3
	ok "monitor prints the first events if later ones were lost" test "$printed" -gt 0
	is "monitor: the sum of printed and lost events is the number of hits" \
		$((printed + lost)) "$hits"
}

closed_pipe_ok()
{
	monitor out rf_hit monitor v1 hit
	ended "$monitor" INT 0
	rdmafault monitor v1 hit 2>"$tmp/err" > >(head -n 1 >"$tmp/out") &
	monitor=$!
	wait_until "$soon" listens "$monitor" rf_hit
	ok "control, closed pipe: the traffic runs" write_bw 2 1 "${traffic[@]}"
	wait_until "$soon" sh -c "! kill -0 $monitor"
	wait "$monitor"
	is "monitor ends with status 0 if its output pipe is closed" $? 0
	is "monitor prints no error if its output pipe is closed" "$(cat "$tmp/err")" ""
	is "control, closed pipe: one line was read" "$(wc -l <"$tmp/out")" 1
	ok "monitor removes its trace buffer if its output pipe is closed" \
		test ! -e "$instances/rdmafault-monitor-$monitor"
}

leftovers_are_removed_ok()
{
	local killed

	monitor killed rf_hit monitor v1 hit
	killed=$monitor
	kill -KILL "$killed"
	wait "$killed" 2>/dev/null
	ok "control: the trace buffer of a killed monitor stays" test -e "$instances/rdmafault-monitor-$killed"
	monitor one rf_hit monitor v1 hit
	ok "the next monitor removes the trace buffer of a killed one" \
		test ! -e "$instances/rdmafault-monitor-$killed"
	killed=$monitor
	monitor two rf_hit monitor v1 hit
	ok "control: the next monitor does not remove the trace buffer of a running one" \
		test -e "$instances/rdmafault-monitor-$killed"
	ended "$monitor" INT 0
	ended "$killed" HUP 0
}

# A monitor that starts must not remove the trace buffer that another one is creating.
started_together_ok()
{
	local i pid pids=() started=0

	for ((i = 0; i < 6; i++)); do
		rdmafault monitor v1 hit >/dev/null 2>>"$tmp/together" &
		pids+=($!)
		defer kill $!
	done
	for pid in "${pids[@]}"; do
		! wait_until "$soon" listens "$pid" rf_hit || started=$((started + 1))
	done
	is "six monitors that start at the same time run" "$started$(cat "$tmp/together")" 6
	kill -INT "${pids[@]}"
	wait "${pids[@]}"
}

bad_input_fails()
{
	refused "monitor refuses an unknown kind" \
		'^rdmafault: monitor: unknown kind "hits"; hit, retransmit, nak, hold, release, pause, mark, watchdog, cnp, rate or rule$' \
		rdmafault monitor v1 hits
	refused "monitor refuses a netdev that does not exist" '^rdmafault: .*v99' rdmafault monitor v99
	refused "monitor refuses a netdev that is not a port" '^rdmafault: p1: not a port; ' rdmafault monitor p1
	refused "monitor refuses a buffer that is too small" \
		'^rdmafault: --buffer 4095: unit missing; 8KiB to 4GiB, ' \
		rdmafault monitor --buffer 4095
	refused "monitor refuses --buffer without a size" '^rdmafault: monitor: --buffer: value missing; --buffer SIZE$' \
		rdmafault monitor --buffer
	refused "monitor refuses an unknown option" '^rdmafault: monitor: unknown option "--follow"; ' \
		rdmafault monitor --follow
}

full_disk_ok()
{
	rdmafault monitor v1 hit >/dev/full 2>"$tmp/err" &
	monitor=$!
	wait_until "$soon" listens "$monitor" rf_hit
	ok "control, full disk: the traffic runs" write_bw 2 1 "${traffic[@]}"
	wait "$monitor"
	is "monitor exits with status 1 if its output is on a full disk" $? 1
	is "monitor prints an error if its output is on a full disk" "$(cat "$tmp/err")" \
		"rdmafault: monitor: No space left on device"
}

events_are_printed_ok
fields_are_right_ok
priorities_ok
other_ports_are_left_out_ok
added_rules_are_printed_ok
deleted_rules_are_known_ok
lost_events_are_counted_ok
closed_pipe_ok
full_disk_ok
leftovers_are_removed_ok
started_together_ok
bad_input_fails
is "no trace buffer of rdmafault is left at the end" "$(find $instances -mindepth 1 -maxdepth 1 -name 'rdmafault-*')" ""
