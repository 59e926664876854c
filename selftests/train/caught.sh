#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The one fault that gets past the transport, a payload that is changed under a
# valid ICRC, is caught in the step in which it happens: ranks, step and element
# are named, and the exit status is 1. Without the verification it goes
# unnoticed, or parts the ranks' weights, which is noticed, too.
#
# With four ranks in a ring the gradient of 4810 elements goes in chunks of 1202
# or 1203, each a message of two packets: six of them in a step, three while the
# sum is made and three while it is handed round. So packets 1 to 6 of rank 1 in
# a step change the sum for all, and 11 and 12 for rank 2 alone.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 4
ports v2

# changed NTH AT OPTION...: that packet's byte AT is changed in step 20
changed()
{
	local nth=$1 at=$2

	shift 2
	id=$(rdmafault --json rule add v2 tx class write step 20 nth "$nth" \
		corrupt payload at "$at" value 64 valid-icrc | jq -r .id)
	short --algo ring "$@"
	hits=$(rule_stat v2 "$id" hits)
	rdmafault rule del v2 "$id"
}

element()
{
	sed -nE 's/.*element ([0-9]+) of 4810 .*/\1/p' "$tmp/err"
}

ok "nothing is changed: all is well" short --algo ring
clean=$(said end '.[0].weights')

changed 1 103
is "changed while it is summed: exit status" "$status, $hits hit" "1, 1 hit"
is "it ends in that step" "$(said step length)" 19
ok "all ranks, the step and the element are named" grep -Eqx \
	'train: ranks 0, 1, 2 and 3, step 20: element [0-9]+ of 4810 of the gradient is [^ ]+ and must be [^ ]+: it was changed on its way, under a valid checksum' \
	"$tmp/err"
first=$(element)
changed 1 107
is "four bytes further on it is the next element" "$(element)" $((first + 1))

changed 11 103
is "changed while the sum is handed round: exit status" "$status, $hits hit" \
	"1, 1 hit"
ok "the rank that got it is named" grep -Eq \
	'^train: rank 2, step 20: element [0-9]+ of 4810 ' "$tmp/err"

changed 11 103 --no-check
is "unchecked: exit status" "$status, $hits hit" "1, 1 hit"
is "the weights of that rank are noticed" "$(cat "$tmp/err")" \
	"train: step 20: the weights of rank 2 are not those of the others"

changed 1 103 --no-check
is "unchecked, while it is summed: nobody notices" "$status, $hits hit" \
	"0, 1 hit"
ok "but the weights are others" [ "$(said end '.[0].weights')" != "$clean" ]

for mode in tp pp; do
	ok "$mode: nothing is changed" short --parallel $mode
	id=$(rdmafault --json rule add v2 tx class write step 20 nth 2 \
		corrupt payload at 3 value 64 valid-icrc | jq -r .id)
	short --parallel $mode
	is "$mode: exit status" "$status, $(rule_stat v2 "$id" hits) hit" \
		"1, 1 hit"
	ok "$mode: both ends of the link and the step are named" grep -Eqx \
		'train: rank [023], step 20: what it got of rank 1 is not what that one sent: it was changed on its way, under a valid checksum' \
		"$tmp/err"
	rdmafault rule del v2 "$id"
done
