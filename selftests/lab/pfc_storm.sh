#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 05-pfc-storm: a NIC pauses its switch port. The report must say which port was
# paused and when, what the watchdog did, and which ranks waited.
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

# metric CASE NAME: prints the metric NAME of CASE
metric()
{
	summary ".cases[] | select(.name == \"$1\").metrics[\"$2\"]"
}

# prio CASE PORT KEY: prints the value KEY of priority 3 of PORT in CASE
prio()
{
	summary ".cases[] | select(.name == \"$1\").ports[] | select(.port == \"$2\").prios[] | select(.prio == 3).$3"
}

# events CASE FILTER: prints the number of events for which the filter is true
events()
{
	jq -c "select(.case == \"$1\" and ($2))" <(run_lines "$tmp/out") | wc -l
}

status=0
page=$(rdmafault run --deadline 3600s --out "$tmp/out" "$lab" 2>"$tmp/errors") || status=$?
is "the lab 05-pfc-storm meets its expectations" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"
is "the run prints nothing on standard error" "$(cat "$tmp/errors")" ""

is "case clean: no port is paused" \
	"$(metric clean pause.count) $(events clean '.type == "pause"')" "0 0"
is "case storm: p2 is paused once, and v1 is paused by p1" \
	"$(events storm '.type == "pause" and .paused' ) $(prio storm p2 pauses) $(prio storm v1 pauses)" "2 1 1"
is "case storm: both ends of a link count the same XOFF frames" \
	"$(prio storm p2 xoff_rx) $(prio storm v1 xoff_rx)" \
	"$(prio storm v2 xoff_tx) $(prio storm p1 xoff_tx)"
is "case storm: no other priority is paused" \
	"$(summary '[.cases[1].ports[].prios[] | select(.prio != 3).pauses] | add // 0')" 0
is "case drop: p2 has dropped all dropped packets" \
	"$(metric drop queue.dropped)" "$(prio drop p2 dropped)"
is "case drop: two watchdog events of p2 are recorded" \
	"$(events drop '.type == "watchdog" and .port == "p2"')" 2
is "case forward: no packet is dropped" "$(metric forward queue.dropped)" 0
for name in drop forward; do
	ns=$(jq "select(.case == \"$name\" and .state == \"detected\").after_ns" <(run_lines "$tmp/out"))
	ok "case $name: the storm is detected after 100 to 150 ms ($ns ns)" \
		[ $((ns / 50000000)) -eq 2 ]
done
ok "the report names the paused port and the detected storm" \
	grep -q 'p2 prio 3: 1 pause, .* watchdog detected the start of 1 storm' <<<"$(tr -s ' \n' ' ' <<<"$page")"
is "report.html has a pause figure for each of three cases with pauses" \
	"$(grep -o '"pauses":{"span_us":' "$tmp/out/report.html" | wc -l)" 3
is "summary.json conforms to its schema" "$(python3 "$selftests/lib/schema.py" \
	"$selftests/../Documentation/summary.schema.json" "$tmp/out/summary.json")" ""

# Control: with gaps in the storm, the lab must not meet its expectation.
sed 's/ frames,/ frames duty 20ms\/20ms,/; /name: drop/,$d' "$lab" >"$tmp/gaps.yaml"
status=0
rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/gaps.yaml" >/dev/null 2>&1 || status=$?
is "control: with a duty cycle the lab's expectations are not met" "$status" 1
ok "control: with a duty cycle the coverage is not met" grep -q \
	'FAIL .*not met: port.p2..prio.3..pause.coverage >= 99.9%: got' "$tmp/out/page.txt"
coverage=$(jq -s '[.[] | select(.case == "storm" and .type == "pause" and .port == "p2" and (.paused | not)).pause_ns] | add' <(run_lines "$tmp/out"))
ok "control: with a duty cycle p2 is paused for about half of 600 ms ($coverage ns)" \
	[ $((coverage / 50000000)) -ge 5 -a $((coverage / 50000000)) -le 7 ]

sed 's/port: switch/port: p5/' "$lab" >"$tmp/bad.yaml"
refused "a scenario with a port that does not exist is refused" \
	"bad.yaml:16:11: port \"p5\": not in this fabric; the ports are v1 to v4, " \
	rdmafault run --deadline 3600s --out "$tmp/bad" "$tmp/bad.yaml"
ok "no fabric is left after the last run" eval '! ip link show rfbr0 2>/dev/null'
