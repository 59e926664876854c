#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how fast flows are that collide on uplinks. Four jobs send from one leaf to the other, each with
# one queue pair, and ECMP chooses the uplink of each among four. Nothing else limits them, so the
# max-min share of a flow is the rate of its uplink, divided by the number of flows on it. The uplinks
# that the summary names must explain the time of a step of each job.
#
# A step is 1 MiB: 256 packets, each with 4096 bytes of data, 62 bytes of headers and 24 bytes that
# only occupy the link. The ICRC is among the headers.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

# With --full, ten seeds, and ten rounds with one seed
seeds=(7)
rounds=2
[ "${FAULT_RUNS:-0}" -lt 50 ] || { seeds=(1 2 3 4 5 6 7 8 9 10); rounds=10; }

tmp=$(mktemp -d)
defer rm -r "$tmp"

# run SEED ROUNDS STEPS: write the files of the run to $tmp/out, and its output to $tmp/page
run()
{
	cat >"$tmp/collide.yaml" <<-EOF
		name: collide
		title: Four flows on four uplinks
		fabric: {nodes: 8, shape: leaf-spine, leaves: 2, spines: 4, rate: 20mbit}
		balance: ecmp
		seed: $1
		sample: 100ms
		repeat: $2
		workload:
		  - {name: a, collective: broadcast, ranks: 2, placement: "1,5", size: 1MiB, steps: $3, warmup: 1}
		  - {name: b, collective: broadcast, ranks: 2, placement: "2,6", size: 1MiB, steps: 1000}
		  - {name: c, collective: broadcast, ranks: 2, placement: "3,7", size: 1MiB, steps: 1000}
		  - {name: d, collective: broadcast, ranks: 2, placement: "4,8", size: 1MiB, steps: 1000}
		qp: {timeout: 18}
		cases: [{name: collide, expect: ["job[*].rank[*].wrong == 0", "job[*].retransmitted == 0"]}]
	EOF
	rdmafault run --out "$tmp/out" "$tmp/collide.yaml" >"$tmp/page" 2>&1
}

# steps: prints of each job its name, the flows on its uplink, the time of a step in ms, and the time
# by its max-min share
steps()
{
	jq -r '.cases[0] as $case |
		($case.flow_links | map(select(.rank == 0))) as $flows |
		($flows[] | .job as $job | .uplink as $uplink |
			($flows | map(select(.uplink == $uplink)) | length) as $n |
			($case.other_jobs | map(select(.name == $job)) | .[0] // $case) as $of |
			[$job, $n, $of.metrics["step.time.p50"] / 1e6,
				$n * 256 * (4096 + 62 + 24) * 8 / 20e3]) | @tsv' "$tmp/out/summary.json"
}

# within PERCENT: succeeds if the times of all four jobs differ from those of their shares by at most
# this
within()
{
	steps | awk -v most="$1" '{ d = ($3 / $4 - 1) * 100; if (d > most || d < -most) bad = 1 }
		END { exit bad || NR != 4 }'
}

# uplinks: prints for each uplink of the first leaf the number of flows on it, and the mean of its
# samples in Mbit/s
uplinks()
{
	jq -r '.cases[0] as $case | $case.figures.loads as $loads | "l1s1", "l1s2", "l1s3", "l1s4" |
		. as $port | [
			([$case.flow_links[] | select(.rank == 0 and .uplink == $port)] | length),
			([$loads.ports[] | select(.port == $port) | .mbit[]] |
				if length > 0 then add / length else 0 end)
		] | @tsv' "$tmp/out/summary.json"
}

for seed in "${seeds[@]}"; do
	run "$seed" 1 6
	is "seed $seed: the run meets its expectations" $? 0 || diagnose <"$tmp/page"
	ok "seed $seed: each flow gets its max-min share of the uplink, within 5 %" within 5 ||
		diagnose < <(steps)
	ok "seed $seed: samples show full uplinks with flows, and idle ones without" \
		awk '{ n++; if ($1 ? $2 < 18 || $2 > 20.5 : $2 > 0.1) exit 1 } END { exit n != 4 }' <(uplinks) ||
		diagnose < <(uplinks)
	collided+=$(steps | awk '$2 > 1' | wc -l)
done
ok "control: some flows collided" [ "${collided//0/}" != "" ]

run 7 $rounds 1
is "in $rounds rounds with one seed, the flows take the same uplinks" \
	"$(jq -c '[.cases[].flow_links | map([.job, .rank, .qp, .uplink])] | unique | length' "$tmp/out/summary.json")" 1
is "control: $rounds rounds were run" "$(jq '.cases | length' "$tmp/out/summary.json")" "$rounds"
