#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault pause: frames by hand arrive, a storm ends when it is told to, or
# with the command, and says what it has held; and nothing that can't be meant,
# from the user or the neighbour, pauses anything.
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

# pause DEV FILTER
pause()
{
	rdmafault --json pause show "$1" | jq -c ".[0] | $2"
}

# running DEV: the priorities that a storm is in
running()
{
	pause "$1" '[.prio[] | select(.storm.running) | .prio]'
}

# is_running DEV PRIOS
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
	is "a new port has seen nothing, and is in no storm" \
		"$(pause q1 '[.received, .malformed, .reserved, .sent,
			([.prio[] | .paused, .pauses, .storm] | unique)]')" \
		'[0,0,0,0,[null,false,0]]'
	is "nobody guards it" "$(pause q1 .watchdog.prio)" '[]'
	is "as text" "$(rdmafault pause show q1)" \
		"q1 received 0 malformed 0 reserved 0 sent 0"
}

frames_by_hand_ok()
{
	rdmafault link set q2 rate 1mbit	# 33 s, the longest pause
	ok "XOFF for two priorities" rdmafault pause q1 prio 3,7 xoff
	ok "arrives" wait_until "$soon" got_pauses q2 1
	is "and pauses them, and no other" \
		"$(pause q2 '[.prio[] | select(.paused) | .prio]')" '[3,7]'
	is "both sides have counted" \
		"$(pause q1 '[.prio[3, 4, 7].xoff_tx]') $(pause q2 '[.prio[3, 4, 7].xoff_rx]')" \
		"[1,0,1] [1,0,1]"
	ok "for longer than half of what is asked" \
		[ "$(pause q2 '.prio[3].pause_left_ns')" -gt 16000000000 ]
	ok "XON" rdmafault pause q1 prio 3 xon
	ok "arrives" wait_until "$soon" got_pauses q2 2
	is "and ends one of them" \
		"$(pause q2 '[.prio[] | select(.paused) | .prio]')" '[7]'
	ok "XOFF of a quantum" rdmafault pause q1 prio 7 xoff quanta 1
	ok "arrives" wait_until "$soon" got_pauses q2 3
	ok "and takes the place of the longer one" wait_until 10 is_open q2
	is "the sender itself has heard nothing of it" \
		"$(pause q1 '[.prio[7] | .pauses, .xoff_rx]')" "[0,0]"
	rdmafault link set q2 rate none
}

is_open()
{
	[ "$(pause "$1" '[.prio[] | select(.paused)] | length')" = 0 ]
}

# A storm that ends by itself. What it has covered is for others to judge, in a
# machine that isn't shared.
storm_ok()
{
	local start=${EPOCHREALTIME/./}

	ok "a storm for 300 ms" eval \
		'rdmafault --json pause q1 prio 3,5 storm for 300ms quanta 9999 duty 20ms/10ms >"$reply"'
	ok "lasts so long" [ $((${EPOCHREALTIME/./} - start)) -ge 300000 ]
	is "its report has what was asked, by priority" \
		"$(jq -c '[.[] | .netdev, .prio, .quanta, .for_ns, .on_ns, .off_ns,
			.frames, .persist, .running, .left_ns]' "$reply")" \
		'["q1",3,9999,300000000,20000000,10000000,false,false,false,0,"q1",5,9999,300000000,20000000,10000000,false,false,false,0]'
	is "with duty it asks for the time that it is on" \
		"$(jq -c '[.[].requested_ns] | unique' "$reply")" '[200000000]'
	is "it has covered some of it, and no more than was asked" \
		"$(jq -c '[.[] | .covered_ns > 0, .covered_ns <= .requested_ns,
			.coverage <= 1, .coverage > 0] | unique' "$reply")" '[true]'
	is "times between two XOFFs are in the histogram" \
		"$(jq -c '[.[] | .xoffs - (.interval | add) | . >= 1] | unique' "$reply")" \
		'[true]'
	is "show says the same of it" \
		"$(pause q1 '[.prio[3].storm | .requested_ns, .covered_ns, .xoffs]')" \
		"$(jq -c '.[0] | [.requested_ns, .covered_ns, .xoffs]' "$reply")"
	is "the queue alone was paused: no frame was sent" "$(pause q2 .received)" "$1"
	ok "it is over" wait_until "$soon" is_open q1
}

