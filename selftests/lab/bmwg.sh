#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the scenarios of labs/bmwg, which rehearse tests of the BMWG benchmark of AI training fabrics:
# each meets its expectations, and fails with a planted defect. They take minutes, so they run only
# with --full.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only
[ "${FAULT_RUNS:-0}" -ge 50 ] || skip_all "takes minutes; runs with --full"

tmp=$(mktemp -d)
defer rm -r "$tmp"
labs=$selftests/../labs/bmwg
mkdir "$tmp/bmwg"
ln -s "$labs/../programs" "$tmp/programs"

# rehearse FILE STATUS WORDS: run a scenario, and test its exit status
rehearse()
{
	local status=0

	rdmafault run --deadline 3600s --out "$tmp/out" "$1" >"$tmp/page" 2>&1 || status=$?
	is "$3" $status "$2"
	[ $status -eq "$2" ] || diagnose <"$tmp/page"
}

# planted FILE DEFECT EXPRESSION EXPECTATION: run a scenario that EXPRESSION of sed has changed, and
# test that it does not meet EXPECTATION
planted()
{
	sed -E "$3" "$labs/$1.yaml" >"$tmp/bmwg/$1.yaml"
	rehearse "$tmp/bmwg/$1.yaml" 1 "$1 with a planted defect ($2) fails"
	ok "$1: $2: $4 is not met" grep -Fq "not met: $4" <(tr -s ' \n' ' ' <"$tmp/page")
}

for file in "$labs"/*.yaml; do
	name=${file##*/}
	rehearse "$file" 0 "the rehearsal ${name%.yaml} meets its expectations"
	ok "the report of ${name%.yaml} says that it is a rehearsal" grep -q "^Rehearsal of BMWG" "$tmp/page"
done

planted 8.1-load-balancing "a switch that hashes instead of spraying" 's/balance: spray/balance: ecmp/' \
	"uplinks.mmr < 1.05"
planted 10.1-completion-time "a link with half of the rate" \
	's/^(expect: .*)/ports: [{port: p1, link: rate 10mbit}]\n\1/' "case.time in 1.97s..2.17s"
planted 7.2-incast "a queue that is shorter than the threshold of XOFF" \
	's/^(  - name: incast)/\1\n    faults: [{do: prio set p1 prio-limit 3:32KiB}]/' "retransmitted == 0"
planted 11.2-link-failure "leaf switches that do not avoid a dead link" '/^convergence/d' "stall in 70 ms..260 ms"
planted 5.1-throughput "a receiver with half of the rate" \
	's/^(workload:)/ports: [{port: p2, link: rate 10mbit}]\n\1/' "1 MiB / step.time.p50 in 18.6 mbit..19.62 mbit"
planted 5.3-burst "a receiver with half of the rate" \
	's/^(workload:)/ports: [{port: p1, link: rate 2500kbit}]\n\1/' "queue.dropped == 0"
planted 7.4-deadlock "a watchdog that detects two polls later" 's/detect 200ms/detect 300ms/' \
	"deadlock.time in 150 ms..260 ms"
planted 9-collectives "flows that share uplinks" 's/^(seed: 7)/\1\nbalance: ecmp/' "marked == 0"
planted 11.3-zero-impact "leaf switches that avoid the link too late" 's/convergence: 50ms/convergence: 300ms/' \
	"step[5].time <= step.time.p99"
planted 7.3-convergence "rates that increase ten times more slowly" \
	'/^  - name: flows-4/,$d; s/ai-rate 200mbit/ai-rate 20mbit/' "both.settled <= 40 s"
