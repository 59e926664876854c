#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One seed has the same victims, flow by flow, PSN by PSN and attempt by attempt: in
# ten runs, with one CPU and with two, alone and beside other traffic. Seen from
# the far side, as what arrives of three flows whose last part is sent three
# times.
#
#   sendroce - t1 (port) ======= t2 - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"

NEAR=t1
work=$(mktemp -d)
defer rm -rf "$work"
veth_pair t1 t2
defer tc qdisc del dev t1 root
tc qdisc add dev t1 root rdmafault

traffic()
{
	taskset -c 0 sendroce t1 flows 3 count 1500 rounds 3 back 450 psn 0xfffe00
}

# Packets of other flows, before those that count and all the while.
with_others()
{
	sendroce t1 from 9 flows 40 count 2000
	sendroce t1 from 9 flows 40 count 20000 psn 50 &
	"$@"
	wait $!
}

# run NAME COMMAND...: fresh flows, the same rules, and what arrives
run()
{
	local name=$1

	shift
	rdmafault rule flush t1
	rdmafault rule replace t1 tx "$work/rules" >/dev/null
	captured t2 "$work/$name" "$@"
	packets "$work/$name" >"$work/$name.txt"
}

same_as_first()
{
	wc -l "$work/$1.txt"
	cmp "$work/first.txt" "$work/$1.txt"
}

cpu1=/sys/devices/system/cpu/cpu1/online

one_cpu_ok()
{
	if [ ! -w $cpu1 ]; then
		skip "one CPU instead of two" "there is one CPU"
		return
	fi
	defer eval "echo 1 >$cpu1"
	echo 0 >$cpu1
	run one traffic
	ok "one CPU instead of two" same_as_first one
	run one with_others traffic
	ok "one CPU, beside other traffic" same_as_first one
	echo 1 >$cpu1
}

# some_ok WORDS NAME: of a run's packets
some_ok()
{
	local lost

	lost=$((2400 - $(wc -l <"$work/$2.txt")))
	ok "$1: some are dropped, some are not" \
		[ $lost -gt 20 -a $lost -lt 2300 ]
}

# victims MODEL RUNS: what holds for one model of chance
victims()
{
	local i

	echo "qp 16,17,18 $1 seed 42 drop" >"$work/rules"
	run first traffic
	some_ok "$1" first
	for ((i = 2; i <= $2; i++)); do
		run again traffic
		cmp -s "$work/first.txt" "$work/again.txt" || break
	done
	is "$1: the same in $2 runs" $((i - 1)) "$2"
	run again with_others traffic
	ok "$1: the same beside other traffic" same_as_first again
}

another_seed_ok()
{
	sed -i 's/seed 42/seed 43/' "$work/rules"
	run again traffic
	some_ok "another seed" again
	ok "another seed has other victims" \
		eval '! cmp -s "$work/first.txt" "$work/again.txt"'
}

victims "probability 3%" 10
one_cpu_ok
another_seed_ok
victims "gemodel 2% 30%" 2
victims "probability 30% correlation 40% burst-max 4" 2
