#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 05-pfc-storm: a NIC pauses its switch, and the report has which port
# was paused when, what the watchdog did about it, and who waited.
#
#   v2 --- XOFF, XOFF, ... ---> p2   full: p1 --- XOFF ---> v1
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/05-pfc-storm.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

summary()
{
	jq -r "$1" "$tmp/out/summary.json"
}

# metric CASE NAME
metric()
{
	summary ".cases[] | select(.name == \"$1\").metrics[\"$2\"]"
}

# prio CASE PORT KEY: of priority 3
prio()
{
	summary ".cases[] | select(.name == \"$1\").ports[] | select(.port == \"$2\").prios[] | select(.prio == 3).$3"
}

# events CASE FILTER: how many there are
events()
{
	jq -c "select(.case == \"$1\" and ($2))" "$tmp/out/events.jsonl" | wc -l
}

status=0
page=$(rdmafault run --deadline 3600s --out "$tmp/out" "$lab" 2>"$tmp/errors") || status=$?
is "the run passes" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"
is "without a word on stderr" "$(cat "$tmp/errors")" ""

is "clean: nobody is paused" "$(metric clean pause.count) $(events clean '.type == "pause"')" "0 0"
is "storm: p2 is paused once, and v1 by p1" \
	"$(events storm '.type == "pause" and .paused' ) $(prio storm p2 pauses) $(prio storm v1 pauses)" "2 1 1"
is "storm: by frames, each of which is counted at both ends" \
	"$(prio storm p2 xoff_rx) $(prio storm v1 xoff_rx)" \
	"$(prio storm v2 xoff_tx) $(prio storm p1 xoff_tx)"
is "storm: other priorities are not paused" \
	"$(summary '[.cases[1].ports[].prios[] | select(.prio != 3).pauses] | add // 0')" 0
is "drop: what is dropped, p2 has dropped" \
	"$(metric drop dropped)" "$(prio drop p2 dropped)"
is "drop: the watchdog's record" "$(events drop '.type == "watchdog" and .port == "p2"')" 2
is "forward: nothing is dropped" "$(metric forward dropped)" 0
for name in drop forward; do
	ns=$(jq "select(.case == \"$name\" and .state == \"detected\").after_ns" "$tmp/out/events.jsonl")
	ok "$name: detected after $ns ns, within a look of 100 ms" \
		[ $((ns / 50000000)) -eq 2 ]
done
ok "the page names the ports" grep -q 'p2 prio 3: 1 pause, .* watchdog detected 1 storm' <<<"$page"
is "report.html has the strip of each case with pauses" \
	"$(grep -c '<b>Pauses by priority' "$tmp/out/report.html")" 3

# A storm with gaps isn't what the lab asks for.
sed 's/ frames,/ frames duty 20ms\/20ms,/; /name: drop/,$d' "$lab" >"$tmp/gaps.yaml"
status=0
rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/gaps.yaml" >/dev/null 2>&1 || status=$?
is "control: a storm with gaps fails" "$status" 1
ok "for the share of time that it holds" grep -q \
	'NOT MET.*pause.coverage >= 99.9%, got' "$tmp/out/page.txt"
coverage=$(jq -s '[.[] | select(.case == "storm" and .type == "pause" and .port == "p2" and (.paused | not)).pause_ns] | add' "$tmp/out/events.jsonl")
ok "which is about a half: $coverage of 600,000,000 ns" \
	[ $((coverage / 50000000)) -ge 5 -a $((coverage / 50000000)) -le 7 ]

sed 's/port: switch/port: p5/' "$lab" >"$tmp/bad.yaml"
refused "a port that doesn't exist" "bad.yaml:16:11: port: want v1 to v4, .*, got \"p5\"" \
	rdmafault run --deadline 3600s --out "$tmp/bad" "$tmp/bad.yaml"
ok "nothing is left" eval '! ip link show rfbr0 2>/dev/null'
