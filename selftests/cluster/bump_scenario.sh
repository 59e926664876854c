#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test scenarios on a bridge between two machines that do not have the module: faults of all kinds
# hit the packets of perftest, the report says how each loss was detected, and a run restores the
# ports. lib/bump.sh shows the machines.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/bump.sh"
. "$selftests/lib/scenario.sh"

# shown SECTION: prints the commands of a section of bridge.rst, without those that add ports
shown()
{
	awk -v title="$1" '{ line[NR] = $0 }
		END { while (line[++i] != title);
			for (i += 2; i <= NR && line[i + 1] !~ /^=+$/; i++)
				if (line[i] ~ /^  (  )?[^ ]/ && line[i] !~ /port add/) print line[i] }' \
		"$selftests/../Documentation/bridge.rst"
}

# on_page: run the commands with which bridge.rst shows how to try a bridge
on_page()
{
	local try

	try=$(shown "Try it in virtual machines")
	cd "$selftests/.." &&
		eval "${try%%  on vm3*}" && eval "$(shown "Build the bridge")" &&
		wait_until 20 has_gid 2 && wait_until 20 has_gid 3 &&
		eval "  on vm3${try#*  on vm3}"
}

on_page >"$tmp/said" 2>&1
is "the commands of bridge.rst end with 0" $? 0
grep -E '^  (FAIL|BROKEN)|rdmafault: ' "$tmp/said" | sed 's/^/#/'
ok "the report says how the loss of the page was detected" grep -Fq \
	"The receiver requested the packet by a NAK" <(tr -s ' \n' ' ' <"$tmp/said")
ok "the report begins with what the other machines retransmitted" grep -Eq \
	"The fault \"drop eth3 tx .*\" made the other machines retransmit [0-9,]+ packets?\." \
	<(tr -s ' \n' ' ' <"$tmp/said") || sed 's/^/#/' "$tmp/said"
for k in 2 3; do
	on vm$k "pkill ib_write_bw; rdma link del rxe1; ip address flush dev eth1"
done
ip link del br0
bump
rdmafault port del eth2 >/dev/null
rdmafault port del eth3 >/dev/null

# The traffic of a case: $PROGRAM of perftest from vm2 to vm3, with $OPTIONS
cat >"$tmp/traffic" <<-'END'
	#!/bin/bash
	all="-d rxe1 -x 1 -F $OPTIONS"
	on vm3 "timeout 100 $PROGRAM $all >/dev/null 2>&1 </dev/null &
		until ss -ltn | grep -q ':18515 '; do sleep 0.1; done" || exit
	on vm2 "timeout 100 $PROGRAM $all 10.78.0.3"
	END
chmod +x "$tmp/traffic"

