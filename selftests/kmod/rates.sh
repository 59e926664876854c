#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how many of a million packets a rule with a probability hits. Also test gemodel
# (Gilbert-Elliott): the lengths of runs of lost packets must have the same distribution with the
# module as with netem.
#
#   sendroce - t1 (port) ======= t2 - tcpdump
#   sendroce - n1 (netem) ====== n2 - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"
. "$selftests/lib/binomial.sh"

work=$(mktemp -d)
defer rm -rf "$work"
veth_pair t1 t2
veth_pair n1 n2
defer tc qdisc del dev t1 root
tc qdisc add dev t1 root rdmafault

# came NETDEV: prints the number of packets that the netdev has received
came()
{
	cat "/sys/class/net/$1/statistics/rx_packets"
}

all_came()
{
	[ "$(came t2)" -ge "$1" ]
}

rates_ok()
{
	local n=1000000 p id before

	[ -z "${KSFT_MACHINE_SLOW:-}" ] || n=100000
	for p in 0.0001 0.001 0.01; do
		echo "qp 16 probability $p seed 1 observe"
	done >"$work/rules"
	echo "qp 16 probability 0.1 seed 1 drop" >>"$work/rules"
	rdmafault rule replace t1 tx "$work/rules" >/dev/null
	before=$(came t2)
	sendroce t1 count $n
	rdmafault --json rule show t1 >"$work/shown"
	is "each probability rule matches all packets" \
		"$(jq -r '[.[].matched] | unique | @csv' "$work/shown")" $n
	for id in 0 1 2 3; do
		p=$(sed -n "$((id + 1))s/.*probability \([^ ]*\).*/\1/p" \
			"$work/rules")
		ok "probability $p: the hits among $n packets fit the binomial distribution" \
			binomial_good \
			"$(jq -r ".[$id].hits" "$work/shown")" $n "$p"
	done
	wait_until "$soon" all_came $((before + n - $(jq -r '.[3].hits' "$work/shown")))
	is "all packets that were not dropped arrive" $(($(came t2) - before)) \
		$((n - $(jq -r '.[3].hits' "$work/shown")))
	rdmafault rule flush t1
}

# runs FILE COUNT: prints lines "LENGTH RUNS": how many runs of LENGTH consecutive losses
# are among COUNT packets
runs()
{
	packets "$1" | awk -v count="$2" '
		function gap(to) { if (to > next_psn) n[to - next_psn]++ }
		{ gap($2); next_psn = $2 + 1 }
		END { gap(count); for (l in n) print l, n[l] }'
}

# same_runs FILE1 FILE2: succeeds if the run lengths in both files have the same distribution,
# by a chi-squared test of the table with one row per file. The test value is converted to a
# normal deviate with the cube root approximation of E. Wilson and M. Hilferty. All lengths with
# fewer than ten runs form one class.
same_runs()
{
	awk '
		{ n[FILENAME, $1] = $2; all[FILENAME] += $2; sum[$1] += $2 }
		$1 > longest { longest = $1 }
		function class(a, b,   e, s) {
			s = (a + b) / (all[ARGV[1]] + all[ARGV[2]])
			e = s * all[ARGV[1]]; x += (a - e) ^ 2 / e
			e = s * all[ARGV[2]]; x += (b - e) ^ 2 / e
			classes++
		}
		END {
			for (l = 1; l <= longest; l++) {
				if (sum[l] >= 10) {
					class(n[ARGV[1], l], n[ARGV[2], l])
				} else {
					a += n[ARGV[1], l]
					b += n[ARGV[2], l]
				}
			}
			if (a + b) class(a, b)
			k = classes - 1
			v = 2 / (9 * k)
			z = ((x / k) ^ (1 / 3) - (1 - v)) / sqrt(v)
			printf "%d and %d runs, chi-squared %.1f of %d: z %.2f\n",
				all[ARGV[1]], all[ARGV[2]], x, k, z
			# One in ten thousand
			exit !(k > 2 && z < 3.72)
		}' "$1" "$2"
}

gemodel_ok()
{
	local n=60000

	rdmafault rule add t1 tx qp 16 gemodel 2% 30% 90% 0.2% seed 5 drop \
		>/dev/null
	NEAR=t1 captured t2 "$work/ours" sendroce t1 count $n
	rdmafault rule flush t1
	tc qdisc add dev n1 root netem limit 1000000 loss gemodel 2% 30% 90% 0.2%
	NEAR=n1 captured n2 "$work/netem" sendroce n1 count $n
	runs "$work/ours" $n >"$work/ours.runs"
	runs "$work/netem" $n >"$work/netem.runs"
	ok "gemodel 2% 30% 90% 0.2%: consecutive losses have the distribution of netem" \
		same_runs "$work/ours.runs" "$work/netem.runs"
	echo "# $(same_runs "$work/ours.runs" "$work/netem.runs")"
	tc qdisc del dev n1 root
}

# Control: same_runs must fail if the distributions differ. Here, half of the runs of two losses
# are counted as runs of three losses.
control_ok()
{
	awk '$1 == 2 { two = $2 }
		{ n[$1] = $2 }
		END {
			moved = int(two / 2)
			n[2] -= moved
			n[3] += moved
			for (l in n) print l, n[l]
		}' "$work/ours.runs" >"$work/other.runs"
	ok "control: a changed distribution of losses differs from that of netem" \
		eval '! same_runs "$work/other.runs" "$work/netem.runs"'
}

rates_ok
gemodel_ok
control_ok
