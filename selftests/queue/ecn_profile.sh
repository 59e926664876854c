#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test ECN marks that depend on the queue length; a capture at the other end of the link shows
# which packets are marked. A pause holds the queues while packets of 500 bytes are sent. So
# packet n of a round finds exactly 500 n bytes in the queue, and this queue length determines
# the packet's marking probability. Packets to QP 16 + p have priority p.
#
#   sendroce - t1 (port) ======= t2 - sendframe, tcpdump
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pause_all.sh"
. "$selftests/lib/faults.sh"

FRAME=500
PAYLOAD=$((FRAME - 14 - 20 - 8 - 12 - 4))
EACH=2000
ROUNDS=4

tmp=$(mktemp -d)
defer rm -r "$tmp"

# to PRIO ECN COUNT [PSN]: send COUNT packets of priority PRIO with the ECN field ECN. PSN is
# the PSN of the first packet (default 0).
to()
{
	sendroce t1 qp $((16 + $1)) dscp $(($1 * 8)) ecn "$2" count "$3" \
		psn "${4:-0}" payload $PAYLOAD
}

# rounds SEED...: send one round of EACH packets for each seed. Packet n of a round has PSN
# SEED * EACH + n.
rounds()
{
	local seed

	for seed; do
		pause_all seed "$seed"
		to 3 2 $EACH $((seed * EACH))
		resume_all
	done
}

# marks FILE PRIO: prints one line "PSN ECN" per captured packet of PRIO
marks()
{
	od -An -v -tu1 -w70 -j24 "$1" | awk -v want=$((16 + $2)) '{
		qp = ($64 * 256 + $65) * 256 + $66
		psn = ($68 * 256 + $69) * 256 + $70
		if (qp == want)
			print psn, $32 % 4
	}'
}

# seen FILE PRIO: prints the number of captured packets of PRIO, and how many of them have
# CE
seen()
{
	marks "$1" "$2" | awk '{ n++; ce += $2 == 3 } END { print n + 0, ce + 0 }'
}

# counted PRIO: prints by how much the counters "marked" and "mark_dropped" of PRIO have grown
# since the last call for PRIO
counted_then=$tmp/counted
counted()
{
	local now

	now="$(prio_stat t1 "$1" marked) $(prio_stat t1 "$1" mark_dropped)"
	touch "$counted_then.$1"
	echo "$now $(<"$counted_then.$1")" | awk '{ print $1 - $3, $2 - $4 }'
	echo "$now" >"$counted_then.$1"
}

# Test the marks of a profile with kmin 200000, kmax 800000, pmax 50%.
profile_ok()
{
	local ce

	rdmafault ecn set t1 prio 3 kmin 200000 kmax 800000 pmax 50%
	captured t2 "$tmp/profile" rounds $(seq $ROUNDS)
	ce=$(seen "$tmp/profile" 3 | cut -d' ' -f2)
	is "ECN profile: all packets arrive" \
		"$(seen "$tmp/profile" 3 | cut -d' ' -f1)" $((ROUNDS * EACH))
	is "ECN profile: the number of counted marks is that of packets with CE" \
		"$(counted 3) $(port_stat t1 tx marked)" "$ce 0 $ce"
	is "ECN profile: ecn_queue is the queue length that the last packet found" \
		"$(prio_stat t1 3 ecn_queue)" $(((EACH - 1) * FRAME))
	marks "$tmp/profile" 3 | awk -v each=$EACH -v frame=$FRAME '{
		print int($1 / each), $1 % each * frame, $2 }' >"$tmp/marks"
	is "ECN profile: no packet is marked up to kmin" \
		"$(awk '$2 <= 200000 && $3 == 3' "$tmp/marks" | wc -l)" 0
	is "ECN profile: all packets are marked above kmax" \
		"$(awk '$2 > 800000 && $3 != 3' "$tmp/marks" | wc -l)" 0
	is "ECN profile: the IP checksum of every marked packet is right" \
		"$(tcpdump -v -n -r "$tmp/profile" 2>/dev/null | awk '
			/tos 0x63/ { ce++ } /bad cksum/ { bad++ }
			END { print ce + 0, bad + 0 }')" "$ce 0"
	bins_ok
	ok "ECN profile: another seed marks other packets" \
		test "$(awk '$1 == 1 && $3 == 3 { print $2 }' "$tmp/marks")" != \
		"$(awk '$1 == 2 && $3 == 3 { print $2 }' "$tmp/marks")"
}

