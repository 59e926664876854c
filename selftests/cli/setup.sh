#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the setup and the teardown of a scenario: processes of the setup, and those that they leave
# behind, run in all cases and end after the teardown. The teardown also runs after a failure of
# the setup, after SIGINT, and after the run was killed.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/scenario.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
fabric 2

# says REGEX: succeeds if the last run has printed a line that matches REGEX
says()
{
	cat "$tmp/said"
	grep -Eq "$1" "$tmp/said"
}

# A process of the setup leaves a process behind, which must outlive the first case.
cat >"$tmp/file.yaml" <<YAML
name: processes
title: Setup and teardown
fabric: {nodes: 2}
setup:
  - {name: once, run: 'echo \$RF_ADDRESS; setsid sleep 98765 & exit 0', node: 2}
  - {name: daemon, run: 'echo up; exec sleep 98765', ready: {line: up}}
teardown: ['pgrep -c -f "^sleep 98765" >$tmp/left', 'false']
workload: {command: 'pgrep -c -f "^sleep 98765"'}
cases:
  - name: clean
  - name: again
YAML
runs 2 "a teardown that fails breaks the run"
ok "the error names the command line" says 'out: teardown: "false" ended with exit status 1: '
is "a process of the setup has the variables of its node" "$(<"$tmp/out/once.txt")" 10.77.0.2
is "the processes of the setup run in each case, and until the teardown" \
	"$(cat "$tmp/out/clean/job.txt" "$tmp/out/again/job.txt" "$tmp/left" | tr '\n' ' ')" "2 2 2 "
ok "no process of the setup stays behind" eval "! pgrep -f '^sleep 98765'"
sed -i "s/, 'false'//; s/^  - {name: daemon.*/  - {name: bad, run: 'echo \"x.c:1: error: why\"; echo ended; exit 5'}/" "$tmp/file.yaml"
rm "$tmp/left"
runs 2 "a setup that fails breaks the run"
ok "the error names its process" says 'out: process bad: failed with exit status 5: x.c:1: error: why$'
ok "the teardown runs after a setup that failed" test -s "$tmp/left"
sed -i "/name: bad/d; s/^workload:.*/workload: {command: 'sleep 98765'}/" "$tmp/file.yaml"
for signal in INT KILL; do
	rm -rf "$tmp/left" "$tmp/out"
	rdmafault run -o "$tmp/out" "$tmp/file.yaml" >"$tmp/said" 2>&1 &
	pid=$!
	wait_until 60 test -e "$tmp/out/clean/job.txt"
	if [ $signal = KILL ]; then
		pkill -KILL -P $pid -f "^rdmafault run"
	else
		kill -INT $pid
	fi
	wait $pid
	ok "the teardown runs after SIG$signal" test -s "$tmp/left"
	ok "no process stays behind after SIG$signal" eval "! pgrep -f '^sleep 98765'"
done
