#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a scenario on two machines, started by mpirun and by srun: a fault on the second machine hits the same
# packet as on one machine, the report has both machines and one clock, and a run that fails, is
# killed or is aborted leaves nothing on any machine.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/slurm.sh"

command -v on >/dev/null || skip_all "two machines are needed: scripts/vm run --machines 2"
command -v slurmd >/dev/null || skip_all "Slurm is needed: scripts/vm run --layer slurm"
tmp=$(mktemp -d)
defer rm -r "$tmp"
on vm2 "mkdir -p $tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mpi()
{
	mpirun --host vm1:1,vm2:1 --mca plm_rsh_agent on --mca oob_tcp_if_include eth0 -x PATH "$@"
}

# both COMMAND: run a shell command on both machines
both()
{
	eval "$1" && on vm2 "$1"
}

# give FILE: copy a file to the same place on vm2
give()
{
	on vm2 "cat >$1 <<'EOF'
$(cat "$1")
EOF"
}

parts()
{
	rdmafault fabric up 4 nodes 1-2 uplink eth0.77 &&
		on vm2 "rdmafault fabric up 4 nodes 3-4 uplink eth0.77"
}

# The fault of "tail" and that of "slow" are on vm2. The timer is longer than any delay of a machine
# that shares a processor with others.
cat >"$tmp/two.yaml" <<'EOF'
name: two
title: A fault on the second machine
fabric: {nodes: 4}
workload: {collective: all_reduce, ranks: 4, size: 256KiB, steps: 8, warmup: 1, compute: 50ms}
qp: {timeout: 18, retry-cnt: 6, mtu: 4096}
expect: [wrong == 0, send_errors == 0, naks == 0]
cases:
  - name: clean
    expect: [faults.hit == 0, timeouts == 0]
  - name: tail
    faults:
      - do: drop v3 tx class write position last step 6 nth 6 attempt 1 count 1
    expect: [faults.hit == 1, detected_by == timeout, timeouts == 1, stall >= 300ms]
  - name: slow
    faults:
      - {do: link set v4 delay 5ms, from: step 4, for: 2 steps}
    expect: [faults.hit == 0]
EOF
give "$tmp/two.yaml"

# victim DIR: prints the packet that was hit: port, step, opcode and PSN
victim()
{
	jq -r 'select(.type == "hit" and .fault) | "\(.port) \(.step) \(.opcode) \(.psn_rel)"' \
		"$1/tail/events.jsonl"
}

nothing_left()
{
	both '! pgrep -x collperf && test -z "$(rdmafault --json rule show | jq -r ".[]")" &&
		test -z "$(rdmafault --json port show | jq -r ".[]")"'
}

both "ip link add link eth0 name eth0.77 mtu 4200 type vlan id 77 && ip link set eth0.77 up" ||
	{ echo "Bail out! no VLAN"; exit 1; }

mpi rdmafault run -o "$tmp/none" "$tmp/two.yaml" >"$tmp/out" 2>"$tmp/err"
is "without a fabric, the run has status 2" $? 2
ok "without a fabric, the run says what to do" grep -q \
	'run: machine vm1 has no fabric; create its nodes with "rdmafault fabric up 4 nodes 1-B uplink IFNAME"' \
	"$tmp/err"

parts || { echo "Bail out! no fabric"; exit 1; }
mpi rdmafault run -o "$tmp/two" "$tmp/two.yaml" >"$tmp/out" 2>"$tmp/err"
is "a scenario on two machines passes" "$?" 0
[ "$(jq -r .verdict "$tmp/two/summary.json")" = pass ] || cat "$tmp/out" "$tmp/err"
is "environment.json has both machines and their nodes" "$(jq -c \
	'[.machines[] | .host, .first_node, .last_node]' "$tmp/two/environment.json")" \
	'["vm1",1,2,"vm2",3,4]'
