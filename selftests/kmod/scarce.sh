#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory that isn't there when a packet comes. Of the module's own allocations on
# the data path some fail, or all of them, while a connection goes through two
# ports with rules of every action, an ECN profile that marks, a storm of pause frames, a
# capture and a recorder: what can't be done is left and counted. No sender sees an
# error, no byte is wrong, nothing stays held; what leaks is found by the runner.
#
#   rcprobe rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2 rcprobe
#
# And pause frames for which there is no memory are sent when there is.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/failing.sh"
. "$selftests/lib/veth.sh"

# Frames above ours, that is those whom the module hands a packet to, are others'
depth=12
# Of the retransmission timer, 1 s: this kernel is slow
timeout=18

# What loses packets does so a few times, for rxe gives up in the end.
all_actions()
{
	cat <<-END
	all observe
	attempt 2+ observe
	qp any psn +3 observe
	class write once qp observe
	class write probability 1% delay 1ms jitter 1ms
	class write probability 1% reorder 3 within 5ms
	class write every 11 duplicate 2
	class write every 13 duplicate 1 after 1ms
	class write every 7 mark ce unless-ect mark
	class write every 401 corrupt icrc
	class write every 409 truncate 3
	class write every 419 rewrite qp 78
	class write every 421 rnr 3
	class write every 397 drop
	END
}

# Alone: it says that all before has arrived, and where that isn't so nobody ever
# sends it again.
nak()
{
	echo "class write every 43 nak psn-sequence"
}

# arm RULES DEV DIR
arm()
{
	"$1" | rdmafault rule replace "$2" "$3" - &&
		rdmafault ecn set "$2" prio all kmin 1KiB kmax 20KiB pmax 50% not-ect mark
}

# Others hold the same bytes, so that a change of them takes memory; and each
# packet is told of with its bytes
listen()
{
	tcpdump -i v2 -w /dev/null 2>/dev/null &
	defer kill $!
	defer sh -c 'echo 0 >/sys/kernel/tracing/events/rdmafault/enable'
	echo 1 >/sys/kernel/tracing/events/rdmafault/enable
}

# through WORDS: everything arrives, and no sender sees anything
through()
{
	remember
	is "$1: all of it arrives" "$(probe 1 2 write 20 20000 0 $timeout)" \
		"done=20 wrong=0 status=0"
	unseen "$1"
}

nothing_held()
{
	[ "$(port_stat v1 tx held) $(port_stat v2 rx held)" = "0 0" ]
}

# counted KEY: of both directions that have rules
counted()
{
	echo $(($(port_stat v1 tx "$1") + $(port_stat v2 rx "$1")))
}

nak_ok()
{
	local before

	before=$(port_stat v1 tx answered)
	ok "a NAK now and then" arm nak v1 tx
	rdmafault rule flush v2 >/dev/null
	failing_now 20
	through "20 % fail, with a NAK now and then"
	failing_never
	ok "there was one" [ "$(port_stat v1 tx answered)" -gt "$before" ]
}

traffic_ok()
{
	local percent key

	fabric 2
	ports v1 v2
	ok "rules of every action: v1" arm all_actions v1 tx
	ok "rules of every action: v2" arm all_actions v2 rx
	ok "pause frames come" rdmafault pause v2 prio 0 storm forever \
		duty 2ms/20ms frames persist
	listen
	failing_within rdmafault
	failing stacktrace-depth $depth
	for percent in 20 100; do
		failing_now $percent
		through "$percent % fail"
		failing_never
		ok "$percent % fail: $(failed) did" [ "$(failed)" -gt 50 ]
		ok "$percent % fail: nothing stays held" wait_until 10 nothing_held
	done
	for key in unchanged flows_lost; do
		ok "what was left is counted: $key" [ "$(counted $key)" -gt 0 ]
	done
	nak_ok
	rdmafault reset
}

paused()
{
	[ "$(prio_stat t2 3 paused)" = "$1" ]
}

tried()
{
	[ "$(failed)" -ge 10 ]
}

# late WORDS COMMAND...: what it has sent comes as soon as there is memory, and not
# when XOFF would be renewed or lapse
late()
{
	local words=$1 since got

	shift
	failing_now 100
	ok "$words: asked for without memory" "$@"
	ok "$words: it is tried again" wait_until 5 tried
	is "$words: meanwhile nothing is sent" "$(sent)" "$frames"
	since=$SECONDS
	failing_never
	ok "$words: it is sent when there is memory" wait_until 3 paused "$paused"
	got=$((SECONDS - since))
	ok "$words: at once ($got s)" [ $got -lt 10 ]
}

sent()
{
	cat /sys/class/net/t1/statistics/tx_packets
}

# At a megabit XOFF holds for 33 s, and is renewed after half of that
pause_frames_ok()
{
	local frames paused

	veth_pair t1 t2
	veth_port t1 t2
	rdmafault link set t1 rate 1mbit
	rdmafault link set t2 rate 1mbit
	rdmafault prio set t2 prio-pfc 3:on
	failing_within rdmafault
	failing stacktrace-depth $depth
	frames=$(sent) paused=true
	late XOFF rdmafault pause t1 prio 3 storm forever frames persist
	frames=$(sent) paused=false
	late XON rdmafault pause t1 stop
	failing_now 100
	refused "a single frame is refused" "memory" \
		rdmafault pause t1 prio 3 xoff
	failing_never
}

need_failing
modprobe rdmafault
traffic_ok
pause_frames_ok
