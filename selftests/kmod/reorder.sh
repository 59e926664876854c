#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the actions "reorder" and "duplicate". A capture at the other end of the link
# shows the order in which PSNs arrive; rxe's counters show that a receiver finds a
# sequence error or a duplicate.
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

# send COUNT: send RDMA WRITE middle packets with the PSNs 100, 101 ...
send()
{
	local i

	for ((i = 0; i < $1; i++)); do
		roce4 7 0x20 $((100 + i))
	done | sendframe t1
}

psns()
{
	# A capture file has a header of 24 bytes. Each captured packet has a header of 16 bytes
	# and a frame of 62 bytes.
	od -An -v -tu1 -w78 -j24 "$capture" | awk '{ printf "%s ", $(16 + 54) }'
}

arrived()
{
	[ "$(psns | wc -w)" -ge "$1" ]
}

# order TITLE "PSN..." COUNT RULE...: add the rule and send COUNT frames. They must arrive in the
# order of these PSNs. TITLE is the name of the test.
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
	order "control: packets of a rule that observes arrive in order" "100 101 102 103 104" 5 \
		qp 0x20 psn 101 observe
	order "reorder 3: the packet arrives after three later ones" "100 102 103 104 101 105" 6 \
		qp 0x20 psn 101 reorder 3
	order "reorder behind psn 103: the packet arrives after PSN 103" "100 102 103 101 104" 5 \
		qp 0x20 psn 101 reorder behind psn 103
	order "reorder behind psn +3: the packet arrives after PSN +3" "100 102 103 101 104" 5 \
		qp 0x20 psn 101 reorder behind psn +3
	order "reorder 2 of two packets: both arrive later, in their order" \
		"102 103 100 101 104" 5 \
		qp 0x20 psn 100-101 reorder 2
}

# A packet waits until N later packets have passed ("reorder N"). An earlier packet that is
# delayed does not count.
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
	is "reorder 1: a delayed earlier packet does not release the packet" \
		"$(psns)" "100 102 101 "
	rdmafault rule flush t1
}

# Rule "reorder": a later packet that is dropped does not release the reordered packet.
lost_in_between_ok()
{
	rule t1 tx qp 0x20 psn 102 drop >/dev/null
	order "reorder behind a dropped PSN: the packet arrives after the next one" \
		"100 103 101 104" 5 \
		qp 0x20 psn 101 reorder behind psn 102
}

no_later_packet_ok()
{
	order "reorder 5 without later packets: the packet arrives after its time limit" \
		"100 101 102" 3 \
		qp 0x20 psn 102 reorder 5 within 300ms
}

copies_on_the_wire_ok()
{
	# With this delay, all other packets are sent before the copy of the packet.
	local later=50${KSFT_MACHINE_SLOW:+0}ms

	order "duplicate: the copy arrives directly after its packet" "100 101 101 102" 3 \
		qp 0x20 psn 101 duplicate
	order "duplicate 3: three copies arrive" "100 101 101 101 101 102" 3 \
		qp 0x20 psn 101 duplicate 3
	order "duplicate after a time: the copy arrives after later packets" \
		"100 101 102 103 101" 4 \
		qp 0x20 psn 101 duplicate after "$later"
	order "duplicate after a time and drop: only the copy arrives" "100 102 101" 3 \
		qp 0x20 psn 101 duplicate after "$later" drop
	order "delay and duplicate: packet and copy arrive late" "100 102 101 101" 3 \
		qp 0x20 psn 101 delay "$later" duplicate
}

