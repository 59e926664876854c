#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What goes over the wire is what the algorithm says: 2(n-1) messages a run and
# rank, each of ceil(chunk / MTU) packets, and one acknowledgement or a few for
# each. And a clean run is clean: nothing
# is sent again, nobody is not ready, and no local error.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4

sum()
{
	local dev total=0

	for dev in rxe1 rxe2 rxe3 rxe4; do
		total=$((total + $(hw $dev "$1")))
	done
	echo $total
}

# again: how often something was sent again, for whatever reason
again()
{
	echo $(($(sum completer_retry_err) + $(sum duplicate_request)))
}

# wire RANKS BYTES MTU: 5 steps; sets $data, $acks and $sent. Fails if anything
# was sent again. The timer is 268 ms, and the pause between steps longer.
wire()
{
	local chunk=$((($2 + $1 - 1) / $1)) before again0

	data=$((5 * $1 * 2 * ($1 - 1) * ((chunk + $3 - 1) / $3)))
	acks=$((5 * $1 * 2 * ($1 - 1)))
	before=$(sum sent_pkts)
	again0=$(again)
	collperf all_reduce -N "$1" -b "$2" -n 5 -w 0 -z 1 --place out \
		--timeout 16 --compute 300ms --mtu "$3" >/dev/null || return
	sleep 0.1
	sent=$(($(sum sent_pkts) - before))
	[ "$(again)" = "$again0" ]
}

# A machine that is short of CPU may reach the timer: try again then.
clean()
{
	wire "$@" || wire "$@" || wire "$@"
}

between()
{
	[ "$1" -le "$2" ] && [ "$2" -le "$3" ]
}

while read -r ranks bytes mtu; do
	verdict="not ok"
	clean "$ranks" "$bytes" "$mtu" && verdict=ok
	report "$verdict" "$ranks ranks, $bytes bytes, MTU $mtu: nothing is sent again"
	ok "its $data data packets and $acks to $((2 * acks)) acknowledgements" \
		between $((data + acks)) "$sent" $((data + 2 * acks))
done <<EOF
2 65536 4096
4 262144 4096
3 30000 1024
EOF
for counter in rcvd_rnr_err send_rnr_err send_err retry_exceeded_err; do
	is "$counter stays 0" "$(sum $counter)" 0
done
