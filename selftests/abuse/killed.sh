#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault and collperf are killed with SIGKILL, at moments that are drawn. Each
# time all that they had made is gone: rules, storms, processes, the fabric. A
# recording's buffer goes with the next one.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/abuse.sh"
. "$selftests/lib/rdma.sh"

times=$(amount 24 100)
tmp=$(mktemp -d)
defer rm -r "$tmp"

# moment MS: some time of at most so much
moment()
{
	draw "$1"
	sleep "$(printf '%d.%03d' $((drawn / 1000)) $((drawn % 1000)))"
}

no_rules()
{
	rdmafault --json rule show | jq -e 'length == 0'
}

no_storms()
{
	rdmafault --json pause show |
		jq -e '[.[].prio[].storm | select(. != null and .running)] == []'
}

no_processes()
{
	! pgrep -x 'collperf|rdmafault' && ! pgrep -f '^sleep 98765'
}

no_fabric()
{
	! ip link show rfbr0
}

no_pause()
{
	rdmafault --json prio show | jq -e 'all(.[].prio[]; .paused | not)'
}

nothing_left()
{
	no_processes && no_rules && no_storms && no_pause
}

nothing_at_all()
{
	no_processes && no_fabric && flock -n /run/rdmafault-run.lock true
}

# is_left WORDS: and what there is
is_left()
{
	{
		echo "$*"
		pgrep -al 'rdmafault|collperf|sleep'
		ip -br link
		rdmafault --json rule show
	} >>"$tmp/left" 2>&1
}

# kill_at MS LEFT COMMAND...: the process that the command is
kill_at()
{
	local left=$2 pid at

	at=$1
	shift 2
	"$@" >/dev/null 2>&1 &
	pid=$!
	moment "$at"
	kill -KILL $pid
	wait $pid
	rounds=$((rounds + 1))
	wait_until 60 "$left" || is_left "$*: after $drawn ms"
} 2>/dev/null

# all_of PID: the processes that a run is, and its ranks, from above to below
all_of()
{
	local pid=$1

	while [ -n "$pid" ]; do
		echo "$pid"
		pid=$(pgrep -P "$pid" | head -n 1)
	done
}

# A run is killed here or there, or two of it at once.
kill_a_run()
{
	local pid list first

	rm -rf "$tmp/out"
	rdmafault run -o "$tmp/out" "$tmp/file.yaml" >"$tmp/said" 2>&1 &
	pid=$!
	moment "$1"
	first=$drawn
	mapfile -t list < <(all_of $pid)
	draw ${#list[@]}
	unset "list[drawn]"
	draw 2
	# The first three are the run: one of them stays.
	kill -KILL "${list[@]:drawn:2}"
	rounds=$((rounds + 1))
	wait_until 90 nothing_at_all ||
		is_left "run: after $first ms: ${list[*]:drawn:2} of $pid: $(<"$tmp/said")"
	wait $pid
} 2>/dev/null

# is_gone WORDS: what the kills so far have left
is_gone()
{
	is "$1: $rounds kills, and nothing is left" "$(cat "$tmp/left" 2>/dev/null)" ""
	rm -f "$tmp/left"
	rounds=0
}

a_rule()
{
	exec rdmafault rule add v1 tx class write delay 10ms -- sleep 98765
}

a_storm()
{
	exec rdmafault pause v1 prio 0,3 storm forever frames
}

a_record()
{
	rm -rf "$tmp/record"
	exec rdmafault record -o "$tmp/record" v1 -- sleep 98765
}

a_job()
{
	exec collperf all_reduce --device rxe1,rxe2 --ranks 2 --size 64KiB \
		--iters 100000
}

instances()
{
	ls -d /sys/kernel/tracing/instances/rdmafault-*
}

swept()
{
	timeout -s INT 2 rdmafault monitor >/dev/null 2>&1
	! instances
}

cat >"$tmp/file.yaml" <<-END
	name: killed
	title: Nothing is left
	fabric: {nodes: 2}
	workload: {collective: all_reduce, ranks: 2, size: 64KiB, steps: 100000, compute: 10ms}
	qp: {timeout: 18}
	plays:
	  - name: long
	    faults:
	      - do: delay v1 tx class write 1ms
	      - do: pause v2 prio 5 storm forever
	      - do: link set v2 delay 1ms
END
rounds=0
defer rdmafault fabric down --force
for ((i = 0; i < times / 4; i++)); do
	kill_a_run 4000
done
is_gone "run"

fabric 2
ports v1 v2
for what in a_rule a_storm a_record "exec rdmafault monitor" a_job; do
	for ((i = 0; i < (times - times / 4) / 5; i++)); do
		kill_at 700 nothing_left eval "$what"
	done
	is_gone "$what"
done
ok "buffers of recordings went with the next one" wait_until 20 swept