# The queue length is divided into ranges of 100 kB. In each range, the number of marks can
# deviate from the expected number by 3.3 standard deviations. With a good random source, one
# of 1000 tests exceeds this. The random numbers are keyed, so each run has the same result.
bins_ok()
{
	local low found wanted z

	awk '$2 > 200000 && $2 <= 800000 {
		bin = int(($2 - 200001) / 100000)
		p = 0.5 * ($2 - 200000) / 600000
		found[bin] += $3 == 3
		wanted[bin] += p
		variance[bin] += p * (1 - p)
	}
	END {
		for (bin in found)
			printf "%d %d %.1f %.2f\n", 200 + 100 * bin, found[bin],
				wanted[bin],
				(found[bin] - wanted[bin]) / sqrt(variance[bin])
	}' "$tmp/marks" | sort -n >"$tmp/bins"
	while read -r low found wanted z; do
		ok "ECN profile: the right fraction is marked between $low and $((low + 100)) kB: $found marks, expected $wanted, z $z" \
			awk -v z="$z" 'BEGIN { exit !(z > -3.3 && z < 3.3) }'
	done <"$tmp/bins"
	is "control: the marks are compared in six bins" "$(wc -l <"$tmp/bins")" 6
}

# each_priority ECN...: send 300 packets of each priority. The first argument is the ECN field
# of the packets of priority 0, the second that of priority 1, and so on.
each_priority()
{
	local prio=0 ecn

	pause_all
	for ecn; do
		to $((prio++)) "$ecn" 300
	done
	resume_all
}

# verdict TITLE PRIO COUNTED SEEN: test that "counted PRIO" prints COUNTED, and that "seen"
# prints SEEN for the captured packets of PRIO. TITLE begins the names of the tests.
verdict()
{
	is "$1: marked and mark_dropped have the right values" "$(counted "$2")" "$3"
	is "$1: the right number of packets arrives, with and without CE" "$(seen "$tmp/capture" "$2")" "$4"
}

# The profile is a step: packets that find more than 50000 bytes in the queue are marked.
# Packet 101 is the first of them.
who_is_marked_ok()
{
	rdmafault ecn set t1 prio all kmin 50000 kmax 50000
	rdmafault ecn set t1 prio 2 ect ect0
	rdmafault ecn set t1 prio 3 ect ect1
	rdmafault ecn set t1 prio 6 not-ect mark
	rdmafault ecn set t1 prio 7 not-ect drop
	captured t2 "$tmp/capture" each_priority 2 1 1 1 3 0 0 0
	verdict "ECT(0) with the default profile" 0 "199 0" "300 199"
	verdict "ECT(1) with the default profile" 1 "199 0" "300 199"
	verdict "ECT(1) with ect ect0" 2 "0 0" "300 0"
	verdict "ECT(1) with ect ect1" 3 "199 0" "300 199"
	verdict "packets that already have CE" 4 "0 0" "300 300"
	verdict "not-ECT with not-ect leave" 5 "0 0" "300 0"
	verdict "not-ECT with not-ect mark" 6 "199 0" "300 199"
	verdict "not-ECT with not-ect drop" 7 "0 199" "101 0"
}

# first_above WEIGHT: prints the number of the first packet that finds an average queue length
# above 50000 bytes, if the average has the weight WEIGHT
first_above()
{
	awk -v n="$1" -v frame=$FRAME 'BEGIN {
		while (int(q) <= 50000)
			q += (i++ * frame - q) / 2 ^ n
		print i - 1
	}'
}

