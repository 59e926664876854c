#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the labs 14-placement, 15-oversubscription, 16-collision, 20-spine-fails, 28-torus and
# 29-leaf-spine: fabrics with several switches, on which the nodes of the ranks, the rate of the uplinks
# and the choice of an uplink decide how long a step takes. Test how long the choice of an uplink needs to
# avoid one that is down. All labs but 14 take minutes; they run only with --full.
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

# Eight queue pairs per rank, so both uplinks have flows. A timer is 34 ms; rxe sends again at most two
# timers after the leaf switches avoid the link.
cat >"$tmp/converge.yaml" <<-EOF
	name: converge
	title: An uplink fails
	fabric: {nodes: 2, shape: leaf-spine, leaves: 2, spines: 2, rate: 50mbit}
	balance: ecmp
	seed: 7
	workload: {collective: all_reduce, ranks: 2, size: 128KiB, steps: 8, warmup: 1, options: --qps-per-peer 8}
	qp: {timeout: 13}
	expect: ["rank[*].wrong == 0", "rxe.retry_exceeded == 0"]
	cases:
	  - {name: clean, expect: retransmitted == 0}
	  - name: converges
	    convergence: 70ms
	    faults: [{do: link down l1s1 for 1s, at: step 2}]
	    expect: ["stall in 65 ms..155 ms", "retransmitted >= 1"]
	  - name: waits
	    faults: [{do: link down l1s1 for 150ms, at: step 2}]
	    expect: ["stall in 140 ms..240 ms", "retransmitted >= 1"]
	  - name: partitioned
	    convergence: 20ms
	    faults:
	      - {do: link down l1s1 for 100ms, at: step 2}
	      - {do: link down s2l2 for 100ms, at: step 2}
	    expect: ["stall in 90 ms..190 ms"]
EOF
rdmafault run --out "$tmp/converge" "$tmp/converge.yaml" >"$tmp/converge.page" 2>&1
is "packets avoid an uplink that is down after the convergence time" $? 0 || diagnose <"$tmp/converge.page"
ok "the page says that the fabric was partitioned, and for how long" grep -Eq \
	"The fabric was partitioned for 1[0-9]{2} ms: no path was left from node 1 to node 2" \
	<(tr -s ' \n' ' ' <"$tmp/converge.page")
is "only one case was partitioned" "$(tr -s ' \n' ' ' <"$tmp/converge.page" | grep -o "was partitioned" | wc -l)" 1
ok "control: no link is down, and no port has a path" [ -z "$(rdmafault path show 2>&1)" ]

# shares: prints of each uplink of leaf 1 its share of the queue pairs of rank 0, as the summary has
# them, and its share of the bytes, as its port has counted them; both in percent
shares()
{
	jq -r '.cases[] | select(.name == "clean") |
		(.flow_links | map(select(.rank == 0))) as $qps |
		(.ports | map(select(.port | test("^l1s")))) as $ports |
		$ports[] | .port as $port | [$port,
			($qps | map(select(.uplink == $port)) | length) / ($qps | length) * 100,
			.tx_bytes / ($ports | map(.tx_bytes) | add) * 100] | @tsv' \
		"$tmp/converge/summary.json"
}

# agree: succeeds if there are two uplinks, both with packets, and the shares of each differ by at
# most 3 percent points
agree()
{
	shares | awk '{ d = $2 - $3; if (d > 3 || d < -3 || $3 == 0) bad = 1 }
		END { exit bad || NR != 2 }'
}

ok "each uplink sends the bytes of the queue pairs that the summary says it carries" agree ||
	diagnose < <(shares)
[ "${FAULT_RUNS:-0}" -ge 50 ] || exit 0

passes 15-oversubscription
passes 16-collision
ok "the page names the uplink that carries two flows, and their ranks" grep -Eq \
	'Uplink l[12]s[1-4] sent 2.0 times the mean of the uplinks of its leaf. It carries the data of ranks [0-7]→[0-7](,| and) [0-7]→[0-7]\.' <(tr -s ' \n' ' ' <"$tmp/16-collision.page")
passes 20-spine-fails
passes 28-torus
passes 29-leaf-spine
first=$(uplinks 16-collision)
passes 16-collision
is "with the same seed, the uplinks carry the same in a second run" "$(uplinks 16-collision)" "$first"
