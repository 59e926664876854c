#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What can't run is refused with one line, a status that isn't 0, and
# nothing changed; a run that is broken off leaves nothing behind.
. "$(dirname "$0")/../lib/lib.sh"

lab=$selftests/../labs/01-one-drop.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

sed -e 's/nodes: 4/nodes: 2/' -e 's/ranks: 4/ranks: 2/' "$lab" >"$tmp/small.yaml"

# typo SED WORDS REGEX
typo()
{
	sed "$1" "$lab" >"$tmp/typo.yaml"
	refused "$2" "^rdmafault: $tmp/typo.yaml:[0-9]+:[0-9]+: $3" \
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

ok "the lab is valid" rdmafault validate "$lab"
typo 's/steps:/setps:/' "a misspelt key" 'workload has no key "setps"; did you mean "steps"\?'
typo 's/256KiB/256KB/' "a size of no unit" 'size: want .*, got "256KB"'
typo 's/position middle/position centre/' "a rule's word" 'rule: position: want .*, got "centre"'
typo '0,/port: v2/s/port: v2/port: v9/' "a port that isn't there" 'port: want v1 to v4, .*, got "v9"'
refused "no such file" "^rdmafault: $tmp/none.yaml: " \
	rdmafault run "$tmp/none.yaml"
refused "no file" "^rdmafault: run: " rdmafault run
refused "an unknown option" "--out" rdmafault run --colour "$lab"
refused "a deadline without a unit" '--deadline: .*"9"' \
	rdmafault run --deadline 9 "$lab"
refused "no GPUs" '--gpus: .*"0"' rdmafault run --gpus 0 "$lab"
refused "no run to report" '^rdmafault: report: 0 directories: ' \
	rdmafault report
refused "a directory that isn't one of a run" "$tmp/run.json: " \
	rdmafault report "$tmp"
refused "three runs to compare" '^rdmafault: report: 3 directories: ' \
	rdmafault report 1 2 3
refused "a page without a name" '^rdmafault: report: --out: file name missing' \
	rdmafault report --out "" "$tmp"
refused "an unknown option of report" 'report: .*--tap' \
	rdmafault report --outfile x "$tmp"
ok "nothing has been made" no_links
ok "no report either" test ! -e "$tmp/out"

refused "a program that isn't there" "collperf ended with status 127: collperf: No such file" \
	env PATH=/usr/sbin:/sbin "$(command -v rdmafault)" run --out "$tmp/out" "$tmp/small.yaml"
ok "the machine is as it was" nothing_left

refused "a job that takes too long" "2 s" \
	rdmafault run --deadline 2s --out "$tmp/out" "$tmp/small.yaml"
ok "the machine is as it was" nothing_left

rdmafault run --out "$tmp/out" "$tmp/small.yaml" >/dev/null 2>&1 &
pid=$!
ok "a run is under way" wait_until 30 pgrep -x collperf
refused "two runs at a time" "want to run alone" rdmafault run --out "$tmp/out2" "$lab"
kill -INT $pid
wait $pid
is "Ctrl-C: aborted" $? 99
ok "the machine is as it was" nothing_left

rdmafault fabric up 2 >/dev/null
rdmafault port add v2 >/dev/null
rdmafault rule add v2 tx class write observe persist >/dev/null
# left WHAT WORDS...: the run refuses a port with this setting of an earlier command
left()
{
	refused "left: $1" "^rdmafault: run: port v2 .*$1.*rdmafault reset.*--keep" \
		rdmafault run --out "$tmp/out" "$tmp/small.yaml"
}

left 'rule 1 \(tx class write persist observe\)'
is "it stays" "$(rdmafault --json rule show v2 | jq length)" 1
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
ok "nothing has been made" test ! -e "$tmp/out/run.json"
