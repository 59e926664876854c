#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that ranks send exactly the bytes that the algorithm needs: in a ring all-reduce
# each rank sends 2(n-1)/n of the vector. Credits carry no data and are counted
# separately. Without faults there must be no retransmission, no RNR NAK and no local
# error.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

nodes=4
netdevs=(v1 v2 v3 v4)
fabric $nodes
ports "${netdevs[@]}"

sum()
{
	local i total=0

	for ((i = 1; i <= nodes; i++)); do
		total=$((total + $(hw rxe$i "$1")))
	done
	echo $total
}

# Forget all flows. A port counts flows while it has a rule, and forgets them with the
# last rule.
forget()
{
	local dev

	for dev in "${netdevs[@]}"; do
		rdmafault rule flush "$dev"
		rdmafault rule add "$dev" tx all observe persist >/dev/null
	done
}

# requests: prints payload, packets and messages of the requests that left each port. IPv4,
# UDP, BTH and ICRC take 44 bytes of a packet; RETH and immediate take 20 bytes more of a
# message sent by WRITE. A credit is a SEND with only an immediate, 48 bytes.
requests()
{
	local dev

	for dev in "${netdevs[@]}"; do
		rdmafault --json stat --flows "$dev"
	done | jq -cs '[.[] | map(select(.direction == "tx" and .kind == "requests"))
		| { again: (map(.retransmitted) | add // 0),
		    credits: (map(select(.bytes == 48 * .packets).packets) | add // 0) }
		+ (map(select(.bytes != 48 * .packets))
		| { packets: (map(.packets) | add // 0),
		    messages: (map(.messages) | add // 0) }
		+ { bytes: ((map(.bytes - 44 * .packets - 20 * .messages) | add)
			// 0) })]'
}

# run ITERATIONS RANKS WORD...: run collperf with the arguments WORD, without warm-up
# and verification. Sets $wire to the output of requests(). Fails if a packet was
# retransmitted.
run()
{
	local runs=$1 ranks=$2 before

	shift 2
	forget
	before=$(($(sum completer_retry_err) + $(sum duplicate_request)))
	collperf "$@" -N "$ranks" -n "$runs" -w 0 -c 0 --place out \
		--timeout 20 >/dev/null || return
	wire=$(requests)
	[ $(($(sum completer_retry_err) + $(sum duplicate_request))) -eq "$before" ]
}

# clean TITLE ARGUMENT...: run the test TITLE: call run() with these arguments; no packet may be
# retransmitted. If run() fails, it is called once more, because a timer can expire on a busy
# machine.
clean()
{
	local words=$1 verdict="not ok"

	shift
	run "$@" || run "$@" && verdict=ok
	report "$verdict" "$words: no packet is retransmitted"
}

sent()
{
	jq -c "$1" <<<"$wire"
}

# Test rings of n ranks. The number of bytes is a multiple of n.
while read -r ranks bytes mtu; do
	words="$ranks ranks, $bytes bytes, MTU $mtu"
	clean "$words" 4 "$ranks" all_reduce --algo ring -b "$bytes" --mtu "$mtu"
	each=$((4 * 2 * (ranks - 1) * bytes / ranks))
	chunk=$(((bytes / ranks + mtu - 1) / mtu))
	is "$words: each rank sends 4 times 2(n-1)/n of the bytes, $each" \
		"$(sent "map(.bytes)[:$ranks] | unique")" "[$each]"
	is "$words: each rank sends the fewest packets for these bytes" \
		"$(sent "map(.packets)[:$ranks] | unique")" \
		"[$((4 * 2 * (ranks - 1) * chunk))]"
done <<END
2 65536 4096
3 30000 1024
4 1048576 4096
4 400000 2048
END

# The third column of the table is the number of bytes that all 4 ranks together must send, in
# quarters of the size. The ranks of a reduce, gather or broadcast together send n-1 times the
# size, those of an all-reduce twice that. In alltoall each rank sends n-1 of n parts, in
# sendrecv everything.
while read -r op algo quarters; do
	size=(-b 256K)
	[ "$op" != barrier ] || size=()
	clean "$op with algorithm $algo" 1 4 "$op" --algo "$algo" "${size[@]}"
	is "$op with algorithm $algo: all ranks together send $quarters quarters of the size" \
		"$(sent "map(.bytes) | add")" $((quarters * 65536))
done <<END
all_reduce tree 24
all_reduce recursive 24
all_gather ring 12
reduce_scatter direct 12
broadcast tree 12
reduce recursive 12
alltoall direct 12
sendrecv direct 16
barrier ring 0
END

clean "all_reduce of an odd size" 1 3 all_reduce --algo ring -b 100004
is "all_reduce of an odd size: all ranks together send 2(n-1) times 100004 bytes" \
	"$(sent "map(.bytes) | add")" 400016

# Each rank sends 64 messages, and a credit after each half of the window of messages.
clean "all_reduce of 4 MiB" 4 2 all_reduce --algo ring -b 4M
is "all_reduce of 4 MiB: each rank sends 64 messages" "$(sent "map(.messages)[:2]")" "[64,64]"
ok "all_reduce of 4 MiB: each rank sends at most one credit per four messages" \
	[ "$(sent "map(.credits) | max")" -le 16 ]

for counter in rcvd_rnr_err send_rnr_err send_err retry_exceeded_err; do
	is "the counter $counter of all devices is 0" "$(sum $counter)" 0
done
