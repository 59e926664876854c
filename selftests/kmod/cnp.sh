#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the notification point of DCQCN. The CNPs are compared with frames that were built
# without the module, tshark decodes them, and their number is computed from the captured
# packets with CE.
#
#   rxe1 - v1 (port, marks) - p1 - bridge - p2 - v2 (port, sends CNPs) - rxe2
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/capture.sh"
. "$selftests/lib/queues.sh"

need_python

fabric 2
ports v1 v2
queue_ports t1 t2
capture=$(mktemp)
defer rm "$capture" "$capture.log"

# The data has CE when it leaves v1. The link of v1 makes the messages last long enough.
rule v1 tx class write mark ce unless-ect mark >/dev/null
rdmafault link set v1 rate 20mbit >/dev/null
rdmafault link set v2 rate 100mbit >/dev/null

# send MESSAGES: capture at v2 while messages of 64 KiB are sent
send()
{
	capture_begin "$capture.log" --immediate-mode -U -i v2 -w "$capture" 'udp port 4791'
	remember
	is "$1 messages arrive" "$(probe 1 2 write "$1" 65536)" "done=$1 wrong=0 status=0"
	is "nothing is retransmitted" "$(moved rxe1 completer_retry_err)" 0
	unseen "$1 messages"
	# The last CNP and its capture
	wait_until "$soon" cnps_captured
	capture_end
}

cnps_captured()
{
	[ "$(captured)" = "$(port_stat v2 rx cnps_sent)" ]
}

# captured: prints the number of CNPs in the capture
captured()
{
	tcpdump -r "$capture" 'udp[8] = 0x81' 2>/dev/null | wc -l
}

# expected NANOSECONDS: prints how many CNPs the packets with CE in the capture cause, if each
# one needs more than this time since the last one. The first packets, which arrive before the
# first ACK, cause none.
expected()
{
	tcpdump -tt -r "$capture" 2>/dev/null --time-stamp-precision=nano \
		'udp[8] = 0x81 or (ip[1] & 3 = 3 and udp[8] < 0x0c)' -x |
		awk -v gap="$1" '
			$2 == "IP" { at = $1 * 1e9 }
			$1 == "0x0010:" { cnp = substr($8, 1, 2) == "81"; known += cnp
				if (known && !cnp && (!last || at - last > gap)) { n++; last = at }
				if (cnp && !last) { n++; last = at }
			}
			END { print n + 0 }'
}

near()
{
	local difference=$(($1 - $2))

	[ ${difference#-} -le 1 ]
}

control_ok()
{
	rdmafault stat --reset v2 >/dev/null
	send 2
	is "control: without DCQCN, no CNP is sent" \
		"$(captured) $(port_stat v2 rx cnps_sent) $(port_stat v2 rx ce)" "0 0 0"
}

# 10 ms, as 50 us with the time scale 200
count_ok()
{
	local got wanted

	rdmafault stat --reset v2 >/dev/null
	rdmafault dcqcn set v2 np on scale 200 >/dev/null
	send 8
	got=$(captured)
	wanted=$(expected 10000000)
	ok "$got CNPs are sent, and the capture causes $wanted, one more or less" \
		near "$got" "$wanted"
	ok "these are many" test "$got" -ge 15
	is "each packet with CE is counted once" "$(port_stat v2 rx ce)" \
		"$(($(port_stat v2 rx cnps_sent) + $(port_stat v2 rx cnps_suppressed) + $(port_stat v2 rx cnps_unsent)))"
	is "CNPs leave in the queue of control frames" "$(prio_stat v2 6 packets)" 0
}

# tshark decodes opcode, BECN, PSN, DSCP and ECN.
dissect_ok()
{
	local fields

	fields=$(tshark -r "$capture" -Y 'infiniband.bth.opcode == 0x81' -T fields \
		-e infiniband.bth.opcode -e infiniband.bth.psn -e ip.dsfield.dscp \
		-e ip.dsfield.ecn -e ip.len 2>/dev/null | sort -u)
	is "tshark decodes each CNP: opcode 129, PSN 0, DSCP 48, not ECT, 60 bytes" \
		"$(tr '\t' ' ' <<<"$fields")" "129 0 48 0 60"
}

dscp_queue_ok()
{
	rdmafault stat --reset v2 >/dev/null
	rdmafault dcqcn set v2 cnp-queue dscp >/dev/null
	send 2
	ok "cnp-queue dscp: CNPs are sent" test "$(captured)" -gt 0
	is "cnp-queue dscp: they leave in the priority of DSCP 48" "$(prio_stat v2 6 packets)" \
		"$(captured)"
}

refusals_ok()
{
	refused_all "dcqcn set v2" <<-'EOT'
		np|np: value missing; on or off
		np 2|np 2: invalid; on or off
		np-scope nic|np-scope nic: invalid; qp, pair or port
		np-cnp-dscp 64|np-cnp-dscp 64: out of range; 0 to 63
		np-min-time-between-cnps 11s|np-min-time-between-cnps 11s: invalid; 0s to 10s
		cnp-queue 7|cnp-queue 7: invalid; control or dscp
		scale 0|scale 0: out of range; 1 to 1000000
		scale 1000001|scale 1000001: out of range; 1 to 1000000
		speed 4|unknown word "speed"
	EOT
	rdmafault dcqcn off v2 >/dev/null
	is "dcqcn off keeps the other settings" \
		"$(rdmafault --json dcqcn show v2 | jq -r '.[0] | [.np, .cnp_queue, .scale] | join(" ")')" \
		"off dscp 200"
	rdmafault reset v2 >/dev/null
	is "reset restores the defaults" \
		"$(rdmafault dcqcn show v2 | grep -o ' \(np\|np-[a-z-]*\|cnp-queue\|scale\) [a-z0-9]*' | tr -d '\n')" \
		" np off np-min-time-between-cnps 50us np-scope qp np-cnp-dscp 48 cnp-queue control scale 1"
}

python_test "$selftests/kmod/cnp.py"
control_ok
count_ok
dissect_ok
dscp_queue_ok
refusals_ok
