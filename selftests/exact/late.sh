#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that collperf reports which rank is last. In a broadcast from rank 0, packets to
# rank 2 are delayed by 30 ms. So rank 1 ends each iteration long before the other
# ranks, and waits for the next iteration. Without this delay no rank may be late. The
# test runs in virtual time, because a busy host can stop the machine for longer.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 - rxe2
#                        \  - p3 - v3 (port, delay) - rxe3
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only

fabric 3
ports v3
tmp=$(mktemp -d)
defer rm -r "$tmp"

job()
{
	collperf broadcast -N 3 --algo direct -b 4K -n 20 -w 1 --place out \
		--timeout 18 -J "$tmp/out.json" "$@" >"$tmp/out"
}

json()
{
	jq -e "$1" "$tmp/out.json" >/dev/null
}

slow_link_ok()
{
	rdmafault delay v3 rx 30ms class write persist >/dev/null
	ok "collperf broadcast with a slow link to rank 2 succeeds" job --timeline "$tmp/timeline"
	rdmafault rule flush v3
	ok "slow link to rank 2: rank 1 never leaves last" json '.ranks[1].out_last.count == 0'
	ok "slow link to rank 2: rank 1 enters last in the first iteration at most" json \
		'.ranks[1].in_last.count <= 1'
	ok "slow link to rank 2: the last rank leaves at least 20 ms after the first" json '
		[.ranks[0, 2].out_last | .count * .avg_behind_us] | add / 20 > 20000'
	ok "slow link to rank 2: rank 1 waits at least 20 ms per iteration" json \
		'.ranks[1].avg_waited_us > 20000'
	is "the timeline counts the same last ranks as the JSON output" \
		"$(jq -c 'select(.type == "end") | [.rank, .in_last, .out_last]' \
			"$tmp/timeline")" \
		"$(jq -c '.ranks[] | [.rank, .in_last.count, .out_last.count]' \
			"$tmp/out.json")"
	is "the footer of the text counts the same last ranks as the JSON output" \
		"$(awk '/^# Rank   in last/ { on = 1; next }
			on && NF == 9 { printf "[%d,%d,%d]\n", $2, $3, $6 }' \
			"$tmp/out")" \
		"$(jq -c '.ranks[] | [.rank, .in_last.count, .out_last.count]' \
			"$tmp/out.json")"
}

even_links_ok()
{
	ok "control: collperf broadcast without a slow link succeeds" job
	ok "control: without a slow link the last rank leaves less than 20 ms after the first" \
		json '
		[.ranks[].out_last | .count * .avg_behind_us] | add / 20 < 20000'
}

slow_link_ok
even_links_ok
