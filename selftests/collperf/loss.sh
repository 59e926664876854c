#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test collectives with loss: one of four links loses 1 % of all packets (data, credits
# and ACKs) in both directions. Every collective with every algorithm and protocol must
# end, and every element must be right.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 (port, 1 %) - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
ports v2
for dir in tx rx; do
	rdmafault rule add v2 $dir all probability 1% seed 5 drop persist \
		>/dev/null
done

lost()
{
	rdmafault --json rule show v2 | jq '[.[].hits] | add'
}

# lossy OPTION...: succeeds if collperf succeeds and at least one packet is lost
lossy()
{
	local before

	before=$(lost)
	collperf "$@" -N 4 -w 0 --timeout 17 \
		--deadline "60${KSFT_MACHINE_SLOW:+0}s" >/dev/null &&
		[ "$(lost)" -gt "$before" ]
}

# A vector of 512 KiB is sent in packets of 1024 bytes: some hundreds of packets cross the
# lossy link in each iteration.
while read -r op algos; do
	for algo in $algos; do
		ok "$op with algorithm $algo and 1 % loss succeeds" \
			lossy "$op" --algo "$algo" -b 512K -n 2 \
			--place out --mtu 1024
	done
done <<EOF2
all_reduce ring tree recursive direct
all_gather ring recursive direct
reduce_scatter ring recursive direct
broadcast ring tree recursive direct
reduce ring tree recursive direct
alltoall direct
sendrecv direct
EOF2
# A barrier has few packets, so many iterations are needed to lose one.
ok "barrier with algorithm ring and 1 % loss succeeds" lossy barrier --algo ring -n 60
for protocol in send read; do
	ok "all_reduce with --protocol $protocol and 1 % loss succeeds" \
		lossy all_reduce --algo ring \
		-b 512K -n 2 --place out --mtu 1024 --protocol $protocol
done
ok "rxe retransmits packets" [ "$(hw rxe2 completer_retry_err)" -gt 0 ]
is "rxe counts no local error" "$(hw rxe2 send_err)" 0
