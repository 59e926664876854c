#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Marks by the length of a queue, as the far side sees them. A pause holds the
# queues while packets of 500 bytes come, so packet n of a round meets 500 n
# bytes, exactly, and how likely it is marked follows. What is sent to QP 16 + p
# has priority p.
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

# to PRIO ECN COUNT [PSN]
to()
{
	sendroce t1 qp $((16 + $1)) dscp $(($1 * 8)) ecn "$2" count "$3" \
		psn "${4:-0}" payload $PAYLOAD
}

# rounds SEED...: in each, EACH packets; their PSNs are SEED * EACH + n
rounds()
{
	local seed

	for seed; do
		pause_all seed "$seed"
		to 3 2 $EACH $((seed * EACH))
		resume_all
	done
}

# marks FILE PRIO: "PSN ECN" of each packet
marks()
{
	od -An -v -tu1 -w70 -j24 "$1" | awk -v want=$((16 + $2)) '{
		qp = ($64 * 256 + $65) * 256 + $66
		psn = ($68 * 256 + $69) * 256 + $70
		if (qp == want)
			print psn, $32 % 4
	}'
}

# seen FILE PRIO: how many came, how many of them bear CE
seen()
{
	marks "$1" "$2" | awk '{ n++; ce += $2 == 3 } END { print n + 0, ce + 0 }'
}

# counted PRIO: marked and mark_dropped since the last call
counted_then=$tmp/counted
counted()
{
	local now

	now="$(prio_stat t1 "$1" marked) $(prio_stat t1 "$1" mark_dropped)"
	touch "$counted_then.$1"
	echo "$now $(<"$counted_then.$1")" | awk '{ print $1 - $3, $2 - $4 }'
	echo "$now" >"$counted_then.$1"
}

# As kmin 200000, kmax 800000, pmax 50% say
profile_ok()
{
	local ce

	rdmafault ecn set t1 prio 3 kmin 200000 kmax 800000 pmax 50%
	captured t2 "$tmp/profile" rounds $(seq $ROUNDS)
	ce=$(seen "$tmp/profile" 3 | cut -d' ' -f2)
	is "profile: all packets arrive" \
		"$(seen "$tmp/profile" 3 | cut -d' ' -f1)" $((ROUNDS * EACH))
	is "profile: as many marks are counted as packets bear CE" \
		"$(counted 3) $(port_stat t1 tx marked)" "$ce 0 $ce"
	is "profile: the queue that the last packet met" \
		"$(prio_stat t1 3 ecn_queue)" $(((EACH - 1) * FRAME))
	marks "$tmp/profile" 3 | awk -v each=$EACH -v frame=$FRAME '{
		print int($1 / each), $1 % each * frame, $2 }' >"$tmp/marks"
	is "profile: none up to kmin" \
		"$(awk '$2 <= 200000 && $3 == 3' "$tmp/marks" | wc -l)" 0
	is "profile: all above kmax" \
		"$(awk '$2 > 800000 && $3 != 3' "$tmp/marks" | wc -l)" 0
	is "profile: every IP header's checksum is right" \
		"$(tcpdump -v -n -r "$tmp/profile" 2>/dev/null | awk '
			/tos 0x63/ { ce++ } /bad cksum/ { bad++ }
			END { print ce + 0, bad + 0 }')" "$ce 0"
	bins_ok
	ok "another seed marks others" \
		test "$(awk '$1 == 1 && $3 == 3 { print $2 }' "$tmp/marks")" != \
		"$(awk '$1 == 2 && $3 == 3 { print $2 }' "$tmp/marks")"
}

# In bins of 100 kB, what is found may be off by 3.3 standard deviations: once in
# a thousand times, and as the draws are keyed, never or always.
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
		ok "profile: $low to $((low + 100)) kB: $found marks, $wanted wanted, z $z" \
			awk -v z="$z" 'BEGIN { exit !(z > -3.3 && z < 3.3) }'
	done <"$tmp/bins"
	is "profile: six bins were looked at" "$(wc -l <"$tmp/bins")" 6
}

# each_priority ECN...: 300 packets with that field, from priority 0 on
each_priority()
{
	local prio=0 ecn

	pause_all
	for ecn; do
		to $((prio++)) "$ecn" 300
	done
	resume_all
}

# verdict WORDS PRIO COUNTED SEEN
verdict()
{
	is "$1: counted" "$(counted "$2")" "$3"
	is "$1: arrived, with CE" "$(seen "$tmp/who" "$2")" "$4"
}

