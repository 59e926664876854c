#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rules with the same seed drop the same packets (flow, PSN and attempt) in
# ten runs, with one CPU and with two, with other traffic and without it. 1500 packets of
# three flows are sent, and then the last 450 of them twice more. A capture at the other end
# of the link shows which packets arrive.
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

# Run a command with packets of other flows before it and while it runs.
with_others()
{
	sendroce t1 from 9 flows 40 count 2000
	sendroce t1 from 9 flows 40 count 20000 psn 50 &
	"$@"
	wait $!
}

# run NAME COMMAND...: forget all flows, add the rules again and run the command;
# $work/NAME.txt lists the packets that arrive
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
		skip "with one CPU instead of two, the same packets arrive" "there is one CPU"
		return
	fi
	defer eval "echo 1 >$cpu1"
	echo 0 >$cpu1
	run one traffic
	ok "with one CPU instead of two, the same packets arrive" same_as_first one
	run one with_others traffic
	ok "with one CPU and other traffic, the same packets arrive" same_as_first one
	echo 1 >$cpu1
}

# some_ok TITLE NAME: run the test TITLE: some packets of the run NAME must be lost, but not
# all
some_ok()
{
	local lost

	lost=$((2400 - $(wc -l <"$work/$2.txt")))
	ok "$1: between 20 and 2300 of 2400 packets are dropped" \
		[ $lost -gt 20 -a $lost -lt 2300 ]
}

# victims MODEL RUNS: test that a rule with the loss model MODEL drops the same packets in
# RUNS runs
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
	is "$1: the same packets arrive in $2 runs" $((i - 1)) "$2"
	run again with_others traffic
	ok "$1: the same packets arrive with other traffic" same_as_first again
}

another_seed_ok()
{
	sed -i 's/seed 42/seed 43/' "$work/rules"
	run again traffic
	some_ok "another seed" again
	ok "another seed drops other packets" \
		eval '! cmp -s "$work/first.txt" "$work/again.txt"'
}

victims "probability 3%" 10
one_cpu_ok
another_seed_ok
victims "gemodel 2% 30%" 2
victims "probability 30% correlation 40% burst-max 4" 2