# However busy the machine is, the gate alone has no gap.
gate_ok()
{
	ok "a storm of the gate alone" eval \
		'rdmafault --json pause q1 prio 6 storm for 300ms >"$reply"'
	is "one XOFF, and it doesn't lapse" \
		"$(jq -c '.[0] | [.quanta, .xoffs, .lapses]' "$reply")" '[null,1,0]'
	ok "in turns, too" eval \
		'rdmafault --json pause q1 prio 6 storm for 300ms duty 50ms/50ms >"$reply"'
	is "one XOFF a turn" "$(jq -c '.[0] | [.requested_ns, .lapses, .xoffs <= 3]' \
		"$reply")" '[150000000,0,true]'
}

frames_ok()
{
	local before after

	before=$(pause q2 .received)
	ok "a storm of frames" eval \
		'rdmafault pause q1 prio 4 storm for 2s frames >"$reply"'
	after=$(pause q2 .received)
	ok "sends some: $((after - before))" [ $((after - before)) -ge 3 ]
	is "the last is XON" "$(pause q2 '.prio[4].paused')" false
	ok "the report is readable" grep -Eq \
		'^q1 prio 4 storm for 2s quanta 65535 frames: over$' "$reply"
	ok "with the share that was covered" grep -Eq \
		'^ +covered [0-9.]+ m?s of 2\.00 s, [0-9]+\.[0-9]{3}%$' "$reply"
	ok "and the times between" grep -Eq '^ +intervals of .* to .*: [0-9]+$' "$reply"
}

# begin WORD...: a storm in the background
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
		ok "forever" wait_until "$soon" is_running q1 '[2]'
		kill -$sig $storm
		wait $storm
		is "SIG$sig ends it, and that is all right" $? 0
		is "there is a report" "$(jq -c '.[0] | [.prio, .for_ns, .running]' "$reply")" \
			'[2,null,false]'
		is "and no storm" "$(running q1)" '[]'
	done
	begin prio 2 storm forever
	wait_until "$soon" is_running q1 '[2]'
	kill -9 $storm
	wait $storm 2>/dev/null
	ok "it doesn't outlive the command" wait_until "$soon" is_running q1 '[]'
	ok "nor does the pause" wait_until "$soon" is_open q1
}

ended_by_others_ok()
{
	begin prio 1,2 storm forever
	wait_until "$soon" is_running q1 '[1,2]'
	ok "stop, of one priority" rdmafault pause q1 prio 1 stop
	is "ends that" "$(running q1)" '[2]'
	ok "stop" rdmafault pause q1 stop
	wait $storm
	is "ends all, and the command with them" "$? $(running q1)" "0 []"
	begin prio 2 storm forever
	wait_until "$soon" is_running q1 '[2]'
	ok "another storm, on its own" rdmafault pause q1 prio 2 storm for 60s persist
	wait $storm
	is "takes its place" "$?" 1
	is "which is told" "$(jq -r .error "$tmp/error")" \
		"q1: another storm has taken the place of this one"
	is "it goes on without a command" "$(running q1)" '[2]'
	ok "for as long as is left" grep -Eqx \
		'  prio 2 storm for 60s persist: running, [0-9.]+ s left' \
		<(rdmafault pause show q1)
	ok "reset" rdmafault reset q1
	is "ends it" "$(running q1)" '[]'
	ok "and the pause" wait_until "$soon" is_open q1
}

# The command sleeps while another storm takes the priority, and wakes to end.
others_stay_ok()
{
	begin prio 2 storm forever
	wait_until "$soon" is_running q1 '[2]'
	kill -STOP $storm
	ok "another storm, unseen" rdmafault pause q1 prio 2 storm for 60s persist
	kill -INT $storm
	kill -CONT $storm
	wait $storm
	is "the one that was ended is told of it" \
		"$? $(jq -r .error "$tmp/error")" \
		"1 q1: another storm has taken the place of this one"
	is "and the other goes on" "$(running q1)" '[2]'
	rdmafault reset q1
	ok "until it is ended" wait_until "$soon" is_open q1
}

