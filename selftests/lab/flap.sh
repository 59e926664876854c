#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 10-flap: a job outlives a link that is away for less than its QPs' seven
# timers, and no other. In virtual time, since the cases are long.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/10-flap.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# stall_ms CASE
stall_ms()
{
	jq ".cases[] | select(.name == \"$1\").metrics.stall / 1e6 | floor" \
		"$tmp/out/summary.json"
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab shows what it should" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

ok "timers that ran out in vain are told" grep -Eq \
	'only the sender.s timer found it, after [0-9.]+ ms, [3-7] timers' "$tmp/page"
ok "what came too late for 7 timers of 67 ms is in time for 537 ms" \
	test "$(stall_ms patient)" -ge 800
ok "the longer timer sleeps on when the link is back" \
	test "$(stall_ms patient)" -gt 1000

# The same link down time with 7 times 268 ms
sed -e '/name: blink/,/name: long/{/name: long/!d}' -e '/# The same with/,$d' \
	-e 's/name: long$/&\n    qp: {timeout: 16}/' "$lab" >"$tmp/sixteen.yaml"
rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/sixteen.yaml" >"$tmp/page" 2>&1
is "a longer timer fails the case of the job's end" $? 1
ok "since no rank fails" grep -q 'NOT MET *long: want ranks.failed == 4, got 0' "$tmp/page"

sed 's/blackhole v2 tx 100ms/blackhole v2 tx 100/' "$lab" >"$tmp/unit.yaml"
refused "a down time without a unit" \
	"^rdmafault: $tmp/unit.yaml:[0-9]+:[0-9]+: do: .*want .*, got \"100\"" \
	rdmafault run --deadline 3600s --out "$tmp/none" "$tmp/unit.yaml"
