#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault record keeps everything. Its capture is compared with tcpdump's of
# the same netdev, which sees what the port let through, and with rxe's own
# count of what it sent; tshark reads it, and finds the dropped packet with the
# PSN that the responder's NAK asks for.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"

instances=/sys/kernel/tracing/instances
tmp=$(mktemp -d)
defer rm -rf "$tmp"

fabric 2
ports v1

# A QP timeout of two seconds, so that a busy machine causes none of its own;
# 10 messages of 16 packets
qp_timeout=${KSFT_MACHINE_SLOW:+20}
cat >"$tmp/traffic" <<-END
	#!/bin/bash
	. $selftests/lib/lib.sh
	trap - EXIT
	. $selftests/lib/rdma.sh
	write_bw 2 1 -n \${1:-10} -s 65536 -u ${qp_timeout:-19} -Q 1 -F
END
chmod +x "$tmp/traffic"
traffic=$tmp/traffic

# send: 100 packets of 1058 bytes leave v1
send()
{
	local psn

	for ((psn = 1; psn <= 100; psn++)); do
		roce4 7 7 $psn 1000
	done | sendframe v1
}

# json NAME KEY: of the summary
json()
{
	jq -r ".$2" "$tmp/$1"
}

# frames FILE: each packet as a line of hexadecimal digits
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
	ok "the traffic runs" sh -c \
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

	is "nothing was lost" "$(json summary events_lost)" 0
	is "the summary counts the packets of the capture" \
		"$(json summary packets)" "$(wc -l <"$tmp/frames")"
	is "rxe has sent as many as left" "$(grep -c '^v1-tx' "$tmp/packets")" \
		"$sent"
	is "tcpdump saw the same packets, but the one that was dropped" \
		"$(grep -v '|dropped' "$tmp/packets" | sed 's/.*|//' | sort | cksum)" \
		"$(frames "$tmp/far.pcap" | sort | cksum)"
}

# settled FILE: it doesn't grow any more
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

# payload FRAME: between BTH and ICRC
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
	is "one packet says that it was dropped, by which rule, and which it is" \
		"$(cut -d'|' -f1-5 <<<"$dropped")" \
		"v1-tx|$psn|7||dropped by rule 1: drop; psn +100 attempt 1 flow 1"
	is "the NAK says that it was hit" "$(cut -d'|' -f3 <<<"$nak")" 17
	is "no other packet says anything" \
		"$(cut -d'|' -f5 "$tmp/packets" | grep -c .)" 2
	again=$(grep "^v1-tx|$psn|" "$tmp/packets" | grep -v '|dropped')
	is "it was sent once more" "$(wc -l <<<"$again")" 1
	is "with the same payload" "$(payload "$dropped")" "$(payload "$again")"
}

events_are_kept_ok()
{
	local events=$tmp/rec/events.jsonl

	is "the head of the events counts them" \
		"$(head -n 1 "$events" | jq -c '[.type, .events, .events_lost]')" \
		"[\"record\",$(($(wc -l <"$events") - 1)),0]"
	is "the packet that was dropped" \
		"$(jq -r 'select(.fault) | [.port, .direction, .rule, .action, .psn_rel, .attempt] | join(" ")' "$events")" \
		"v1 tx 1 drop 100 1"
	is "there is a rule that repeats it, and none for what only observed" \
		"$(cd "$tmp/rec" && grep -v '^#' ./*.rules)" \
		"psn +100 opcode rc-write-middle attempt 1 flow 1 src 10.77.0.1 dst 10.77.0.2 count 1 drop"
}

later_flows_count_anew_ok()
{
	ok "again: the traffic runs" rdmafault record -o "$tmp/again" -- "$traffic"
	is "again: it is the second flow" \
		"$(jq 'select(.fault) | .flow' "$tmp/again/events.jsonl")" 2
	ok "again: to a rule it is the first" \
		grep -q 'attempt 1 flow 1 src' "$tmp/again/v1-tx.rules"
	rdmafault reset
}

