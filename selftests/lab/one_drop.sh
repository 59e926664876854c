#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 01-one-drop: one named packet is dropped, in the middle of a message and at
# its end, and the report says what became of it.
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

# measure CASE KEY
measure()
{
	summary ".cases[] | select(.name == \"$1\").measures.$2"
}

# loss CASE KEY
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
is "the run passes" "$status" 0
is "clean: nothing is retransmitted" "$(measure clean retransmitted)" 0
is "without a word on stderr" "$(cat "$tmp/errors")" ""
is "the page is what was printed" "$(cat "$tmp/out/page.txt")" "$page"
is "no line is wider than 100 columns" \
	"$(($(LC_ALL=C.UTF-8 wc -L <"$tmp/out/page.txt") <= 100))" 1

html=$tmp/out/report.html
ok "the page for a browser says what happened on top" grep -q \
	'class="lead">One lost packet (&quot;tail&quot;) made all 4 ranks wait: step 20 took ' "$html"
is "and has three figures of each faulted case, and one of the costs" \
	"$(grep -c '<figure' "$html")" 7

is "middle: one packet is hit" "$(measure middle hits)" 1
is "middle: detected by the NAK" "$(measure middle detected_by)" nak
is "middle: one NAK on the wire" "$(measure middle naks)" 1
is "middle: no timeout" "$(measure middle timeouts)" 0
ok "middle: 1 to 128 packets are retransmitted" \
	between "$(measure middle retransmitted)" 1 128
is "middle: the lost packet goes first" \
	"$(loss middle first_resend_after_ns)" \
	"$(loss middle lost_packet_retransmitted_after_ns)"
is "middle: the packet that was named" \
	"$(loss middle packet | jq -c '[.port, .direction, .opcode, .position, .attempt, .step, .bytes]')" \
	'["v2","tx","rc-write-middle","middle",1,20,4140]'
# 2 warm-ups and 19 steps of 96 packets, and the fourth packet of the next
is "middle: its place in the flow" "$(loss middle packet.psn_rel)" \
	$(((2 + 19) * 96 + 3))

is "tail: one packet is hit" "$(measure tail hits)" 1
is "tail: detected by the timer" "$(measure tail detected_by)" timeout
is "tail: no NAK" "$(measure tail naks)" 0
is "tail: one timeout" "$(measure tail timeouts)" 1
is "tail: the packet that was named" \
	"$(loss tail packet | jq -c '[.opcode, .position, .psn_rel]')" \
	"[\"rc-write-last-imm\",\"last\",$((22 * 96 - 1))]"
is "tail: the whole message is retransmitted" "$(loss tail packets_retransmitted)" 16
# 4.096 us * 2^14 are 16 ticks; on 6.1 the timer runs from an earlier packet of the
# step on.
ok "tail: after the timer of 67.1 ms, less a step" \
	between "$(measure tail recovery_time_ns)" $((10 * tick_ns)) $((20 * tick_ns))

# Once they have all, flows of the ring have 6 messages of 16 packets a step.
is "each of the ring's flows has 96 packets in the step that is observed" \
	"$(summary '[.cases[].flows[] | select(.packets > 1) | .packets - .retransmitted] | unique | join(" ")')" 96
is "all flows keep the rules of go-back-N" \
	"$(summary '[.cases[].flows[].verdict] | unique | join(" ")')" conforms
is "tail: all ranks stalled, the receiver first" \
	"$(summary '.cases[2].metrics | "\(.["blast.ranks"]) \(.["blast.first"])"')" "4 2"
ok "middle: the NAK left before it came in" between \
	"$(loss middle nak_sent_after_ns)" "$(loss middle revealed_after_ns)" \
	"$(loss middle nak_after_ns)"
is "rendered again it is the same page" "$(rdmafault report "$tmp/out")" "$page"
cp -r "$tmp/out" "$tmp/again"
ok "beside itself nothing has changed" eval \
	"rdmafault report '$tmp/out' '$tmp/again' | grep -q '^  naks  *1  *1  *same'"

is "for a browser, too: it says that nothing differs" \
	"$(rdmafault report -o "$tmp/both.html" "$tmp/out" "$tmp/again" >/dev/null;
		grep -o 'class="lead">No case that the runs share' "$tmp/both.html")" \
	'class="lead">No case that the runs share'
ok "and has two figures of each case, and one of all" \
	test "$(grep -c '<figure' "$tmp/both.html")" = 7
is "of a page that can't be written it is told" \
	"$(rdmafault report -o /dev/full "$tmp/out" "$tmp/again" 2>&1 >/dev/null; echo $?)" \
	"rdmafault: /dev/full: No space left on device
2"
rdmafault report --out "$tmp/one.html" "$tmp/out" >/dev/null
ok "of one run the page goes where it is wanted" cmp "$tmp/one.html" "$html"

for name in clean middle tail; do
	is "$name: no sum is wrong" "$(measure $name wrong)" 0
	is "$name: send_err doesn't move" "$(measure $name send_errors)" 0
done
is "rxe counts as many retransmissions as we" \
	"$(summary '[.cases[].rxe_counters.completer_retry_err] | join(" ")')" "0 1 1"
ok "every line of events.jsonl is an object with its case" \
	jq -e -s 'all(.[]; .case and .type)' "$tmp/out/events.jsonl"
is "the fabric that was made for the run is gone" \
	"$(rdmafault --json fabric show | jq -r '.nodes | length' 2>/dev/null || echo 0)" 0
