#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the published schema of scenarios with the validator python3-jsonschema: the schema must
# accept all labs, and refuse the files that the loader of scenarios refuses. Runs on the host.
. "$(dirname "$0")/../lib/lib.sh"

top=$(cd "$selftests/.." && pwd)
tmp=$(mktemp -d)
defer rm -r "$tmp"

python3 -c 'import jsonschema, yaml' 2>/dev/null ||
	skip_all "no python3-jsonschema or python3-yaml"

# The program exits with 3 if the schema refuses the file. 1 would be ambiguous, because Python
# exits with 1 after an exception.
cat >"$tmp/check.py" <<'EOT'
import json, sys
import jsonschema, yaml

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for error in jsonschema.Draft202012Validator(schema).iter_errors(
        yaml.safe_load(open(sys.argv[2]))):
    print("/".join(map(str, error.path)), error.message)
    sys.exit(3)
EOT

takes()
{
	python3 "$tmp/check.py" "$top/Documentation/scenario.schema.json" "$1"
}

# wrong SED TITLE: edit lab 01 with the sed commands SED. The schema must refuse the result.
# TITLE (in the name of the test) says what is wrong.
wrong()
{
	sed "$1" "$top/labs/01-one-drop.yaml" >"$tmp/wrong.yaml"
	ok "control: the edit for \"$2\" changes the lab" test -n "$(diff "$top/labs/01-one-drop.yaml" "$tmp/wrong.yaml")"
	is "the schema refuses $2" "$(takes "$tmp/wrong.yaml" >/dev/null; echo $?)" 3
}

for lab in "$top"/labs/*.yaml "$top"/labs/programs/*.yaml; do
	ok "the schema accepts ${lab##*/}" takes "$lab"
done
cat >"$tmp/all.yaml" <<'EOT'
name: x
title: X
matrix: {loss: [0%, 1%], timeout: [14, 17]}
fabric: {nodes: 8, shape: leaf-spine, leaves: 2, spines: 2, rate: 1gbit, delay: 5us, pfc: "3,4"}
ports: [{port: all, link: rate 1gbit, prio: prio-pfc 3:on, ecn: prio 3 kmin 1kb, watchdog: 'off'}]
workload: {train: dp, ranks: 2, steps: 60, options: --lr 0.1}
seed: 7
repeat: 3
expect: rank[*].wrong == 0
cases:
  - name: clean
  - name: lossy
    qp: {timeout: $timeout}
    workload: {size: 1MiB}
    faults:
      - {do: drop v2 tx all probability $loss, from: step 2, for: 5 steps}
      - {do: pause v2 stop, at: 2.5s}
    expect: [step.time.p99 < 5 ms]
EOT
ok "the schema accepts a scenario with every key" takes "$tmp/all.yaml"
sed 's/shape: .*, rate/shape: chain, switches: 3, rate/' "$tmp/all.yaml" >"$tmp/chain.yaml"
ok "the schema accepts a chain of switches" takes "$tmp/chain.yaml"
wrong 's/steps:/setps:/' "a misspelled key"
wrong 's/256KiB/256KB/' "a size with an unknown unit"
wrong 's/compute: 100ms/compute: 100/' "a time without a unit"
wrong 's/steps: 60/steps: 0/' "0 steps"
wrong 's/all_reduce/all_sum/' "an unknown collective"
wrong 's/{nodes: 4}/{nodes: 4, shape: cube}/' "an unknown shape of the fabric"
wrong 's/{nodes: 4}/{nodes: 4, pfc: 8}/' "PFC in a ninth priority"
wrong '/^workload:/,/compute/d' "a scenario without a workload"
wrong 's/- do: \(drop .*\)/- {do: \1, at: 20}/' "an \"at\" without a unit"
wrong 's/- do: drop/- at: step 20 #/' "a fault without \"do\""
