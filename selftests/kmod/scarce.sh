#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the data path when memory allocations fail. Some or all allocations of the module fail
# while a connection sends through two ports with rules of nearly every action, an ECN profile that
# marks, a storm of pause frames, a capture and enabled tracepoints. The module must skip and
# count each action for which it has no memory. No sender may see an error, no byte may be wrong,
# no packet may stay in a delay queue. The runner looks for leaks.
#
#   rcprobe rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2 rcprobe
#
# Pause frames that cannot be allocated must be sent as soon as memory is available.
#
#   t1 (port) ======= t2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/failing.sh"
. "$selftests/lib/veth.sh"

# An allocation fails only if a function of the module is among the first 12 return addresses on
# the stack. When the module passes a packet to the kernel, the kernel's allocations have a deeper
# stack and must not fail.
depth=12
# Timeout 18: rxe's retransmission timer is 1 s, because the debug kernel is slow.
timeout=18

# Rules that drop or damage packets hit only a few packets, because rxe gives up after a few
# retries. The receiver must not have the packet that a NAK or an RNR NAK rejects (attempt 1): an
# ACK of the whole message can arrive while rxe retransmits it, and rxe then never completes it
# (rxe_completer() of Linux 6.12, COMPST_UPDATE_COMP). The action trim is missing: rxe breaks the
# queue pair if it receives a trimmed packet.
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
	class write attempt 1 every 421 rnr 3
	class write every 397 drop
	END
}

# The action "nak" is tested alone. A NAK acknowledges all earlier PSNs, so another rule could
# drop a packet that the sender then never retransmits.
nak()
{
	echo "class write attempt 1 every 43 nak psn-sequence"
}

# arm FUNCTION DEV DIR: replace the rules of port DEV in direction DIR by the output of FUNCTION,
# and enable ECN
arm()
{
	"$1" | rdmafault rule replace "$2" "$3" - &&
		rdmafault ecn set "$2" prio all kmin 1KiB kmax 20KiB pmax 50% not-ect mark
}

# A packet and its capture share the packet's bytes, so an action that changes the bytes must
# first allocate a copy. All tracepoints are enabled, including the one that records the bytes.
listen()
{
	tcpdump -i v2 -w /dev/null 2>/dev/null &
	defer kill $!
	defer tracepoints 0
	tracepoints 1
}

# through TITLE: test that all messages arrive, and that no sender sees an error. TITLE is the
# name of the test.
through()
{
	remember
	is "$1: all messages arrive" "$(probe 1 2 write 20 20000 0 $timeout)" \
		"done=20 wrong=0 status=0"
	unseen "$1"
}

nothing_held()
{
	[ "$(port_stat v1 tx held) $(port_stat v2 rx held)" = "0 0" ]
}

# counted KEY: prints the sum of the counter KEY over the two directions that have rules (v1 tx
# and v2 rx)
counted()
{
	echo $(($(port_stat v1 tx "$1") + $(port_stat v2 rx "$1")))
}

nak_ok()
{
	local before

	before=$(port_stat v1 tx answered)
	ok "v1 accepts a rule with the action nak" arm nak v1 tx
	rdmafault rule flush v2 >/dev/null
	failing_now 20
	through "20 % of allocations fail, with a rule that sends NAKs"
	failing_never
	ok "20 % of allocations fail: at least one NAK is sent" \
		[ "$(port_stat v1 tx answered)" -gt "$before" ]
}

traffic_ok()
{
	local percent key

	fabric 2
	ports v1 v2
	ok "v1 accepts rules of all actions but trim" arm all_actions v1 tx
	ok "v2 accepts rules of all actions but trim" arm all_actions v2 rx
	ok "a storm of pause frames starts on v2" rdmafault pause v2 prio 0 storm forever \
		duty 2ms/20ms frames persist
	listen
	failing_within rdmafault
	failing stacktrace-depth $depth
	for percent in 20 100; do
		failing_now $percent
		through "$percent % of allocations fail"
		failing_never
		ok "$percent % of allocations fail: more than 50 ($(failed)) failed" \
			[ "$(failed)" -gt 50 ]
		ok "$percent % of allocations fail: no packet stays in a delay queue" \
			wait_until 10 nothing_held
	done
	for key in unchanged flows_lost; do
		ok "failed allocations are counted in $key" [ "$(counted $key)" -gt 0 ]
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

# late XOFF|XON COMMAND...: COMMAND requests a pause frame while all allocations fail. The frame
# must leave as soon as memory is available, and not only when an XOFF would be renewed or would
# expire.
late()
{
	local words=$1 since got

	shift
	failing_now 100
	ok "$words without memory: the command succeeds" "$@"
	ok "$words without memory: the allocation is retried" wait_until 5 tried
	is "$words without memory: no frame is sent" "$(sent)" "$frames"
	since=$SECONDS
	failing_never
	ok "$words with memory again: the frame is sent" wait_until 3 has_sent "$frames"
	got=$((SECONDS - since))
	ok "$words with memory again: the frame is sent within 10 s ($got s)" [ $got -lt 10 ]
	ok "$words with memory again: the frame is received" wait_until 3 paused "$paused"
}

sent()
{
	cat /sys/class/net/t1/statistics/tx_packets
}

# has_sent FRAMES: succeeds if t1 has sent more than FRAMES frames. It starts no program, because
# on a busy host a program can take seconds.
has_sent()
{
	local now

	read -r now </sys/class/net/t1/statistics/tx_packets
	[ "$now" -gt "$1" ]
}

# At 1 Mbit/s an XOFF lasts 33 s and is renewed after half of that time.
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
	refused "pause xoff without memory is refused" "memory" \
		rdmafault pause t1 prio 3 xoff
	failing_never
}

need_failing
modprobe rdmafault
traffic_ok
pause_frames_ok
