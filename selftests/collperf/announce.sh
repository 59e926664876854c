#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the numbers of messages that collperf announces to the module: a rule that counts
# messages from the end must hit the last message of each step and of the job.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1

# With 2 ranks a rank sends 2(n-1) = 2 messages of 8 KiB per iteration, two packets each.
# The job has 1 warm-up and 3 steps out-of-place, and 1 warm-up and 3 steps in-place.
job()
{
	collperf all_reduce -N 2 -b 16K -n 3 -w 1 -z 1 --mtu 4096 "$@" >/dev/null
}

last_of_steps_ok()
{
	local first last

	first=$(rdmafault --json rule add v1 tx class write position last \
		attempt 1 step 1+ step-message 1 observe persist | jq -r .id)
	last=$(rdmafault --json rule add v1 tx class write position last \
		attempt 1 step-message -1 observe persist | jq -r .id)
	ok "collperf --place out succeeds" job --place out
	is "step-message 1 hits the first message of each of 3 steps" \
		"$(rule_stat v1 "$first" hits)" 3
	is "step-message -1 hits the last message of each of 3 steps, not of the warm-up" \
		"$(rule_stat v1 "$last" hits)" 3
	is "the flow has all 8 messages of the job" \
		"$(rdmafault --json stat --flows v1 |
			jq '[.[] | select(.kind == "requests").messages] | max')" 8
	rdmafault rule flush v1
}

last_of_all_ok()
{
	local id at

	id=$(rdmafault --json rule add v1 tx class write position last attempt 1 \
		message -1 observe persist | jq -r .id)
	at=$(rdmafault --json rule add v1 tx class write position last attempt 1 \
		message 16 step 6 observe persist | jq -r .id)
	ok "collperf, out-of-place and in-place, succeeds" job
	is "message -1 hits one message of the job" "$(rule_stat v1 "$id" hits)" 1
	is "the last message of the job is message 16, in step 6" "$(rule_stat v1 "$at" hits)" 1
	rdmafault rule flush v1
}

# Each step has 4 messages, which use the queue pairs in turn.
several_qps_ok()
{
	local step all

	step=$(rdmafault --json rule add v1 tx class write position last \
		attempt 1 step-message -1 observe persist | jq -r .id)
	all=$(rdmafault --json rule add v1 tx class write position last attempt 1 \
		message -1 observe persist | jq -r .id)
	ok "collperf with 2 queue pairs per peer succeeds" \
		job --place out -b 32K --chunk 8K --qps-per-peer 2
	is "with 2 queue pairs, step-message -1 hits once per queue pair in each of 3 steps" \
		"$(rule_stat v1 "$step" hits)" 6
	is "with 2 queue pairs, message -1 hits once per queue pair" "$(rule_stat v1 "$all" hits)" 2
	ok "collperf with 3 queue pairs per peer succeeds" \
		job --place out -b 32K --chunk 8K --qps-per-peer 3
	is "with 3 queue pairs, which carry unequal numbers, no last message is known" \
		"$(rule_stat v1 "$step" hits)" 6
	rdmafault rule flush v1
}

nothing_announced_ok()
{
	is "after the job the port has step 0 and 0 messages" \
		"$(rdmafault --json port show v1 | jq -c '[.. | objects | select(has("messages")) | .messages, .step][0:2]')" \
		"[0,0]"
}

last_of_steps_ok
last_of_all_ok
several_qps_ok
nothing_announced_ok
