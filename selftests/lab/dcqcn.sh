#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test scenarios with DCQCN: the settings of scenario and cases, and the labs about DCQCN. A short form
# of the lab 22 always runs; the labs take minutes and run only with --full.
#
#   v2, v3, v4 ──▶ switch ─ p1 (marks) ──▶ v1 (sends CNPs)
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

labs=$selftests/../labs
tmp=$(mktemp -d)
defer rm -r "$tmp"

# run_file FILE: run the scenario; sets $status to its exit status
run_file()
{
	status=0
	rdmafault run --deadline 3600s --out "$tmp/out" "$1" >"$tmp/page" 2>&1 || status=$?
}

# passes TITLE FILE: run the scenario, and test that it meets its expectations
passes()
{
	run_file "$2"
	is "$1 meets its expectations" "$status" 0 || diagnose <"$tmp/page"
}

# of_case CASE FILTER: prints a value of the case from the summary
of_case()
{
	jq -r --arg case "$1" ".cases[] | select(.name == \$case) | $2" "$tmp/out/summary.json"
}

# seen CASE: prints the settings of v1 that the background command of the case saw
seen()
{
	jq -r '.[0] | "\(.np) \(.rp) \(.scale) \(.min_rate)"' "$tmp/$1"
}

# settings_ok: a case changes the settings of the scenario, and begins with those of no other case.
settings_ok()
{
	cat >"$tmp/words.yaml" <<-END
	name: words
	title: Settings of DCQCN
	fabric: {nodes: 2, rate: 20mbit}
	workload: {collective: sendrecv, ranks: 2, size: 4KiB, steps: 5, compute: 100ms}
	dcqcn: np on rp on scale 2000 min-rate 2gbit
	cases:
	  - {name: both, workload: {background: rdmafault --json dcqcn show v1 >$tmp/both; sleep 1000}}
	  - name: sender
	    dcqcn: np off
	    workload: {background: rdmafault --json dcqcn show v1 >$tmp/sender; sleep 1000}
	  - name: none
	    dcqcn: off
	    workload: {background: rdmafault --json dcqcn show v1 >$tmp/none; sleep 1000}
	END
	passes "a scenario with DCQCN" "$tmp/words.yaml"
	is "the scenario sets DCQCN of a node" "$(seen both)" "on on 2000 2000000000"
	is "a case changes one setting" "$(seen sender)" "off on 2000 2000000000"
	is "a case turns DCQCN off" "$(seen none)" "off off 2000 2000000000"
	is "the summary has the settings of each case" \
		"$(of_case both .dcqcn), $(of_case sender .dcqcn)" \
		"np on rp on scale 2000 min-rate 2gbit, rp on scale 2000 min-rate 2gbit"
	sed -i -e '/^dcqcn/d' -e '/^    dcqcn: off/d' -e 's/dcqcn: np off/dcqcn: np on scale 50/' "$tmp/words.yaml"
	passes "a scenario with DCQCN in one case" "$tmp/words.yaml"
	is "only this case has DCQCN" "$(seen both), $(seen sender), $(seen none)" \
		"off off 1 100000000, on off 50 100000000, off off 1 100000000"
	sed -i 's/np on scale 50/rp on scale 2000/' "$tmp/words.yaml"
	run_file "$tmp/words.yaml"
	is "a lowest rate at which packets wait longer than max-hold is refused" "$status" 2
	ok "the error names the port and the times" grep -q \
		'dcqcn: v1: min-rate 100mbit with scale 2000: 64 packets take .*, more than max-hold, 5s; raise min-rate' "$tmp/page"
}

# recorded_ok: the events of the run are those that the ports and the flows counted.
recorded_ok()
{
	local name

	for name in dcqcn all; do
		is "case $name: each CNP that was sent is recorded" \
			"$(jq -c "select(.type == \"cnp\" and .case == \"$name\" and (.received | not))" \
			<(run_lines "$tmp/out") | wc -l)" "$(of_case $name '.metrics["cnps.sent"]')"
	done
	is "case dcqcn: the figure has each flow, with the time scale" \
		"$(of_case dcqcn '.figures.dcqcn.flows | map("\(.port) \(.scale)") | sort | join(", ")')" \
		"v2 2000, v3 2000, v4 2000"
	is "case all: there is no figure, because no rate changed" \
		"$(of_case all '.figures | has("dcqcn")')" false
	ok "the page has the settings" grep -q \
		'DCQCN of the nodes: np on rp on scale 2000 min-rate 2gbit' "$tmp/page"
}

settings_ok
sed -e 's/^  size: .*/  size: 512KiB/; s/^  steps: .*/  steps: 1/; s/^  warmup: .*/  warmup: 0/' \
	-e '/^  - name: one/,/^$/d' "$labs/22-lost-cnp.yaml" >"$tmp/short.yaml"
passes "a short form of the lab 22-lost-cnp" "$tmp/short.yaml"
recorded_ok
[ "${FAULT_RUNS:-0}" -ge 50 ] || exit 0

passes "the lab 21-dcqcn-pfc" "$labs/21-dcqcn-pfc.yaml"
passes "the lab 22-lost-cnp" "$labs/22-lost-cnp.yaml"
recorded_ok
passes "the lab 23-unfair-neighbour" "$labs/23-unfair-neighbour.yaml"
passes "the lab 24-wrong-kmin" "$labs/24-wrong-kmin.yaml"
passes "the lab 25-which-knob" "$labs/25-which-knob.yaml"
passes "the lab 26-fair-share" "$labs/26-fair-share.yaml"
passes "an all-reduce with DCQCN" "$labs/dcqcn/all-reduce.yaml"
passes "a training with DCQCN" "$labs/dcqcn/train.yaml"
passes "the rehearsal labs/sonic/dcqcn" "$labs/sonic/dcqcn.yaml"

mkdir "$tmp/sonic"
ln -s "$labs/programs" "$tmp/programs"
sed -e '/^  - name: tc4-off/,$d' -e 's/ np-cnp-dscp 40//' "$labs/sonic/dcqcn.yaml" >"$tmp/sonic/dcqcn.yaml"
run_file "$tmp/sonic/dcqcn.yaml"
is "with CNPs in another queue, the rehearsal fails" "$status" 1 || diagnose <"$tmp/page"
ok "the expectation of the queue of CNPs is not met" grep -Fq \
	"not met: port[v1].prio[5].queued.packets == cnps.sent" <(tr -s ' \n' ' ' <"$tmp/page")
