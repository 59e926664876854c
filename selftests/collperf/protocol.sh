#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the options --protocol and --qps-per-peer of collperf: the kinds of packets that a
# rank sends, how many, and over how many queue pairs.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 3
ports v1

# The job has 10 iterations of a ring of 2: rank 0 sends 20 messages of 24 KiB, 6 packets
# each, and receives as many. Credits are SENDs of one packet.
job()
{
	collperf all_reduce -N 2 -b 48K -n 10 -w 0 -c 0 --place out --mtu 4096 \
		--timeout 18 "$@" >/dev/null
}

# Each rule counts the packets of one class that rank 0 sends, without retransmissions. There are
# two rules for SENDs: for packets of longer messages, and for messages of one packet.
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

	rdmafault -q rule flush v1
	for words in "${counted[@]}"; do
		# shellcheck disable=SC2086 # words
		rdmafault rule add v1 tx $words attempt 1 observe persist
	done >/dev/null
}

sent()
{
	rdmafault --json rule show v1 | jq -r '[.[].hits] | join(" ")'
}

# data_flows: prints the number of flows that carry data (at least 36 packets each), and the
# sum of their packets
data_flows()
{
	rdmafault --json stat --flows v1 | jq -r \
		'map(select(.packets >= 36)) | "\(length) \(map(.packets) | add)"'
}

# protocol WORD REGEX: test that the packet counts of a job with --protocol WORD match REGEX
protocol()
{
	rules
	ok "--protocol $1: collperf succeeds" job --protocol "$1"
	ok "--protocol $1: the counts of writes, data SENDs, credits, read requests and responses match $2" \
		eval "sent | tee /dev/stderr | grep -Eqx '$2'"
	for qps in 1 3; do
		rules
		job --protocol "$1" --qps-per-peer $qps
		is "--protocol $1: $qps queue pairs per direction carry the 120 packets" \
			"$(data_flows)" "$qps 120"
	done
	ok "--protocol $1: 3 ranks with 2 queue pairs have no wrong sum for three odd sizes" \
		collperf all_reduce -N 3 -b 0 -e 1M -i 349531 -n 2 -w 0 \
		--timeout 18 --protocol "$1" --qps-per-peer 2
}

protocol write '120 0 [1-9] 0 0'
protocol send '0 120 [1-9] 0 0'
# With READ there are 20 SENDs that announce data, in addition to the SENDs that are
# credits.
protocol read '0 0 2[1-9] 20 120'

# Packets must have the same PSNs in every run, whatever the timing of the ranks.
numbers()
{
	rules
	job --protocol read --qps-per-peer 2 || echo "failed:"
	rdmafault --json stat --flows v1 | jq -c \
		'map([.kind, .first_psn, .highest_psn, .packets, .bytes]) | sort'
}

before=$(numbers)
ok "control: --protocol read: collperf has at least two flows" [ "$(jq length <<<"$before")" -ge 2 ]
is "--protocol read: two runs have the same flows, PSNs, packets and bytes" \
	"$(numbers)" "$before"

refused "--protocol ud is refused" \
	"^collperf: --protocol ud: invalid; write, send or read" \
	collperf all_reduce --protocol ud
refused "--qps-per-peer 0 is refused" \
	"^collperf: --qps-per-peer 0: out of range; 1 to 16" \
	collperf all_reduce --qps-per-peer 0