is "environment.json has the settings of the ports of both machines" \
	"$(jq -c '[.ports[].netdev]' "$tmp/two/environment.json")" '["v1","v2","v3","v4"]'
ok "the page names both machines, and how exactly times between them are known" grep -qz \
	'on[[:space:]]*2[[:space:]]*machines:[[:space:]]*vm1,[[:space:]]*vm2;[[:space:]]*times[[:space:]]*between' \
	"$tmp/two/page.txt"
ok "the error of the clock of vm2 is recorded, and below 20 ms" jq -es \
	'map(select(.type == "clock")) | length == 1 and .[0].machine == "vm2" and
	.[0].error_ns < 20e6 and .[0].error_ns > 0' "$tmp/two/tail/events.jsonl"
is "the events of a case have all four ports" "$(jq -rs \
	'map(select(.type == "hit").port) | unique | join(" ")' "$tmp/two/tail/events.jsonl")" \
	"v1 v2 v3 v4"
# A packet has the same addresses, QP, PSN and attempt at its sender and its receiver.
jq -s 'def key: [.source, .destination, .qp, .psn, .opcode, .attempt] | map(tostring) | join(" ");
	map(select(.type == "clock").error_ns)[0] as $error |
	map(select(.type == "hit" and .attempt)) |
	(map(select(.direction == "tx")) | INDEX(key)) as $tx |
	[.[] | select(.direction == "rx") | . + {sent: $tx[key]} | select(.sent) |
	select((.port < "v3") != (.sent.port < "v3")) | .t_ns - .sent.t_ns] |
	{n: length, before: map(select(. < -2 * $error)) | length}' \
	"$tmp/two/tail/events.jsonl" >"$tmp/seen"
ok "packets are seen on both machines: $(jq .n "$tmp/seen")" jq -e '.n > 20' "$tmp/seen"
is "no packet arrives at one machine before it leaves the other" "$(jq .before "$tmp/seen")" 0
is "a fault that begins and ends on vm2 while the job runs is recorded" "$(jq -rs \
	'map(select(.type == "fault").what) | join(" ")' "$tmp/two/slow/events.jsonl")" "begin end"
ok "a run leaves nothing on both machines" nothing_left
ok "the record of a run on two machines can be read again" rdmafault report "$tmp/two"
is "the report that was read again has the same verdict" \
	"$(jq -r .verdict "$tmp/two/summary.json")" pass

# An expectation on a time between machines that the clocks cannot decide
sed -e '/name: tail/,$d' -e 's/timeouts == 0]/timeouts == 0, "step.time.min != step.time.min"]/' \
	-e 's/name: two/name: fine/' "$tmp/two.yaml" >"$tmp/fine.yaml"
give "$tmp/fine.yaml"
mpi rdmafault run -o "$tmp/fine" "$tmp/fine.yaml" >"$tmp/out" 2>"$tmp/err"
ok "an expectation that is finer than the clocks has no value" grep -qz \
	'the[[:space:]]*clocks[[:space:]]*of[[:space:]]*the[[:space:]]*machines[[:space:]]*are[[:space:]]*not[[:space:]]*known' \
	"$tmp/fine/page.txt"

# refused_run TITLE WORDS: a run on two machines is refused, with one line that has WORDS
refused_run()
{
	mpi rdmafault run -o "$tmp/refused" "$tmp/two.yaml" >"$tmp/out" 2>"$tmp/err"
	is "$1: status 2" $? 2
	ok "$1: the message says it" grep -q "$2" "$tmp/err" || cat "$tmp/err"
}

on vm2 "rdmafault port add v3 && rdmafault drop v3 tx all count 1 persist" >/dev/null
refused_run "a rule of another command on vm2" "rdmafault: vm2: run: port v3 has rule 1"
on vm2 "rdmafault port del v3 --force" >/dev/null
on vm2 "echo >>$tmp/two.yaml"
refused_run "another scenario on vm2" "process 1 on vm2 has a scenario with the SHA-256"
give "$tmp/two.yaml"
mpirun --host vm1:2 -x PATH rdmafault run "$tmp/two.yaml" >"$tmp/out" 2>"$tmp/err"
ok "two processes on one machine are refused" \
	grep -q "another run is active on this machine; start one process on each" "$tmp/err"