watchdog_ok()
{
	ok "a watchdog" rdmafault pause q1 watchdog prio 3,4 detect 300ms \
		restore 400ms poll 50ms action alert
	is "comes back" "$(pause q1 .watchdog)" \
		'{"action":"alert","detect_ns":300000000,"poll_ns":50000000,"prio":[3,4],"restore_ns":400000000}'
	ok "as text" grep -qx \
		'  watchdog prio 3,4 detect 300ms restore 400ms poll 50ms action alert' \
		<(rdmafault pause show q1)
	ok "one word" rdmafault pause q1 watchdog action forward
	is "leaves the others alone" \
		"$(pause q1 '.watchdog | [.prio, .detect_ns, .action]')" \
		'[[3,4],300000000,"forward"]'
	ok "off" rdmafault pause q1 watchdog off
	is "guards nothing, and keeps the rest" \
		"$(pause q1 '.watchdog | [.prio, .poll_ns]')" '[[],50000000]'
}

# A frame that can't leave isn't sent, and isn't said to be.
no_carrier_fails()
{
	local before

	before=$(pause q1 '[.prio[].xoff_tx] | add')
	ip link set q2 down
	refused "without a carrier" '^rdmafault: q1: netdev is down or has no carrier' \
		rdmafault pause q1 prio 3 xoff
	ip link set q2 up
	is "no frame is counted" "$(pause q1 '[.prio[].xoff_tx] | add')" "$before"
	ok "with one again" rdmafault pause q1 prio 3 xon
}

bad_words_fails()
{
	local before
	local time="want a time of 1ns to 86400s, as 200ms, got"
	local verbs="want a command of xoff, xon, storm, stop, watchdog, show, got"

	before=$(rdmafault --json pause show)
	refused_all "pause" <<-END
		q1 prio 3 storm|storm: want for TIME or forever, got neither
		q1 prio 3 storm for 1s forever|storm: want for TIME or forever, got both
		q1 prio 3 storm for 0s|for: $time "0s"
		q1 prio 3 storm for 86401s|for: $time "86401s"
		q1 prio 3 storm for 5|for: $time "5"
		q1 prio 3 storm for|for: want .*, got nothing
		q1 prio 8 storm for 1s|prio: want 0 to 7, with commas, or all, got "8"
		q1 prio -1 xoff|prio: want .*, got "-1"
		q1 prio 8 stop|prio: want .*, got "8"
		q1 storm for 1s|usage: rdmafault pause DEV prio PRIO storm
		q1 prio 3 storm for 1s quanta 65536|quanta: want .*, got "65536"
		q1 prio 3 storm for 1s duty 5ms|duty: want ON/OFF, .*, got "5ms"
		q1 prio 3 storm for 1s duty 5ms/0s|duty: want .*, got "5ms/0s"
		q1 prio 3 storm for 1s duty 19us/1ms|duty: want .*, got "19us/1ms"
		q1 prio 3 storm for 1s duty /5ms|duty: want .*, got "/5ms"
		q1 prio 3 storm for 1s for 2s|for: want it once, got it twice
		q1 prio 3 storm for 1s frame|want a word of for, forever, .*, got "frame"
		q1 prio 3 xoff quanta 0|quanta: want 1 to 65535, got "0"
		q1 xoff|usage: rdmafault pause DEV prio PRIO xoff
		q1 prio 3 xon quanta 5|usage: rdmafault pause DEV prio PRIO xon
		q1 prio 3 stop now|usage: rdmafault pause DEV \[ prio PRIO \] stop
		q1 watchdog|usage: rdmafault pause DEV watchdog
		q1 watchdog off poll 1ms|off: want it alone, got other words
		q1 watchdog prio 9|prio: want .*, got "9"
		q1 watchdog detect 0s|detect: $time "0s"
		q1 watchdog action kill|action: want drop, forward or alert, got "kill"
		q1 watchdog poll 10s|q1: poll: longer than the detection or restoration time
		q1 prio 3 flood|$verbs "flood"
		q1 prio 3|$verbs nothing
		q1|$verbs nothing
		lo prio 3 xoff|lo: is no port
		show lo|lo: is no port
		show q1 q2|usage: rdmafault pause show
	END
	is "nothing of this changed anything" "$(rdmafault --json pause show)" "$before"
}

