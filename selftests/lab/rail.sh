#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the labs 12-rail and 13-downtime. A job with two rails and failover completes all steps if one
# rail fails; the report has the failover time and the repeated bytes. A link that is down for longer than
# the retries, or than the watchdog of the job, ends the job.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/labs.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

# of CASE FILTER: prints a value of a case of the lab 12-rail
of()
{
	jq -r ".cases[] | select(.name == \"$1\") | $2" "$tmp/12-rail/summary.json"
}

passes 12-rail
ok "the report has a sentence with the failover time and the repeated bytes" eval \
	"of for-good .failover | grep -Eq '^Rail 1 failed in step [89], at rank [0-3]\. The ranks continued on the other rail: failover time ([4-9][0-9]{2} ms|1\.[01][0-9]* s), [0-9.]+ [KM]iB repeated\.'"
is "the report has no such sentence for a failure that the retries survive" \
	"$(of short .failover)" null
# drawn CASE RAIL: prints the rail that the drawing marks; RAIL if no packet is known that was lost. A
# port whose link is down sends none; so if it goes down after it has received the last data of a step,
# no loss is recorded.
drawn()
{
	of "$1" "if .losses == [] then $2 else .figures.ladder.rail end"
}
is "the drawing marks the nodes of the rail whose packet was lost" \
	"$(drawn short 0) $(drawn for-good 0) $(drawn other-rail 1)" "0 0 1"
is "control: case short has a lost packet" "$(of short '.losses != []')" true
ok "without a rail that works, the error names both" eval \
	"grep -Eq 'no rail is left; rail 1: rank [0-3]: .*; rail 2: rank [0-3]: ' '$tmp/12-rail/both/timeline.jsonl'"
ok "after the failure, no queue pair of the job is on rail 1" eval \
	"jq -es '[.[] | select(.type == \"qp\")] | group_by(.rank)[1] | .[-2:] | all(.rail == 2)' '$tmp/12-rail/for-good/timeline.jsonl'"

# This lab takes more than a minute: only with the settings of scripts/check --full.
[ "${FAULT_RUNS:-0}" -lt 50 ] || passes 13-downtime
