#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rdmafault pause. Single frames must arrive. A storm must end when its time is
# over, by "stop", or when its command ends, and the command must report the coverage of
# the storm. Invalid commands and invalid frames of the link partner must pause nothing.
#
#   q1 (port) ======= q2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"
. "$selftests/lib/pfc.sh"

queue_ports q1 q2
rdmafault prio set q1 prio-pfc all:on
rdmafault prio set q2 prio-pfc all:on
tmp=$(mktemp -d)
defer rm -r "$tmp"
reply=$tmp/reply

# pause DEV FILTER: prints the pause state of the port as JSON, filtered by jq
pause()
{
	rdmafault --json pause show "$1" | jq -c ".[0] | $2"
}

# running DEV: prints the priorities with a running storm
running()
{
	pause "$1" '[.prio[] | select(.storm.running) | .prio]'
}

# is_running DEV PRIOS: succeeds if storms run on exactly these priorities, a JSON array
is_running()
{
	[ "$(running "$1")" = "$2" ]
}

got_pauses()
{
	[ "$(pause "$1" .received)" -ge "$2" ]
}

new_port_ok()
{
	is "a new port has all pause counters 0, nothing paused and no storm" \
		"$(pause q1 '[.received, .malformed, .reserved, .sent,
			([.prio[] | .paused, .pauses, .storm] | unique)]')" \
		'[0,0,0,0,[null,false,0]]'
	is "a new port has no priority with a watchdog" "$(pause q1 .watchdog.prio)" '[]'
	is "pause show prints the counters of a new port" "$(rdmafault pause show q1)" \
		"q1 received 0 malformed 0 reserved 0 sent 0"
}

frames_by_hand_ok()
{
	rdmafault link set q2 rate 1mbit	# the longest pause is 33 s
	ok "pause prio 3,7 xoff succeeds" rdmafault pause q1 prio 3,7 xoff
	ok "the XOFF frame arrives" wait_until "$soon" got_pauses q2 1
	is "XOFF pauses priorities 3 and 7 and no other" \
		"$(pause q2 '[.prio[] | select(.paused) | .prio]')" '[3,7]'
	is "both ends count the XOFF of priorities 3 and 7" \
		"$(pause q1 '[.prio[3, 4, 7].xoff_tx]') $(pause q2 '[.prio[3, 4, 7].xoff_rx]')" \
		"[1,0,1] [1,0,1]"
	ok "the pause left after XOFF is more than half of 33 s" \
		[ "$(pause q2 '.prio[3].pause_left_ns')" -gt 16000000000 ]
	ok "pause prio 3 xon succeeds" rdmafault pause q1 prio 3 xon
	ok "the XON frame arrives" wait_until "$soon" got_pauses q2 2
	is "XON resumes priority 3 and leaves 7 paused" \
		"$(pause q2 '[.prio[] | select(.paused) | .prio]')" '[7]'
	ok "pause prio 7 xoff quanta 1 succeeds" rdmafault pause q1 prio 7 xoff quanta 1
	ok "the XOFF frame of one quantum arrives" wait_until "$soon" got_pauses q2 3
	ok "XOFF of one quantum replaces a longer pause" wait_until 10 is_open q2
	is "sending XOFF does not pause the sending port" \
		"$(pause q1 '[.prio[7] | .pauses, .xoff_rx]')" "[0,0]"
	rdmafault link set q2 rate none
}

is_open()
{
	[ "$(pause "$1" '[.prio[] | select(.paused)] | length')" = 0 ]
}

