#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# netem's line as input: the rules that it comes to, what it does to traffic,
# and what is refused. Every wrong line stands in unit/netem_test.c.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1

# rules: those of v1 tx, without number and key
rules()
{
	rdmafault rule save v1 tx | sed 's/ key [0-9]*//'
}

is "the line that people know" \
	"$(rdmafault rule add v1 tx netem "delay 10ms 2ms loss 1% 25%")" \
"v1 tx rule 1: probability 1% correlation 25% all persist drop
v1 tx rule 2: all persist delay 10ms jitter 2ms"
is "is two rules" "$(rules)" \
"probability 1% correlation 25% seed 0 all drop
seed 0 all delay 10ms jitter 2ms"
is "of one change" "$(rdmafault --json port show v1 | jq '.[0].generation')" 1
is "with keys of their own" \
	"$(rdmafault --json rule show v1 | jq '[.[].key] | unique | length')" 2

rdmafault reset
is "several are a list in JSON" \
	"$(rdmafault --json rule add v1 tx netem "corrupt 3% duplicate 2% seed 7" |
	   jq -r '.[].rule')" \
"probability 2% seed 7 all persist duplicate
probability 3% seed 7 all persist corrupt bit"
rdmafault reset
is "words before it narrow all of them" \
	"$(rdmafault --json rule add v1 tx class write attempt 1 netem "delay 1ms" |
	   jq -r .rule)" "class write attempt 1 persist delay 1ms"

before=$(rdmafault --json port show v1 | jq '.[0].generation')
refused "rate" "^rdmafault: netem: rate: is of a link" \
	rdmafault rule add v1 tx netem "delay 1ms rate 1mbit"
refused "slot" "^rdmafault: netem: slot: is of a link" \
	rdmafault rule add v1 tx netem "slot 20ms"
refused "limit" "^rdmafault: netem: limit: not known here" \
	rdmafault rule add v1 tx netem "limit 1000 loss 1%"
refused "a gap" "^rdmafault: netem: gap: want 1, .* every 5 reorder 1" \
	rdmafault rule add v1 tx netem "delay 10ms reorder 25% gap 5"
refused "a time without unit" \
	"^rdmafault: netem: delay: want a time .* with its unit, .*, got \"100\"" \
	rdmafault rule add v1 tx netem "delay 100"
refused "more delay than the port grants" "^rdmafault: v1: .*delay: " \
	rdmafault rule add v1 tx netem "loss 1% delay 6s"
is "of this nothing was added" \
	"$(rdmafault --json port show v1 | jq '.[0].generation')" "$before"

# What the line does, told by rxe and by the count of packets.
rdmafault reset
ok "without rules a write is done" write_bw 2 1 -n 20 -s 65536
retries=$(hw rxe1 retry_exceeded_err)
is "and nothing was lost" "$(port_stat v1 tx dropped)" 0
rdmafault rule add v1 tx class write attempt 1 netem "loss 4% duplicate 5% seed 1" \
	>/dev/null
ok "with loss and duplicates it is done, too" write_bw 2 1 -n 20 -s 65536
ok "packets were lost" test "$(port_stat v1 tx dropped)" -gt 0
ok "packets were doubled" test "$(port_stat v1 tx duplicated)" -gt 0
ok "what was lost was retransmitted" test \
	"$(port_stat v1 tx retransmitted)" -ge "$(port_stat v1 tx dropped)"
is "the sender saw no error" \
	"$(hw rxe1 send_err) $(hw rxe1 retry_exceeded_err)" "0 $retries"
