#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the user sees: progress on a terminal, JSON lines elsewhere, refusals of
# one line, and a clear end when a rank is lost.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 3

bad()
{
	local words=$1 regex=$2

	shift 2
	refused "$words" "^train: $regex" train "$@"
}

bad "a word" "there is nothing but options, not 'digits'" digits
bad "unknown option" "unknown option '--rate'" --rate 3
bad "no rank" "-N takes a number from 1 to 64, not '0'" -N 0
bad "a batch of none" "--batch takes a number from 1 " --batch 0
bad "a batch of more than there is" \
	"--batch takes at most the 1600 examples to learn from, not '1601'" \
	--data synthetic --batch 1601
bad "a learning rate that isn't one" "--lr takes a number from 0 to 100" --lr fast
bad "a negative learning rate" "--lr takes .*, not '-1'" --lr -1
bad "a momentum beyond 1" "--momentum takes a number from 0 to 1, .*, not '1.5'" \
	--momentum 1.5
bad "a layer of no width" "--hidden takes 1 to 15 widths .*, not '64,0'" \
	--hidden 64,0
bad "a layer without a width" "--hidden takes .*, not '64,'" --hidden 64,
bad "too many layers" "--hidden takes 1 to 15 widths" \
	--hidden 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
bad "an unknown way" "--parallel takes dp, tp or pp, not 'ddp'" --parallel ddp
bad "an unknown algorithm" "--algo takes ring, .* or auto, not 'star'" --algo star
bad "a checkpoint without a size" \
	"--checkpoint takes steps and a size, like 100,1M, not '100'" \
	--checkpoint 100
bad "a checkpoint of nothing" "--checkpoint takes .*, not '10,0'" \
	--checkpoint 10,0
bad "two lengths" "--epochs and --steps both say how long" --epochs 1 --steps 1
bad "parts without a pipeline" "--micro is of --parallel tp and pp only" --micro 4
bad "a gradient of another way" "--gradient is of --parallel dp only" \
	--parallel tp --gradient 1M
bad "buckets of another way" "--buckets is of --parallel dp only" \
	--parallel pp --buckets 2
bad "an algorithm of another way" "--algo is of --parallel dp only" \
	--parallel tp --algo ring
bad "spinning for no time" "--spin needs --compute TIME" --spin
bad "less gradient than there is" \
	"--gradient takes at least the 19240 bytes that the gradient has, not '4096'" \
	--data synthetic --gradient 4K
bad "a part of an element" "--gradient takes a multiple of 4 bytes, not '20001'" \
	--data synthetic --gradient 20001
bad "more than the memory" "--gradient .* is too much: each of 2 ranks needs" \
	--data synthetic --gradient 100G
bad "more checkpoint than memory" "--checkpoint .* is too much" \
	--data synthetic --checkpoint 1,100G
bad "two layers in tensor parallel" "--parallel tp takes one hidden layer, not 2" \
	--data synthetic --parallel tp --hidden 8,8
bad "less units than ranks" "--parallel tp needs a unit for each of the 3 ranks" \
	--data synthetic -N 3 --parallel tp --hidden 2
bad "a pipeline of one" "--parallel pp takes 2 to 16 ranks" \
	--data synthetic -N 1 --parallel pp
bad "more layers than ranks" \
	"--parallel pp with 3 ranks takes 2 hidden layers, .*, not 3" \
	--data synthetic -N 3 --parallel pp --hidden 8,8,8
bad "ranks without a device" "there is no RDMA device 'rxe4' for rank 3" \
	--data synthetic -N 4
bad "no such file" "'/none' cannot be read: No such file" --data /none
refused "no digits: what to do about it" \
	"^train: /usr/share/rdmafault/digits.csv is missing: .make install-tools. installs it; or use --data synthetic$" \
	unshare -m bash -c 'mount -t tmpfs none /usr/share/rdmafault && train'
seq 1 20 | sed 's/$/,x,1/' >"$tmp/bad.csv"
bad "a file of something else" ".*bad.csv:1: want 2 to 4097 numbers" \
	--data "$tmp/bad.csv"

awk -v OFS=, 'BEGIN { for (i = 0; i < 200; i++) print i % 7, i * 3 % 5, i % 2 }' \
	>"$tmp/good.csv"
ok "a file of one's own" training --data "$tmp/good.csv" --steps 20
is "its width and its classes are the network's" \
	"$(said job '.[0].network | join("-")')" 2-64-2