# try_rule TITLE SEQUENCE-ERRORS DUPLICATES PORT DIRECTION RULE...: add the rule and send
# messages. The receiver must count at least SEQUENCE-ERRORS sequence errors. If SEQUENCE-ERRORS
# is 0, the receiver must count no sequence error and exactly DUPLICATES duplicates.
try_rule()
{
	local words=$1 holes=$2 duplicates=$3 as_many=-ge

	shift 3
	remember
	rule "$@" >/dev/null
	is "$words: all messages arrive" "$(probe 1 2 write 8 4096)" \
		"done=8 wrong=0 status=0"
	[ "$holes" != 0 ] || as_many=-eq
	ok "$words: the number of sequence errors is $as_many $holes" \
		[ "$(moved rxe2 out_of_seq_request)" $as_many "$holes" ]
	[ "$holes" != 0 ] ||
		is "$words: the receiver counts $duplicates duplicates" \
			"$(moved rxe2 duplicate_request)" "$duplicates"
	unseen "$words"
	rdmafault rule flush "$1"
}

# wait_qp QP COUNT: send COUNT packets to this QP; the first PSN is 100
wait_qp()
{
	local i

	for ((i = 0; i < $2; i++)); do
		roce4 7 "$1" $((100 + i))
	done | sendframe t1
}

# Each packet that passes is compared with all packets of its flow that wait for a reorder. The
# module therefore limits the number of waiting packets per flow.
flow_limit_ok()
{
	local full

	rdmafault port set t1 max-hold 20s
	full=$(port_stat t1 tx delay_queue_full)
	rule t1 tx qp 0x30,0x31 reorder 1000 within 20s >/dev/null
	wait_qp 0x30 300
	is "at most 256 packets of a flow wait for later packets" \
		"$(port_stat t1 tx held) $(($(port_stat t1 tx delay_queue_full) - full))" \
		"256 44"
	wait_qp 0x31 3
	is "packets of another flow wait in addition" "$(port_stat t1 tx held)" 259
	rdmafault reset t1
	ok "reset releases packets that wait for later ones" wait_until "$soon" released
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
	try_rule "reorder 1 at tx" 1 - v1 tx class write psn +9 attempt 1 reorder 1
	try_rule "reorder 1 at rx" 1 - v2 rx class write psn +9 attempt 1 reorder 1
	try_rule "duplicate 2 at tx" 0 2 v1 tx class write psn +9 attempt 1 duplicate 2
	try_rule "duplicate 2 at rx" 0 2 v2 rx class write psn +9 attempt 1 duplicate 2
	is "the ports count one packet reordered and two copies" \
		"$(port_stat v1 tx reordered) $(port_stat v2 rx duplicated)" "1 2"
}

nonsense_fails()
{
	refused "reorder without a number or PSN is refused" "reorder" \
		rdmafault rule add v1 tx qp 5 reorder
	refused "reorder 1025 is refused" "1024" \
		rdmafault rule add v1 tx qp 5 reorder 1025
	refused "duplicate 17 is refused" "16" rdmafault rule add v1 tx qp 5 duplicate 17
}

# in_batches PSN...: send packets with the PSNs 100 to 299 from t1 to t2, 25 times. Behind the
# hooks of t2, the PSNs must arrive in this order: 100 to 119, then the given ones, then the next.
# Prints in how many runs they do, and a wrong order.
#
# The delay queue of t1 sends the packets at once. So one run of the NAPI (here: of the backlog)
# receives 64 of them. With AF_PACKET, a socket for one protocol is behind the hooks, other than one
# for all protocols.
in_batches()
{
	python3 - "$@" <<-END
		import socket, subprocess, sys

		ETH_P_IP, RCVBUFFORCE = 0x800, 33
		frames = [bytes.fromhex(line) for line in open("$frames")]
		wanted = [int(a) for a in sys.argv[1:]]
		wanted = [*range(100, 120), *wanted, *range(max(wanted) + 1, 300)]
		far = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_IP))
		far.setsockopt(socket.SOL_SOCKET, RCVBUFFORCE, 1 << 22)
		far.bind(("t2", ETH_P_IP))
		near = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
		near.bind(("t1", 0))

		def pause(words):
		    if "${queued:-}":
		        subprocess.run(["rdmafault", "-q", "pause", "t1", "prio", "all", words], check=True)

		def run():
		    pause("xoff")
		    for frame in frames:
		        near.send(frame)
		    pause("xon")
		    far.settimeout($soon)
		    got = []
		    try:
		        while len(got) < len(wanted):
		            got.append(int.from_bytes(far.recv(2048)[51:54], "big"))
		            far.settimeout(5)
		    except TimeoutError:
		        pass
		    return got

		wrong = [got for got in (run() for _ in range(25)) if got != wanted]
		print(25 - len(wrong), *wrong[:1])
	END
}