rule_of_the_command_is_known_ok()
{
	ok "lease: the packets leave" rdmafault record -o "$tmp/lease" -- \
		rdmafault rule add v1 tx qp 7 psn +5 attempt 1 truncate 64 \
		delay 2ms jitter 1ms -- bash -c "
			. $selftests/lib/frames.sh; $(declare -f send); send"
	is "lease: the rule that was there for the command alone is repeated" \
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
	is "INT ends it with status 0" $? 0
	is "snaplen: packets are cut" \
		"$(frames "$tmp/cut.pcapng" | awk '{ print length($0) / 2 }' | sort -n | tail -n 1)" 100
	lengths=$(tcpdump -r "$tmp/cut.pcapng" -e -n 2>/dev/null |
		grep -c 'length 1058:')
	is "snaplen: their lengths are not" "$lengths" 100
	ok "one file is written" test ! -e "$tmp/cut.pcapng.rules"
	ok "the summary says how many" grep -Eq \
		"^$tmp/cut.pcapng: 100 packets, 100 hits, 100 events, 0 events lost\$" \
		"$tmp/out"
	ok "no buffer is left" no_buffer_is_left
}

lost_events_are_told_ok()
{
	local status

	rdmafault record -o "$tmp/lost" --buffer 8KiB -- bash -c "
		. $selftests/lib/frames.sh; $(declare -f send); send" \
		>"$tmp/out" 2>"$tmp/err"
	status=$?
	is "lost: the exit status says" $status 3
	ok "lost: so does a line" grep -Eq \
		'^rdmafault: [1-9][0-9]* events were LOST, packets among them: ' \
		"$tmp/err"
	is "lost: and the head of the events" \
		"$(head -n 1 "$tmp/lost/events.jsonl" | jq '.events_lost > 0')" true
	ok "lost: what came first is there" test \
		"$(frames "$tmp/lost/packets.pcapng" | wc -l)" -gt 0
	ok "lost: no buffer is left" no_buffer_is_left
	rdmafault reset
}

commands_status_is_passed_on_ok()
{
	is "the command's status is passed on" 7 \
		"$(rdmafault record -o "$tmp/c1" -- sh -c 'exit 7' >/dev/null 2>&1; echo $?)"
	is "a command that isn't there is 127" 127 \
		"$(rdmafault record -o "$tmp/c2" -- /nonexistent >/dev/null 2>&1; echo $?)"
	is "without rules no packet is seen, and that is told" \
		"$(rdmafault record -o "$tmp/c3" -- true 2>&1 >/dev/null)" \
		"rdmafault: no packet was seen: a direction is looked at while it has rules"
	ok "no buffer is left behind" no_buffer_is_left
}

bad_input_fails()
{
	refused "no bytes" '^rdmafault: --snaplen: want 1 to 65535, got "0"$' \
		rdmafault record --snaplen 0 -- true
	refused "too many bytes" '^rdmafault: --snaplen: .*got "65536"$' \
		rdmafault record --snaplen 65536 -- true
	refused "a buffer of no size" '^rdmafault: --buffer: .*got "much"$' \
		rdmafault record --buffer much -- true
	refused "no name" '^rdmafault: --out: want .*got ""$' \
		rdmafault record -o "" -- true
	refused "an unknown option" '^rdmafault: record: .*got "--follow"$' \
		rdmafault record --follow -- true
	refused "no command" '^rdmafault: --: want a command' \
		rdmafault record -o "$tmp/none" --
	refused "no port" '^rdmafault: p1: is no port: ' \
		rdmafault record -o "$tmp/none" p1 -- true
	refused "a directory with files" \
		"^rdmafault: $tmp/rec: want a new or empty directory" \
		rdmafault record -o "$tmp/rec" -- true
	refused "no place for the capture" \
		"^rdmafault: /nonexistent/a.pcapng: No such file or directory" \
		rdmafault record -o /nonexistent/a.pcapng -- true
	ok "nothing was made" test ! -e "$tmp/none"
}

nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# Who may not record has nothing to put where another recording is.
no_right_keeps_ok()
{
	local file=$tmp/kept/old.pcapng

	install -d -m 777 "$tmp/kept"
	chmod 755 "$tmp"
	echo old >"$file"
	chmod 666 "$file"
	refused "another user may not record" 'needs CAP_NET_ADMIN$' \
		nobody rdmafault record -o "$file" -- true
	is "the file is as it was" "$(cat "$file")" old
	refused "nor into a directory" 'needs CAP_NET_ADMIN$' \
		nobody rdmafault record -o "$tmp/kept/dir" -- true
	ok "which isn't made" test ! -e "$tmp/kept/dir"
}

capture_is_whole_ok
dropped_packet_is_marked_ok
events_are_kept_ok
later_flows_count_anew_ok
rule_of_the_command_is_known_ok
until_a_signal_ok
lost_events_are_told_ok
commands_status_is_passed_on_ok
bad_input_fails
no_right_keeps_ok
