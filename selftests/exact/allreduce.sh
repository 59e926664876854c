#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a ring all-reduce with a storm of 2 s on its priority: it stops for the length of
# the storm, continues, and loses nothing. A second job on the same nodes, with another
# priority, is not affected. The first storm pauses the queue of a node without frames;
# the second consists of frames from a node's switch port. The test runs in virtual time,
# because an XOFF at 10 Gbit/s lasts 3.4 ms and a busy host can take longer to renew it.
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

# job NAME CLASS PSN: start a job in the background, with the traffic class CLASS and the first
# PSN PSN. Its retransmission timer (--timeout 20, 4.3 s) is longer than the storm, because rxe
# starts the timer when it makes a packet, not when the packet is sent.
job()
{
	collperf all_reduce -N 4 -b 64K -n $STEPS -w 0 -z 1 --compute 30ms \
		--place out --tclass "$2" --psn "$3" --timeout 20 \
		--timeline "$tmp/$1.jsonl" >"$tmp/$1" 2>&1 &
	defer kill $!
	jobs_are[$1]=$!
}

# left TOS: prints how many packets with this ToS have left the node
left()
{
	tcpdump -r "$tmp/seen" -n "ip[1] = $1" 2>/dev/null | wc -l
}

# Succeeds if packets of both jobs have been captured; a gap between packets after that is a
# pause.
under_way()
{
	[ "$(left 0x60)" -gt 0 ] && [ "$(left 0x80)" -gt 0 ]
}

# trouble: prints the sum of all counters of rxe for missing, late and refused packets
trouble()
{
	cat /sys/class/infiniband/rxe[1-4]/ports/1/hw_counters/{completer_retry_err,retry_exceeded_err,rcvd_seq_err,out_of_seq_request,duplicate_request,send_err} |
		awk '{ sum += $1 } END { print sum }'
}

# dropped: prints how many packets any port dropped, for any reason
dropped()
{
	rdmafault --json prio show | jq '[.[].prio[] |
		.full + .no_buffer + .expired + .watchdog_dropped] | add'
}

# listen NODE: capture the packets that leave the node, at the other end of its link
listen()
{
	capture_begin "$tmp/seen.log" --immediate-mode -U -i "p$1" -Q in -s 64 \
		-w "$tmp/seen" 'udp port 4791'
	defer kill "$capture_pid"
}

# longest_gap TOS: prints the longest time without a packet of this ToS, in milliseconds
longest_gap()
{
	tcpdump -r "$tmp/seen" -tt -n "ip[1] = $1" 2>/dev/null | awk '
		NR > 1 && $1 - last > longest { longest = $1 - last }
		{ last = $1 }
		END { printf "%d\n", longest * 1000 }'
}

# steps NAME: prints two times in ns for each step of the job: when the first rank begins
# the step, and when the last rank ends it
steps()
{
	jq -s -c 'map(select(.type == "step")) | group_by(.step)[] |
		[(map(.start_ns) | min), (map(.end_ns) | max)]' "$tmp/$1.jsonl"
}

# longest_step NAME: prints the length of the longest step of the job, in milliseconds
longest_step()
{
	steps "$1" | jq -s 'map(.[1] - .[0]) | max / 1e6 | floor'
}

# meanwhile: prints the number of steps of job B within the longest step of job A
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
		is "$1: job $name exits with 0" $? 0
		is "$1: job $name has all its steps in the timeline" "$(steps $name | wc -l)" $STEPS
		is "$1: job $name has no wrong value" \
			"$(grep -c 'Out of bounds values : 0 OK' "$tmp/$name")" 1
	done
}

# Succeeds if the report of the storm has at least 99.9 % coverage and no time without XOFF.
covered()
{
	jq -e --argjson ms $STORM_MS '.[0] | .requested_ns >= $ms * 1e6 and
		.covered_ns >= 0.999 * .requested_ns and .lapses == 0' "$tmp/storm"
}

# run_jobs TITLE NODE NETDEV OPTION...: run both jobs and a storm, as the test TITLE.
# NETDEV makes the storm, with the options OPTION of rdmafault pause; the storm pauses
# NODE.
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
	ok "$words: both jobs send packets" wait_until 20 under_way
	ok "$words: the storm command succeeds" \
		eval "rdmafault --json pause $dev prio 3 storm for ${STORM_MS}ms $* >$tmp/storm"
	ok "$words: the storm has a coverage of 99.9 % and no lapse" covered
	ended_well "$words"
	capture_end
	ok "$words: a step of job A takes as long as the storm ($(longest_step A) ms)" \
		[ "$(longest_step A)" -ge $((STORM_MS * 95 / 100)) ]
	ok "$words: no packet of job A leaves the node during the storm ($(longest_gap 0x60) ms)" \
		[ "$(longest_gap 0x60)" -ge $((STORM_MS * 999 / 1000)) ]
	ok "$words: no step of job B takes half as long as the storm ($(longest_step B) ms)" \
		[ "$(longest_step B)" -lt $((STORM_MS / 2)) ]
	ok "$words: job B does at least 5 steps during the storm ($(meanwhile))" \
		[ "$(meanwhile)" -ge 5 ]
	is "$words: no port drops a packet" "$(dropped)" "$dropped0"
	is "$words: rxe counts no retransmission and no error" \
		"$(trouble)" "$trouble0"
}

fabric 4
ports v1 v2 v3 v4 p2
rdmafault prio set v2 prio-pfc 3:on
run_jobs "storm without frames" 1 v1
run_jobs "storm with frames" 2 p2 frames
