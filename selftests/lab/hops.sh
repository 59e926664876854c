#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test losses at each hop of a leaf-spine fabric whose links are busy. A retransmission can
# leave its sender before the first transmission is dropped some hops on. The analysis must not
# accuse rxe of a violation of go-back-N for that, and no recovery time is negative.
#
#   v1 p1 - leaf 1 - l1s1 s1l1 - spine 1 - s1l2 l2s1 - leaf 2 - p3 v3
#   v2 p2 /                                                    \ p4 v4
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

# rank 1 sends to rank 2: v2 is the first port on the way, v3 the last one
hops='v2-tx p2-rx l1s1-tx s1l1-rx s1l2-tx l2s1-rx p3-tx v3-rx'
{
	cat <<-'YAML'
		name: hops
		title: A drop at each hop under load
		fabric: { nodes: 4, shape: leaf-spine, spines: 1, rate: 500mbit, delay: 20us }
		workload: { collective: all_reduce, ranks: 4, size: 256KiB, steps: 4, warmup: 1, compute: 2ms }
		qp: { timeout: 12, retry-cnt: 6, mtu: 1024 }
		cases:
		  - name: clean
	YAML
	for hop in $hops; do
		rule="rule add ${hop%-*} ${hop#*-} class write step 2-3 attempt 1"
		printf '  - name: %s\n    faults:\n' "${hop%-*}"
		# Let the record have all packets of these steps, not only those of one flow.
		printf '      - do: %s\n' "rule add v1 tx class cnp step 1-4 observe" \
			"$rule nth 20 burst 2 count 2 drop" "$rule probability 1% drop"
	done
} >"$tmp/hops.yaml"

# of CASE FILTER: print this value of the case
of()
{
	jq -r --arg name "$1" ".cases[] | select(.name == \$name) | $2" "$tmp/hops/summary.json"
}

rdmafault run --deadline 3600s --out "$tmp/hops" "$tmp/hops.yaml" >"$tmp/page"
is "the run ends" $? 0
for hop in $hops; do
	port=${hop%-*}
	ok "a drop at $port: packets are lost" [ "$(of "$port" '.losses | length')" -ge 4 ]
	is "a drop at $port: rxe violates no rule of go-back-N" \
		"$(of "$port" '.metrics["gbn.violations"]')" 0
	is "a drop at $port: no recovery time is negative" \
		"$(of "$port" '[.losses[].recovery_time_ns | select(. != null and . < 0)] | length')" 0
done
ok "the events agree with each other, with rxe's counters and with go-back-N" \
	python3 "$selftests/lib/judge.py" --check "$tmp/hops"
ok "summary.json agrees with the judge" python3 "$selftests/lib/judge.py" --compare "$tmp/hops"
