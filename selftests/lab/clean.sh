#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# However a run ends, the machine is as it was: told to end, killed (any two
# of its three processes), with a rank that crashes, a job that escapes, ends early or
# isn't there, without room on the disk, among names that are taken. What was
# there before stays, with the settings that it had.
. "$(dirname "$0")/../lib/lib.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

# scenario WORKLOAD [FAULT]: two nodes, and a fault in a case that never ends
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
# start: a run in the background
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

# says REGEX: the run that just ended does
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

# ended STATUS WORDS
ended()
{
	local status=0

	wait "$pid" || status=$?
	is "$2: exit status" $status "$1"
	wait_until 60 no_processes
}

as_it_was()
{
	ok "the machine is as it was" wait_until 60 nothing_left
}

# A run that is told to end, and one that is killed
scenario "$endless" "link set v2 delay 1ms"
for sig in INT TERM HUP; do
	start
	kill -$sig $pid
	ended 99 "SIG$sig"
	as_it_was
done
start
kill -KILL $pid
ended 137 "killed"
as_it_was
start
pkill -KILL -P $pid
ended 2 "its other half killed"
ok "it says so" says "^rdmafault: run: want it to come to its end, got signal 9 \(Killed\); what it made is gone$"
as_it_was

start
kill -KILL $pid "$(pgrep -P $pid)"
ended 137 "two of its three processes killed at once"
as_it_was
start
kill -KILL $pid "$(pgrep -P "$(pgrep -P $pid)")"
ended 137 "another two"
as_it_was

# What was there before
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
is "a fault changes a port of the user's" \
	"$(rdmafault --json link show v2 | jq '.[0].delay_ns')" 1000000
kill -KILL $pid
ended 137 "killed"
ok "the port is as it was, and no other is there" wait_until 60 set_before
start
pkill -KILL -P $pid
ended 2 "its other half killed"
ok "the port is as it was, and no other is there" set_before
keep=
rdmafault fabric down

# Jobs that come to a bad end
start
ok "a job's ranks are there" wait_until "$soon" ranks
kill -KILL "$(ranks | tail -n 1)"
ended 1 "a rank is killed"
ok "the page says which" says 'rank [01].*killed by signal 9'
as_it_was

scenario 'command: "setsid sleep 98765 & sleep 98765 & exit 0", ranks: 2'
ok "a job that leaves processes behind" run
as_it_was
scenario 'command: "exit 7", ranks: 2'
run >"$tmp/said" 2>&1
is "a job that ends with status 7: exit status" $? 1
ok "the page says so" says 'rank 0.*status 7'
scenario 'command: "no-such-program --at all", ranks: 2'
run >"$tmp/said" 2>&1
is "a program that isn't there: exit status" $? 1
ok "the page says so" says 'no-such-program: not found'
as_it_was

# No room
scenario 'collective: all_reduce, ranks: 2, size: 64KiB, steps: 50'
mkdir "$tmp/disk"
defer umount "$tmp/disk"
mount -t tmpfs -o size=16k tmpfs "$tmp/disk"
refused "a full disk" "$tmp/disk/.*: No space left on device" \
	rdmafault run -o "$tmp/disk/out" "$tmp/file.yaml"
as_it_was
refused "a directory that can't be made" "/proc/none: No such file or directory" \
	rdmafault run -o /proc/none "$tmp/file.yaml"
as_it_was

# Names of others
ip link add v1 type dummy
defer ip link del v1
refused "a netdev of our name" '"?v1"?' run
ok "it stays" ip link show v1
ip link del v1
as_it_was

# Without the module
modprobe -r rdmafault
loader=$(cat /proc/sys/kernel/modprobe)
defer sh -c "echo $loader >/proc/sys/kernel/modprobe"
echo /bin/false >/proc/sys/kernel/modprobe
refused "no module" "^rdmafault: module rdmafault is not loaded: modprobe rdmafault$" run
as_it_was
echo "$loader" >/proc/sys/kernel/modprobe

# What can be seen before
scenario "$endless" "drop v2 tx all
      - do: drop v2 tx all"
refused "faults that contradict" "file.yaml:12:9: fault: want one that doesn't contradict" run
scenario "$endless" "drop v3 tx all"
refused "a port that isn't there" 'file.yaml:11:13: .*"v3"' run
as_it_was