# A storm must end when its time is over. exact/storm.sh tests the coverage, in virtual
# time.
storm_ok()
{
	local start=${EPOCHREALTIME/./}

	ok "a storm for 300 ms with a duty cycle succeeds" eval \
		'rdmafault --json pause q1 prio 3,5 storm for 300ms quanta 9999 duty 20ms/10ms >"$reply"'
	ok "a storm for 300 ms lasts at least 300 ms" \
		[ $((${EPOCHREALTIME/./} - start)) -ge 300000 ]
	is "the report of a storm has its parameters per priority" \
		"$(jq -c '[.[] | .netdev, .prio, .quanta, .for_ns, .on_ns, .off_ns,
			.frames, .persist, .running, .left_ns]' "$reply")" \
		'["q1",3,9999,300000000,20000000,10000000,false,false,false,0,"q1",5,9999,300000000,20000000,10000000,false,false,false,0]'
	is "the requested pause of a storm with duty 20ms/10ms is two thirds of its time" \
		"$(jq -c '[.[].requested_ns] | unique' "$reply")" '[200000000]'
	is "the coverage of a storm is between 0 and 1" \
		"$(jq -c '[.[] | .covered_ns > 0, .covered_ns <= .requested_ns,
			.coverage <= 1, .coverage > 0] | unique' "$reply")" '[true]'
	is "the interval histogram of a storm has fewer entries than XOFFs" \
		"$(jq -c '[.[] | .xoffs - (.interval | add) | . >= 1] | unique' "$reply")" \
		'[true]'
	is "pause show has the values of the report of the storm" \
		"$(pause q1 '[.prio[3].storm | .requested_ns, .covered_ns, .xoffs]')" \
		"$(jq -c '.[0] | [.requested_ns, .covered_ns, .xoffs]' "$reply")"
	is "a storm without frames sends no frame" "$(pause q2 .received)" "$1"
	ok "no priority is paused after the storm" wait_until "$soon" is_open q1
}

# A storm without frames only stops the local queue, so load on the machine cannot cause gaps in
# the storm.
gate_ok()
{
	ok "a storm without frames and duty succeeds" eval \
		'rdmafault --json pause q1 prio 6 storm for 300ms >"$reply"'
	is "a storm without frames and duty has one XOFF and no lapse" \
		"$(jq -c '.[0] | [.quanta, .xoffs, .lapses]' "$reply")" '[null,1,0]'
	ok "a storm without frames with duty 50ms/50ms succeeds" eval \
		'rdmafault --json pause q1 prio 6 storm for 300ms duty 50ms/50ms >"$reply"'
	is "a storm without frames with duty 50ms/50ms has one XOFF per cycle and no lapse" \
		"$(jq -c '.[0] | [.requested_ns, .lapses, .xoffs <= 3]' \
		"$reply")" '[150000000,0,true]'
}

frames_ok()
{
	local before after

	before=$(pause q2 .received)
	ok "a storm with frames succeeds" eval \
		'rdmafault pause q1 prio 4 storm for 2s frames >"$reply"'
	after=$(pause q2 .received)
	ok "a storm with frames sends at least 3 frames ($((after - before)))" \
		[ $((after - before)) -ge 3 ]
	is "a storm with frames ends with XON" "$(pause q2 '.prio[4].paused')" false
	ok "the report of a storm begins with its parameters" grep -Eq \
		'^q1 prio 4 storm for 2s quanta 65535 frames: over$' "$reply"
	ok "the report of a storm has the coverage" grep -Eq \
		'^ +covered [0-9.]+ m?s of 2\.00 s, [0-9]+\.[0-9]{3}%$' "$reply"
	ok "the report of a storm has the intervals between frames" \
		grep -Eq '^ +intervals of .* to .*: [0-9]+$' "$reply"
}

# begin WORD...: start a storm in the background
begin()
{
	rdmafault --json pause q1 "$@" >"$reply" 2>"$tmp/error" &
	storm=$!
	defer kill -9 $storm 2>/dev/null
}

ended_by_hand_ok()
{
	local sig

	for sig in INT TERM; do
		begin prio 2 storm forever
		ok "a storm forever runs (before SIG$sig)" wait_until "$soon" is_running q1 '[2]'
		kill -$sig $storm
		wait $storm
		is "SIG$sig ends a storm with status 0" $? 0
		is "SIG$sig: the command prints the report of the storm" \
			"$(jq -c '.[0] | [.prio, .for_ns, .running]' "$reply")" \
			'[2,null,false]'
		is "SIG$sig: no storm is running" "$(running q1)" '[]'
	done
	begin prio 2 storm forever
	wait_until "$soon" is_running q1 '[2]'
	kill -9 $storm
	wait $storm 2>/dev/null
	ok "a storm ends when its command is killed" wait_until "$soon" is_running q1 '[]'
	ok "the pause ends when the command of the storm is killed" \
		wait_until "$soon" is_open q1
}

