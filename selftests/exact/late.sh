#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Which rank came last is told. In a broadcast from rank 0 whatever is sent to
# rank 2 comes 30 ms later, so rank 1 is done long before the others are, and
# waits for the next one. Without the delay no rank is that far behind; in virtual
# time, that is, for a busy host can stop the machine for longer.
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
	ok "the job runs with the slow link" job --timeline "$tmp/timeline"
	rdmafault rule flush v3
	ok "rank 1 never leaves last" json '.ranks[1].out_last.count == 0'
	ok "but for the first, it never comes last" json \
		'.ranks[1].in_last.count <= 1'
	ok "who leaves last is 20 ms behind, at least" json '
		[.ranks[0, 2].out_last | .count * .avg_behind_us] | add / 20 > 20000'
	ok "rank 1 waits 20 ms an iteration, at least" json \
		'.ranks[1].avg_waited_us > 20000'
	is "the timeline has the same account" \
		"$(jq -c 'select(.type == "end") | [.rank, .in_last, .out_last]' \
			"$tmp/timeline")" \
		"$(jq -c '.ranks[] | [.rank, .in_last.count, .out_last.count]' \
			"$tmp/out.json")"
	is "and so has the footer" \
		"$(awk '/^# Rank   in last/ { on = 1; next }
			on && NF == 9 { printf "[%d,%d,%d]\n", $2, $3, $6 }' \
			"$tmp/out")" \
		"$(jq -c '.ranks[] | [.rank, .in_last.count, .out_last.count]' \
			"$tmp/out.json")"
}

even_links_ok()
{
	ok "the job runs without" job
	ok "who leaves last is less than 20 ms behind" json '
		[.ranks[].out_last | .count * .avg_behind_us] | add / 20 < 20000'
}

slow_link_ok
even_links_ok
