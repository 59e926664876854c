#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 04-straggler: one of eight ranks is late and the seven other ranks wait. If the
# rank computes longer, the other ranks wait for this delay once per step. If the rank's link
# has a delay, they wait for the delay twice. The test runs in virtual time, because on a busy
# host any of eight ranks can be late.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/04-straggler.yaml
# The ranks get a deadline of an hour (option --deadline), because virtual time advances by
# large steps while the machine waits for its disk.
tmp=$(mktemp -d)
defer rm -r "$tmp"

metrics()
{
	jq -c ".cases[] | select(.name == \"$1\").metrics | $2" "$tmp/out/summary.json"
}

# waiting CASE METRIC: prints the ranks for which METRIC is 150 ms or more
waiting()
{
	metrics "$1" "[.[\"rank[].$2\"] | to_entries[] | select(.value >= 150e6).key]"
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab 04-straggler meets its expectations" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

is "case clean: no rank waits 150 ms" "$(waiting clean wait.p50)" "[]"
is "case late-rank: all other ranks wait 150 ms to receive" \
	"$(waiting late-rank wait.recv.p50)" "[0,1,2,3,4,6,7]"
is "case late-rank: rank 5 alone arrives late" "$(waiting late-rank arrival.p50)" "[5]"
is "case long-wire: no rank arrives late" "$(waiting long-wire arrival.p50)" "[]"
is "case long-wire: all ranks wait 150 ms" "$(waiting long-wire wait.p50)" "[0,1,2,3,4,5,6,7]"
is "case long-wire: the ranks at its two ends wait for ACKs" \
	"$(waiting long-wire wait.send.p50)" "[4,5]"
is "case late-rank: its cost is computed against the clean case" \
	"$(jq '.cases[1].clean_median_ns == .cases[0].clean_median_ns and
		.cases[1].metrics["case.cost"] > 0' "$tmp/out/summary.json")" true
ok "the report names the late rank and how late it is" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -Eq 'Rank 5 started last in 12 of 12 steps, (19[5-9]|20[0-9]) ms after the first rank'"
ok "run --dry-run shows the option --straggler of the case" eval \
	"rdmafault run --dry-run '$lab' | grep -q '^  late-rank.*--straggler 5,200ms'"

sed -e 's/--straggler 5,200ms/--straggler 4,200ms/;/name: long-wire/,$d' \
	-e 's/steps: 12/steps: 6/; s/last == 12/last == 6/' "$lab" >"$tmp/other.yaml"
rdmafault run --deadline 3600s --out "$tmp/other" "$tmp/other.yaml" >"$tmp/page" 2>&1
is "control: with another late rank the expectation is not met" $? 1
ok "control: the report says that rank 5 was never last" \
	grep -Eq 'FAIL +late-rank: not met: rank\[5\].last == 6: got 0' \
	"$tmp/page"

sed '/name: clean/,/wait.recv/d' "$lab" >"$tmp/first.yaml"
refused "a scenario whose first case has a straggler is refused" \
	"the first case must be clean" \
	rdmafault validate "$tmp/first.yaml"
