#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How a message gets to its slot is the user's choice, and the packets show it:
# what leaves a rank, how much of it, and over how many queue pairs.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 3
ports v1

# 10 runs of a ring of 2: 20 messages of 24 KiB go from rank 0, 6 packets each,
# and as many come. Credits are SENDs of one packet.
job()
{
	collperf all_reduce -N 2 -b 48K -n 10 -w 0 -c 0 --place out --mtu 4096 \
		--timeout 18 "$@" >/dev/null
}

# What is counted: all that rank 0 sends for the first time, by class, and apart
# what is a packet of a longer message and what is a message of its own
counted=(
	"class write"
	"class send position first,middle,last"
	"class send position only"
	"class read-request"
	"class read-response"
)

rules()
{
	local words

	rdmafault rule flush v1
	for words in "${counted[@]}"; do
		# shellcheck disable=SC2086 # words
		rdmafault rule add v1 tx $words attempt 1 observe persist
	done >/dev/null
}

sent()
{
	rdmafault --json rule show v1 | jq -r '[.[].hits] | join(" ")'
}

# Flows that carry data: how many, with how many packets; 36 is the least
data_flows()
{
	rdmafault --json stat --flows v1 | jq -r \
		'map(select(.packets >= 36)) | "\(length) \(map(.packets) | add)"'
}

# protocol WORD REGEX: what goes over the wire by --protocol WORD
protocol()
{
	rules
	ok "--protocol $1: the job runs" job --protocol "$1"
	ok "writes, SENDs with data, without, read requests, responses: $2" \
		eval "sent | tee /dev/stderr | grep -Eqx '$2'"
	for qps in 1 3; do
		rules
		job --protocol "$1" --qps-per-peer $qps
		is "$qps queue pairs for each direction carry the 120 packets" \
			"$(data_flows)" "$qps 120"
	done
	ok "3 ranks, 2 queue pairs, odd sizes and none: every sum is right" \
		collperf all_reduce -N 3 -b 0 -e 1M -i 349531 -n 2 -w 0 \
		--timeout 18 --protocol "$1" --qps-per-peer 2
}

protocol write '120 0 [1-9] 0 0'
protocol send '0 120 [1-9] 0 0'
# 20 announcements beside the credits
protocol read '0 0 2[1-9] 20 120'

# The same packets bear the same numbers in every run, whoever is in time.
numbers()
{
	rules
	job --protocol read --qps-per-peer 2 || echo "failed:"
	rdmafault --json stat --flows v1 | jq -c \
		'map([.kind, .first_psn, .highest_psn, .packets, .bytes]) | sort'
}

before=$(numbers)
ok "a run by READ has flows" [ "$(jq length <<<"$before")" -ge 2 ]
is "two runs by READ are the same in flows, PSNs, packets and bytes" \
	"$(numbers)" "$before"

refused "an unknown protocol" \
	"^collperf: --protocol takes write, send or read, not 'ud'" \
	collperf all_reduce --protocol ud
refused "no queue pair" \
	"^collperf: --qps-per-peer takes a number from 1 to 16, not '0'" \
	collperf all_reduce --qps-per-peer 0
