#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the command "rdmafault record": its capture must have every packet. The capture is compared
# with rxe's counter of sent packets, and with a capture of tcpdump on the same netdev, which has
# only the packets that were not dropped. tshark reads the capture of "rdmafault record", and
# finds the dropped packet, which has the PSN of the responder's NAK.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"

instances=/sys/kernel/tracing/instances
tmp=$(mktemp -d)
defer rm -rf "$tmp"

fabric 2
ports v1

# The QP timeout is 2.1 s, on a slow machine 4.3 s, so that a busy machine does not cause
# timeouts. The traffic is 10 messages of 16 packets.
qp_timeout=${KSFT_MACHINE_SLOW:+20}
cat >"$tmp/traffic" <<-END
	#!/bin/bash
	. $selftests/lib/lib.sh
	trap - EXIT
	. $selftests/lib/rdma.sh
	write_bw 2 1 -n \${1:-10} -s 65536 -u ${qp_timeout:-19} -Q 1
END
chmod +x "$tmp/traffic"
traffic=$tmp/traffic

# send: send 100 packets of 1058 bytes from v1
send()
{
	local psn

	for ((psn = 1; psn <= 100; psn++)); do
		roce4 7 7 $psn 1000
	done | sendframe v1
}

# json NAME KEY: prints the member KEY of the JSON file NAME
json()
{
	jq -r ".$2" "$tmp/$1"
}

# frames FILE: prints each packet as a line of hexadecimal digits
frames()
{
	tcpdump -r "$1" -xx -t -n 2>/dev/null | awk '
		/^\t0x/ { sub(/.*: +/, ""); gsub(/ /, ""); hex = hex $0; next }
		hex { print hex; hex = "" }
		END { print hex }'
}

no_buffer_is_left()
{
	! ls -d $instances/rdmafault-* 2>/dev/null
}

capture_is_whole_ok()
{
	local sent0 tcpdump

	rdmafault rule add v1 tx psn +100 attempt 1 drop >/dev/null
	rdmafault rule add v1 rx class nak observe >/dev/null
	tcpdump -i v1 -B 65536 -w "$tmp/far.pcap" udp port 4791 2>"$tmp/tcpdump" &
	tcpdump=$!
	wait_until "$soon" grep -q listening "$tmp/tcpdump"
	sent0=$(hw rxe1 sent_pkts)
	ok "control, record: the traffic runs" sh -c \
		"rdmafault --json record -o $tmp/rec v1 -- $traffic >$tmp/out"
	wait_until "$soon" settled "$tmp/far.pcap"
	kill -INT $tcpdump
	wait $tcpdump
	sed -n '/^{/,$p' "$tmp/out" >"$tmp/summary"
	sent=$(($(hw rxe1 sent_pkts) - sent0))
	frames "$tmp/rec/packets.pcapng" >"$tmp/frames"
	tshark -r "$tmp/rec/packets.pcapng" -T fields -E separator='|' \
		-e frame.interface_name -e infiniband.bth.psn \
		-e infiniband.bth.opcode -e infiniband.aeth.syndrome \
		-e frame.comment >"$tmp/fields" 2>/dev/null
	paste -d'|' "$tmp/fields" "$tmp/frames" >"$tmp/packets"

	is "record loses no event" "$(json summary events_lost)" 0
	is "the summary of record has the number of packets in the capture" \
		"$(json summary packets)" "$(wc -l <"$tmp/frames")"
	is "the capture of record has as many sent packets as rxe counts" "$(grep -c '^v1-tx' "$tmp/packets")" \
		"$sent"
	is "the capture of record has the packets of tcpdump and the dropped one" \
		"$(grep -v '|dropped' "$tmp/packets" | sed 's/.*|//' | sort | cksum)" \
		"$(frames "$tmp/far.pcap" | sort | cksum)"
}

