#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the output of the program "train": it prints progress on a terminal and JSON lines
# elsewhere, an error has one line, and a rank that fails is reported.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/training.sh"

fabric 3

bad()
{
	local words=$1 regex=$2

	shift 2
	refused_with=2 refused "train refuses $words" "^train: $regex" train "$@"
}

bad "an argument that is not an option" "digits: not an option; " digits
bad "an unknown option" 'unknown option "--rate"; ' --rate 3
bad "0 ranks" "-N 0: out of range; 1 to 128" -N 0
bad "a batch of 0 examples" "--batch 0: out of range; 1 to " --batch 0
bad "a batch larger than the training data" \
	"--batch 1601: too large; the data has only 1600 training examples" \
	--data synthetic --batch 1601
bad "a learning rate that is not a number" "--lr fast: invalid; 0 to 100" --lr fast
bad "a negative learning rate" "--lr -1: invalid; " --lr -1
bad "a momentum beyond 1" "--momentum 1.5: invalid; 0 to 1, " \
	--momentum 1.5
bad "a layer of width 0" "--hidden 64,0: invalid; 1 to 15 widths " \
	--hidden 64,0
bad "a layer without a width" "--hidden 64,: invalid; " --hidden 64,
bad "too many layers" "--hidden 1,[1,]*: invalid; 1 to 15 widths" \
	--hidden 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
bad "an unknown --parallel" "--parallel ddp: invalid; dp, tp or pp" --parallel ddp
bad "an unknown algorithm" "--algo star: invalid; ring, .* or auto" --algo star
bad "a checkpoint without a size" \
	"--checkpoint 100: invalid; number of steps and size, " \
	--checkpoint 100
bad "a checkpoint of size 0" "--checkpoint 10,0: invalid; " \
	--checkpoint 10,0
bad "--epochs together with --steps" "--epochs and --steps: only one" --epochs 1 --steps 1
bad "--micro without --parallel tp or pp" "--micro: only valid with --parallel tp or pp" --micro 4
bad "--gradient with --parallel tp" "--gradient: only valid with --parallel dp" \
	--parallel tp --gradient 1M
bad "--buckets with --parallel pp" "--buckets: only valid with --parallel dp" \
	--parallel pp --buckets 2
bad "--algo with --parallel tp" "--algo: only valid with --parallel dp" \
	--parallel tp --algo ring
bad "--spin without --compute" "--spin: only valid with --compute TIME" --spin
bad "a gradient smaller than that of the network" \
	"--gradient 4096: too small; the gradient of the neural network has 19240 bytes" \
	--data synthetic --gradient 4K
bad "a gradient that is not a whole number of elements" "--gradient 20001: not a multiple of 4 bytes" \
	--data synthetic --gradient 20001
bad "a gradient larger than the memory" "--gradient .*: not enough memory; each of 2 ranks needs" \
	--data synthetic --gradient 100G
bad "a checkpoint larger than the memory" "--checkpoint .*: not enough memory; " \
	--data synthetic --checkpoint 1,100G
bad "two hidden layers with --parallel tp" "--hidden: 2 widths given; --parallel tp needs 1 width" \
	--data synthetic --parallel tp --hidden 8,8
bad "fewer units than ranks with --parallel tp" "--hidden 2: too small; --parallel tp needs at least 3 units" \
	--data synthetic -N 3 --parallel tp --hidden 2
bad "one rank with --parallel pp" "--parallel pp: 1 ranks: out of range; 2 to 16" \
	--data synthetic -N 1 --parallel pp
bad "more layers than ranks with --parallel pp" \
	"--hidden: 3 widths given; --parallel pp needs 2 with 3 ranks" \
	--data synthetic -N 3 --parallel pp --hidden 8,8,8
bad "more ranks than RDMA devices" "device rxe4 of rank 3: no such RDMA device; " \
	--data synthetic -N 4
bad "a data file that does not exist" "/none: cannot be read: No such file" --data /none
refused "train without the digits names the command that installs them" \
	"^train: /usr/share/rdmafault/digits.csv: no such file; .make install-tools. installs it, or use --data synthetic$" \
	unshare -m bash -c 'mount -t tmpfs none /usr/share/rdmafault && train'
seq 1 20 | sed 's/$/,x,1/' >"$tmp/bad.csv"
bad "a data file with text" ".*bad.csv:1: not a row of numbers; 2 to 4097" \
	--data "$tmp/bad.csv"

