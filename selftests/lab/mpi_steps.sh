#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the steps of an MPI program that knows nothing of rdmafault: librdmafault-mpi announces
# each all-reduce and records its times. In a scenario, a packet of the 20th all-reduce is lost.
#
#   rank 0 - rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2 - rank 1
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/mpi.sh"

reason=$(have_mpi) || skip_all "$reason"
library=$selftests/../build/lib/librdmafault-mpi.so
[ -e "$library" ] || skip_all "librdmafault-mpi was not built; install libopenmpi-dev"
tmp=$(mktemp -d)
defer rm -r "$tmp"

# The job makes 30 all-reduces, and a barrier and two reduces, which are no steps. Each rank
# fetches the vector of the other one with a READ. A later response reveals the loss, or the
# timer of 134 ms does. RF_STEPS ends with the name of the case.
preload="env LD_PRELOAD=$library RF_STEP_OPS=allreduce"
cat >"$tmp/job" <<SCRIPT
. $selftests/lib/mpi.sh
export UCX_RC_TIMEOUT=100ms UCX_RNDV_THRESH=4k
case \$RF_STEPS in
*/not-preloaded) with=env ;;
*/unprivileged) with="setpriv --bounding-set -net_admin --inh-caps -net_admin $preload" ;;
*) with="$preload" ;;
esac
mpi 2 \$with $mpi_program 12288 28 1
SCRIPT

lose='do: drop v2 tx class read-response position middle step 20 attempt 1 count 1'
cat >"$tmp/s.yaml" <<YAML
name: mpi-steps
title: An MPI program loses a READ response of its 20th all-reduce
fabric: { nodes: 2 }
workload: { command: bash $tmp/job, ranks: 2, steps: 30 }
deadline: 600s
cases:
  - name: clean
    expect: [faults.hit == 0, step.done == 30]
  - name: lost
    faults: [{ $lose }]
    expect: [faults.hit == 1, retransmitted >= 1, step.done == 30]
  - name: not-preloaded
    faults: [{ $lose }]
    expect: [faults.hit == 0, step.done == 0]
  - name: unprivileged
    faults: [{ $lose }]
    expect: [faults.hit == 0, step.done == 30]
YAML

# meets_expectations: succeeds if all cases meet their expectations; otherwise prints the reasons
meets_expectations()
{
	rdmafault run --out "$tmp/out" "$tmp/s.yaml" >"$tmp/page" 2>&1 ||
		{ grep -E 'FAIL|rdmafault:|broken' "$tmp/page"; return 1; }
}

ok "a READ response of the 20th all-reduce is lost, in the case that announces steps" \
	meets_expectations

# in_case CASE REGEX: prints how many lines of the output of the case match
in_case()
{
	grep -c "$2" "$tmp/out/$1/job.txt"
}

for name in clean lost not-preloaded unprivileged; do
	is "$name: the sums are right" "$(in_case $name ' wrong=0$')" 1
done
is "the report names the step of the lost packet" "$(grep -c 'when  *step 20, attempt 1$' "$tmp/page")" 1

# times FILE...: prints start and end of step 20 in these files
times()
{
	(cd "$tmp/out/lost" && jq -sc '[.[] | select(.type == "step" and .step == 20) |
		.start_ns, .end_ns]' "$@")
}

is "the timeline has the times of both ranks in step 20" "$(times timeline.jsonl)" \
	"$(times steps.0.jsonl steps.1.jsonl)"
is "control: these are the times of two ranks" "$(times timeline.jsonl | jq length)" 4
is "the file of a rank has its collectives" \
	"$(jq -sc '[(map(select(.type == "step" and .op == "allreduce" and .bytes == 12288)) | length),
		(.[-1] | .collectives, .other_operations, .nonblocking)]' "$tmp/out/lost/steps.1.jsonl")" \
	"[30,30,3,0]"
is "without privilege each rank prints one message" \
	"$(in_case unprivileged '^rdmafault-step: steps are not announced: v[12]: needs CAP_NET_ADMIN$')" 2

# alone VARIABLE=VALUE...: run the program in one rank without a device
alone()
{
	env OMPI_MCA_pml=ob1 OMPI_MCA_btl=self LD_PRELOAD="$library" "$@" "$mpi_program" 4 10 0
}

# The program makes 11 all-reduces, a barrier and two reduces.
alone RF_STEPS="$tmp" RF_STEP_EVERY=4 >"$tmp/alone" 2>&1
is "with RF_STEP_EVERY=4, 14 collectives are 4 steps" \
	"$(jq -sc 'map(select(.type == "step")) | [length, (map(.step) | max)]' "$tmp/steps.0.jsonl")" "[14,4]"
refused_with=2 refused "an unknown operation is refused" \
	"^rdmafault-mpi: RF_STEP_OPS: \"sum\": no such operation; of allgather .* scatterv, several with commas$" \
	alone RF_STEP_OPS=allreduce,sum
refused_with=2 refused "a step of no collective is refused" \
	"^rdmafault-mpi: RF_STEP_EVERY: \"0\": invalid; 1 to 4294967295$" alone RF_STEP_EVERY=0