# Each message of the *_lat programs waits for its ACK or response, so no later packet reveals a loss.
# With -u 18 the timer of the sender expires after 1.07 s.
cat >"$tmp/file.yaml" <<-END
	name: bridge
	title: A bridge between two machines
	fabric: {bridge: [eth2, eth3]}
	workload: {command: $tmp/traffic}
	qp: {timeout: 16}
	expect: [command.exit == 0, rx.packets > 40]
	cases:
	  - name: clean
	    workload: {env: &bw {PROGRAM: ib_write_bw, OPTIONS: -n 20 -s 65536 -t 8 -u 18}}
	    expect: [retransmitted == 0, naks == 0, faults.hit == 0]
	  - name: middle
	    workload: {env: *bw}
	    faults: [{do: drop eth2 rx class write position middle nth 100 count 1}]
	    expect: [faults.hit == 1, detected_by == nak, naks == 1, timeouts == 0,
	      "retransmitted in 1..200", "nak.reaction > 0ms", recovery_time < 1 s, gbn.violations == 0]
	  - name: middle-tx
	    workload: {env: *bw}
	    faults: [{do: drop eth3 tx class write position middle nth 100 count 1}]
	    expect: [faults.hit == 1, detected_by == nak, naks == 1, timeouts == 0, gbn.violations == 0]
	  - name: tail
	    workload: {env: &lat {PROGRAM: ib_write_lat, OPTIONS: -n 100 -u 16}}
	    faults: [{do: drop eth2 rx class write nth 50 count 1}]
	    expect: [faults.hit == 1, detected_by == timeout, naks == 0, timeouts >= 1,
	      "recovery_time in 200 ms..500 ms"]
	  - name: ack
	    workload: {env: *lat}
	    faults: [{do: drop eth2 tx class ack nth 50 count 1}]
	    expect: [faults.hit == 1, naks == 0]
	  - name: read
	    workload: {env: {PROGRAM: ib_read_bw, OPTIONS: -n 20 -s 65536 -t 8 -u 16}}
	    faults: [{do: drop eth2 tx class read-response position middle nth 100 count 1}]
	    expect: [faults.hit == 1, detected_by == implied, timeouts == 0, retransmitted >= 1]
	  - name: atomic
	    workload: {env: {PROGRAM: ib_atomic_lat, OPTIONS: -n 100 -u 16}}
	    faults: [{do: drop eth3 rx class ack nth 50 count 1}]
	    expect: [faults.hit == 1, detected_by == timeout, timeouts >= 1, "recovery_time in 200 ms..500 ms"]
	  - name: bursts
	    workload: {env: {PROGRAM: ib_write_bw, OPTIONS: -n 50 -s 65536 -t 8 -u 16}}
	    faults: [{do: drop eth3 tx class write gemodel 2% 50%}]
	    expect: [faults.hit in 2..100, faults.dropped >= 2, retransmitted >= 2, gbn.violations == 0]
	  - name: mark
	    workload: {env: *bw}
	    faults: [{do: mark eth3 tx unless-ect mark class write every 10}]
	    expect: [faults.hit == 32, naks == 0]
	  - name: delay
	    workload: {env: *lat}
	    faults: [{do: delay eth2 tx 5ms all}, {do: delay eth3 tx 5ms all}]
	    expect: [faults.hit >= 200, naks == 0, command.time > 1s]
	  - name: blackhole
	    workload: {env: *bw}
	    faults: [{do: blackhole eth2 rx 400ms both class write nth 100 count 1}]
	    expect: [faults.hit == 1, timeouts >= 1, faults.dropped >= 2]
	  - name: pause
	    workload: {env: *bw}
	    faults: [{do: pause eth3 prio 0 storm for 100ms}]
	    expect: [retransmitted == 0, "port[eth3].pause.time in 75 ms..160 ms", "port[eth2].pause.time == 0 ms"]
	  - name: queue
	    workload: {env: *bw}
	    faults:
	      - do: link set eth3 rate 100mbit
	      - do: drop eth3 tx class write position middle nth 100 count 1
	    expect: [faults.hit == 1, detected_by == nak, "port[eth3].queue.peak >= 4 KiB"]
  - name: full
    workload: {env: {PROGRAM: ib_write_bw, OPTIONS: -n 5 -s 65536 -t 4 -u 16}}
    faults:
      - do: link set eth3 rate 100mbit
      - do: prio set eth3 prio-limit 0:8p
    expect: ["port[eth3].dropped >= 8", retransmitted >= 8, gbn.violations == 0]
	END
rdmafault monitor >"$tmp/monitor" 2>&1 &
defer kill $!
runs 0 "all cases meet their expectations"
grep -E '^  (FAIL|BROKEN)' "$tmp/said" | sed 's/^/#/'

ok "a monitor that runs meanwhile prints the hits" grep -q 'eth2 rx .*hit rule' "$tmp/monitor"
is "the run removes the ports that it has made" "$(rdmafault --json port show | jq length)" 0

# loss CASE FILTER: print a value of the first loss of a case
loss()
{
	jq -r ".cases[] | select(.name == \"$1\") | .losses[.first_loss] | $2" "$tmp/out/summary.json"
}

is "the lost WRITE is of vm2" "$(loss middle '.packet | .port + " " + .source + " " + .destination')" \
	"eth2 10.77.0.2 10.77.0.3"
is "the lost response is of vm3" "$(loss read '.packet | .port + " " + .source + " " + .destination')" \
	"eth2 10.77.0.3 10.77.0.2"
