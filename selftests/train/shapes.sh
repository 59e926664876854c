#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test which traffic a training causes and how long it takes, with different gradient sizes,
# loaded data, checkpoints and computing times. Also test that tensor and pipeline parallelism
# give the same training losses as one rank.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 4

bytes()
{
	cat "/sys/class/net/$1/statistics/$2_bytes"
}

# moved NETDEV tx|rx OPTION...: run a training with these options, and print how many bytes
# NETDEV has sent (tx) or received (rx) meanwhile. The timeout is so long that a busy machine
# does not cause retransmissions.
moved()
{
	local dev=$1 dir=$2 before

	shift 2
	before=$(bytes "$dev" "$dir")
	training -N 4 --data synthetic --algo ring --timeout 18 "$@"
	echo $(($(bytes "$dev" "$dir") - before))
}

# near TITLE GOT EXPECTED PERCENT: test that GOT bytes are at least EXPECTED bytes, and at most
# PERCENT % more. TITLE begins the name of the test.
near()
{
	ok "$1 moves $3 bytes or up to $4 % more: $2" \
		[ $(($2 * 100)) -ge $(($3 * 100)) -a \
		$(($2 * 100)) -le $(($3 * (100 + $4))) ]
}

# Per step, n ranks send 2 (n - 1) / n S bytes over each link for a gradient of S bytes. A run
# of 15 steps minus a run of 5 steps gives the bytes of 10 steps.
few=$(moved v2 tx --gradient 256K --steps 5)
many=$(moved v2 tx --gradient 256K --steps 15)
near "a gradient of 256 KiB in 10 steps of 4 ranks" $((many - few)) \
	$((10 * 2 * 3 * 262144 / 4)) 5
few=$(moved v1 tx --steps 10)
many=$(moved v1 tx --steps 10 --load 64K)
near "--load 64K to 3 ranks in 10 steps" $((many - few)) \
	$((10 * 3 * 65536)) 10
few=$(moved v1 rx --steps 10)
many=$(moved v1 rx --steps 10 --checkpoint 4,256K)
near "--checkpoint 4,256K of 3 ranks in 10 steps" $((many - few)) \
	$((2 * 3 * 262144)) 10

ports v1 v2
id=$(rdmafault --json rule add v2 tx class read-request observe | jq -r .id)
training -N 4 --data synthetic --algo ring --steps 10 --load 64K --protocol read
ok "--load with --protocol read sends READ requests: $(rule_stat v2 "$id" hits) requests" \
	[ "$(rule_stat v2 "$id" hits)" -ge 20 ]
rdmafault rule del v2 "$id"

# Test that a step takes the configured computing time, whether the rank sleeps or spins.
#
# processor_ms OPTION...: prints the CPU time of a training in ms. Two ranks that spin for five
# seconds use ten seconds, or five if they share a CPU; the rest of the training uses far less.
processor_ms()
{
	local TIMEFORMAT='%U %S'

	{ time training -N 2 --data synthetic --steps 5 "$@" >&2; } 2>&1 |
		awk '{ print int(($1 + $2) * 1000) }'
}

asleep=$(processor_ms --compute 1s)
ok "each step of --compute 1s takes at least 1 s" \
	[ "$(said step 'map(.busy_ns | min) | min')" -ge 1000000000 ]
busy=$(processor_ms --compute 1s --spin)
ok "each step of --compute 1s --spin takes at least 1 s" \
	[ "$(said step 'map(.busy_ns | min) | min')" -ge 1000000000 ]
ok "--spin uses more CPU time: $busy ms, without it $asleep ms" \
	[ "$busy" -gt $((asleep + 2500)) ]

# same_loss OPTION...: succeeds if a training with these options has the same training loss in every
# step as the reference, except for rounding
same_loss()
{
	training --data synthetic --steps 30 "$@" || return
	awk 'NR == FNR { want[NR] = $1; next }
		{ d = $1 / want[FNR] - 1; n++ }
		d > 1e-4 || d < -1e-4 { print FNR, want[FNR], $1; bad = 1 }
		END { exit bad || n != 30 }' "$tmp/want" <(said step '.[].loss')
}

training -N 1 --data synthetic --steps 30
said step '.[].loss' >"$tmp/want"
ok "data parallel with 3 ranks has the loss of one rank in every step" same_loss -N 3
ok "tensor parallel with 3 ranks has the loss of one rank in every step" same_loss -N 3 --parallel tp
ok "tensor parallel with --micro 8 has the loss of one rank in every step" \
	same_loss -N 4 --parallel tp --micro 8
ok "tensor parallel with a batch that cannot be divided evenly has the loss of one rank in every step" \
	same_loss -N 3 --parallel tp --micro 5
ok "pipeline parallel with 2 ranks has the loss of one rank in every step" same_loss -N 2 --parallel pp
training -N 1 --data synthetic --steps 30 --hidden 32,32,32
said step '.[].loss' >"$tmp/want"
ok "pipeline parallel of four layers on four ranks has the loss of one rank in every step" \
	same_loss -N 4 --parallel pp --hidden 32
ok "pipeline parallel with --micro 32 has the loss of one rank in every step" \
	same_loss -N 4 --parallel pp --hidden 32,32,32 --micro 32