ok "where stdout is no terminal: JSON lines" eval \
	"train --data synthetic --steps 50 | jq -es 'map(.type) | .[0] == \"job\" and .[-1] == \"rank\" and any(. == \"end\")'"
ok "a learning rate that is far too high: still JSON, and what was cut is counted" \
	training --data synthetic --steps 20 --lr 100
ok "it says how often" [ "$(said end '.[0].cut')" -gt 0 ]
training --data synthetic --steps 20
is "and nothing is cut otherwise" "$(said end '.[0].cut')" 0

script -qec "train -N 3 --data synthetic --steps 50" /dev/null </dev/null \
	>"$tmp/screen"
ok "on a terminal: a line that is drawn over, with the step" \
	grep -Pq '\r\x1b\[K +1 +[0-9]+ +[0-9.]+ +[0-9.]+ +\.\.\.' "$tmp/screen"
ok "a line for the epoch, with a bar" \
	grep -Pq '\x1b\[K +1 +50 .* rank [0-2] \([0-9]+ %\) +█+' "$tmp/screen"
ok "and the accuracy and the weights at last" \
	grep -Eq '^# test accuracy [0-9.]+ %, weights [0-9a-f]{16}' "$tmp/screen"

# started RANK OPTION...: one of two ranks
started()
{
	timeout 60 train --json --rank "$1" --ranks 2 --rendezvous 127.0.0.1:29533 "${@:2}"
}

training --data synthetic --steps 20
want=$(said end '.[0].weights')
started 1 --data synthetic --steps 20 >"$tmp/other" &
started 0 --data synthetic --steps 20 >"$tmp/out"
wait $!
is "ranks that others started learn the same" "$(said end '.[0].weights')" "$want"
is "rank 0 alone speaks" "$(cat "$tmp/other")" ""

sed 4s/1/0/ "$tmp/good.csv" >"$tmp/other.csv"
started 1 --data /proc/self/fd/3 --steps 20 3<"$tmp/other.csv" \
	>"$tmp/other" 2>"$tmp/err" &
started 0 --data /proc/self/fd/3 --steps 20 3<"$tmp/good.csv" >"$tmp/out" 2>&1
is "ranks whose examples differ: exit status" $? 3
wait $!
ok "it is said" grep -q "rank 1 has other examples than rank 0" "$tmp/out" "$tmp/err"

# The killed rank is; it was in a step, or in the test behind an epoch
is_named()
{
	grep -Eq '^train: rank 1 \(rxe2\) failed first: killed by signal 9 \(Killed\): (step [0-9]+, |test$)' \
		"$tmp/err" || { cat "$tmp/err"; return 1; }
}

train -N 3 --data synthetic --steps 100000 >"$tmp/out" 2>"$tmp/err" &
job=$!
defer kill -KILL $job
wait_until 20 grep -q '"step":5,' "$tmp/out"
kill -KILL "$(pgrep -P $job | sed -n 2p)"
wait $job
is "a rank is killed: exit status" $? 3
ok "it is named" is_named
ok "no process and no queue pair is left" wait_until "$soon" eval \
	"! pgrep -x train && ! rdma resource show qp | grep -q train"

train --help >"$tmp/help"
{ man train; man collperf; } | col -b >"$tmp/manual"
grep -o -- '--[a-z_-]*' "$tmp/help" | sort -u >"$tmp/options"
ok "the help has options" [ "$(wc -l <"$tmp/options")" -ge 20 ]
while read -r option; do
	grep -q -- "$option" "$tmp/manual" || echo "$option"
done <"$tmp/options" >"$tmp/missing"
is "the manual has every option of the help, or that of collperf" "$(cat "$tmp/missing")" ""

# completes WORD...: what is offered for the last word
completes()
{
	local COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))

	_train
	printf '%s\n' "${COMPREPLY[@]}"
}

# shellcheck source=../../tools/completion/train
. "$selftests/../tools/completion/train"
is "the completion offers all long options" \
	"$(completes train -- | sort)" "$(grep -Eo -- '^ +(-., )?--[a-z_-]+' \
	"$tmp/help" | grep -Eo -- '--[a-z_-]+' | sort)"
is "and the ways to share out the work" "$(completes train --parallel '' | xargs)" \
	"dp tp pp"
