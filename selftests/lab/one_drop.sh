#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 01-one-drop: one selected packet is dropped, in one case in the middle of a
# message, in the other case at the end of the step. The report shows the impact of the loss.
#
#   rank 1 on v2 --- class write, step 20, transmission 1 --X--> rank 2 on v3
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only

lab=$selftests/../labs/01-one-drop.yaml
tick_ns=4000000
tmp=$(mktemp -d)
defer rm -r "$tmp"

summary()
{
	jq -r "$1" "$tmp/out/summary.json"
}

# metric CASE NAME: prints the metric NAME of CASE
metric()
{
	summary ".cases[] | select(.name == \"$1\").metrics.\"$2\""
}

# loss CASE KEY: prints the value KEY of the first lost packet of CASE
loss()
{
	summary ".cases[] | select(.name == \"$1\").losses[0].$2"
}

between()
{
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

status=0
page=$(rdmafault run --deadline 3600s --out "$tmp/out" "$lab" 2>"$tmp/errors") || status=$?
is "the lab 01-one-drop meets its expectations" "$status" 0
is "case clean: no packet is retransmitted" "$(metric clean retransmitted)" 0
is "the run prints nothing on standard error" "$(cat "$tmp/errors")" ""
is "page.txt has the printed report" "$(cat "$tmp/out/page.txt")" "$page"
is "no line of the report is wider than 80 columns" \
	"$(($(LC_ALL=C.UTF-8 wc -L <"$tmp/out/page.txt") <= 80))" 1

is "in each case, the traffic of each rank is what its port has sent" \
	"$(summary '[.cases[] | .traffic_bytes as $sent | .ports as $ports | range(4) |
		[($sent[.] | add), ($ports[] as $port | select($port.port == "v\(. + 1)") | $port.tx_bytes)] |
		select(.[0] != .[1])]')" '[]'
is "control: each rank sent to the next one, and ACKs to the one before" \
	"$(summary '[.cases[0].traffic_bytes | to_entries[] | .key as $rank | .value | to_entries[] |
		select(.value > 0) | (.key - $rank + 4) % 4] | unique | tostring')" '[1,3]'

html=$tmp/out/report.html
ok "report.html begins with the summary line" grep -q \
	'<h1>One lost packet made all 4 ranks wait [0-9.]* ms longer in step 20.</h1>' "$html"
ok "report.html compares the worst step with a clean one" grep -q \
	'class="lead">Case &quot;tail&quot;: The network part of step 20 took ' "$html"

# data FILTER: run jq on the data that report.html has for its script
data()
{
	sed -n 's|^<script type="application/json" id="summary">\(.*\)</script>$|\1|p' "$html" | jq -r "$1"
}

is "report.html shows the worst case first" \
	"$(data '[.cases[.summary.order[]].label] | join(" ")')" "tail middle clean"
is "report.html draws the ranks in each case" \
	"$(data '[.cases[] | select(.figures.ranks.ranks | length == 4)] | length')" 3
is "summary.json conforms to its schema" "$(python3 "$selftests/lib/schema.py" \
	"$selftests/../Documentation/summary.schema.json" "$tmp/out/summary.json")" ""

is "case middle: one packet is hit" "$(metric middle faults.hit)" 1
is "case middle: the loss is detected by a NAK" "$(metric middle detected_by)" nak
is "case middle: one NAK is sent" "$(metric middle naks)" 1
is "case middle: no timer expires" "$(metric middle timeouts)" 0
ok "case middle: 1 to 128 packets are retransmitted" \
	between "$(metric middle retransmitted)" 1 128
is "case middle: the lost packet is retransmitted first" \
	"$(loss middle first_resend_after_ns)" \
	"$(loss middle lost_packet_retransmitted_after_ns)"
is "case middle: the lost packet is the one that the rule names" \
	"$(loss middle packet | jq -c '[.port, .direction, .opcode, .position, .attempt, .step, .bytes]')" \
	'["v2","tx","rc-write-middle","middle",1,20,4140]'
