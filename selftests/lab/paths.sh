#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the labs 14-placement, 15-oversubscription and 16-collision: fabrics with several switches, on
# which the nodes of the ranks, the rate of the uplinks and the choice of an uplink decide how long a
# step takes. The labs 15 and 16 take minutes; they run only with --full.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/labs.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

# nodes CASE: prints the nodes of the ranks in a case of the lab 14-placement
nodes()
{
	jq -c ".cases[] | select(.name == \"$1\").nodes | flatten" "$tmp/14-placement/summary.json"
}

# uplinks LAB: prints the max-mean ratio of the uplinks in each case
uplinks()
{
	jq -c '[.cases[].metrics["uplinks.mmr"]]' "$tmp/$1/summary.json"
}

passes 14-placement
is "the summary has the nodes of the ranks" "$(nodes halves) $(nodes spread)" "[1,2,5,6] [1,5,2,6]"
ok "the page says which case is slower than the first" grep -Eq \
	'Case "spread": a step took .* 1\.[7-9] times as long as in "packed"' <(tr -s ' \n' ' ' <"$tmp/14-placement.page")
ok "no port has a path after a run" [ -z "$(rdmafault path show 2>&1)" ]
[ "${FAULT_RUNS:-0}" -ge 50 ] || exit 0

passes 15-oversubscription
passes 16-collision
ok "the page names the uplink that carries two flows" grep -Eq \
	'Uplink l[12]s[1-4] sent 2.0 times the mean of the uplinks of its leaf' <(tr -s ' \n' ' ' <"$tmp/16-collision.page")
first=$(uplinks 16-collision)
passes 16-collision
is "with the same seed, the uplinks carry the same in a second run" "$(uplinks 16-collision)" "$first"