ended_by_others_ok()
{
	begin prio 1,2 storm forever
	wait_until "$soon" is_running q1 '[1,2]'
	ok "pause prio 1 stop succeeds" rdmafault pause q1 prio 1 stop
	is "pause prio 1 stop ends the storm of this priority alone" "$(running q1)" '[2]'
	ok "pause stop succeeds" rdmafault pause q1 stop
	wait $storm
	is "pause stop ends all storms and the command that started them" "$? $(running q1)" "0 []"
	begin prio 2 storm forever
	wait_until "$soon" is_running q1 '[2]'
	ok "a persistent storm on a priority with a storm succeeds" \
		rdmafault pause q1 prio 2 storm for 60s persist
	wait $storm
	is "the command of a replaced storm exits with 1" "$?" 1
	is "the command of a replaced storm says that it was replaced" \
		"$(jq -r .error "$tmp/error")" \
		"q1: another command replaced this storm by a new one"
	is "a persistent storm runs without a command" "$(running q1)" '[2]'
	ok "pause show prints the remaining time of a persistent storm" grep -Eqx \
		'  prio 2 storm for 60s persist: running, [0-9.]+ s left' \
		<(rdmafault pause show q1)
	ok "reset of a port with a storm succeeds" rdmafault reset q1
	is "reset ends a persistent storm" "$(running q1)" '[]'
	ok "reset ends the pause of a persistent storm" wait_until "$soon" is_open q1
}

# A storm command is stopped by SIGSTOP while another command starts a storm on the same
# priority. Then the first command gets SIGINT and continues. It must not end the storm of
# the other command.
others_stay_ok()
{
	begin prio 2 storm forever
	wait_until "$soon" is_running q1 '[2]'
	kill -STOP $storm
	ok "a persistent storm replaces that of a stopped command" \
		rdmafault pause q1 prio 2 storm for 60s persist
	kill -INT $storm
	kill -CONT $storm
	wait $storm
	is "the stopped command, ended by SIGINT, says that its storm was replaced" \
		"$? $(jq -r .error "$tmp/error")" \
		"1 q1: another command replaced this storm by a new one"
	is "the end of the stopped command leaves the other storm running" "$(running q1)" '[2]'
	rdmafault reset q1
	ok "reset ends the pause of the other storm" wait_until "$soon" is_open q1
}

watchdog_ok()
{
	ok "pause watchdog accepts all its words" \
		rdmafault pause q1 watchdog prio 3,4 detect 300ms \
		restore 400ms poll 50ms action alert
	is "pause show --json returns the watchdog that was set" "$(pause q1 .watchdog)" \
		'{"action":"alert","detect_ns":300000000,"poll_ns":50000000,"prio":[3,4],"restore_ns":400000000}'
	ok "pause show prints the watchdog that was set" grep -qx \
		'  watchdog prio 3,4 detect 300ms restore 400ms poll 50ms action alert' \
		<(rdmafault pause show q1)
	ok "pause watchdog accepts one word" rdmafault pause q1 watchdog action forward
	is "pause watchdog of one word leaves the other settings" \
		"$(pause q1 '.watchdog | [.prio, .detect_ns, .action]')" \
		'[[3,4],300000000,"forward"]'
	ok "pause watchdog off succeeds" rdmafault pause q1 watchdog off
	is "pause watchdog off removes all priorities and keeps the times" \
		"$(pause q1 '.watchdog | [.prio, .poll_ns]')" '[[],50000000]'
}