awk -v OFS=, 'BEGIN { for (i = 0; i < 200; i++) print i % 7, i * 3 % 5, i % 2 }' \
	>"$tmp/good.csv"
ok "train accepts a data file of the user" training --data "$tmp/good.csv" --steps 20
is "the network has the columns and classes of the data file" \
	"$(said job '.[0].network | join("-")')" 2-64-2

ok "train prints JSON lines if stdout is not a terminal" eval \
	"train --data synthetic --steps 50 | jq -es 'map(.type) | .[0] == \"job\" and .[-1] == \"end\"'"
ok "train with a learning rate that is far too high succeeds" \
	training --data synthetic --steps 20 --lr 100
ok "train with a learning rate that is far too high counts limited values" [ "$(said end '.[0].cut')" -gt 0 ]
training --data synthetic --steps 20
is "control: train with the default learning rate limits no value" "$(said end '.[0].cut')" 0

script -qec "train -N 3 --data synthetic --steps 50" /dev/null </dev/null \
	>"$tmp/screen"
ok "train on a terminal updates a line with the step" \
	grep -Pq '\r\x1b\[K +1 +[0-9]+ +[0-9.]+ +[0-9.]+ +\.\.\.' "$tmp/screen"
ok "train on a terminal prints a line per epoch with a bar" \
	grep -Pq '\x1b\[K +1 +50 .* rank [0-2] \([0-9]+ %\) +█+' "$tmp/screen"
ok "train on a terminal prints accuracy and weights at the end" \
	grep -Eq '^# test accuracy [0-9.]+ %, weights [0-9a-f]{16}' "$tmp/screen"

# started RANK OPTION...: run rank RANK of a job of two ranks
started()
{
	timeout 60 train --json --rank "$1" --ranks 2 --rendezvous 127.0.0.1:29533 "${@:2}"
}

training --data synthetic --steps 20
want=$(said end '.[0].weights')
started 1 --data synthetic --steps 20 >"$tmp/other" &
started 0 --data synthetic --steps 20 >"$tmp/out"
wait $!
is "ranks started by separate commands get the same weights" "$(said end '.[0].weights')" "$want"
is "only rank 0 prints output if ranks are started by separate commands" "$(cat "$tmp/other")" ""

sed 4s/1/0/ "$tmp/good.csv" >"$tmp/other.csv"
started 1 --data /proc/self/fd/3 --steps 20 3<"$tmp/other.csv" \
	>"$tmp/other" 2>"$tmp/err" &
started 0 --data /proc/self/fd/3 --steps 20 3<"$tmp/good.csv" >"$tmp/out" 2>&1
is "train exits with 3 if the data of two ranks differ" $? 3
wait $!
ok "train reports that the data of two ranks differ" grep -q "rank 1 has different examples than rank 0" "$tmp/out" "$tmp/err"

# is_named: succeeds if the killed rank is reported. The rank fails in a step, or while the
# neural network is tested after an epoch.
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
is "train exits with 3 if a rank is killed" $? 3
ok "train reports the killed rank" is_named
ok "train leaves no process and no queue pair after a rank was killed" wait_until "$soon" eval \
	"! pgrep -x train && ! rdma resource show qp | grep -q train"

train --help >"$tmp/help"
{ man train; man collperf; } | col -b >"$tmp/manual"
grep -o -- '--[a-z_-]*' "$tmp/help" | sort -u >"$tmp/options"
ok "control: the help of train has at least 20 options" [ "$(wc -l <"$tmp/options")" -ge 20 ]
while read -r option; do
	grep -q -- "$option" "$tmp/manual" || echo "$option"
done <"$tmp/options" >"$tmp/missing"
is "train(1) or collperf(1) has every option of the help" "$(cat "$tmp/missing")" ""

# completes WORD...: prints the words that the shell completion offers for the last WORD
completes()
{
	local COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))

	_train
	printf '%s\n' "${COMPREPLY[@]}"
}

# shellcheck source=../../tools/completion/train
. "$selftests/../tools/completion/train"
is "the completion of train offers all long options" \
	"$(completes train -- | sort)" "$(grep -Eo -- '^ +(-., )?--[a-z_-]+' \
	"$tmp/help" | grep -Eo -- '--[a-z_-]+' | sort)"
is "the completion of train offers the values of --parallel" "$(completes train --parallel '' | xargs)" \
	"dp tp pp"