# Before the observed step, there are 21 steps of 96 packets each: 2 for warm-up and 19 others.
# The fourth packet of the observed step is lost.
is "case middle: the relative PSN of the lost packet is exact" "$(loss middle packet.psn_rel)" \
	$(((2 + 19) * 96 + 3))

is "case tail: one packet is hit" "$(metric tail faults.hit)" 1
is "case tail: the loss is detected by the timer" "$(metric tail detected_by)" timeout
is "case tail: no NAK is sent" "$(metric tail naks)" 0
is "case tail: one timer expires" "$(metric tail timeouts)" 1
is "case tail: the lost packet is the one that the rule names" \
	"$(loss tail packet | jq -c '[.opcode, .position, .psn_rel]')" \
	"[\"rc-write-last-imm\",\"last\",$((22 * 96 - 1))]"
is "case tail: the whole message of 16 packets is retransmitted" \
	"$(loss tail packets_retransmitted)" 16
# The timer is 4.096 us * 2^14 = 67.1 ms, which rxe rounds down to 16 clock ticks of 4 ms. On
# Linux 6.1, an earlier packet of the step starts the timer, so the recovery can be shorter.
ok "case tail: the recovery time is 10 to 20 ticks of 4 ms, near the timer of 67.1 ms" \
	between "$(metric tail recovery_time)" $((10 * tick_ns)) $((20 * tick_ns))

# A flow of the ring sends 6 messages of 16 packets per step.
is "each flow of the ring has 96 packets in the observed step" \
	"$(summary '[.cases[].flows[] | select(.packets > 1) | .packets - .retransmitted] | unique | join(" ")')" 96
is "all flows conform to go-back-N" \
	"$(summary '[.cases[].flows[].verdict] | unique | join(" ")')" conforms
is "case tail: all 4 ranks stall, the receiver first" \
	"$(summary '.cases[2].metrics | "\(.["blast.ranks"]) \(.["blast.first"])"')" "4 2"
ok "case middle: the NAK is sent after the loss is revealed and before it arrives" between \
	"$(loss middle nak_sent_after_ns)" "$(loss middle revealed_after_ns)" \
	"$(loss middle nak_after_ns)"
is "report prints the same report again" "$(rdmafault report "$tmp/out")" "$page"
cp -r "$tmp/out" "$tmp/again"
ok "a comparison of a run with its copy shows no difference" eval \
	"rdmafault report '$tmp/out' '$tmp/again' | grep -q '^  naks  *1  *1  *same'"

is "the comparison page of a run with its copy says that nothing differs" \
	"$(rdmafault report -o "$tmp/both.html" "$tmp/out" "$tmp/again" >/dev/null;
		grep -o '<h1>No significant change' "$tmp/both.html")" \
	'<h1>No significant change'
is "the comparison page has the times, steps and activities of each case" \
	"$(grep -oE '"compare_(times|steps|activities)":' "$tmp/both.html" | sort | uniq -c | xargs)" \
	"3 compare_activities: 3 compare_steps: 3 compare_times:"
is "report exits with 2 and an error if its page cannot be written" \
	"$(rdmafault report -o /dev/full "$tmp/out" "$tmp/again" 2>&1 >/dev/null; echo $?)" \
	"rdmafault: /dev/full: No space left on device
2"
rdmafault report --out "$tmp/one.html" "$tmp/out" >/dev/null
ok "report --out writes the page of one run to that file" cmp "$tmp/one.html" "$html"

for name in clean middle tail; do
	is "case $name: no sum is wrong" "$(metric $name wrong)" 0
	is "case $name: rxe counts no send_err" "$(metric $name send_errors)" 0
done
is "rxe counts 0, 1 and 1 retries in the three cases" \
	"$(summary '[.cases[].rxe_counters.completer_retry_err] | join(" ")')" "0 1 1"
ok "every line of the record has a type" \
	jq -e -s 'length > 100 and all(.[]; .type)' <(run_lines "$tmp/out")
is "the fabric of the run is gone" \
	"$(rdmafault --json fabric show | jq -r '.nodes | length' 2>/dev/null || echo 0)" 0
