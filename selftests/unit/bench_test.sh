#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how scripts/bench evaluates the benchmark: it counts the instructions of each function
# ("account"), compares figures with goals, and fails if a figure has grown ("gate"). The figures
# are made up.
. "$(dirname "$0")/../lib/lib.sh"

bench=$selftests/bench
tmp=$(mktemp -d)
defer rm -r "$tmp"

# figure CASE SUBJECT MEAN [SERIES [PLAN]]: prints a figure as count.sh does: the mean cost MEAN
# of SUBJECT in CASE, from the measurement SERIES (default 1) with the plan PLAN of the driver
figure()
{
	printf '{"case":"%s","subject":"%s","round":1,"plan":"%s","command":"c","series":%s,"mean":%s}\n' \
		"$1" "$2" "${5:-10 1 0 0 1}" "${4:-1}" "$3"
}

# As in /proc/kallsyms: symbols of the kernel itself have no module. The lines are not sorted.
cat >"$tmp/kallsyms" <<'EOT'
ffff2000 t rf_decide	[rdmafault]
ffff1000 T dev_queue_xmit
ffff1100 T __qdisc_run
ffff1080 d a_variable
ffff3000 t frames_sent.isra.0	[rfbench]
ffff3100 t write	[rfbench]
ffff4000 t u32_classify	[cls_u32]
EOT
cat >"$tmp/blocks" <<'EOT'
series 1 10
ffff1000 5 10
series 2 10
ffff1090 5 20
ffff1100 4 10
ffff2010 3 15
ffff2020 1 5
ffff4004 2 10
series 4 2
ffff3000 1000 8
ffff3100 6 8
EOT
{
	echo '{"about":{}}'
	figure armed ours 22.0 2
	figure idle ours 5.0 1
	figure delay "ours 4" 6.0 4 "2 1 4 0 1"
	figure drop ours 1.0 7
} >"$tmp/account"

account()
{
	python3 "$bench/account.py" "$tmp/account" "$tmp/blocks" "$tmp/kallsyms" "$@"
}

is "the account adds the blocks of each function, and the functions of each group" "$(account armed)" \
	"armed: ours: instructions per frame
          10.0  core       dev_queue_xmit
           5.0  rdmafault  rf_decide
           4.0  qdisc      __qdisc_run
           2.0  cls_u32    u32_classify
    core 10.0, rdmafault 5.0, qdisc 4.0, cls_u32 2.0
    sum 21.0, measured by the benchmark 22.0"
is "with bursts, it is per frame and excludes the loop that waits" "$(account delay)" \
	"delay: ours 4: instructions per frame
           6.0  driver     write
    driver 6.0
    sum 6.0, measured by the benchmark 6.0"
refused "a measurement without counted blocks is an error" "drop: ours: not counted" account drop

{
	echo '{"about":{"release":"6.12"}}'
	figure loaded bare 100
	figure rx bare 50
	figure rx u32 150
	figure rx "ours, no match" 140
	figure drop "netem loss 100%" 150
	figure drop ours 600
	figure link bare 90
	figure link "tbf + prio + red" 95
	figure link ours 100
} >"$tmp/figures"

page()
{
	python3 "$bench/page.py" "$1" "$tmp/figures" "${@:2}"
}

page show >"$tmp/shown"
ok "received packets are compared with the bare netdev that receives" \
	grep -q "^    ours, no match: +90; goal: at most u32 (+100): reached" "$tmp/shown"
ok "a figure above its goal is missed" \
	grep -q "^    ours: +500; goal: at most 350 above netem loss 100% (+400): missed by 100" "$tmp/shown"
ok "a case with a bare netdev is compared with it" grep -Eq "^    ours +100.0 +\+10 " "$tmp/shown"

# gate BEFORE: run the gate on the figures above. In the earlier figures, a packet of the case
# "drop" costs BEFORE instructions more than on a bare netdev.
gate()
{
	echo '{"about":{"release":"6.12"},"figures":[{"case":"drop","subject":"ours","over_bare":'"$1"'}]}' \
		>"$tmp/instructions.json"
	page gate "$tmp"
}

is "the gate passes if no figure has grown" "$(gate 500)" "gate: no figure has grown"
ok "it passes after growth of at most 10 %" gate 455
ok "it fails after growth of more than 10 %" test "$(gate 454; echo $?)" = \
	"drop: ours: +500 instructions, +454 before
gate: 1 figures have grown
1"

# shellcheck source=../bench/collectives.sh
. "$bench/collectives.sh"
is "a size has a unit" "$(size 65536), $(size 16777216)" "64 KiB, 16 MiB"
is "the highest of several figures is found if one is missing" "$(highest 9.5 "" 10.1)" 10.1
is "there are at most 100 iterations and at least 5" \
	"$(iterations 65536) $(iterations 1048576 2) $(iterations 16777216 8)" "100 16 5"
printf '%s\n' ' #bytes  #iterations  BW peak  BW average  MsgRate' \
	' 1048576    64   1.7   1.6   0.01' >"$tmp/perftest"
is "the bandwidth of perftest, Gbit/s of two directions, becomes MB/s of one" \
	"$(of_perftest 1 "$tmp/perftest")" 100
is "the sum of pairs is missing if a pair is missing" "$(of_perftest 2 "$tmp/perftest")" ""

{
	echo '{"about":{"release":"6.12","kernel":"k","cpus":"1"}}'
	echo '{"part":"mpi","what":"2 ranks","round":1,"ours":110,"peer":100}'
	echo '{"part":"mpi","what":"2 ranks","round":2,"ours":null,"peer":100}'
} >"$tmp/figures"
ok "the page of collectives is written" page collectives-write "$tmp"
is "it has the figures of the rounds in which both programs ran" \
	"$(sed -n '/\* - 2 ranks/,$p' "$tmp/collectives.rst")" \
	"   * - 2 ranks
     - 110
     - 100
     - 1.10
     - 1.10 to 1.10
     - 1
     - at least 1.0: reached"
