#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What travels, and when: the gradient's size, data that is loaded, checkpoints,
# computing that takes its time, and the other ways to share out the work, which
# learn the same.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 4

bytes()
{
	cat "/sys/class/net/$1/statistics/$2_bytes"
}

# moved NETDEV tx|rx OPTION...: bytes in a run with these options; the timer is
# so long that a busy machine has nothing retransmitted
moved()
{
	local dev=$1 dir=$2 before

	shift 2
	before=$(bytes "$dev" "$dir")
	training -N 4 --data synthetic --algo ring --timeout 18 "$@"
	echo $(($(bytes "$dev" "$dir") - before))
}

# near WORDS GOT WANTED PERCENT
near()
{
	ok "$1: $2 bytes for $3" \
		[ $(($2 * 100)) -ge $(($3 * 100)) -a \
		$(($2 * 100)) -le $(($3 * (100 + $4))) ]
}

# A gradient of S bytes is 2 (n - 1) / n S on each link: what ten steps more move.
few=$(moved v2 tx --gradient 256K --steps 5)
many=$(moved v2 tx --gradient 256K --steps 15)
near "a gradient of 256 KiB in 10 steps of 4 ranks" $((many - few)) \
	$((10 * 2 * 3 * 262144 / 4)) 5
few=$(moved v1 tx --steps 10)
many=$(moved v1 tx --steps 10 --load 64K)
near "64 KiB for each of 3 ranks before 10 steps" $((many - few)) \
	$((10 * 3 * 65536)) 10
few=$(moved v1 rx --steps 10)
many=$(moved v1 rx --steps 10 --checkpoint 4,256K)
near "256 KiB from each of 3 ranks at steps 4 and 8" $((many - few)) \
	$((2 * 3 * 262144)) 10

ports v1 v2
id=$(rdmafault --json rule add v2 tx class read-request observe | jq -r .id)
training -N 4 --data synthetic --algo ring --steps 10 --load 64K --protocol read
ok "data are read, if told to: $(rule_stat v2 "$id" hits) requests" \
	[ "$(rule_stat v2 "$id" hits)" -ge 20 ]
rdmafault rule del v2 "$id"

# A step takes as long as computing does, asleep or busy.
processor_ms()
{
	local TIMEFORMAT='%U %S'

	{ time training -N 2 --data synthetic --steps 20 "$@" >&2; } 2>&1 |
		awk '{ print int(($1 + $2) * 1000) }'
}

asleep=$(processor_ms --compute 100ms)
ok "computing takes its time" \
	[ "$(said step 'map(.busy_ns | min) | min')" -ge 100000000 ]
busy=$(processor_ms --compute 100ms --spin)
ok "spinning, too" [ "$(said step 'map(.busy_ns | min) | min')" -ge 100000000 ]
ok "asleep $asleep ms of processor, spinning $busy ms" \
	[ "$busy" -gt $((asleep + 1500)) ]

# same_loss OPTION...: as in the reference, at every step, within rounding
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
ok "data parallel: the loss of one rank" same_loss -N 3
ok "tensor parallel: the loss of one rank" same_loss -N 3 --parallel tp
ok "tensor parallel in 8 parts: the same" \
	same_loss -N 4 --parallel tp --micro 8
ok "a batch that can't be divided: the same" \
	same_loss -N 3 --parallel tp --micro 5
ok "pipeline parallel: the same" same_loss -N 2 --parallel pp
training -N 1 --data synthetic --steps 30 --hidden 32,32,32
said step '.[].loss' >"$tmp/want"
ok "four layers on four ranks: the loss of one rank" \
	same_loss -N 4 --parallel pp --hidden 32
ok "and with a part for each row" \
	same_loss -N 4 --parallel pp --hidden 32,32,32 --micro 32