# If the link has no carrier, the command that sends a pause frame must be refused, and the frame
# must not be counted.
no_carrier_fails()
{
	local before

	before=$(pause q1 '[.prio[].xoff_tx] | add')
	ip link set q2 down
	refused "pause xoff without a carrier is refused" \
		'^rdmafault: q1: netdev is down or has no carrier' \
		rdmafault pause q1 prio 3 xoff
	ip link set q2 up
	is "a refused pause xoff counts no frame" "$(pause q1 '[.prio[].xoff_tx] | add')" "$before"
	ok "pause xon succeeds when the carrier is back" rdmafault pause q1 prio 3 xon
}

bad_words_fails()
{
	local before
	local time="1ns to 86400s, for example 200ms"
	local verbs="xoff, xon, storm, stop, watchdog, show"

	before=$(rdmafault --json pause show)
	refused_all "pause" <<-END
		q1 prio 3 storm|storm: duration missing; for TIME, .*
		q1 prio 3 storm for 1s forever|storm: for and forever exclude each other
		q1 prio 3 storm for 0s|for 0s: invalid; $time
		q1 prio 3 storm for 86401s|for 86401s: invalid; $time
		q1 prio 3 storm for 5|for 5: unit missing; $time
		q1 prio 3 storm for|for: value missing; .*
		q1 prio 8 storm for 1s|prio 8: out of range; 0 to 7, several with commas, or all
		q1 prio -1 xoff|prio -1: invalid; .*
		q1 prio 8 stop|prio 8: out of range; .*
		q1 storm for 1s|pause storm: prio PRIO missing; see "rdmafault pause storm --help"
		q1 prio 3 storm for 1s quanta 65536|quanta 65536: out of range; .*
		q1 prio 3 storm for 1s duty 5ms|duty 5ms: invalid; ON/OFF, .*
		q1 prio 3 storm for 1s duty 5ms/0s|duty 5ms/0s: invalid; .*
		q1 prio 3 storm for 1s duty 19us/1ms|duty 19us/1ms: invalid; .*
		q1 prio 3 storm for 1s duty /5ms|duty /5ms: invalid; .*
		q1 prio 3 storm for 1s for 2s|for: given twice
		q1 prio 3 storm for 1s frame|unknown word "frame"; did you mean "frames"\?
		q1 prio 3 xoff quanta 0|quanta 0: out of range; 1 to 65535
		q1 xoff|pause xoff: prio PRIO missing; rdmafault pause DEV prio PRIO xoff
		q1 prio 3 xon quanta 5|pause xon: unexpected "quanta"; rdmafault pause DEV prio PRIO xon
		q1 prio 3 stop now|pause stop: unexpected "now"; rdmafault pause DEV \[ prio PRIO \] stop
		q1 watchdog|pause watchdog: setting missing; off, prio, detect, restore, poll, action
		q1 watchdog off poll 1ms|off: cannot be combined with other words
		q1 watchdog prio 9|prio 9: out of range; .*
		q1 watchdog detect 0s|detect 0s: invalid; 1ms to 86400s, for example 200ms
		q1 watchdog action kill|action kill: invalid; drop, forward or alert
		q1 watchdog poll 10s|q1: poll: longer than the detection or restoration time
		q1 prio 3 flood|pause: unknown command "flood"; $verbs
		q1 prio 3|pause: command missing; $verbs
		q1|pause: command missing; $verbs
		lo prio 3 xoff|lo: not a port
		show lo|lo: not a port
		show q1 q2|pause show: unexpected "q2"; rdmafault pause show
	END
	is "refused pause commands change no state" "$(rdmafault --json pause show)" "$before"
}

