#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test runs with random faults: two to four faults of any kind at any port, with WRITE, SEND,
# READ and atomics. selftests/lib/judge.py decides from the events of each run what was lost and
# what was retransmitted. The events must not contradict each other, the counters of rxe must
# agree with them, rxe must obey go-back-N, and summary.json must agree with the judge. Each
# difference is printed with the file, the case, the packet and both answers.
#
# FAULT_RUNS is the number of runs (default 10), FAULT_SEED the seed (default 1).
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

seed=${FAULT_SEED:-1} runs=${FAULT_RUNS:-10}
echo "# seed $seed: FAULT_SEED=$seed FAULT_RUNS=$runs repeats it"
tmp=$(mktemp -d)
defer rm -r "$tmp"

# ends FILE: run the scenario FILE. Random faults can end the job, so the verdict can be fail.
ends()
{
	rdmafault run --deadline 3600s --out "${1%.yaml}" "$1" >"$tmp/page" 2>&1 ||
		[ $? -eq 1 ] || { cat "$tmp/page"; return 1; }
}

# judged OPTION FILE: judge the run of the scenario FILE; print the faults if it fails
judged()
{
	python3 "$selftests/lib/judge.py" "$1" "${2%.yaml}" || { cat "$2"; return 1; }
}

mapfile -t files < <(python3 "$selftests/lib/random_faults.py" "$seed" "$runs" "$tmp")
for file in "${files[@]}"; do
	name=$(basename "$file" .yaml)
	ok "$name: the run ends" ends "$file"
	ok "$name: the events agree with each other, with rxe's counters and with go-back-N" \
		judged --check "$file"
	ok "$name: summary.json agrees with the judge" judged --compare "$file"
done
lost=$(for file in "${files[@]}"; do
	python3 "$selftests/lib/judge.py" "${file%.yaml}"
done | jq -s '[.[].losses | length] | add')
ok "control: the runs have at least one loss per run ($lost in $runs runs)" test "$lost" -ge "$runs"
