#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the program "train" learns: at first, it recognizes about 10 % of the digits. After
# less than a minute on four ranks, it recognizes more than 97 %. The result must not depend on
# timing or on the algorithm: all ranks have the same weights after each step, and all runs and
# all algorithms give the same bits. One rank and eight ranks give the same training loss except
# for rounding.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 8

holds()
{
	jq -en "$1" >/dev/null || { echo "$1"; return 1; }
}

ok "train with four ranks and 15 epochs of the digits succeeds" training -N 4 --epochs 15
before=$(said test '.[0].accuracy')
after=$(said end '.[0].test_accuracy')
ok "the accuracy before the training is about 10 % ($before %)" holds "$before > 3 and $before < 20"
ok "the accuracy after the training is at least 97 % ($after %)" holds "$after >= 97"
ok "an accuracy of 97 % is reached within 60 s" holds \
	"$(said test 'map(select(.accuracy >= 97))[0].time_ns') < 60e9"
ok "the loss of the last epoch is less than a tenth of the first one's" holds \
	"$(said step '(.[0:44] | map(.loss) | add) > 10 * (.[-44:] | map(.loss) | add)')"
ok "train prints a line for each of 660 steps and 16 tests" holds \
	"$(said step length) == 660 and $(said test length) == 16"
weights | head -n 20 >"$tmp/ring"
ok "the weights change with every step" \
	[ "$(weights | sort | uniq -d | wc -l)" -eq 0 ]

for algo in ring tree recursive direct; do
	training -N 4 --steps 20 --algo $algo
	ok "--algo $algo gives the same weights after each step" \
		cmp "$tmp/ring" <(weights)
done
training -N 4 --steps 20 --buckets 3
ok "--buckets 3 gives the same weights after each step" cmp "$tmp/ring" <(weights)
training -N 4 --steps 20 --gradient 64K
ok "--gradient 64K (padded) gives the same weights after each step" cmp "$tmp/ring" <(weights)
training -N 4 --steps 20 --seed 2
ok "--seed 2 gives other weights after each step" [ -s "$tmp/out" -a \
	"$(comm -12 <(sort "$tmp/ring") <(weights | sort) | wc -l)" -eq 0 ]

training -N 1 --steps 44
said step '.[].loss' >"$tmp/one"
one=$(said end '.[0].test_accuracy')
training -N 8 --steps 44
said step '.[].loss' >"$tmp/eight"
ok "one rank and eight ranks have the same loss within 0.01 % in 44 steps" \
	awk 'NR == FNR { one[NR] = $1; n++; next }
		{ d = $1 / one[FNR] - 1; seen++ }
		d > 1e-4 || d < -1e-4 { print FNR, one[FNR], $1; bad = 1 }
		END { exit bad || n != 44 || seen != 44 }' "$tmp/one" "$tmp/eight"
is "one rank and eight ranks have the same accuracy" "$(said end '.[0].test_accuracy')" "$one"

ok "train with --data synthetic succeeds without a file" training -N 2 --data synthetic --epochs 4
ok "train with --data synthetic reaches an accuracy of more than 80 %" holds "$(said end '.[0].test_accuracy') > 80"
