#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the list of metrics: "rdmafault validate --metrics". Runs on the host.
. "$(dirname "$0")/../lib/lib.sh"

bin=${BIN:-$selftests/../build/bin}
all=$("$bin/rdmafault" validate --metrics)

# metrics [WORD]: print the names that the JSON of the command has
metrics()
{
	"$bin/rdmafault" --json validate --metrics "$@" |
		python3 -c 'import json, sys; print("\n".join(m["name"] for m in json.load(sys.stdin)))'
}

is "no line is longer than 80 columns" "$(awk 'length > 80' <<<"$all")" ""
# The statistics of a time are in one line: "step.time.min, .p50, .p90".
is "the list has each metric once" \
	"$(sed -nE 's/^  ([^ ].*) \([a-z]+\)$/\1/p' <<<"$all" |
		awk -F ', ' '{ print $1; sub(/\.[a-z0-9]+$/, "", $1)
			for (i = 2; i <= NF; i++) print $1 $i }' | sort)" \
	"$(metrics | sort)"
is "metrics of one object are together" \
	"$(grep -c '^  port\[\]\.prio' <<<"$all")" \
	"$(sed -n '/for each port\[\]\.prio\[\]$/,/^$/p' <<<"$all" | grep -c '^  port')"
is "a word selects metrics by name" "$(metrics fault[].HIT.share)" "fault[].hit.share"
is "a word selects metrics by text" "$(metrics 'did not end')" "ranks.failed"
is "a word selects a group" "$(metrics faults | grep -c "^lost_time")" 3
is "with a word, the list has only metrics with it" \
	"$("$bin/rdmafault" validate --metrics ranks.failed)" \
	"$(printf '%s\n' 'job and steps' '  ranks.failed (number)' \
		'      number of ranks that failed or did not end')"
ok "metrics of processes, which a scenario names, are described" \
	grep -q '^  PROCESS.exit' <("$bin/rdmafault" validate --metrics process)
refused "a word that no metric has is refused" \
	'validate: --metrics "frob": no metric has this word in its name, group or text' \
	"$bin/rdmafault" validate --metrics frob
refused "two words are refused" "--metrics .* exclude each other" \
	"$bin/rdmafault" validate --metrics step time
refused "a word and --schema are refused" "exclude each other" \
	"$bin/rdmafault" validate --metrics --schema