# Invalid frames of the link partner are counted, and nothing stays paused.
bad_frames_fails()
{
	local before

	before=$(pause q1 '[.prio[].xoff_rx] | add')
	sendframe q2 <<-END
		$(pfc 8 0 0 0 65535 | cut -c-40)
		$(pfc 8 0 0 0 65535 | sed 's/^\(.\{28\}\)0101/\10102/')
	END
	ok "a short pause frame and one with another opcode arrive" \
		wait_until "$soon" got_pauses q1 2
	is "a short pause frame and one with another opcode are counted as malformed" \
		"$(pause q1 '[.received, .malformed]')" '[2,2]'
	is "a malformed pause frame pauses nothing" \
		"$(pause q1 '[.prio[].xoff_rx] | add')" "$before"
	sendframe q2 <<<"$(pfc 0xff08 0 0 0 2)"
	ok "a pause frame with reserved bits arrives" wait_until "$soon" got_pauses q1 3
	is "a pause frame with reserved bits is counted as reserved" \
		"$(pause q1 '[.malformed, .reserved]')" '[2,1]'
	is "a pause frame with reserved bits pauses its priorities" \
		"$(pause q1 '[.prio[].xoff_rx]')" \
		'[0,0,0,1,0,0,0,0]'
	ok "the pause of a frame with reserved bits expires" wait_until "$soon" is_open q1
}

# XOFF for a priority without PFC must be ignored and counted.
ignored_ok()
{
	local before

	before=$(pause q2 .received)
	rdmafault link set q2 rate 1mbit	# the longest pause is 33 s
	rdmafault prio set q2 prio-pfc 3:off
	ok "pause prio 3,4 xoff succeeds" rdmafault pause q1 prio 3,4 xoff
	ok "XOFF for a priority with PFC and one without arrives" \
		wait_until "$soon" got_pauses q2 $((before + 1))
	is "XOFF pauses only the priority with PFC" \
		"$(pause q2 '[.prio[] | select(.paused) | .prio]')" '[4]'
	is "XOFF of the priority without PFC is counted as ignored" \
		"$(pause q2 '[.prio[3, 4].xoff_ignored]')" '[1,0]'
	ok "pause prio 3,4 xon succeeds" rdmafault pause q1 prio 3,4 xon
	ok "XON for a priority with PFC and one without arrives" \
		wait_until "$soon" got_pauses q2 $((before + 2))
	is "XON of the priority without PFC is not counted as ignored" \
		"$(pause q2 '[.prio[3, 4].xoff_ignored]')" '[1,0]'
	rdmafault prio set q2 prio-pfc 3:on
	rdmafault pause q1 prio 3 xoff
	ok "XOFF pauses the priority when PFC is turned on" wait_until "$soon" is_paused q2 3
	rdmafault prio set q2 prio-pfc 3:off
	ok "turning PFC off resumes a paused priority" is_open q2
	rdmafault prio set q2 prio-pfc 3:on
	rdmafault link set q2 rate none
}

is_paused()
{
	[ "$(pause "$1" ".prio[$2].paused")" = true ]
}

# storm_while WORD... -- COMMAND...: run a storm on q1 while COMMAND runs, and print the last line
# of its report
storm_while()
{
	local words=()

	for (( ; ; )); do
		[ "$1" != -- ] || break
		words+=("$1")
		shift
	done
	rdmafault pause q1 prio 3 storm forever "${words[@]}" >"$reply" &
	storm=$!
	wait_until "$soon" is_running q1 '[3]'
	"${@:2}"
	kill -INT $storm
	wait $storm
	tail -n 1 "$reply"
}

waits_ok()
{
	is "a storm prints how many packets waited" \
		"$(storm_while -- sendroce q1 dscp 24 count 5)" \
		"q1: 5 packets of priority 3 waited at once"
	is "a storm in a priority without packets prints where the packets are" \
		"$(storm_while -- sendroce q1 dscp 0 count 7)" \
		"q1: no packet waited; while paused, the port sent 7 packets of priority 0, none of priority 3"
	is "a storm without packets says so" "$(storm_while -- true)" \
		"q1: no packet waited; while paused, the port sent none"
	# At this rate, an XOFF lasts 33 s, also on a slow machine.
	rdmafault -q link set q2 rate 1mbit
	is "a storm with frames prints how many packets of the link partner waited" \
		"$(storm_while frames -- sendroce q2 dscp 24 count 6)" \
		"q2: 6 packets of priority 3 waited at once"
	rdmafault -q link set q2 rate none
	is "a storm with --json has the number of packets that waited" \
		"$(rdmafault --json pause q1 prio 3 storm for 1ms | jq '.[0].waited')" 0
}