# batch TITLE "PSN..." RULE...: test the order with this rule on the rx side of t2
batch()
{
	local words=$1 psns=$2

	shift 2
	rdmafault -q rule add t2 rx qp 0x20 "$@"
	# shellcheck disable=SC2086
	is "batches, $words" "$(in_batches $psns)" 25
}

# Packets that are received together: a packet must not overtake the copies and reordered packets
# that precede it.
batches_on_rx_ok()
{
	local psn listener

	frames=$(mktemp)
	defer rm "$frames"
	for ((psn = 100; psn < 300; psn++)); do
		roce4 7 0x20 $psn
	done >"$frames"
	rdmafault -q rule add t1 tx qp 0x20 delay 200ms
	batch "control: in their order" "120" psn 120 observe
	rdmafault -q rule flush t2
	batch "reorder 1 on rx: right after the next packet" "121 120" psn 120 reorder 1
	batch "reorder 1 and drop of the next packet: right after the one after it" "122 120" \
		psn 121 drop
	rdmafault -q rule flush t2
	batch "duplicate on rx: right after the packet" "120 120" psn 120 duplicate
	batch "duplicate and reorder 1: right after the next packet and its copy" \
		"120 120 122 121" psn 121 reorder 1
	rdmafault -q rule flush t2
	batch "reorder 3 on rx: right after three packets" "121 122 123 120" psn 120 reorder 3
	rdmafault monitor t2 >/dev/null 2>&1 &
	listener=$!
	rdmafault -q rule flush t2
	batch "reorder 1 on rx with a listener: right after the next packet" "121 120" \
		psn 120 reorder 1
	kill $listener
	wait $listener 2>/dev/null
	rdmafault -q rule flush t2
	batch "delay of all packets on rx, too: in their order" "120" delay 2ms
	batch "delay and reorder 1 on rx: right after the next packet" "121 120" \
		psn 120 reorder 1
	rdmafault reset
	other_batches
}

# Batches that come another way: of READ responses, from a paused queue, through the NAPI of
# the netdev, as with GRO
other_batches()
{
	rdmafault -q rule add t1 tx qp 0x20 delay 200ms
	for ((psn = 100; psn < 300; psn++)); do
		roce4 14 0x20 $psn
	done >"$frames"
	batch "READ responses, reorder 1 on rx: right after the next packet" "121 120" \
		psn 120 reorder 1
	rdmafault -q rule flush t2
	batch "READ responses, duplicate on rx: right after the packet" "120 120" psn 120 duplicate
	rdmafault -q rule flush t2
	ethtool -K t2 gro on
	batch "NAPI, reorder 1 on rx: right after the next packet" "121 120" psn 120 reorder 1
	rdmafault -q rule flush t2
	batch "NAPI, duplicate on rx: right after the packet" "120 120" psn 120 duplicate
	ethtool -K t2 gro off
	rdmafault reset
	queued=yes
	batch "a paused queue, control: in their order" "120" psn 120 observe
	rdmafault -q rule flush t2
	batch "a paused queue, reorder 1 on rx: right after the next packet" "121 120" \
		psn 120 reorder 1
	rdmafault -q rule flush t2
	batch "a paused queue, duplicate on rx: right after the packet" "120 120" psn 120 duplicate
	rdmafault reset
}

order_on_the_wire_ok
earlier_one_ok
lost_in_between_ok
no_later_packet_ok
copies_on_the_wire_ok
flow_limit_ok
batches_on_rx_ok
receiver_sees_it_ok
nonsense_fails