# settled FILE: wait until FILE does not grow any more
settled()
{
	local size=-1 now

	now=$(stat -c %s "$1")
	while [ "$now" != "$size" ]; do
		size=$now
		sleep 1
		now=$(stat -c %s "$1")
	done
}

# payload FRAME: prints a checksum of the payload
payload()
{
	local frame=${1##*|}

	echo "${frame:108:-8}" | cksum
}

dropped_packet_is_marked_ok()
{
	local dropped nak psn again

	dropped=$(grep '|dropped' "$tmp/packets")
	nak=$(grep '^v1-rx|.*|hit by rule 2: observe' "$tmp/packets")
	psn=$(cut -d'|' -f2 <<<"$nak")
	is "the comment of the dropped packet has the rule and the identity of the packet" \
		"$(cut -d'|' -f1-5 <<<"$dropped")" \
		"v1-tx|$psn|7||dropped by rule 1: drop; psn +100 attempt 1 flow 1"
	is "the NAK has a comment that a rule hit it" "$(cut -d'|' -f3 <<<"$nak")" 17
	is "no other packet has a comment" \
		"$(cut -d'|' -f5 "$tmp/packets" | grep -c .)" 2
	again=$(grep "^v1-tx|$psn|" "$tmp/packets" | grep -v '|dropped')
	is "the capture has one retransmission of the dropped packet" "$(wc -l <<<"$again")" 1
	is "the retransmission of the dropped packet has the same payload" "$(payload "$dropped")" "$(payload "$again")"
}

events_are_kept_ok()
{
	local events=$tmp/rec/events.jsonl

	is "the first line of events.jsonl has the number of events" \
		"$(head -n 1 "$events" | jq -c '[.type, .events, .events_lost]')" \
		"[\"record\",$(($(wc -l <"$events") - 1)),0]"
	is "events.jsonl has the hit of the dropped packet" \
		"$(jq -r 'select(.fault) | [.port, .direction, .rule, .action, .psn_rel, .attempt] | join(" ")' "$events")" \
		"v1 tx 1 drop 100 1"
	is "the rule files have a rule that repeats the drop, and none for observed packets" \
		"$(cd "$tmp/rec" && grep -v '^#' ./*.rules)" \
		"psn +100 opcode rc-write-middle attempt 1 flow 1 src 10.77.0.1 dst 10.77.0.2 count 1 drop"
}

later_flows_count_anew_ok()
{
	ok "control, second recording: the traffic runs" rdmafault record -o "$tmp/again" -- "$traffic"
	is "events.jsonl of a second recording has flow 2" \
		"$(jq 'select(.fault) | .flow' "$tmp/again/events.jsonl")" 2
	ok "the rule file of a second recording has flow 1" \
		grep -q 'attempt 1 flow 1 src' "$tmp/again/v1-tx.rules"
	rdmafault reset
}

rule_of_the_command_is_known_ok()
{
	ok "control, record of a leased rule: the packets are sent" rdmafault record -o "$tmp/lease" -- \
		rdmafault rule add v1 tx qp 7 psn +5 attempt 1 truncate 64 \
		delay 2ms jitter 1ms -- bash -c "
			. $selftests/lib/frames.sh; $(declare -f send); send"
	is "record writes a rule that repeats a hit of a rule leased by the command" \
		"$(sed -n 's/.* count 1 \(truncate 64 delay\) [0-9.]*[mun]*s$/\1/p' \
			"$tmp/lease/v1-tx.rules")" "truncate 64 delay"
}

until_a_signal_ok()
{
	local recorder lengths

	rdmafault rule add v1 tx all observe >/dev/null
	rdmafault record --out "$tmp/cut.pcapng" --snaplen 100 >"$tmp/out" 2>&1 &
	recorder=$!
	wait_until "$soon" grep -q 1 \
		"$instances/rdmafault-record-$recorder/events/rdmafault/rf_packet/enable"
	send
	kill -INT $recorder
	wait $recorder
	is "SIGINT ends record with exit status 0" $? 0
	is "record --snaplen truncates packets" \
		"$(frames "$tmp/cut.pcapng" | awk '{ print length($0) / 2 }' | sort -n | tail -n 1)" 100
	lengths=$(tcpdump -r "$tmp/cut.pcapng" -e -n 2>/dev/null |
		grep -c 'length 1058:')
	is "record --snaplen keeps the original lengths of packets" "$lengths" 100
	ok "record --out FILE.pcapng writes only this file" test ! -e "$tmp/cut.pcapng.rules"
	ok "the summary of record has packets, hits, events and lost events" grep -Eq \
		"^$tmp/cut.pcapng: 100 packets, 100 hits, 100 events, 0 events lost\$" \
		"$tmp/out"
	ok "record leaves no trace buffer after SIGINT" no_buffer_is_left
}

# sent INTERFACE: prints PSN and payload of each packet of an interface in sent.pcapng
sent()
{
	tshark -r "$tmp/sent.pcapng" -Y "frame.interface_name == \"$1\"" -T fields \
		-e infiniband.bth.psn -e udp.payload 2>/dev/null
}

has_sent()
{
	[ "$(</sys/class/net/v1/statistics/tx_packets)" -ge "$1" ]
}

# Rules drop, duplicate, corrupt and delay one packet each.
as_sent_ok()
{
	local ids

	rdmafault reset >/dev/null
	rdmafault rule add v1 tx qp 7 psn 10 drop >/dev/null
	rdmafault rule add v1 tx qp 7 psn 20 duplicate >/dev/null
	rdmafault rule add v1 tx qp 7 psn 30 corrupt bit at 40 >/dev/null
	rdmafault rule add v1 tx qp 7 psn 40 delay 500ms >/dev/null
	rdmafault record -o "$tmp/sent.pcapng" --as-sent -- bash -c "
		. $selftests/lib/lib.sh; trap - EXIT; . $selftests/lib/frames.sh
		$(declare -f send has_sent); send
		wait_until $soon has_sent $(($(</sys/class/net/v1/statistics/tx_packets) + 100))" >"$tmp/out"
	is "record --as-sent counts packets as they arrive and as they leave" \
		"$(sed -n 's/.*pcapng: \(.* hits\), .*/\1/p' "$tmp/out")" \
		"100 packets, 100 packets sent, 4 hits"
	is "control: the capture has each packet as it arrived" \
		"$(sent v1-tx | cut -f1 | sort -n | cksum)" "$(seq 100 | cksum)"
	is "record --as-sent: no dropped packet, each copy, the delayed packet last" \
		"$(sent v1-tx-sent | cut -f1 | tr '\n' ' ')" \
		"$({ seq 9; seq 11 20; seq 20 39; seq 41 100; echo 40; } | tr '\n' ' ')"
	is "record --as-sent: only the corrupted packet has other bytes" \
		"$(diff <(sent v1-tx | sort -nu) <(sent v1-tx-sent | sort -nu) | sed -n 's/^> \([0-9]*\).*/\1/p')" \
		30
	ids=$(tshark -r "$tmp/sent.pcapng" -Y 'infiniband.bth.psn == 20' -T fields -e frame.packet_id 2>/dev/null |
		sort -u | wc -l)
	is "record --as-sent: a packet and its copies have one number" "$ids" 1
}

lost_events_ok()
{
	local status

	rdmafault record -o "$tmp/lost" --buffer 8KiB -- bash -c "
		. $selftests/lib/frames.sh; $(declare -f send); send" \
		>"$tmp/out" 2>"$tmp/err"
	status=$?
	is "record exits with status 3 if events were lost" $status 3
	ok "record prints the number of lost events" grep -Eq \
		'^rdmafault: [1-9][0-9]* events or packets were lost; ' \
		"$tmp/err"
	is "the first line of events.jsonl has the number of lost events" \
		"$(head -n 1 "$tmp/lost/events.jsonl" | jq '.events_lost > 0')" true
	ok "the capture has the first packets if events were lost" test \
		"$(frames "$tmp/lost/packets.pcapng" | wc -l)" -gt 0
	ok "record leaves no trace buffer if events were lost" no_buffer_is_left
	rdmafault reset
}

commands_status_is_passed_on_ok()
{
	is "record exits with the exit status of the command" 7 \
		"$(rdmafault record -o "$tmp/c1" -- sh -c 'exit 7' >/dev/null 2>&1; echo $?)"
	is "record exits with status 127 if the command does not exist" 127 \
		"$(rdmafault record -o "$tmp/c2" -- /nonexistent >/dev/null 2>&1; echo $?)"
	is "record prints a note if no packet was seen because there is no rule" \
		"$(rdmafault record -o "$tmp/c3" -- true 2>&1 >/dev/null)" \
		"rdmafault: no packets were recorded; packets of a direction (tx or rx) are recorded only while this direction has a rule, for example \"all observe\""
	ok "record leaves no trace buffer after a command" no_buffer_is_left
}

bad_input_fails()
{
	refused "record refuses --snaplen 0" '^rdmafault: --snaplen 0: out of range; 1 to 65535$' \
		rdmafault record --snaplen 0 -- true
	refused "record refuses --snaplen above the maximum" '^rdmafault: --snaplen 65536: out of range; 1 to 65535$' \
		rdmafault record --snaplen 65536 -- true
	refused "record refuses --buffer with an invalid size" '^rdmafault: --buffer much: invalid; ' \
		rdmafault record --buffer much -- true
	refused "record refuses an empty --out" '^rdmafault: -o "": empty; ' \
		rdmafault record -o "" -- true
	refused "record refuses an unknown option" '^rdmafault: record: unknown option "--follow"; ' \
		rdmafault record --follow -- true
	refused "record refuses \"--\" without a command" '^rdmafault: expected a command after "--"$' \
		rdmafault record -o "$tmp/none" --
	refused "record refuses a netdev that is not a port" '^rdmafault: p1: not a port; ' \
		rdmafault record -o "$tmp/none" p1 -- true
	refused "record refuses a directory that is not empty" \
		"^rdmafault: --out $tmp/rec: directory is not empty; use a new or empty directory$" \
		rdmafault record -o "$tmp/rec" -- true
	refused "record refuses a file in a directory that does not exist" \
		"^rdmafault: /nonexistent/a.pcapng: No such file or directory" \
		rdmafault record -o /nonexistent/a.pcapng -- true
	ok "a refused record writes nothing" test ! -e "$tmp/none"
}

unprivileged()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# A user without the privilege to record must not damage the files of an earlier recording.
no_right_keeps_ok()
{
	local file=$tmp/kept/old.pcapng

	install -d -m 777 "$tmp/kept"
	chmod 755 "$tmp"
	echo old >"$file"
	chmod 666 "$file"
	refused "record to a file needs CAP_NET_ADMIN" 'needs CAP_NET_ADMIN$' \
		unprivileged rdmafault record -o "$file" -- true
	is "record without CAP_NET_ADMIN does not change an existing file" "$(cat "$file")" old
	refused "record to a directory needs CAP_NET_ADMIN" 'needs CAP_NET_ADMIN$' \
		unprivileged rdmafault record -o "$tmp/kept/dir" -- true
	ok "record without CAP_NET_ADMIN makes no directory" test ! -e "$tmp/kept/dir"
}

capture_is_whole_ok
dropped_packet_is_marked_ok
events_are_kept_ok
later_flows_count_anew_ok
rule_of_the_command_is_known_ok
until_a_signal_ok
lost_events_ok
commands_status_is_passed_on_ok
as_sent_ok
bad_input_fails
no_right_keeps_ok