# Enough steps to be killed in.
sed -e '/name: tail/,$d' -e 's/steps: 8/steps: 400/' "$tmp/two.yaml" >"$tmp/long.yaml"
give "$tmp/long.yaml"
runs_on_both()
{
	both 'test "$(pgrep -xc collperf)" = 2'
}

mpi rdmafault run -o "$tmp/killed" "$tmp/long.yaml" >"$tmp/out" 2>"$tmp/err" &
wait_until 60 runs_on_both
# Not its supervisor, which then cleans up.
on vm2 "pkill -KILL -n -x rdmafault"
wait $!
ok "a killed process is named" grep -q "run: machine vm2 is lost" "$tmp/err" || cat "$tmp/err"
ok "a killed process leaves nothing on both machines" wait_until 30 nothing_left

mpi rdmafault run -o "$tmp/cut" "$tmp/long.yaml" >"$tmp/out" 2>"$tmp/err" &
wait_until 60 runs_on_both
# Longer than TCP needs to notice it, 20 s. A link that is down would also stop the emulator of vm1.
on vm2 "tc qdisc add dev eth0 clsact"
on vm2 "nohup sh -c 'tc filter add dev eth0 egress matchall action drop
	tc filter add dev eth0 ingress matchall action drop
	sleep 60; tc qdisc del dev eth0 clsact' >/dev/null 2>&1 </dev/null &"
ok "a machine that is cut off is named" wait_until 40 grep -q \
	"vm1: run: machine vm2 is lost: it does not answer" "$tmp/err" || cat "$tmp/err"
wait $!
ok "a machine that is cut off leaves nothing on both machines" wait_until 60 nothing_left

mpi rdmafault run -o "$tmp/stopped" "$tmp/long.yaml" >"$tmp/out" 2>"$tmp/err" &
wait_until 60 runs_on_both
kill -INT $!
wait $!
ok "Ctrl-C leaves nothing on both machines" wait_until 30 nothing_left

sed -e '/name: slow/,$d' -e '/name: tail/,$d' \
	-e 's/collective: all_reduce, ranks: 4, size: 256KiB/train: dp, ranks: 4/' \
	-e 's/warmup: 1, //' \
	"$tmp/two.yaml" >"$tmp/train.yaml"
give "$tmp/train.yaml"
mpi rdmafault run -o "$tmp/train" "$tmp/train.yaml" >"$tmp/out" 2>"$tmp/err"
is "training on two machines passes" $? 0
[ "$(jq -r .verdict "$tmp/train/summary.json")" = pass ] || cat "$tmp/out" "$tmp/err"

slurm >"$tmp/slurm" 2>&1 || { diagnose <"$tmp/slurm"; echo "Bail out! no Slurm"; exit 1; }
srun --mpi=pmix -N 2 --ntasks-per-node=1 rdmafault run -o "$tmp/srun" "$tmp/two.yaml" \
	>"$tmp/out" 2>"$tmp/err"
is "the scenario passes on two machines, started by srun" $? 0
[ "$(jq -r .verdict "$tmp/srun/summary.json")" = pass ] || cat "$tmp/out" "$tmp/err"
is "the same packet is hit with srun and with mpirun" "$(victim "$tmp/srun")" "$(victim "$tmp/two")"
ok "a run of srun leaves nothing on both machines" nothing_left
both "rdmafault fabric down"

# The same file on one machine
rdmafault run -o "$tmp/one" "$tmp/two.yaml" >"$tmp/out" 2>"$tmp/err"
is "the same file passes on one machine" $? 0
is "the same packet is hit on one machine and on two" "$(victim "$tmp/two")" "$(victim "$tmp/one")"