# What the neighbour sends, and shouldn't: counted, and nothing stays paused.
bad_frames_fails()
{
	local before

	before=$(pause q1 '[.prio[].xoff_rx] | add')
	sendframe q2 <<-END
		$(pfc 8 0 0 0 65535 | cut -c-40)
		$(pfc 8 0 0 0 65535 | sed 's/^\(.\{28\}\)0101/\10102/')
	END
	ok "short frames and those of another opcode arrive" \
		wait_until "$soon" got_pauses q1 2
	is "and are counted as malformed" "$(pause q1 '[.received, .malformed]')" '[2,2]'
	is "and pause nothing" "$(pause q1 '[.prio[].xoff_rx] | add')" "$before"
	sendframe q2 <<<"$(pfc 0xff08 0 0 0 2)"
	ok "one with reserved bits arrives" wait_until "$soon" got_pauses q1 3
	is "is counted, too" "$(pause q1 '[.malformed, .reserved]')" '[2,1]'
	is "and obeyed in what it says" "$(pause q1 '[.prio[].xoff_rx]')" \
		'[0,0,0,1,0,0,0,0]'
	ok "for as long" wait_until "$soon" is_open q1
}

# XOFF for a priority without PFC
ignored_ok()
{
	local before

	before=$(pause q2 .received)
	rdmafault link set q2 rate 1mbit	# a pause of 33 s
	rdmafault prio set q2 prio-pfc 3:off
	ok "XOFF for priorities 3 and 4" rdmafault pause q1 prio 3,4 xoff
	ok "arrives" wait_until "$soon" got_pauses q2 $((before + 1))
	is "and pauses only the one with PFC" \
		"$(pause q2 '[.prio[] | select(.paused) | .prio]')" '[4]'
	is "that of the other is counted as ignored" \
		"$(pause q2 '[.prio[3, 4].xoff_ignored]')" '[1,0]'
	ok "XON for both" rdmafault pause q1 prio 3,4 xon
	ok "arrives" wait_until "$soon" got_pauses q2 $((before + 2))
	is "and is not counted as ignored" \
		"$(pause q2 '[.prio[3, 4].xoff_ignored]')" '[1,0]'
	rdmafault prio set q2 prio-pfc 3:on
	rdmafault pause q1 prio 3 xoff
	ok "with PFC it is paused" wait_until "$soon" is_paused q2 3
	rdmafault prio set q2 prio-pfc 3:off
	ok "until PFC is turned off" is_open q2
	rdmafault prio set q2 prio-pfc 3:on
	rdmafault link set q2 rate none
}

is_paused()
{
	[ "$(pause "$1" ".prio[$2].paused")" = true ]
}

# The storm is sent in any case: that nothing obeys it may be what is tested.
storm_warning_ok()
{
	local -r none='q2, at the other end, has PFC off for priority 3: it ignores the storm'

	rdmafault prio set q2 prio-pfc 3:off
	is "a storm that the other end ignores: a warning" \
		"$(rdmafault pause q1 prio 3,4 storm for 1ms frames 2>&1 >/dev/null)" \
		"rdmafault: warning: $none"
	is "a storm at the gate: none" \
		"$(rdmafault pause q1 prio 3 storm for 1ms 2>&1 >/dev/null)" ""
	is "for another priority: none" \
		"$(rdmafault pause q1 prio 4 storm for 1ms frames 2>&1 >/dev/null)" ""
	rdmafault prio set q2 prio-pfc 3:on
	is "with PFC: none" \
		"$(rdmafault pause q1 prio 3 storm for 1ms frames 2>&1 >/dev/null)" ""
}

new_port_ok
bad_frames_fails
frames_by_hand_ok
storm_ok "$(pause q2 .received)"
gate_ok
frames_ok
ended_by_hand_ok
ended_by_others_ok
others_stay_ok
watchdog_ok
ignored_ok
storm_warning_ok
no_carrier_fails
bad_words_fails
