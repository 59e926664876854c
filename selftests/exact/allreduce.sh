#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A ring all-reduce meets a storm of 2 s on its priority: it stands still for as
# long, goes on, and has lost nothing. A second job on the same nodes, with
# another priority, doesn't notice. First the storm is at the gate of a node, then
# in frames that its switch port sends it. In virtual time, for an XOFF at 10 Gbit/s
# holds for 3.4 ms and a busy host can take longer to renew it.
#
#   rxe1 v1 ─ p1 ┐
#   rxe2 v2 ─ p2 ┤ rfbr0      job A: DSCP 24, priority 3
#   rxe3 v3 ─ p3 ┤            job B: DSCP 32, priority 4
#   rxe4 v4 ─ p4 ┘
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/capture.sh"

virtual_only

STORM_MS=2000
STEPS=80
tmp=$(mktemp -d)
defer rm -r "$tmp"

# job NAME CLASS PSN: in the background. Its timer (20: 4.3 s) outlasts the storm;
# rxe counts from the moment a packet is made.
job()
{
	collperf all_reduce -N 4 -b 64K -n $STEPS -w 0 -z 1 --compute 30ms \
		--place out --tclass "$2" --psn "$3" --timeout 20 \
		--timeline "$tmp/$1.jsonl" >"$tmp/$1" 2>&1 &
	defer kill $!
	jobs_are[$1]=$!
}

# left TOS: packets that have left the node
left()
{
	tcpdump -r "$tmp/seen" -n "ip[1] = $1" 2>/dev/null | wc -l
}

# Packets of both jobs were seen, so that what is not seen then is a gap.
under_way()
{
	[ "$(left 0x60)" -gt 0 ] && [ "$(left 0x80)" -gt 0 ]
}

# trouble: all that rxe counts when a packet is missing, late or refused
trouble()
{
	cat /sys/class/infiniband/rxe[1-4]/ports/1/hw_counters/{completer_retry_err,retry_exceeded_err,rcvd_seq_err,out_of_seq_request,duplicate_request,send_err} |
		awk '{ sum += $1 } END { print sum }'
}

# dropped: by any of our ports, for any reason
dropped()
{
	rdmafault --json prio show | jq '[.[].prio[] |
		.full + .no_buffer + .expired + .watchdog_dropped] | add'
}

# What leaves the node, as the other end of its link sees it
listen()
{
	capture_begin "$tmp/seen.log" --immediate-mode -U -i "p$1" -Q in -s 64 \
		-w "$tmp/seen" 'udp port 4791'
	defer kill "$capture_pid"
}

# longest_gap TOS: milliseconds in which no such packet left the node
longest_gap()
{
	tcpdump -r "$tmp/seen" -tt -n "ip[1] = $1" 2>/dev/null | awk '
		NR > 1 && $1 - last > longest { longest = $1 - last }
		{ last = $1 }
		END { printf "%d\n", longest * 1000 }'
}

# Each step of a job, from the first rank in to the last rank out, in ns
steps()
{
	jq -s -c 'map(select(.type == "step")) | group_by(.step)[] |
		[(map(.start_ns) | min), (map(.end_ns) | max)]' "$tmp/$1.jsonl"
}

# longest_step NAME: in milliseconds
longest_step()
{
	steps "$1" | jq -s 'map(.[1] - .[0]) | max / 1e6 | floor'
}

# meanwhile: steps that B did within A's longest
meanwhile()
{
	jq -n --slurpfile a <(steps A) --slurpfile b <(steps B) '
		($a | max_by(.[1] - .[0])) as $stall |
		[$b[] | select(.[0] > $stall[0] and .[1] < $stall[1])] | length'
}

ended_well()
{
	local name

	for name in A B; do
		wait "${jobs_are[$name]}"
		is "$1: job $name ends well" $? 0
		is "$1: all its steps are there" "$(steps $name | wc -l)" $STEPS
		is "$1: nothing of it is wrong" \
			"$(grep -c 'Out of bounds values : 0 OK' "$tmp/$name")" 1
	done
}

# The storm's own proof: 99.9 % of its time was covered, and no XOFF ran out.
covered()
{
	jq -e --argjson ms $STORM_MS '.[0] | .requested_ns >= $ms * 1e6 and
		.covered_ns >= 0.999 * .requested_ns and .lapses == 0' "$tmp/storm"
}

# run_jobs WORDS NODE NETDEV OPTION...: both jobs, and a storm that holds NODE
run_jobs()
{
	local words=$1 node=$2 dev=$3 trouble0 dropped0

	shift 3
	declare -gA jobs_are=()
	trouble0=$(trouble)
	dropped0=$(dropped)
	listen "$node"
	job A 96 0x001000
	job B 128 0x100000
	ok "$words: both jobs are under way" wait_until 20 under_way
	ok "$words: the storm is over in time" \
		eval "rdmafault --json pause $dev prio 3 storm for ${STORM_MS}ms $* >$tmp/storm"
	ok "$words: it was covered" covered
	ended_well "$words"
	capture_end
	ok "$words: A stands still, $(longest_step A) ms" \
		[ "$(longest_step A)" -ge $((STORM_MS * 95 / 100)) ]
	ok "$words: no packet of it leaves the node for $(longest_gap 0x60) ms" \
		[ "$(longest_gap 0x60)" -ge $((STORM_MS * 999 / 1000)) ]
	ok "$words: B doesn't, $(longest_step B) ms" \
		[ "$(longest_step B)" -lt $((STORM_MS / 2)) ]
	ok "$words: B does $(meanwhile) steps meanwhile" [ "$(meanwhile)" -ge 5 ]
	is "$words: nothing is dropped" "$(dropped)" "$dropped0"
	is "$words: nothing is retransmitted, nothing refused" \
		"$(trouble)" "$trouble0"
}

fabric 4
ports v1 v2 v3 v4 p2
rdmafault prio set v2 prio-pfc 3:on
run_jobs "gate" 1 v1
run_jobs "frames" 2 p2 frames
