#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the program "train" detects the only fault that the transport does not detect: a
# changed payload with a valid ICRC. The program detects the change in the step in which it
# happens, reports ranks, step and element, and exits with status 1. With --no-check, it does not
# detect the change, or detects it only because the weights of the ranks differ.
#
# With four ranks in a ring, the gradient of 4810 elements is sent in chunks of 1202 or 1203
# elements; each chunk is a message of two packets. In a step, a rank sends six messages: three to
# compute the sum and three to distribute it. So if one of the packets 1 to 6 of rank 1 is
# changed, all ranks get a wrong sum. If packet 11 or 12 is changed, only rank 2 gets a wrong sum.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 4
ports v2

# changed NTH AT OPTION...: run "train" with OPTION..., while a rule changes the byte AT of the
# payload in packet NTH of step 20
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

ok "control: train succeeds without a changed packet" short --algo ring
clean=$(said end '.[0].weights')

changed 1 103
is "train exits with 1 if a packet is changed during the sum" "$status, $hits hit" "1, 1 hit"
is "train ends in the step of the changed packet" "$(said step length)" 19
ok "train reports all ranks, the step and the element of a packet changed during the sum" grep -Eqx \
	'train: ranks 0, 1, 2 and 3, step 20: element [0-9]+ of 4810 of the gradient is [^ ]+ instead of [^ ]+: the data was corrupted on the way, but the packet checksum was valid' \
	"$tmp/err"
first=$(element)
changed 1 107
is "train reports the next element if the change is four bytes later" "$(element)" $((first + 1))

changed 11 103
is "train exits with 1 if a packet is changed during the distribution of the sum" "$status, $hits hit" \
	"1, 1 hit"
ok "train reports the receiving rank of a packet changed during the distribution" grep -Eq \
	'^train: rank 2, step 20: element [0-9]+ of 4810 ' "$tmp/err"

changed 11 103 --no-check
is "train --no-check exits with 1 if a packet is changed during the distribution" "$status, $hits hit" "1, 1 hit"
is "train --no-check reports the rank whose weights differ" "$(cat "$tmp/err")" \
	"train: step 20: the weights of rank 2 differ from those of the other ranks"

changed 1 103 --no-check
is "train --no-check does not detect a packet changed during the sum" "$status, $hits hit" \
	"0, 1 hit"
ok "control: the packet changed during the sum has changed the weights" [ "$(said end '.[0].weights')" != "$clean" ]

for mode in tp pp; do
	ok "control: train --parallel $mode succeeds without a changed packet" short --parallel $mode
	id=$(rdmafault --json rule add v2 tx class write step 20 nth 2 \
		corrupt payload at 3 value 64 valid-icrc | jq -r .id)
	short --parallel $mode
	is "train --parallel $mode exits with 1 if a packet is changed" "$status, $(rule_stat v2 "$id" hits) hit" \
		"1, 1 hit"
	ok "train --parallel $mode reports both ranks and the step of a changed packet" grep -Eqx \
		'train: rank [023], step 20: the data received from rank 1 differs from the data sent: the data was corrupted on the way, but the packet checksum was valid' \
		"$tmp/err"
	rdmafault rule del v2 "$id"
done