# A storm that the partner ignores gives only a warning, because a user may want to test
# exactly this.
storm_warning_ok()
{
	local -r none='the link partner q2 has PFC off for priority 3, and ignores the storm; "rdmafault prio set q2 prio-pfc 3:on" turns it on'

	rdmafault prio set q2 prio-pfc 3:off
	is "a storm with frames that the link partner ignores prints a warning" \
		"$(rdmafault pause q1 prio 3,4 storm for 1ms frames 2>&1 >/dev/null)" \
		"rdmafault: warning: $none"
	is "a storm that the link partner ignores has the coverage 0" \
		"$(rdmafault --json pause q1 prio 3,4 storm for 100ms frames 2>/dev/null |
			jq -c 'map([.covered_ns > 0, .coverage > 0, .sent_ns > 0])')" \
		'[[false,false,true],[true,true,true]]'
	is "pause show has the coverage 0 of a storm that the link partner ignores" \
		"$(pause q1 '[.prio[3, 4].storm | .coverage > 0]')" '[false,true]'
	is "a storm without frames prints no warning" \
		"$(rdmafault pause q1 prio 3 storm for 1ms 2>&1 >/dev/null)" ""
	is "a storm with frames for a priority with PFC prints no warning" \
		"$(rdmafault pause q1 prio 4 storm for 1ms frames 2>&1 >/dev/null)" ""
	rdmafault prio set q2 prio-pfc 3:on
	is "a storm with frames prints no warning after PFC is turned on" \
		"$(rdmafault pause q1 prio 3 storm for 1ms frames 2>&1 >/dev/null)" ""
}

# A NIC filters group addresses: it delivers pause frames only if the netdev has subscribed to
# their address. veth netdevs and bridge ports deliver all frames.
subscription_ok()
{
	veth_pair w1 w2
	rdmafault port add w1 --force >/dev/null
	is "a storm with frames to a netdev that is no port prints a warning" \
		"$(rdmafault pause w1 prio 3 storm for 50ms frames 2>&1 >"$reply")" \
		'rdmafault: warning: the link partner w2 is no port, and nothing obeys the frames of the storm; "rdmafault port add w2" makes it one'
	ok "its report has the coverage 0, and the time for which XOFF was sent" grep -Eq \
		'^ +covered 0 ns of 50\.0 ms, 0\.000%; w2 ignored the XOFFs, sent for ' "$reply"
	is "a port without PFC subscribes to no pause frames" "$(subscribed w1)" 0
	rdmafault prio set w1 prio-pfc 3:on
	is "a port with PFC subscribes to pause frames" "$(subscribed w1)" 1
	rdmafault prio set w1 prio-pfc 3,4:on
	rdmafault prio set w1 prio-pfc all:off
	is "the subscription ends with PFC" "$(subscribed w1)" 0
	rdmafault prio set w1 prio-pfc 3:on
	rdmafault port del w1
	is "the subscription ends with the port" "$(subscribed w1)" 0
}

subscribed()
{
	ip maddress show dev "$1" | grep -c 01:80:c2:00:00:01
}

# A dummy netdev has no link partner, and a veth netdev has one.
no_partner_ok()
{
	ip link add d9 type dummy
	ip link set d9 up
	rdmafault port add d9 --force >/dev/null
	is "a storm with frames of a netdev without a link partner prints no warning" \
		"$(rdmafault pause d9 prio 3 storm for 1ms frames 2>&1 >/dev/null)" ""
	is "the coverage of a storm with an unknown link partner is not known" \
		"$(rdmafault --json pause d9 prio 3 storm for 1ms frames | jq -c '.[0] | [.coverage, .covered_ns]')" \
		'[null,null]'
	rdmafault port del d9
	ip link del d9
}

new_port_ok
bad_frames_fails
frames_by_hand_ok
storm_ok "$(pause q2 .received)"
gate_ok
frames_ok
waits_ok
ended_by_hand_ok
ended_by_others_ok
others_stay_ok
watchdog_ok
ignored_ok
storm_warning_ok
no_partner_ok
subscription_ok
no_carrier_fails
bad_words_fails
