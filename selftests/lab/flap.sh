#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 10-flap: a job survives a link failure that is shorter than seven retransmission
# timeouts of its QPs in a row. The job does not survive a longer link failure. The test runs
# in virtual time, because the cases are long.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/10-flap.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# stall_ms CASE: prints the longest stall of the case, in milliseconds
stall_ms()
{
	jq ".cases[] | select(.name == \"$1\").metrics.stall / 1e6 | floor" \
		"$tmp/out/summary.json"
}

rdmafault run --deadline 3600s --out "$tmp/out" "$lab" >"$tmp/page" 2>"$tmp/errors"
status=$?
is "the lab 10-flap meets its expectations" $status 0
[ $status -eq 0 ] || diagnose <<<"$(cat "$tmp/errors" "$tmp/page")"

ok "the report counts the timers that expired while the link was down" eval \
	"tr -s ' \n' ' ' <'$tmp/page' | grep -Eq 'the sender.s timer detected the loss after [0-9.]+ ms \([3-7] timeouts\)'"
ok "with a timer of 537 ms the job stalls for at least 800 ms" \
	test "$(stall_ms patient)" -ge 800
ok "with a timer of 537 ms the stall goes on after the link is back: more than 1000 ms" \
	test "$(stall_ms patient)" -gt 1000

# Run the case "long" of the lab with the same link failure, but with retransmission timers of 268
# ms: seven timeouts in a row then last longer than the failure.
sed -e '/name: blink/,/name: long/{/name: long/!d}' -e '/# The same with/,$d' \
	-e 's/name: long$/&\n    qp: {timeout: 16}/' "$lab" >"$tmp/sixteen.yaml"
rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/sixteen.yaml" >"$tmp/page" 2>&1
is "with a timer of 268 ms the case that expects the job to end is not met" $? 1
ok "with a timer of 268 ms no rank fails" \
	grep -q 'FAIL *long: not met: ranks.failed == 4: got 0' "$tmp/page"

sed 's/blackhole v2 tx 100ms/blackhole v2 tx 100/' "$lab" >"$tmp/unit.yaml"
refused "a blackhole with a time without a unit is refused" \
	"^rdmafault: $tmp/unit.yaml:[0-9]+:[0-9]+: do: .*100: unit missing; " \
	rdmafault run --deadline 3600s --out "$tmp/none" "$tmp/unit.yaml"
