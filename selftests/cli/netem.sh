#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test "rule add ... netem" with options of tc-netem(8): the rules that the command adds, their
# effect on traffic, and which options it refuses. unit/netem_test.c tests all invalid options.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1

# rules: prints the rules of v1 tx without number and key
rules()
{
	rdmafault rule save v1 tx | sed 's/ key [0-9]*//'
}

is "netem delay 10ms 2ms loss 1% 25%: two rules are printed" \
	"$(rdmafault rule add v1 tx netem "delay 10ms 2ms loss 1% 25%")" \
"v1 tx rule 1: probability 1% correlation 25% all persist drop
v1 tx rule 2: all persist delay 10ms jitter 2ms"
is "netem delay 10ms 2ms loss 1% 25%: two rules are saved" "$(rules)" \
"probability 1% correlation 25% seed 0 all drop
seed 0 all delay 10ms jitter 2ms"
is "netem: several rules are added in one change" \
	"$(rdmafault --json port show v1 | jq '.[0].generation')" 1
is "netem: each rule has a different key" \
	"$(rdmafault --json rule show v1 | jq '[.[].key] | unique | length')" 2

rdmafault reset
is "netem --json: several rules are printed as a list" \
	"$(rdmafault --json rule add v1 tx netem "corrupt 3% duplicate 2% seed 7" |
	   jq -r '.[].rule')" \
"probability 2% seed 7 all persist duplicate
probability 3% seed 7 all persist corrupt bit"
rdmafault reset
is "netem: words of a match before it apply to its rules" \
	"$(rdmafault --json rule add v1 tx class write attempt 1 netem "delay 1ms" |
	   jq -r .rule)" "class write attempt 1 persist delay 1ms"

before=$(rdmafault --json port show v1 | jq '.[0].generation')
refused "netem rate is refused" "^rdmafault: netem: rate: not supported in a rule; " \
	rdmafault rule add v1 tx netem "delay 1ms rate 1mbit"
refused "netem slot is refused" "^rdmafault: netem: slot: not supported in a rule; " \
	rdmafault rule add v1 tx netem "slot 20ms"
refused "netem limit is refused" "^rdmafault: netem: limit: not supported; " \
	rdmafault rule add v1 tx netem "limit 1000 loss 1%"
refused "netem gap 5 is refused" "^rdmafault: netem: gap 5: not supported; use gap 1, .*every 5 reorder 1" \
	rdmafault rule add v1 tx netem "delay 10ms reorder 25% gap 5"
refused "netem delay without a unit is refused" \
	"^rdmafault: netem: delay 100: unit missing; 0s to 20s, " \
	rdmafault rule add v1 tx netem "delay 100"
refused "netem delay longer than the max-hold is refused" "^rdmafault: v1: .*delay: " \
	rdmafault rule add v1 tx netem "loss 1% delay 6s"
is "refused netem lines change no rule" \
	"$(rdmafault --json port show v1 | jq '.[0].generation')" "$before"

# Test the effect on traffic, with the counters of rxe and of the port.
rdmafault reset
ok "control: perftest succeeds without rules" write_bw 2 1 -n 20 -s 65536 -u 19
retries=$(hw rxe1 retry_exceeded_err)
is "control: without rules no packet is dropped" "$(port_stat v1 tx dropped)" 0
rdmafault rule add v1 tx class write attempt 1 netem "loss 4% duplicate 5% seed 1" \
	>/dev/null
ok "netem loss 4% duplicate 5%: perftest succeeds" write_bw 2 1 -n 20 -s 65536 -u 19
ok "netem loss 4% duplicate 5%: packets are dropped" test "$(port_stat v1 tx dropped)" -gt 0
ok "netem loss 4% duplicate 5%: packets are duplicated" \
	test "$(port_stat v1 tx duplicated)" -gt 0
ok "netem loss 4% duplicate 5%: as many packets are retransmitted as dropped, or more" test \
	"$(port_stat v1 tx retransmitted)" -ge "$(port_stat v1 tx dropped)"
is "netem loss 4% duplicate 5%: the sender counts no error" \
	"$(hw rxe1 send_err) $(hw rxe1 retry_exceeded_err)" "0 $retries"
