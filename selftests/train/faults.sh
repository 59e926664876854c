#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that lost, delayed, duplicated, reordered and corrupted packets (with a wrong ICRC)
# change the duration of a training but not its result: after every step, the weights are the
# same as in a run without faults.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 4
ports v2 v3

# Train 40 steps in a ring with a retransmission timeout of 268 ms. This timeout is short, so that
# a loss costs little time, but longer than the delay of ACKs on a busy machine. With a shorter
# timeout, rxe would break the queue pair there.
run()
{
	short --algo ring --timeout 16 --retry-cnt 6 "$@"
}

ok "control: the training without faults succeeds" run
weights >"$tmp/clean"
is "control: the training has 40 steps" "$(wc -l <"$tmp/clean")" 40

# in_timeline FILTER: print the result of the jq filter on the list of all lines of the timeline
in_timeline()
{
	jq -rs "$1" "$tmp/timeline"
}

ok "the training with a timeline succeeds" run --timeline "$tmp/timeline"
is "the timeline has each step of each rank" \
	"$(in_timeline 'map(select(.type == "step") | [.step, .rank]) == [range(1; 41) as $s | range(4) | [$s, .]]')" \
	true
is "each step in the timeline has its times in order, waits that fit, and no wrong data" \
	"$(in_timeline 'map(select(.type == "step")) | all(.start_ns < .end_ns and .end_ns <= .sync_ns and
		.wait_recv_ns <= .end_ns - .start_ns and .wait_sync_ns == .sync_ns - .end_ns and .wrong == 0)')" true
is "the timeline has the end of each rank" \
	"$(in_timeline 'map(select(.type == "end") | .status) | @csv')" 0,0,0,0
is "the timeline has the queue pairs of each rank" \
	"$(in_timeline 'map(select(.type == "qp") | .rank) | unique | @csv')" 0,1,2,3

# harmless TITLE RULE...: test that the rule hits packets and does not change the weights.
# TITLE begins the names of the tests.
harmless()
{
	local words=$1 id

	shift
	id=$(rdmafault --json rule add v2 tx class write "$@" | jq -r .id)
	ok "$words: the training succeeds" run
	ok "$words: the weights after each step are those of the clean run" \
		cmp "$tmp/clean" <(weights)
	ok "control, $words: packets are hit" [ "$(rule_stat v2 "$id" hits)" -gt 0 ]
	rdmafault rule del v2 "$id"
}

timeouts=$(hw rxe2 completer_retry_err)
harmless "every tenth packet of step 10 is dropped" step 10 every 10 attempt 1 drop
harmless "the last packet of step 20 is dropped" step 20 position last \
	step-message -1 attempt 1 drop
ok "the loss of the last packet of a step is detected by a timeout" \
	[ "$(hw rxe2 completer_retry_err)" -gt "$timeouts" ]
harmless "2 % of packets are dropped" probability 2% seed 3 drop
harmless "5 % of packets are delayed by 2 ms" probability 5% seed 4 delay 2ms
harmless "every 20th packet is sent after four later ones" every 20 reorder 4
harmless "every packet of steps 5 to 15 is duplicated" step 5-15 duplicate
harmless "a bit is changed in 2 % of packets" probability 2% seed 5 corrupt bit
harmless "the ICRC is wrong in 2 % of packets" probability 2% seed 6 corrupt icrc

# Packets that rank 1 sends in a step must arrive at rank 2 in the same step.
sent=$(rdmafault --json rule add v2 tx class write step 10 attempt 1 observe | jq -r .id)
arrived=$(rdmafault --json rule add v3 rx class write step 10 attempt 1 observe | jq -r .id)
run
ok "control: a rule for step 10 hits packets" [ "$(rule_stat v2 "$sent" hits)" -gt 0 ]
is "all packets sent in step 10 arrive in step 10" "$(rule_stat v3 "$arrived" hits)" \
	"$(rule_stat v2 "$sent" hits)"
rdmafault rule del v2 "$sent"
rdmafault rule del v3 "$arrived"

# Drop all packets of step 5. In this step, the rank computes and sends buckets at the same
# time.
id=$(rdmafault --json rule add v2 tx class write step 5 all drop | jq -r .id)
start=$SECONDS
short --algo ring --buckets 4 --compute 50ms --timeout 15 --retry-cnt 2 --timeline "$tmp/timeline"
is "train exits with 3 if all packets are dropped" "$status" 3
ok "train ends within $soon s if all packets are dropped" [ $((SECONDS - start)) -le "$soon" ]
ok "train reports retries, timeout and step if all packets are dropped" grep -Eqx \
	'train: rank 1 \(rxe2\) failed first: retry exceeded: 2\+1 tries × 134 ms .*, nominally 403 ms without an ACK; .* to rank 2 .*; step 5, .*' \
	"$tmp/err"
is "train prints the steps before all packets are dropped" "$(said step length)" 4
is "in the timeline, step 5 is broken on the rank that failed first, and no step follows" \
	"$(in_timeline 'map(select(.type == "step" and .rank == 1)) | [length, .[4].step, .[4].broken] | @csv')" \
	5,5,true
rdmafault rule del v2 "$id"
ok "the training after a failed one succeeds" run
ok "the training after a failed one gives the weights of the clean run" cmp "$tmp/clean" <(weights)
