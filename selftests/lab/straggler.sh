#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 04-straggler: one rank of eight is late and seven wait, by the delay of a
# rank once, by that of a wire twice. In virtual time, because on a busy host eight
# ranks come late by themselves.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/04-straggler.yaml
# --deadline: virtual time leaps while the machine waits for its disk
tmp=$(mktemp -d)
defer rm -r "$tmp"

metrics()
{
	jq -c ".cases[] | select(.name == \"$1\").metrics | $2" "$tmp/out/summary.json"
}

# Ranks whose metric $2 is 150 ms or more in case $1
waiting()
{
	metrics "$1" "[.[\"rank[].$2\"] | to_entries[] | select(.value >= 150e6).key]"
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab shows what it should" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

is "nobody waits so long in the clean case" "$(waiting clean wait.p50)" "[]"
is "for the late rank all others wait" \
	"$(waiting late-rank wait.recv.p50)" "[0,1,2,3,4,6,7]"
is "and it alone comes late" "$(waiting late-rank arrival.p50)" "[5]"
is "on the long wire nobody does" "$(waiting long-wire arrival.p50)" "[]"
is "all wait for it" "$(waiting long-wire wait.p50)" "[0,1,2,3,4,5,6,7]"
is "and its two ends for ACKs" \
	"$(waiting long-wire wait.send.p50)" "[4,5]"
is "the late rank is measured against the clean case" \
	"$(jq '.cases[1].clean_median_ns == .cases[0].clean_median_ns and
		.cases[1].metrics["case.cost"] > 0' "$tmp/out/summary.json")" true
ok "the page names it" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -Eq 'Rank 5 came last to 12 of 12 steps, (19[5-9]|20[0-9]) ms after the first'"
ok "the plan says that it is late" eval \
	"rdmafault run --dry-run '$lab' | grep -q '^  late-rank.*--straggler 5,200ms'"

sed -e 's/--straggler 5,200ms/--straggler 4,200ms/;/name: long-wire/,$d' \
	-e 's/steps: 12/steps: 6/; s/last == 12/last == 6/' "$lab" >"$tmp/other.yaml"
rdmafault run --deadline 3600s --out "$tmp/other" "$tmp/other.yaml" >"$tmp/page" 2>&1
is "another rank that is late isn't taken for it" $? 1
ok "and the page says so" grep -Eq 'NOT MET +late-rank: want rank\[5\].last == 6, got 0' \
	"$tmp/page"

sed '/name: clean/,/wait.recv/d' "$lab" >"$tmp/first.yaml"
refused "a first case that is late" "want the first one without faults or straggler" \
	rdmafault validate "$tmp/first.yaml"
