#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a packet runs code of the module only in the directions that need it. The function
# tracer shows which hooks of t1 run for a packet that leaves t1 and one that arrives.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

tracing=/sys/kernel/tracing
veth_pair t1 t2
veth_port t1
echo "hook_egress hook_ingress" >"$tracing/set_ftrace_filter" &&
	echo function >"$tracing/current_tracer" || skip_all "no function tracer"
defer eval "echo nop >$tracing/current_tracer; echo >$tracing/set_ftrace_filter"

# Prints the hooks that run for a packet in each direction. The counters of the port show that
# both packets were seen, by a hook or by the netdev.
hooks()
{
	local before

	before=$(counted)
	echo >"$tracing/trace"
	sendroce t1 qp 18 count 1
	sendroce t2 qp 18 count 1
	wait_until "$soon" is_counted "$before" || echo "not counted"
	grep -o 'hook_[a-z]*gress' "$tracing/trace" | sort -u | xargs
}

counted()
{
	echo "$(port_stat t1 tx packets) $(port_stat t1 rx packets)"
}

# is_counted "TX RX": succeeds if both counters are higher
is_counted()
{
	local now before

	read -ra before <<<"$1"
	read -ra now <<<"$(counted)"
	[ "${now[0]}" -gt "${before[0]}" ] && [ "${now[1]}" -gt "${before[1]}" ]
}

# with TITLE HOOKS DIRECTION RULE...: test which hooks run with this rule
with()
{
	local title=$1 want=$2

	shift 2
	rdmafault -q rule add t1 "$@"
	is "$title" "$(hooks)" "$want"
	rdmafault -q rule flush t1
}

is "without rules: no hook runs" "$(hooks)" ""
with "a rule on tx: only the egress hook runs" "hook_egress" tx qp 99 drop
with "a rule on rx: only the ingress hook runs" "hook_ingress" rx qp 99 drop
with "a blackhole on tx: only the egress hook runs" "hook_egress" tx qp 99 blackhole 1ms
with "a blackhole of both directions: both hooks run" "hook_egress hook_ingress" \
	tx qp 99 blackhole 1ms both
with "a forged NAK without the QP of its receiver: both hooks run" "hook_egress hook_ingress" \
	tx qp 99 nak psn-sequence
with "a forged NAK with the QP of its receiver: only the egress hook runs" "hook_egress" \
	tx qp 99 nak psn-sequence to-qp 5
rdmafault -q rule add t1 tx qp 99 blackhole 1ms both
rdmafault -q rule add t1 tx qp 98 drop
rdmafault -q rule del t1 "$(rdmafault --json rule show t1 | jq '.[0].id')"
is "the blackhole is removed, another rule remains: both hooks run" "$(hooks)" \
	"hook_egress hook_ingress"
rdmafault -q rule flush t1
is "all rules are removed: no hook runs" "$(hooks)" ""

coproc rdmafault watch t1 -- sh -c 'echo; read -r _'
watch=$!
read -r _ <&"${COPROC[0]}"
is "rings, and no rule: both hooks run" "$(hooks)" "hook_egress hook_ingress"
echo >&"${COPROC[1]}"
wait "$watch"
is "the rings have ended: no hook runs" "$(hooks)" ""