# A step at 50000 bytes, which packet 101 is the first to find exceeded
who_is_marked_ok()
{
	rdmafault ecn set t1 prio all kmin 50000 kmax 50000
	rdmafault ecn set t1 prio 2 ect ect0
	rdmafault ecn set t1 prio 3 ect ect1
	rdmafault ecn set t1 prio 6 not-ect mark
	rdmafault ecn set t1 prio 7 not-ect drop
	captured t2 "$tmp/who" each_priority 2 1 1 1 3 0 0 0
	verdict "ECT(0)" 0 "199 0" "300 199"
	verdict "ECT(1)" 1 "199 0" "300 199"
	verdict "ect ect0, ECT(1)" 2 "0 0" "300 0"
	verdict "ect ect1, ECT(1)" 3 "199 0" "300 199"
	verdict "CE already" 4 "0 0" "300 300"
	verdict "not-ECT, left alone" 5 "0 0" "300 0"
	verdict "not-ECT, marked" 6 "199 0" "300 199"
	verdict "not-ECT, dropped" 7 "0 199" "101 0"
}

# first_above WEIGHT: the packet that finds the average above 50000, as the
# average is defined
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
	# An average starts where the queue was last: at 0
	to 1 2 1
	to 4 2 1
	rdmafault ecn set t1 prio 1 weight 1
	rdmafault ecn set t1 prio 4 weight 4
	rdmafault ecn set t1 prio 7 off
	captured t2 "$tmp/who" each_priority 2 2 2 2 2 2 2 2
	for weight in 1 4; do
		first=$(first_above $weight)
		is "an average of weight $weight: packet $first is the first" \
			"$(marks "$tmp/who" $weight |
				awk '$2 == 3 { print $1; exit }')" "$first"
		is "an average of weight $weight: all from there on" \
			"$(seen "$tmp/who" $weight)" "300 $((300 - first))"
	done
	is "the control, a profile that is off: none" "$(seen "$tmp/who" 7)" "300 0"
}

# Nothing waits, and the phantom queue grows all the same: by 524 bytes for each
# packet, its overhead included, less what has drained.
phantom_ok()
{
	local first

	rdmafault ecn set t1 prio 5,6 kmin 50000 kmax 50000
	rdmafault ecn set t1 prio 6 phantom 1mbit
	captured t2 "$tmp/phantom" sendroce t1 qp 22 dscp 48 ecn 2 count $EACH \
		payload $PAYLOAD
	first=$(marks "$tmp/phantom" 6 | awk '$2 == 3 { print $1; exit }')
	ok "a phantom queue: packet ${first:-none} is the first that is marked" \
		[ "${first:-0}" -gt $((50000 / (FRAME + 24))) ]
	captured t2 "$tmp/real" sendroce t1 qp 21 dscp 40 ecn 2 count $EACH \
		payload $PAYLOAD
	is "the control: no real queue, no marks" "$(seen "$tmp/real" 5)" \
		"$EACH 0"
}

# IPv6, and IPv4 behind a VLAN tag: the second of two is marked.
headers_ok()
{
	local log=$tmp/headers

	rdmafault ecn set t1 prio all kmin 0 kmax 1 not-ect mark
	capture_begin "$log.log" -i t2 -Q in --immediate-mode -U -w "$log"
	pause_all
	{ roce6 0x0a 0x20 1; roce6 0x0a 0x20 2; } | sendframe t1
	{ prio_tagged 1; prio_tagged 2; } | sendframe t1
	resume_all
	wait_until 20 arrived "$log" 4
	capture_end
	is "IPv6: the one that met a queue bears CE" \
		"$(tcpdump -v -n -r "$log" ip6 2>/dev/null |
			grep -o 'class 0x[0-9a-f]*' | xargs)" "class 0x03"
	is "behind a VLAN tag: the one that met a queue bears CE" \
		"$(tcpdump -v -n -r "$log" vlan 2>/dev/null |
			grep -o 'tos 0x[0-9a-f]*' | xargs)" "tos 0x0 tos 0x3"
}

# arrived FILE COUNT
arrived()
{
	[ "$(tcpdump -n -r "$1" 2>/dev/null | wc -l)" -ge "$2" ]
}

# prio_tagged PSN: with a VLAN tag of priority 5
prio_tagged()
{
	roce4 0x0a 0x20 "$1" | sed 's/^\(.\{24\}\)/\18100a001/'
}

# A queue pair whose packets are all marked as soon as one waits
rxe_takes_it_ok()
{
	local marked

	fabric 2
	ports v1
	rdmafault link set v1 rate 200mbit
	rdmafault ecn set v1 prio all kmin 0 kmax 1 not-ect mark
	remember
	is "rxe: all messages arrive" "$(probe 1 2 write 8 65536)" \
		"done=8 wrong=0 status=0"
	marked=$(port_stat v1 tx marked)
	too_slow "rxe: some are marked" "sends more than 200 Mbit/s" ||
		ok "rxe: $marked packets were marked" [ "$marked" -gt 0 ]
	is "rxe: nothing is retransmitted" "$(moved rxe1 completer_retry_err)" 0
	unseen "rxe"
}

pausable_link
profile_ok
who_is_marked_ok
averages_ok
phantom_ok
headers_ok
rxe_takes_it_ok
