#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a run leaves nothing behind, however it ends: it gets a signal, the run or its
# supervisor gets SIGKILL, a rank crashes, the job fails, does not exist or leaves processes
# behind, the disk is full, or a netdev already has a name that the fabric needs. Ports that
# existed before the run stay, with their settings.
. "$(dirname "$0")/../lib/lib.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

# scenario WORKLOAD [FAULT]: write a scenario with two nodes. With FAULT, the scenario has a
# second case with this fault, and the job of the second case does not end by itself.
scenario()
{
	cat >"$tmp/file.yaml" <<-END
	name: clean
	title: Nothing is left
	fabric: {nodes: 2}
	workload: {$1}
	qp: {timeout: 18}
	cases:
	  - name: clean
	END
	[ $# -eq 1 ] || cat >>"$tmp/file.yaml" <<-END
	    workload: {steps: 1, compute: 0ms}
	  - name: long
	    faults:
	      - do: $2
	END
}

endless='collective: all_reduce, ranks: 2, size: 64KiB, steps: 100000, compute: 100ms'

run()
{
	rdmafault run -o "$tmp/out" "$tmp/file.yaml"
}

keep=
# start: start a run in the background, and wait until its case "long" runs
start()
{
	rm -rf "$tmp/out"
	rdmafault run $keep -o "$tmp/out" "$tmp/file.yaml" >"$tmp/said" 2>&1 &
	pid=$!
	wait_until 60 in_long_case
}

in_long_case()
{
	[ -s "$tmp/out/long/job.txt" ] || pgrep -f "^collperf.*$tmp/out/long/" ||
		! kill -0 "$pid"
}

# says REGEX: succeeds if the run that just ended has printed a line that matches REGEX
says()
{
	cat "$tmp/said"
	grep -Eq "$1" "$tmp/said"
}

ranks()
{
	pgrep -P "$(pgrep -o -x collperf)"
}

instances()
{
	ls -d /sys/kernel/tracing/instances/rdmafault-*
}

no_processes()
{
	! pgrep -x collperf && ! pgrep -f '^sleep 98765' && ! pgrep -f "^rdmafault run"
}

nothing_left()
{
	no_processes && ! ip link show rfbr0 && ! instances &&
		flock -n /run/rdmafault-run.lock true
}

# ended STATUS TITLE: wait for the run, which must exit with STATUS. TITLE begins the name of
# the test.
ended()
{
	local status=0

	wait "$pid" || status=$?
	is "$2: the run exits with $1" $status "$1"
	wait_until 60 no_processes
}

# as_it_was TITLE: test that nothing of the run is left. TITLE begins the name of the test.
as_it_was()
{
	ok "$1: nothing of the run is left" wait_until 60 nothing_left
}

# Test what happens when the processes of a run get signals.
scenario "$endless" "link set v2 delay 1ms"
for sig in INT TERM HUP; do
	start
	kill -$sig $pid
	ended 99 "SIG$sig"
	as_it_was "SIG$sig"
done
start
kill -KILL $pid
ended 137 "supervisor killed"
ok "supervisor killed: the run ends in the normal way" \
	jq -e '.ended == "aborted"' "$tmp/out/environment.json"
as_it_was "supervisor killed"
start
pkill -KILL -P $pid
ended 2 "run killed"
ok "run killed: the supervisor prints the signal and that all is removed" \
	says "^rdmafault: run: killed by signal 9 \(Killed\); fabric and rules removed$"
as_it_was "run killed"

# set_before: succeeds if v2 is still the user's port with its delay, and v1 is no port
set_before()
{
	rdmafault --json link show v2 | jq -e '.[0].delay_ns == 3000000' &&
		! rdmafault link show v1
}

rdmafault fabric up 2 >/dev/null
rdmafault port add v2 >/dev/null
rdmafault link set v2 delay 3ms
keep=--keep
start
is "run --keep: a fault changes the delay of an existing port" \
	"$(rdmafault --json link show v2 | jq '.[0].delay_ns')" 1000000
kill -KILL $pid
ended 137 "run --keep, supervisor killed"
ok "run --keep, supervisor killed: the existing port has its delay and is alone" \
	wait_until 60 set_before
start
pkill -KILL -P $pid
ended 2 "run --keep, run killed"
ok "run --keep, run killed: the existing port has its delay and is alone" set_before
keep=
rdmafault fabric down

# Test jobs that fail.
start
ok "the ranks of a job have started" wait_until "$soon" ranks
kill -KILL "$(ranks | tail -n 1)"
ended 1 "a rank killed"
ok "a rank killed: the report says which" says 'rank [01].*killed by signal 9'
as_it_was "a rank killed"

scenario 'command: "setsid sleep 98765 & sleep 98765 & exit 0", ranks: 2'
run >/dev/null 2>&1
is "a run whose job leaves processes behind, and sends nothing, is broken" $? 2
as_it_was "a job that leaves processes behind"
scenario 'command: "exit 7", ranks: 2'
run >"$tmp/said" 2>&1
is "a job that ends with status 7: the run exits with 1" $? 1
ok "a job that ends with status 7: the report has the status" says 'rank 0.*status 7'
scenario 'command: "no-such-program --at all", ranks: 2'
run >"$tmp/said" 2>&1
is "a job whose program does not exist: the run exits with 1" $? 1
ok "a job whose program does not exist: the report has the shell's message" \
	says 'no-such-program: not found'
as_it_was "a job whose program does not exist"

# Test a full disk.
scenario 'collective: all_reduce, ranks: 2, size: 64KiB, steps: 50'
mkdir "$tmp/disk"
defer umount "$tmp/disk"
mount -t tmpfs -o size=16k tmpfs "$tmp/disk"
refused "a run on a full disk is refused" "$tmp/disk/.*: No space left on device" \
	rdmafault run -o "$tmp/disk/out" "$tmp/file.yaml"
as_it_was "a full disk"
refused "a run into a directory that cannot be made is refused" \
	"/proc/none: No such file or directory" \
	rdmafault run -o /proc/none "$tmp/file.yaml"
as_it_was "a directory that cannot be made"

# Test a netdev that already has a name that the fabric needs.
ip link add v1 type dummy
defer ip link del v1
refused "a run is refused while a netdev v1 exists" '"?v1"?' run
ok "the netdev v1 stays after the refused run" ip link show v1
ip link del v1
as_it_was "a netdev v1 that exists"

# Test a run without the module.
modprobe -r rdmafault
loader=$(cat /proc/sys/kernel/modprobe)
defer sh -c "echo $loader >/proc/sys/kernel/modprobe"
echo /bin/false >/proc/sys/kernel/modprobe
refused "a run without the module is refused" \
	"^rdmafault: module rdmafault is not loaded; run modprobe rdmafault$" run
as_it_was "no module"
echo "$loader" >/proc/sys/kernel/modprobe

# Test scenarios that are refused before the run starts.
scenario "$endless" "drop v2 tx all
      - do: drop v2 tx all"
refused "a scenario with contradicting faults is refused" \
	"file.yaml:12:9: do: .* contradicts" run
scenario "$endless" "drop v3 tx all"
refused "a scenario with a port that does not exist is refused" 'file.yaml:11:13: .*"v3"' run
as_it_was "a refused scenario"
