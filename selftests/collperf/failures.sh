#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nothing hangs. A rank that is killed or stopped, an interrupted job, a link
# that swallows everything: all ranks end soon, one line says which rank failed
# first and why, and no process and no queue pair stays behind.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp -d)
defer rm -r "$tmp"

# start OPTION...: a job without end; sets $job. It is of the collective $op.
op=all_reduce
start()
{
	collperf "$op" -N 4 -b 64K -n 1000000 -w 0 -z 1 "$@" \
		>"$tmp/out" 2>"$tmp/err" &
	job=$!
	defer kill -KILL $job
	wait_until "$soon" rank_is_running 3 || echo "# it doesn't start"
}

# rank R's process: the launcher's children, in order
rank_pid()
{
	pgrep -P "$job" | sed -n "$(($1 + 1))p"
}

# The table's head is there when all ranks are connected.
rank_is_running()
{
	[ -n "$(rank_pid "$1")" ] && grep -q busbw "$tmp/out"
}

# ends WORDS STATUS: the job ends in time, with that exit status
ends()
{
	local status start=$SECONDS

	wait_until 20 eval "! kill -0 $job"
	wait "$job" 2>/dev/null
	status=$?
	is "$1: exit status $2" $status "$2"
	ok "it ends soon" [ $((SECONDS - start)) -le "$soon" ]
}

nothing_left()
{
	! pgrep -x collperf && ! rdma resource show qp | grep -q collperf
}

# says REGEX: one line on stderr, and it matches
says()
{
	if [ "$(wc -l <"$tmp/err")" != 1 ] || ! grep -Eq "$1" "$tmp/err"; then
		cat "$tmp/err"
		return 1
	fi
}

start
kill -KILL "$(rank_pid 2)"
ends "a rank is killed" 3
ok "it is named" says '^collperf: rank 2 \(rxe3\) failed first: killed by signal 9 \(Killed\): step [0-9]+, '
ok "nothing is left" wait_until "$soon" nothing_left

while read -r op options; do
	# shellcheck disable=SC2086 # words
	start $options
	kill -KILL "$(rank_pid 2)"
	ends "a rank is killed in $op $options" 3 3
	ok "it is named" says '^collperf: rank 2 \(rxe3\) failed first: killed by signal 9 '
	ok "nothing is left" wait_until "$soon" nothing_left
done <<END
all_reduce --algo tree
broadcast --algo ring -b 4M
alltoall
reduce_scatter --algo recursive --protocol read
END
op=all_reduce

start
kill -INT $job
ends "the job is interrupted" 130
ok "it says so" says '^collperf: interrupted$'
ok "nothing is left" wait_until "$soon" nothing_left

start -J "$tmp/killed.json"
kill -KILL "$(rank_pid 0)"
ends "the rank that writes JSON is killed" 3
ok "JSON has the reason all the same" jq -e '.results == [] and
	(.errors[0] | startswith("killed by signal 9 (Killed)"))' \
	"$tmp/killed.json"

start
kill -KILL $job
wait $job 2>/dev/null
ok "the launcher is killed: the ranks end" wait_until "$soon" nothing_left

# The table, and what JSON says of a job that failed before there was anything
refused "no room for the table" '^collperf: .*: stdout cannot be written$' \
	sh -c 'collperf all_reduce -N 2 -n 1 -w 0 >/dev/full'
ok "a reader that has seen enough is no failure" bash -o pipefail -c \
	'collperf all_reduce -N 2 -n 1 -w 0 | head -n 1'
refused "memory can't be pinned" 'register memory: Cannot allocate memory$' \
	sh -c "ulimit -l 64; setpriv --bounding-set -ipc_lock \
		collperf all_reduce -N 2 -n 1 -w 0 -J $tmp/failed.json"
ok "JSON has the reason" jq -e '(.errors | length == 1) and .results == []' \
	"$tmp/failed.json"

start --deadline 1s --timeline "$tmp/timeline"
kill -STOP "$(rank_pid 1)"
ends "a rank stops" 3
ok "who waited for whom is told" says '^collperf: rank [023] \(rxe[134]\) failed first: waited 1 s for .*rank [0-3].* in vain'
ok "nothing is left" wait_until "$soon" nothing_left
ok "the timeline is there up to the end" jq -es \
	'([.[] | select(.type == "end" and .status != 0)] | length) == 4 and
	any(.[]; .type == "step")' "$tmp/timeline"

# The switch port to rank 1 swallows what comes for it: messages of rank 0, credits
# of rank 2, and what acknowledges rank 1's own. Who is out of tries first is open.
start --timeout 15 --retry-cnt 2
tc qdisc add dev p2 root netem loss 100% limit 100000
ends "a link swallows everything" 3
ok "retries and timer are explained" says '^collperf: rank [012] .* failed first: retry exceeded: 2\+1 tries × 134 ms \(timeout 15\) = 403 ms without an acknowledgement; (message|credit) [0-9]+, PSN 0x[0-9a-f]{6} on, '
ok "nothing is left" wait_until "$soon" nothing_left
tc qdisc del dev p2 root

# Memory changed behind the job's back while it computes between two steps: the
# end of what a rank contributes, which is the end of a large mapping.
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

# On a slow machine a round of pokes lasts longer than eight steps.
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
is "a value changed in memory: exit status 1" $? 1
ok "element and step are named" grep -Eq \
	'^collperf: rank [01], step [0-9]+: element 65535 of 65536 is .* and must be .*; 1 are wrong$' "$tmp/err"
ok "the table counts it" grep -Eq 'Out of bounds values : [1-9][0-9]* FAILED' \
	"$tmp/out"
