#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Measure how senders share the link of a port: sample the bytes of the senders and the queue of the
# port until the end, and print
#
#	jain		Jain's index of the bytes that the senders sent: 1 if all sent the same
#	spread		the difference between the most and the fewest bytes, divided by the most
#	sum		the bytes of all senders, divided by those that the link can carry
#	queue_mean	mean of the bytes in the queue
#	queue_p99	99th percentile of the bytes in the queue
#	settled		seconds from the begin until each sender has its fair share of the link, plus
#			or minus 10 %, as the mean of a window of 5 s; "never" if that is not before
#			the end
#
# Usage: shares.sh PORT MBIT BEGIN END SENDER...
#
# PORT is the port with the queue, MBIT the rate of its link, BEGIN and END are seconds from the
# start of the program, and a SENDER is the netdev of a node.
set -euo pipefail

port=$1 mbit=$2 begin=$3 end=$4
senders=("${@:5}")

# sample: print the time, the bytes in the queue, and the bytes that each sender has sent
sample()
{
	local sender bytes queue

	queue=$(tc -s qdisc show dev "$port" root)
	queue=${queue#*backlog }
	printf '%s %s' "$EPOCHREALTIME" "${queue%%b *}"
	for sender in "${senders[@]}"; do
		read -r bytes <"/sys/class/net/$sender/statistics/tx_bytes"
		printf ' %s' "$bytes"
	done
	echo
}

samples()
{
	local stop=$((SECONDS + end))

	sleep "$begin"
	while [ "$SECONDS" -lt "$stop" ]; do
		sample
		sleep 0.1
	done
}

samples | awk -v mbit="$mbit" -v n="${#senders[@]}" -f "${0%.sh}.awk"
