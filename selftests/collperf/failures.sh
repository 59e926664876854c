#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a failed job does not hang: when a rank is killed or stopped, the job is
# interrupted, or a link drops all packets, all ranks must end soon, one line must say
# which rank failed first and why, and no process and no queue pair may be left.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp -d)
defer rm -r "$tmp"

# start OPTION...: start an endless job of the collective $op; sets $job
op=all_reduce
start()
{
	collperf "$op" -N 4 -b 64K -n 1000000 -w 0 -z 1 "$@" \
		>"$tmp/out" 2>"$tmp/err" &
	job=$!
	defer kill -KILL $job
	wait_until "$soon" rank_is_running 3 || echo "# it doesn't start"
}

# rank_pid R: prints the PID of rank R. The ranks are the children of the launcher, in
# order.
rank_pid()
{
	pgrep -P "$job" | sed -n "$(($1 + 1))p"
}

# rank_is_running R: succeeds if rank R runs and the head of the table has been printed,
# which happens when all ranks are connected
rank_is_running()
{
	[ -n "$(rank_pid "$1")" ] && grep -q busbw "$tmp/out"
}

# ends TITLE STATUS: run the test TITLE: the job must end in time with the exit status STATUS
ends()
{
	local status start=$SECONDS

	wait_until 20 eval "! kill -0 $job"
	wait "$job" 2>/dev/null
	status=$?
	is "$1: collperf exits with $2" $status "$2"
	ok "$1: collperf ends within $soon s" [ $((SECONDS - start)) -le "$soon" ]
}

nothing_left()
{
	! pgrep -x collperf && ! rdma resource show qp | grep -q collperf
}

# says REGEX: succeeds if the job has printed one line of errors and this line matches
says()
{
	if [ "$(wc -l <"$tmp/err")" != 1 ] || ! grep -Eq "$1" "$tmp/err"; then
		cat "$tmp/err"
		return 1
	fi
}

start
kill -KILL "$(rank_pid 2)"
ends "rank 2 killed" 3
ok "rank 2 killed: the error names rank, signal and step" \
	says '^collperf: rank 2 \(rxe3\) failed first: killed by signal 9 \(Killed\): step [0-9]+, '
ok "rank 2 killed: no process and no queue pair is left" wait_until "$soon" nothing_left

while read -r op options; do
	# shellcheck disable=SC2086 # words
	start $options
	kill -KILL "$(rank_pid 2)"
	ends "rank 2 killed in $op $options" 3 3
	ok "rank 2 killed in $op $options: the error names rank and signal" \
		says '^collperf: rank 2 \(rxe3\) failed first: killed by signal 9 '
	ok "rank 2 killed in $op $options: no process and no queue pair is left" \
		wait_until "$soon" nothing_left
done <<END
all_reduce --algo tree
broadcast --algo ring -b 4M
alltoall
reduce_scatter --algo recursive --protocol read
END
op=all_reduce

for signal in INT TERM HUP; do
	start
	kill -$signal $job
	ends "SIG$signal to the job" 99
	ok "SIG$signal to the job: the error says interrupted" says '^collperf: interrupted$'
	ok "SIG$signal to the job: no process and no queue pair is left" \
		wait_until "$soon" nothing_left
done

start -J "$tmp/killed.json"
kill -KILL "$(rank_pid 0)"
ends "rank 0, which writes JSON, killed" 3
ok "rank 0, which writes JSON, killed: the JSON file has the reason" jq -e '.results == [] and
	(.errors[0] | startswith("killed by signal 9 (Killed)"))' \
	"$tmp/killed.json"

start
kill -KILL $job
wait $job 2>/dev/null
ok "launcher killed: the ranks end" wait_until "$soon" nothing_left

# Test output errors, and the JSON file of a job that fails at its start.
refused_with=3 refused "collperf with a full standard output is refused" \
	'^collperf: .*: standard output cannot be written$' \
	sh -c 'collperf all_reduce -N 2 -n 1 -w 0 >/dev/full'
ok "collperf succeeds if the reader of its output ends early" bash -o pipefail -c \
	'collperf all_reduce -N 2 -n 1 -w 0 | head -n 1'
refused_with=3 refused "collperf without the right to pin memory is refused" \
	'register memory: Cannot allocate memory$' \
	sh -c "ulimit -l 64; setpriv --bounding-set -ipc_lock \
		collperf all_reduce -N 2 -n 1 -w 0 -J $tmp/failed.json"
ok "collperf without the right to pin memory: the JSON file has the reason" \
	jq -e '(.errors | length == 1) and .results == []' \
	"$tmp/failed.json"

start --deadline 1s --timeline "$tmp/timeline"
kill -STOP "$(rank_pid 1)"
ends "rank 1 stopped" 3
ok "rank 1 stopped: the error names the rank that waited and the one it waited for" \
	says '^collperf: rank [023] \(rxe[134]\) failed first: .*rank [0-3] .* within 1 s'
ok "rank 1 stopped: no process and no queue pair is left" wait_until "$soon" nothing_left
ok "rank 1 stopped: the timeline has steps and the end of all ranks" jq -es \
	'([.[] | select(.type == "end" and .status != 0)] | length) == 4 and
	any(.[]; .type == "step")' "$tmp/timeline"

# The switch port to rank 1 drops all packets to it: messages of rank 0, credits of rank
# 2, and ACKs for rank 1. Any of the three ranks can run out of retries first.
start --timeout 15 --retry-cnt 2
tc qdisc add dev p2 root netem loss 100% limit 100000
ends "a link that drops all packets" 3
ok "a link that drops all packets: the error explains retries and timer" \
	says '^collperf: rank [012] .* failed first: retry exceeded: 2\+1 tries × 134 ms \(timeout 15\), nominally 403 ms without an ACK; (message|credit) [0-9]+, PSN 0x[0-9a-f]{6} on, '
ok "a link that drops all packets: no process and no queue pair is left" \
	wait_until "$soon" nothing_left
tc qdisc del dev p2 root

# poke PID: while a rank computes between two steps, change the last element of each
# of its large memory mappings. One of the mappings is the rank's vector.
poke()
{
	local range perms start end rest

	while read -r range perms rest; do
		start=$((16#${range%-*}))
		end=$((16#${range#*-}))
		[ "$perms" = rw-p ] && [ $((end - start)) -ge 262144 ] || continue
		printf '\3\3\3\3' | dd of="/proc/$1/mem" bs=4 conv=notrunc \
			seek=$((end / 4 - 1)) status=none
	done <"/proc/$1/maps"
}

# A slow machine runs 80 steps instead of 8, because one call of poke takes longer there
# than 8 steps.
collperf all_reduce -N 2 -b 256K -n 8${KSFT_MACHINE_SLOW:+0} -w 0 -z 1 --compute 500ms --place out \
	>"$tmp/out" 2>"$tmp/err" &
job=$!
wait_until "$soon" rank_is_running 1
pid=$(rank_pid 1)
while kill -0 $job 2>/dev/null; do
	poke "$pid" 2>/dev/null
	sleep 0.2
done
wait $job
is "a value changed in memory: collperf exits with 1" $? 1
ok "a value changed in memory: the error names element and step" grep -Eq \
	'^collperf: rank [01], step [0-9]+: element 65535 of 65536 is .* instead of .*; 1 elements are wrong$' "$tmp/err"
ok "a value changed in memory: the table counts it" \
	grep -Eq 'Out of bounds values : [1-9][0-9]* FAILED' \
	"$tmp/out"
