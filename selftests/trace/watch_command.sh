#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the command "rdmafault watch" apart from the causes: exit status, output, the capture file,
# the ports that it makes, queue pairs that fail while the command goes on, and what else runs at
# the same time: a rule, a queue, "rdmafault monitor", a second watch, the end of a port and of the module.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp -d)
defer rm -rf "$tmp"
fabric 2
modprobe rdmafault
cd "$tmp" || exit

cat >probe <<-'END'
	#!/bin/bash
	rcprobe rxe1 rxe2 "$@" | grep -q "status=0$"
END
chmod +x probe

# watched OPTION... -- COMMAND...: the output is in the files out and err
watched()
{
	rdmafault watch "$@" >out 2>err
	status=$?
}

# fields FILE: prints a line per packet of a capture: length, captured bytes, interface, comment
fields()
{
	tshark -r "$1" -T fields -e frame.len -e frame.cap_len -e frame.interface_name \
		-e frame.comment 2>/dev/null
}

status_ok()
{
	watched -- sh -c 'echo "its output"; exit 7'
	is "the exit status of the command is passed on" "$status" 7
	is "the output of the command is not changed" "$(cat out)" "its output"
	watched -- sh -c 'kill -9 $$'
	is "so is a signal" "$status" 137
	watched -- ./no-such-program
	is "a command that does not exist" "$status" 127
	watched -- ./probe write 4 1024
	is "a command that succeeds: one line" "$(sed 's/[0-9]* packets/N packets/' err)" \
		"rdmafault: watch: ./probe: no failure; N packets of 2 ports"
	ok "and no capture file" [ -z "$(ls ./*.pcapng 2>/dev/null)" ]
}

ports_ok()
{
	watched -- sh -c 'rdmafault --json port show | jq -r "[.[].netdev] | join(\" \")" >ports'
	is "without ports, the netdevs of the RDMA devices are ports" "$(cat ports)" "v1 v2"
	is "until the command ends" "$(rdmafault --json port show | jq length)" 0
	rdmafault -q port add p1 --rules-only
	watched p2 rxe2 -- sh -c 'rdmafault --json port show | jq -r "[.[].netdev] | join(\" \")" >ports'
	is "the netdevs and RDMA devices that are named are ports" "$(cat ports)" "p1 p2 v2"
	is "other ports stay" "$(rdmafault --json port show | jq -r '.[].netdev')" p1
	rdmafault -q port del p1
}

refused_ok()
{
	local name words

	while IFS='|' read -r name words; do
		# shellcheck disable=SC2086 # words
		watched $words
		is "$name: exit status 2" "$status" 2
		is "$name: one line" "$(wc -l <err)" 1
	done <<-END
		no command|v1
		nothing after --|v1 --
		a capture file with another name|-o x.pcap -- true
		no packets|--packets 0 -- true
		too many packets|--packets 1048577 -- true
		too many whole packets|--packets 1000000 --bytes -- true
		no seconds|--seconds 0 -- true
	END
	watched no-such-dev -- touch started
	is "an unknown device: exit status 1" "$status" 1
	ok "the command was not started" [ ! -e started ]
	watched -- sh -c 'rdmafault watch -- true 2>second; echo $? >second.status'
	is "a second watch of the same ports is refused" "$(cat second.status)" 1
	ok "its line says why" grep -q "already recorded by another" second
	runuser -u nobody -- "$(command -v rdmafault)" watch -- true 2>err
	is "without CAP_NET_ADMIN, it is refused" "$?" 1
	ok "its line says so" grep -q CAP_NET_ADMIN err
}

capture_ok()
{
	rules_only v1 v2
	rdmafault -q drop v2 rx class write psn +2 count 1
	watched -o headers.pcapng -- sh -c './probe write 4 1024 0 14; exit 3'
	fields headers.pcapng >packets
	is "the capture has as many packets as the report" "$(wc -l <packets)" \
		"$(sed -n 's/.* watch: \([0-9]*\) packets of .*/\1/p' err)"
	is "a packet of 1098 bytes has its headers" "$(awk '$1 == 1098 { print $2 }' packets | sort -u)" 70
	is "a packet that was dropped has a comment" "$(grep -c dropped packets)" 1
	is "each direction of a port is an interface" "$(cut -f 3 packets | sort -u | xargs)" \
		"v1-rx v1-tx v2-rx v2-tx"
	watched -o bytes.pcapng --bytes --seconds 1 -- \
		sh -c './probe write 4 1024; sleep 2; ./probe write 1 1024; exit 3'
	fields bytes.pcapng >packets
	is "with --bytes, it has all bytes" "$(awk '$1 != $2' packets)" ""
	is "with --seconds, it has only the last packets" "$(wc -l <packets)" 4
	watched --packets 1 -o few.pcapng -- sh -c './probe write 500 1024; exit 3'
	ok "a small ring has overwritten packets" grep -q ' [1-9][0-9]* older ones overwritten' err
	rdmafault -q reset
}

# rules_only PORT...: make netdevs ports until the end of the test
rules_only()
{
	local port

	for port; do
		defer rdmafault -q port del "$port" --force
		rdmafault -q port add "$port" --rules-only
	done
}

# The program keeps its failed queue pairs for a second.
early_ok()
{
	watched -o early.pcapng -- sh -c './probe wrong-rkey 1 1024; exit 0'
	is "a queue pair fails, and the command ends with 0" "$status" 0
	ok "the failure is reported" grep -q "remote access error" err
	is "and only once" "$(grep -c 'rdmafault: watch:' err)" 2
	watched -o early.pcapng -- sh -c './probe wrong-lkey 1 1024; exit 0'
	ok "control, a queue pair fails without a packet: not reported" grep -q "no failure" err
}

# A queue pair fails behind a queue that delays packets, while a monitor runs and rules exist.
together_ok()
{
	rdmafault -q port add v1 --force
	rdmafault link set v1 rate 100mbit delay 1ms
	rdmafault -q drop v2 tx class ack
	rdmafault monitor hit >events 2>/dev/null &
	wait_until "$soon" ls -d /sys/kernel/tracing/instances/rdmafault-monitor-* >/dev/null
	watched --bytes -o both.pcapng -- ./probe write 20 4096 0 14
	kill -INT $!
	wait $!
	ok "behind a queue, with a monitor: the cause" grep -q "rc-acknowledge .* dropped by a rule at v2 tx" err
	ok "the monitor has the hits of the rule" grep -q "v2 tx .* drop" events
	is "the ring has as many dropped packets" "$(fields both.pcapng | grep -c dropped)" \
		"$(grep -c "v2 tx" events)"
	rdmafault -q reset
}

ends_ok()
{
	watched -- sh -c 'rcprobe rxe1 rxe2 write 100000 4096 >/dev/null & sleep 1; kill -9 $!
		rdmafault port del v1 --force; exit 5'
	is "a port ends under traffic: the exit status" "$status" 5
	ok "the report says that its packets are lost" grep -q "v1 was removed" err
	watched -- sh -c 'rcprobe rxe1 rxe2 write 100000 4096 >/dev/null & sleep 1
		rdmafault port del v2 --force; modprobe -r rdmafault; kill -9 $!; exit 6'
	is "the module ends under traffic: the exit status" "$status" 6
	modprobe rdmafault
}

status_ok
ports_ok
refused_ok
capture_ok
early_ok
together_ok
ends_ok
