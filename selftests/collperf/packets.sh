#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What goes over the wire is what the algorithm says, byte for byte: in a ring
# all-reduce each rank sends 2(n-1)/n of the vector, and all collectives move as
# much as they must. Credits are counted apart, they carry nothing. And a clean
# run is clean: nothing is retransmitted, nobody is not ready, and no local error.
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

# Flows are counted while there is a rule, and forgotten with the last one.
forget()
{
	local dev

	for dev in "${netdevs[@]}"; do
		rdmafault rule flush "$dev"
		rdmafault rule add "$dev" tx all observe persist >/dev/null
	done
}

# Requests that left each port: payload, packets, messages. IPv4, UDP, BTH and
# ICRC are 44 bytes of a packet, RETH and immediate another 20 of a message by
# WRITE. A credit is a SEND with an immediate and nothing else: 48 bytes.
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

# run RUNS RANKS WORD...: so many runs of a collective and nothing beside; sets
# $wire. Fails if anything was retransmitted.
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

# clean WORDS RUN...: a machine that is short of CPU may reach the timer: once
# more then
clean()
{
	local words=$1 verdict="not ok"

	shift
	run "$@" || run "$@" && verdict=ok
	report "$verdict" "$words: nothing is retransmitted"
}

told()
{
	jq -c "$1" <<<"$wire"
}

# A ring of n ranks, bytes that divide by n
while read -r ranks bytes mtu; do
	words="$ranks ranks, $bytes bytes, MTU $mtu"
	clean "$words" 4 "$ranks" all_reduce --algo ring -b "$bytes" --mtu "$mtu"
	each=$((4 * 2 * (ranks - 1) * bytes / ranks))
	chunk=$(((bytes / ranks + mtu - 1) / mtu))
	is "each rank sends 4 times 2(n-1)/n of them, $each" \
		"$(told "map(.bytes)[:$ranks] | unique")" "[$each]"
	is "in the packets which that takes" \
		"$(told "map(.packets)[:$ranks] | unique")" \
		"[$((4 * 2 * (ranks - 1) * chunk))]"
done <<END
2 65536 4096
3 30000 1024
4 1048576 4096
4 400000 2048
END

# All ranks together, in multiples of the size, times 4 ranks: reduce, gather and
# broadcast are n-1, an all-reduce is twice that; in alltoall n-1 of n parts leave
# each rank, and sendrecv sends everything on.
while read -r op algo quarters; do
	size=(-b 256K)
	[ "$op" != barrier ] || size=()
	clean "$op by $algo" 1 4 "$op" --algo "$algo" "${size[@]}"
	is "$quarters quarters of the size are sent by all" \
		"$(told "map(.bytes) | add")" $((quarters * 65536))
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

clean "an odd size" 1 3 all_reduce --algo ring -b 100004
is "all ranks send 2(n-1) times 100004 bytes" \
	"$(told "map(.bytes) | add")" 400016

# 64 messages of 4 KiB a rank: so many credits come back as half windows fill
clean "many messages" 4 2 all_reduce --algo ring -b 4M
is "messages of 256 KiB" "$(told "map(.messages)[:2]")" "[64,64]"
ok "and at most a credit for four of them" \
	[ "$(told "map(.credits) | max")" -le 16 ]

for counter in rcvd_rnr_err send_rnr_err send_err retry_exceeded_err; do
	is "$counter stays 0" "$(sum $counter)" 0
done
