#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What collperf announces is what it does: the last message of a step, and of
# the job, is where a rule that counts from the end finds it.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1

# 2 ranks: a run is 2(n-1) = 2 messages, of 8 KiB in two packets. Each size,
# out-of-place and in-place: 1 warm-up and 3 steps.
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
	ok "the job runs" job --place out
	is "each of 3 steps has a first message" \
		"$(rule_stat v1 "$first" hits)" 3
	is "and a last one; the warm-up has none, for it is no step" \
		"$(rule_stat v1 "$last" hits)" 3
	is "each message was seen" \
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
	ok "the job runs, out-of-place and in-place" job
	is "the job has one last message" "$(rule_stat v1 "$id" hits)" 1
	is "which is the 16th, in step 6" "$(rule_stat v1 "$at" hits)" 1
	rdmafault rule flush v1
}

# 4 messages, in turn
several_qps_ok()
{
	local step all

	step=$(rdmafault --json rule add v1 tx class write position last \
		attempt 1 step-message -1 observe persist | jq -r .id)
	all=$(rdmafault --json rule add v1 tx class write position last attempt 1 \
		message -1 observe persist | jq -r .id)
	ok "the job runs over 2 queue pairs" \
		job --place out -b 32K --chunk 8K --qps-per-peer 2
	is "each of them has a last message in each of 3 steps" \
		"$(rule_stat v1 "$step" hits)" 6
	is "and one of the job" "$(rule_stat v1 "$all" hits)" 2
	ok "the job runs over 3 queue pairs" \
		job --place out -b 32K --chunk 8K --qps-per-peer 3
	is "they don't carry as many each: no last one is known" \
		"$(rule_stat v1 "$step" hits)" 6
	rdmafault rule flush v1
}

nothing_announced_ok()
{
	is "after the job nothing is announced" \
		"$(rdmafault --json port show v1 | jq -c '[.. | objects | select(has("messages")) | .messages, .step][0:2]')" \
		"[0,0]"
}

last_of_steps_ok
last_of_all_ok
several_qps_ok
nothing_announced_ok