ok "the report of the page names the bridge" grep -q 'a bridge with the ports eth2 and eth3' \
	"$tmp/out/report.html"

# ---- pause frames to a machine that obeys PFC ----

# perftest starts during the storm, and can send only after its end.
cat >"$tmp/file.yaml" <<-END
	name: frames
	title: The bridge pauses a machine
	fabric: {bridge: [eth2, eth3]}
	workload: {command: $tmp/traffic}
	qp: {timeout: 20}
	expect: [command.exit == 0, retransmitted == 0]
	cases:
	  - name: clean
	    workload: {env: &priority3 {PROGRAM: ib_write_bw, OPTIONS: -n 20 -s 65536 -t 8 -u 20 --tclass 96}}
	    expect: port[eth2].xoff.sent == 0
	  - name: storm
	    workload: {env: *priority3}
	    faults:
	      - do: link set eth2 rate 1gbit
	      - do: prio set eth2 prio-pfc 3:on
	      - do: pause eth2 prio 3 storm for 3s frames
	    expect: ["port[eth2].xoff.sent >= 50", command.time > 2.8s]
	END
on vm2 "modprobe rdmafault && rdmafault port add rxe1 && rdmafault prio set rxe1 prio-pfc 3:on &&
	rdmafault link set rxe1 rate 1gbit" >/dev/null
defer on vm2 "rdmafault port del rxe1 --force"
runs 0 "pause frames of a scenario stop a machine that obeys PFC"
grep -E '^  (FAIL|BROKEN)|^[^ ]*rdmafault: ' "$tmp/said" | sed 's/^/#/'
is "this machine receives each XOFF" "$(on vm2 "rdmafault --json prio show rxe1" | jq '.[0].prio[3].xoff_rx')" \
	"$(jq '.cases[1].ports[] | select(.port == "eth2").prios[] | select(.prio == 3).xoff_tx' \
		"$tmp/out/summary.json")"

# ---- what a bridge does not have, and bad input ----

scenario()
{
	cat >"$tmp/file.yaml" <<-END
		name: bad
		title: Bad
		fabric: {bridge: [$1]}
		workload: {command: $2}
		cases:
		  - name: clean
		    expect: ${3:-naks == 0}
		END
}

# refusal TEXT: test that the output of the run has this line
refusal()
{
	ok "it says: $1" grep -Fq "$1" <(tr -s ' \n' ' ' <"$tmp/said") ||
		sed 's/^/# /' "$tmp/said"
}

export PROGRAM=ib_write_bw OPTIONS="-n 20 -u 16"
scenario eth2,eth3 "$tmp/traffic" "rxe.retry == 0"
runs 1 "an expectation on a counter of rxe is not met"
refusal "no value (the RDMA devices are on other machines)"
scenario eth2,eth3 "sleep 1"
runs 2 "a case without traffic is broken"
refusal "no RoCE packet of the other machines passed the bridge; let them exchange data while the command runs"
scenario eth2,eth9 "sleep 1"
runs 2 "a netdev that does not exist is refused"
refusal "fabric: bridge: eth9: no such netdev in this network namespace; \"ip link\" lists them"
scenario eth2,br0 "sleep 1"
runs 2 "a netdev without a bridge is refused"
refusal "fabric: bridge: br0: not a port of a bridge; \"ip link set br0 master BRIDGE\" makes it one"
ip link add br9 type bridge
defer ip link del br9
ip link add d9 master br9 type dummy
defer ip link del d9
scenario eth2,d9 "sleep 1"
runs 2 "ports of two bridges are refused"
refusal "fabric: bridge: eth2 is a port of br0, and d9 of br9; expected two ports of the same bridge"
rdmafault port add eth2 >/dev/null
rdmafault link set eth2 rate 1gbit >/dev/null
scenario eth2,eth3 "sleep 1"
runs 2 "a setting of an earlier command is refused"
refusal "run: port eth2 has link rate 1gbit from an earlier command"
is "and no port is added or changed" "$(rdmafault --json port show | jq -r '.[].netdev')" eth2
