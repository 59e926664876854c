#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that nothing is left when rdmafault or collperf is killed with SIGKILL at a
# random moment: no rule, storm, process or fabric. Every second time, the program is killed
# only after it has made something that could be left. Trace buffers of a killed recording must
# be removed by the next one.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/abuse.sh"
. "$selftests/lib/rdma.sh"

times=$(amount 24 100)
tmp=$(mktemp -d)
defer rm -r "$tmp"

# moment MS: sleep for a random time of at most MS
moment()
{
	draw "$1"
	sleep "$(printf '%d.%03d' $((drawn / 1000)) $((drawn % 1000)))"
}

# Succeeds if rdmafault prints exactly one list of rules, and this list is empty. Fails if
# rdmafault prints nothing.
no_rules()
{
	rdmafault --json rule show | jq -s -e '. == [[]]'
}

no_storms()
{
	rdmafault --json pause show | jq -s -e 'length == 1 and
		[.[][].prio[].storm | select(. != null and .running)] == []'
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
	rdmafault --json prio show |
		jq -s -e 'length == 1 and all(.[][].prio[]; .paused | not)'
}

nothing_left()
{
	no_processes && no_rules && no_storms && no_pause
}

nothing_at_all()
{
	no_processes && no_fabric && flock -n /run/rdmafault-run.lock true
}

# is_left TEXT: record that something is left after a kill, together with lists of the
# processes, netdevs and rules that exist now. TEXT says which program was killed, and when.
is_left()
{
	{
		echo "$*"
		pgrep -al 'rdmafault|collperf|sleep'
		ip -br link
		rdmafault --json rule show
	} >>"$tmp/left" 2>&1
}

# met CONDITION...: in every second call, wait until the condition is true, which means
# that the program has made something
met()
{
	rounds=$((rounds + 1))
	[ $((rounds % 2)) = 1 ] || return 0
	wait_until 60 "$@" && found=$((found + 1))
}

# kill_it FUNCTION CONDITION: start the program and kill it at a random moment. In every
# second call, first wait until the condition is true.
kill_it()
{
	local pid

	"$1" >/dev/null 2>&1 &
	pid=$!
	met "$2" $pid
	moment 700
	kill -KILL $pid
	wait $pid
	wait_until 60 nothing_left || is_left "$1: after $drawn ms"
} 2>/dev/null

has_rule()
{
	rdmafault --json rule show | jq -s -e 'length == 1 and (.[0] | length > 0)'
}

has_storm()
{
	rdmafault --json pause show |
		jq -s -e '[.[][].prio[].storm | select(. != null and .running)] != []'
}

has_buffer()
{
	ls -d /sys/kernel/tracing/instances/rdmafault-*-"$1"
}

# all_of PID: prints the processes of a run, from PID down to a rank: PID, a child of PID,
# a child of this child, and so on
all_of()
{
	local pid=$1

	while [ -n "$pid" ]; do
		echo "$pid"
		pid=$(pgrep -P "$pid" | head -n 1)
	done
}

in_long_case()
{
	pgrep -f "^collperf.*$tmp/out/long/"
}

# Kill one or two processes of a run at the same time, but never both the main process and its
# supervisor
kill_a_run()
{
	local pid list first

	rm -rf "$tmp/out"
	rdmafault run -o "$tmp/out" "$tmp/file.yaml" >"$tmp/said" 2>&1 &
	pid=$!
	met in_long_case
	moment "$1"
	first=$drawn
	mapfile -t list < <(all_of $pid)
	# The first two processes are the supervisor and the main process of the run. Remove one
	# of them from the list, so that at most one of the two is killed.
	if [ ${#list[@]} -gt 1 ]; then
		draw 2
		unset "list[drawn]"
		list=("${list[@]}")
	fi
	draw ${#list[@]}
	kill -KILL "${list[@]:drawn:2}"
	wait_until 90 nothing_at_all ||
		is_left "run: after $first ms: ${list[*]:drawn:2} of $pid: $(<"$tmp/said")"
	wait $pid
} 2>/dev/null

# is_gone TITLE: report the test TITLE: after each kill since the last call of is_gone,
# nothing was left
is_gone()
{
	is "$1: every second of $rounds kills happens after the program has made something" \
		"$found" $(((rounds + 1) / 2))
	is "$1: nothing is left after each of $rounds kills" "$(cat "$tmp/left" 2>/dev/null)" ""
	rm -f "$tmp/left"
	rounds=0
	found=0
}

# killed FUNCTION CONDITION: call kill_it many times for the program that FUNCTION starts.
# A quarter of all kills are of runs; each of the five other programs gets a fifth of the
# rest.
killed()
{
	local i

	for ((i = 0; i < (times - times / 4) / 5; i++)); do
		kill_it "$1" "$2"
	done
	is_gone "$1"
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
	exec collperf all_reduce --device rxe1,rxe2 --ranks 2 -b 64K -n 1000000
}

a_monitor()
{
	exec rdmafault monitor
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
	cases:
	  - name: clean
	    workload: {steps: 1, compute: 0ms}
	  - name: long
	    faults:
	      - do: delay v1 tx 1ms class write
	      - do: pause v2 prio 5 storm forever
	      - do: link set v2 delay 1ms
END
rounds=0 found=0
defer rdmafault fabric down --force
for ((i = 0; i < times / 4; i++)); do
	kill_a_run 4000
done
is_gone "run"

fabric 2
ports v1 v2
killed a_rule has_rule
killed a_storm has_storm
killed a_record has_buffer
killed a_monitor has_buffer
killed a_job has_queue_pairs
ok "the next monitor removes the trace buffers of killed ones" wait_until 20 swept
