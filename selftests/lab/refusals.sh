#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that an invalid run is refused with an error of one line and an exit status that is not
# 0. A refused run must change nothing, and an aborted run must leave nothing behind.
. "$(dirname "$0")/../lib/lib.sh"

lab=$selftests/../labs/01-one-drop.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

sed -e 's/nodes: 4/nodes: 2/' -e 's/ranks: 4/ranks: 2/' "$lab" >"$tmp/small.yaml"

# typo SED TITLE REGEX: edit the lab with the sed commands SED, and test that it is refused.
# The error must have file, line and column and match REGEX. TITLE (in the name of the test)
# says what is wrong.
typo()
{
	sed "$1" "$lab" >"$tmp/typo.yaml"
	refused "a scenario with $2 is refused with its place" \
		"^rdmafault: $tmp/typo.yaml:[0-9]+:[0-9]+: $3" \
		rdmafault run --out "$tmp/out" "$tmp/typo.yaml"
}

no_links()
{
	! ip link show rfbr0
}

nothing_left()
{
	no_links && ! ls -d /sys/kernel/tracing/instances/rdmafault-* 2>/dev/null &&
		! pgrep -x collperf
}

ok "validate accepts the lab 01-one-drop" rdmafault validate "$lab"
typo 's/steps:/setps:/' "a misspelt key" 'workload: unknown key "setps"; did you mean "steps"\?'
typo 's/256KiB/256KB/' "a size with an unknown unit" 'size 256KB: invalid; 4B to 1GiB'
typo 's/position middle/position centre/' "an unknown word in a rule" 'do: position centre: invalid; .*'
typo '0,/drop v2/s/drop v2/drop v9/' "a port that does not exist" 'port "v9": not in this fabric; the ports are v1 to v4, '
refused "run of a file that does not exist is refused" "^rdmafault: $tmp/none.yaml: " \
	rdmafault run "$tmp/none.yaml"
refused "run without a file is refused" "^rdmafault: run: " rdmafault run
refused "run with an unknown option is refused" 'run: unknown option "--colour"' rdmafault run --colour "$lab"
refused "run with a deadline without a unit is refused" '--deadline 9: unit missing; 1s to 3600s' \
	rdmafault run --deadline 9 "$lab"
refused "run with 0 GPUs is refused" '--gpus 0: invalid; up to 8 numbers' rdmafault run --gpus 0 "$lab"
refused "report without a directory is refused" '^rdmafault: report: 0 directories given; 1 to show a run' \
	rdmafault report
refused "report of a directory without a run is refused" "^rdmafault: $tmp: not the directory of a run" \
	rdmafault report "$tmp"
refused "report of three directories is refused" '^rdmafault: report: 3 directories given; 1 to show a run' \
	rdmafault report 1 2 3
refused "report with an empty --out is refused" '^rdmafault: -o "": empty; a file' \
	rdmafault report --out "" "$tmp"
refused "report with an unknown option is refused" 'report: unknown option "--outfile"' \
	rdmafault report --outfile x "$tmp"
ok "refused runs make no fabric" no_links
ok "refused runs write no report" test ! -e "$tmp/out"

refused "a run without the program collperf is refused" \
	"collperf ended with exit status 127; its last line of output: collperf: No such file" \
	env PATH=/usr/sbin:/sbin "$(command -v rdmafault)" run --out "$tmp/out" "$tmp/small.yaml"
ok "a run without the program collperf leaves nothing" nothing_left

refused "a run whose job exceeds the deadline fails and names the deadline" "2 s" \
	rdmafault run --deadline 2s --out "$tmp/out" "$tmp/small.yaml"
ok "a run whose job exceeds the deadline leaves nothing" nothing_left

rdmafault run --out "$tmp/out" "$tmp/small.yaml" >/dev/null 2>&1 &
pid=$!
ok "a run has started its job" wait_until 30 pgrep -x collperf
refused "a second run at the same time is refused" \
	"another run is active on this machine" rdmafault run --out "$tmp/out2" "$lab"
kill -INT $pid
wait $pid
is "SIGINT: the run exits with 99, aborted" $? 99
ok "SIGINT: the run leaves nothing" nothing_left

rdmafault fabric up 2 >/dev/null
rdmafault port add v2 >/dev/null
rdmafault rule add v2 tx class write observe persist >/dev/null
# left REGEX: test that a run is refused if one of its ports still has a setting of an earlier
# command. The error must match REGEX.
left()
{
	refused "run on a port with a setting of an earlier command is refused: $1" \
		"^rdmafault: run: port v2 .*$1.*rdmafault reset.*--keep" \
		rdmafault run --out "$tmp/out" "$tmp/small.yaml"
}

left 'rule 1 \(tx class write persist observe\)'
is "the refused run leaves the rule of the earlier command" \
	"$(rdmafault --json rule show v2 | jq length)" 1
rdmafault reset
rdmafault link set v2 rate 20mbit delay 5us
left 'link rate 20mbit delay 5us'
rdmafault link set v2 rate none delay 0us
rdmafault prio set v2 prio-tsa 3:ets
left 'prio prio-tsa 3:ets'
rdmafault prio set v2 prio-tsa 3:strict
rdmafault ecn set v2 prio 3 kmin 1k kmax 2k pmax 10%
left 'ecn prio 3 kmin 1KiB kmax 2KiB pmax 10%'
rdmafault ecn set v2 prio 3 off
rdmafault pause v2 watchdog prio 3 detect 100ms
left 'watchdog prio 3 detect 100ms'
rdmafault pause v2 watchdog detect 200ms
rdmafault pause v2 watchdog off
rdmafault port set v2 max-hold 1s
left 'max-hold 1s'
rdmafault port set v2 max-hold 5s
rdmafault port set v2 name other
left 'name other'
rdmafault reset v2
ok "runs refused for settings of earlier commands write nothing" test ! -e "$tmp/out/environment.json"
