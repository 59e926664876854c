#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a scenario whose job is a list of processes: ib_write_bw as server and client. Each
# process has the variables of its node. A process that fails, that does not become ready or
# that does not end is named.
#
#        client v1 ──── p1  s1  p2 ──── v2 server
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/scenario.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
fabric 2

# scenario PROCESS...: write a scenario whose job is these processes, each in YAML flow style, and
# whose cases are on standard input
scenario()
{
	{
		printf '%s\n' "name: processes" "title: Processes" "fabric: {nodes: 2}" \
			"workload:" "  command:"
		printf '    - {%s}\n' "$@"
		printf '%s\n' "deadline: ${deadline:-1m}" "cases:"
		cat
	} >"$tmp/file.yaml"
}

# says REGEX: succeeds if the last run has printed a line that matches REGEX
says()
{
	cat "$tmp/said"
	tr -s ' \n' ' ' <"$tmp/said" | sed 's/ $//' | grep -Eq "$1"
}

# breaks TITLE REGEX PROCESS...: the run of the processes must end with the verdict broken, and
# print an error that matches REGEX
breaks()
{
	local title=$1 regex=$2

	shift 2
	scenario "$@" <<<'  - name: clean'
	runs 2 "$title: the run is broken"
	ok "$title: one line names the process" says "rdmafault: .*/out/clean: $regex"
}

bw="ib_write_bw -d \$RF_DEVICE -x 1 -p 18611 -u 20 -F -s 65536 -n 40"
scenario "name: server, node: 2, ready: {port: 18611}, run: $bw" \
	"name: client, node: 1, run: '$bw 127.0.0.1; rm -f $tmp/data; cp /etc/\$FILE $tmp/data', files: {data: $tmp/data}, metrics: {bytes: {pattern: '^ *([0-9]+) +40 ', unit: B}, none: {json: a}}, env: {FILE: passwd}" \
	"name: watcher, stop: last, env: {A: b, B: c}, ready: {line: ^is up$}, run: 'trap \"echo ended; exit 3\" TERM; echo \$A \$B \$RF_NODE.; printf is; sleep 0.1; echo \" up\"; sleep 98765 & wait'" \
	"name: end, run: 'echo \$RF_NODE \$RF_DEVICE \$RF_NETDEV \$RF_ADDRESS \$RF_SCENARIO_DIR', node: 2" <<'YAML'
  - name: clean
  - name: lost
    workload: {env: {B: d}}
    faults:
      - do: drop v1 tx class write position middle attempt 1 count 1
    expect: [faults.hit == 1, client.exit == 0, client.time > 1 ms, client.bytes == 64 KiB, equal(client.data)]
  - name: other
    workload: {env: {FILE: group}}
    expect: [client.none < 3, equal(client.data)]
YAML
runs 1 "a server and a client run as a list of processes, without and with a lost packet"
is "the lost packet and the metrics of a process meet the expectations" "$(jq -r '.cases[1].verdict' "$tmp/out/summary.json")" pass
is "a metric without a value and a different file do not meet the expectations" \
	"$(jq -r '.cases[2].not_met | join("; ")' "$tmp/out/summary.json")" \
	"not met: client.none < 3: no value (the output has no JSON with a); not met: equal(client.data): got different"
ok "the report has the values of a process" says 'process client: exit 0, time [^,]*, bytes 64 KiB, none no value'
events="$tmp/out/lost/events.jsonl"
ok "the client has sent over the devices of the nodes" eval \
	"jq -se '[.[] | select(.type == \"port\" and .port == \"v1\")][0].tx_packets > 600' '$events'"
is "each process has its output" "$(cd "$tmp/out/clean" && echo *)" \
	"client.txt end.txt events.jsonl server.txt timeline.jsonl watcher.txt"
is "a process has the variables of its node" "$(<"$tmp/out/clean/end.txt")" "2 rxe2 v2 10.77.0.2 $tmp"
is "a process has its variables, and is ended by a signal after the others" \
	"$(sed '1b; $!d' "$tmp/out/clean/watcher.txt" | tr '\n' ' ')" "b c . ended "
is "a case changes the variables" "$(head -n 1 "$tmp/out/lost/watcher.txt")" "b d ."
is "the record has how each process ended" \
	"$(jq -rs '[.[] | select(.type == "process") | "\(.name) \(.status) \(.stopped)"] | join(", ")' "$events")" \
	"server 0 false, client 0 false, watcher 3 true, end 0 false"
cp "$tmp/out/summary.json" "$tmp/first.json"
is "rdmafault report reads the run again" \
	"$(rdmafault report --formats metrics "$tmp/out" >/dev/null 2>&1; echo $?)" 1
ok "metrics.prom has a metric of a process" \
	grep -q '^rdmafault_client_bytes{scenario="processes",case="clean",round="1"} 65536$' "$tmp/out/metrics.prom"
ok "it has the same summary" cmp "$tmp/out/summary.json" "$tmp/first.json"

scenario "name: train, mpirun: 2, env: {A: b}, run: 'echo \$A \$RF_RANK \$RF_NODE \$RF_DEVICE \$RF_NETDEV \$RF_ADDRESS \$OMPI_COMM_WORLD_RANK/\$OMPI_COMM_WORLD_SIZE'" <<<'  - name: clean'
runs 2 "two ranks of mpirun that send no RoCE packet break the run"
is "each rank of mpirun has the variables of its node" "$(sort "$tmp/out/clean/train.txt" | tr '\n' ' ')" \
	"b 0 1 rxe1 v1 10.77.0.1 0/2 b 1 2 rxe2 v2 10.77.0.2 1/2 "
ok "the report says that no packet passed the ports" \
	says 'no RoCE packet of the job passed the ports of the nodes; let its processes'
scenario "name: server, node: 1, ready: {port: 18611}, run: $bw" \
	"name: client, node: 1, run: '$bw 127.0.0.1'" <<<'  - name: clean'
runs 2 "a program whose both ends use one device breaks the run"
ok "the report says that its packets stayed inside the machine" \
	says 'no RoCE packet of the job .* packets stayed inside the machine'
rdmafault report "$tmp/out" >/dev/null 2>&1
is "rdmafault report has the same verdict" $? 2

scenario "name: good, run: 'true'" "name: bad, run: no-such-program" <<<'  - name: clean'
runs 1 "a command that does not exist fails the case"
ok "the report names its process" says 'job failed: process bad: status 127: .*no-such-program: not found'

breaks "a process that ends before it is ready" 'process a: ended before it was ready, with exit status 3: no$' \
	"name: a, run: 'echo no; exit 3', ready: {line: yes}"
breaks "a second server on the same port" 'process b: another process already listens on port 18611; use another port$' \
	"name: a, node: 1, run: $bw, ready: {port: 18611}" "name: b, node: 2, run: $bw, ready: {port: 18611}"
deadline=1s
breaks "a process that is never ready" 'process a: was not ready within 1 s and was killed: no line of its output matches \^up$' \
	"name: a, run: 'echo down; sleep 98765', ready: {line: '^up'}"
breaks "a process that does not end" 'process b: did not end within 1 s and was killed$' \
	"name: a, run: 'true'" "name: b, run: sleep 98765" "name: c, run: 'printf up; exec sleep 98765', ready: {line: up$}, stop: last"
ok "no process stays behind" eval "! pgrep -f '^sleep 98765' && ! pgrep ib_write_bw"
