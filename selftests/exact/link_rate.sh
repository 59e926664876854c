#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the rate of a link: the goodput of perftest is the rate minus the headers, and no
# queued packet is lost when the link settings change. The test runs in virtual time. In
# real time, an emulated processor that spins would delay the others: senders would not keep
# the link busy.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
#   sendroce - t1 (port) ======= t2 - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/faults.sh"
. "$selftests/lib/victims.sh"

virtual_only

SIZE=65536

# expected RATE MTU OVERHEAD: prints the goodput of messages of SIZE, in MiB/s. Each packet
# has headers of Ethernet (14), IPv4 (20), UDP (8), BTH (12) and ICRC (4); the first packet
# of a message also has a RETH (16).
expected()
{
	awk -v rate="$1" -v mtu="$2" -v overhead="$3" -v size=$SIZE 'BEGIN {
		wire = size + size / mtu * (58 + overhead) + 16
		print rate / 8 * size / wire / 1048576
	}'
}

# measured OPTION...: prints the average goodput of perftest, in MiB/s
measured()
{
	write_bw 2 1 -F -s $SIZE -u 17 "$@" | awk -v size=$SIZE '$1 == size { print $4 }'
}

# near GOT WANTED PERCENT: succeeds if GOT differs from WANTED by less than PERCENT
near()
{
	awk -v got="$1" -v want="$2" -v percent="$3" 'BEGIN {
		exit !(got > want * (1 - percent / 100) &&
		       got < want * (1 + percent / 100))
	}'
}

# goodput_ok TITLE RATE MTU OVERHEAD MESSAGES [OPTION...]: run the test TITLE: the goodput
# of perftest must differ from the expected one by less than 1 %, and nothing may be
# retransmitted
goodput_ok()
{
	local words=$1 want got

	want=$(expected "$2" "$3" "$4")
	remember
	got=$(measured -m "$3" -n "$5" "${@:6}")
	ok "$words, MTU $3: the goodput ($got MiB/s) is within 1 % of $want MiB/s" \
		near "$got" "$want" 1
	is "$words, MTU $3: nothing is retransmitted" \
		"$(moved rxe1 completer_retry_err)" 0
	unseen "$words, MTU $3"
}

rates_ok()
{
	rdmafault link set v1 rate 100mbit
	goodput_ok "100 mbit" 100000000 4096 24 200
	goodput_ok "100 mbit" 100000000 1024 24 200
	goodput_ok "100 mbit, four queue pairs" 100000000 4096 24 100 -q 4
	rdmafault link set v1 overhead 0
	goodput_ok "100 mbit without overhead" 100000000 1024 0 200
	rdmafault link set v1 rate 20mbit overhead 24
	goodput_ok "20 mbit" 20000000 4096 24 50
}

# Without a rate, the goodput must be at least twice that of a link with 100 Mbit/s;
# otherwise the tests of the rate would prove nothing.
no_rate_ok()
{
	local got

	got=$(measured -m 4096 -n 200)
	ok "control: without a rate the goodput is more than twice that of 100 mbit ($got MiB/s)" \
		awk -v got="$got" -v want="$(expected 100000000 4096 24)" \
		'BEGIN { exit !(got > 2 * want) }'
}

# changes FILE: change all settings of the link in turn until FILE is deleted; writes the
# number of changes to FILE.count
changes()
{
	local i=0
	local -a words=(
		"rate 1gbit delay 0ns jitter 0ns" "rate 20mbit"
		"rate none delay 5ms" "delay 1us" "rate 400mbit jitter 2ms"
		"delay 0ns jitter 0ns"
		"rate none overhead 0" "rate 100mbit overhead 24"
	)

	while [ -e "$1" ]; do
		# shellcheck disable=SC2086
		rdmafault link set t1 ${words[i++ % ${#words[@]}]} || return 1
		echo $i >"$1.count"
		sleep 0.01
	done
}

live_changes_ok()
{
	local packets=40000 going pid capture status

	capture=$(mktemp)
	going=$(mktemp)
	defer rm -f "$capture" "$capture.log" "$going" "$going.count"
	changes "$going" &
	pid=$!
	captured t2 "$capture" sendroce t1 count $packets payload 1000
	rm "$going"
	wait $pid
	status=$?
	is "each of $(<"$going.count") link set commands under traffic succeeds" $status 0
	ok "control: the link is changed at least 16 times" [ "$(<"$going.count")" -ge 16 ]
	is "link changes under traffic lose and reorder no packet" \
		"$(packets "$capture" | awk '$2 != NR - 1 { wrong++ }
			END { print NR, wrong + 0 }')" "$packets 0"
}

fabric 2
ports v1 v2
no_rate_ok
rates_ok
NEAR=t1
# Load tcpdump now, because virtual time advances while tcpdump is read from the disk.
tcpdump --version >/dev/null
veth_pair t1 t2
veth_port t1
live_changes_ok
