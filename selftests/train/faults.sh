#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A packet that is lost, late, doubled, out of order, or damaged so that its
# ICRC is wrong, changes when a step is over and never what comes out: the
# weights are to the bit those of a clean run, after every step.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 4
ports v2 v3

# 40 steps of a ring, with a timer of 268 ms: short, so that losses cost little, but
# more than acknowledgements are under way on a busy machine, or rxe breaks the
# queue pair
run()
{
	short --algo ring --timeout 16 --retry-cnt 6 "$@"
}

ok "a clean run" run
weights >"$tmp/clean"
is "it has 40 steps" "$(wc -l <"$tmp/clean")" 40

# harmless WORDS RULE...: the rule hits something, and changes nothing
harmless()
{
	local words=$1 id

	shift
	id=$(rdmafault --json rule add v2 tx class write "$@" | jq -r .id)
	ok "$words: the training comes to its end" run
	ok "$words: the weights are those of the clean run" \
		cmp "$tmp/clean" <(weights)
	ok "$words: packets were hit" [ "$(rule_stat v2 "$id" hits)" -gt 0 ]
	rdmafault rule del v2 "$id"
}

timeouts=$(hw rxe2 completer_retry_err)
harmless "every tenth packet of a step is lost" step 10 every 10 attempt 1 drop
harmless "the last packet of a step is lost" step 20 position last \
	step-message -1 attempt 1 drop
ok "and only the timer found it" \
	[ "$(hw rxe2 completer_retry_err)" -gt "$timeouts" ]
harmless "2 % are lost" probability 2% seed 3 drop
harmless "5 % come 2 ms late" probability 5% seed 4 delay 2ms
harmless "a packet waits until four others have passed" every 20 reorder 4
harmless "every packet of a step comes twice" step 5-15 duplicate
harmless "a bit is wrong" probability 2% seed 5 corrupt bit
harmless "the ICRC is wrong" probability 2% seed 6 corrupt icrc

# What rank 1 sends in a step arrives at rank 2 in that step
sent=$(rdmafault --json rule add v2 tx class write step 10 attempt 1 observe | jq -r .id)
arrived=$(rdmafault --json rule add v3 rx class write step 10 attempt 1 observe | jq -r .id)
run
ok "a step has packets" [ "$(rule_stat v2 "$sent" hits)" -gt 0 ]
is "and all of them arrive in it" "$(rule_stat v3 "$arrived" hits)" \
	"$(rule_stat v2 "$sent" hits)"
rdmafault rule del v2 "$sent"
rdmafault rule del v3 "$arrived"

# A link that swallows everything, while buckets travel and the rank computes
id=$(rdmafault --json rule add v2 tx class write step 5 all drop | jq -r .id)
start=$SECONDS
short --algo ring --buckets 4 --compute 50ms --timeout 15 --retry-cnt 2
is "a link that swallows everything: exit status" "$status" 3
ok "it ends soon" [ $((SECONDS - start)) -le "$soon" ]
ok "retries and timer are explained, and the step is named" grep -Eqx \
	'train: rank 1 \(rxe2\) failed first: retry exceeded: 2\+1 tries × 134 ms .* = 403 ms without an acknowledgement; .* to rank 2 .*; step 5, .*' \
	"$tmp/err"
is "the steps before are told" "$(said step length)" 4
rdmafault rule del v2 "$id"
ok "the next one runs" run
ok "and is a clean run" cmp "$tmp/clean" <(weights)