averages_ok()
{
	local first weight

	rdmafault ecn set t1 prio all kmin 50000 kmax 50000 ect any not-ect leave
	# When a weight is set, the average starts at the queue length that the last packet
	# found. So first send one packet to each empty queue: it finds the length 0.
	to 1 2 1
	to 4 2 1
	rdmafault ecn set t1 prio 1 weight 1
	rdmafault ecn set t1 prio 4 weight 4
	rdmafault ecn set t1 prio 7 off
	captured t2 "$tmp/capture" each_priority 2 2 2 2 2 2 2 2
	for weight in 1 4; do
		first=$(first_above $weight)
		is "average with weight $weight: packet $first is the first marked one" \
			"$(marks "$tmp/capture" $weight |
				awk '$2 == 3 { print $1; exit }')" "$first"
		is "average with weight $weight: all packets from there are marked" \
			"$(seen "$tmp/capture" $weight)" "300 $((300 - first))"
	done
	is "control: no packet is marked with the profile off" "$(seen "$tmp/capture" 7)" "300 0"
}

# The real queue is empty. The phantom queue grows by 524 bytes (with overhead) for each
# packet, and drains at its own rate.
phantom_ok()
{
	local first

	rdmafault ecn set t1 prio 5,6 kmin 50000 kmax 50000
	rdmafault ecn set t1 prio 6 phantom 1mbit
	captured t2 "$tmp/phantom" sendroce t1 qp 22 dscp 48 ecn 2 count $EACH \
		payload $PAYLOAD
	first=$(marks "$tmp/phantom" 6 | awk '$2 == 3 { print $1; exit }')
	ok "phantom queue: packets are marked from its threshold on, the first is ${first:-none}" \
		[ "${first:-0}" -gt $((50000 / (FRAME + 24))) ]
	captured t2 "$tmp/real" sendroce t1 qp 21 dscp 40 ecn 2 count $EACH \
		payload $PAYLOAD
	is "control: no packet is marked without a queue and a phantom queue" "$(seen "$tmp/real" 5)" \
		"$EACH 0"
}

# Test IPv6 packets, and IPv4 packets with a VLAN tag: of two packets, the second one is
# marked, because it finds the first one in the queue.
headers_ok()
{
	local log=$tmp/headers

	rdmafault ecn set t1 prio all kmin 0 kmax 1 not-ect mark
	capture_begin "$log.log" -i t2 -Q in --immediate-mode -U -w "$log"
	pause_all
	{ roce6 0x0a 0x20 1; roce6 0x0a 0x20 2; } | sendframe t1
	{ roce4 0x0a 0x20 1; roce4 0x0a 0x20 2; } | tagged 5 | sendframe t1
	resume_all
	wait_until 20 arrived "$log" 4
	capture_end
	is "IPv6: the packet that found a queue has CE" \
		"$(tcpdump -v -n -r "$log" ip6 2>/dev/null |
			grep -o 'class 0x[0-9a-f]*' | xargs)" "class 0x03"
	is "IPv4 with a VLAN tag: the packet that found a queue has CE" \
		"$(tcpdump -v -n -r "$log" vlan 2>/dev/null |
			grep -o 'tos 0x[0-9a-f]*' | xargs)" "tos 0x0 tos 0x3"
}

# arrived FILE COUNT
arrived()
{
	[ "$(tcpdump -n -r "$1" 2>/dev/null | wc -l)" -ge "$2" ]
}

# Test that rxe accepts marked packets. The ECN profile marks every packet that finds another
# packet in the queue.
rxe_takes_it_ok()
{
	local marked

	fabric 2
	ports v1
	rdmafault link set v1 rate 200mbit
	rdmafault ecn set v1 prio all kmin 0 kmax 1 not-ect mark
	remember
	is "marked packets of rxe: all messages arrive" "$(probe 1 2 write 8 65536)" \
		"done=8 wrong=0 status=0"
	marked=$(port_stat v1 tx marked)
	too_slow "marked packets of rxe: some packets are marked" "sends more than 200 Mbit/s" ||
		ok "marked packets of rxe: some packets are marked, $marked" [ "$marked" -gt 0 ]
	is "marked packets of rxe: no packet is retransmitted" "$(moved rxe1 completer_retry_err)" 0
	unseen "marked packets of rxe"
}

pausable_link
profile_ok
who_is_marked_ok
averages_ok
phantom_ok
headers_ok
rxe_takes_it_ok
