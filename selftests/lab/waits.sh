#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the waits on the page are those that the packets explain: a rank waits for data from
# the time when it has sent its message until the time when the message of its peer arrives.
#
#   rank 0 on v1 --> rank 1 on v2 --X--> rank 2 on v3 --> rank 3 on v4 --> rank 0
#
# The links have different delays, so that packets rarely arrive at the same time: the machine has
# one processor, and a rank that has received its packet would run late.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"
seed=${FAULT_SEED:-$RANDOM}
echo "# seed $seed: FAULT_SEED=$seed repeats the choice of the waits"

{
	cat <<-'EOT'
	name: waits
	title: Waits for data
	fabric: {nodes: 4}
	ports:
	  - {port: v1, link: delay 2ms}
	  - {port: v2, link: delay 2300us}
	  - {port: v3, link: delay 2900us}
	  - {port: v4, link: delay 4100us}
	workload:
	  collective: all_reduce
	  options: --algo ring
	  ranks: 4
	  size: 16KiB           # 6 messages per step, of one packet each
	  steps: 5
	  compute: 100ms
	qp: {timeout: 14, mtu: 4096}
	cases:
	  - name: clean
	  - name: tail
	    faults:
	      - do: drop v2 tx class write step 3 nth 6 attempt 1 count 1
	EOT
	for port in v1 v2 v3 v4; do
		printf '      - do: observe %s %s class write step 2-4\n' $port tx $port rx
	done
} >"$tmp/waits.yaml"

rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/waits.yaml" >"$tmp/page" 2>"$tmp/errors"
is "a scenario with a lost packet runs" "$(echo $?; cat "$tmp/errors")" 0

# compare DIR: prints which of 20 drawn waits of the run in DIR the packets do not explain
compare()
{
	python3 "$selftests/lib/waits.py" "$1" tail 6 20 "$seed" 2>&1
}

is "20 drawn waits are in the record, and start and end with a packet within 50 us (seed $seed)" \
	"$(compare "$tmp/out")" ""

cp -r "$tmp/out" "$tmp/late"
jq -c 'if .t_ns then .t_ns += 100000 else . end' "$tmp/out/tail/events.jsonl" \
	>"$tmp/late/tail/events.jsonl"
is "control: if the packets were 100 us later, neither end of the 20 waits is explained" \
	"$(compare "$tmp/late" | grep -c ' us after the packet$')" 40

# The packet of rank 1 is lost in step 3, so rank 2 waits first, until the packet arrives again.
first=$(jq -c '.cases[] | select(.name == "tail").first_wait' "$tmp/out/summary.json")
is "the rank that waited first is the receiver of the lost packet" \
	"$(jq -c '[.step, .rank, .for, .peer]' <<<"$first")" '[3,2,"recv",1]'
is "the first wait is a wait of the record" \
	"$(jq -c '{start_ns, end_ns}' <<<"$first")" \
	"$(jq -c 'select(.type == "step" and .step == 3 and .rank == 2).waits |
		map(select(.end_ns - .start_ns > 4e7))[] | {start_ns, end_ns}' \
		"$tmp/out/tail/timeline.jsonl")"
ok "the report says which rank waited first, and for which rank" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -q 'In step 3, rank 2 waited first: [0-9.]* ms for data from rank 1[.]'"
is "in the clean case, no rank waited first" \
	"$(jq '.cases[] | select(.name == "clean") | has("first_wait")' "$tmp/out/summary.json")" false
