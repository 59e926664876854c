#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the table and the JSON output of collperf have the form of nccl-tests:
# columns, footer, keys, bus bandwidth, exit status.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp -d)
defer rm -r "$tmp"

json()
{
	jq -e "$1" "$tmp/out.json"
}

# near X Y: succeeds if X and Y differ by less than 2 %, because the table is rounded
near()
{
	awk -v x="$1" -v y="$2" 'BEGIN { exit !(x > 0.98 * y && x < 1.02 * y) }'
}

ok "collperf with 4 ranks and three sizes succeeds" eval \
	"collperf all_reduce -N 4 -b 64K -e 256K -f 2 -n 3 -w 1 --timeout 17 -J $tmp/out.json >$tmp/out"
is "-b 64K -e 256K -f 2: the table has rows for 64, 128 and 256 KiB" \
	"$(awk '!/^#/ { printf "%s ", $1 }' "$tmp/out")" "65536 131072 262144 "
is "a row of the table has 13 columns: size, count, type, redop, root and twice four values" \
	"$(awk '!/^#/ { print NF, $2, $3, $4, $5; exit }' "$tmp/out")" \
	"13 16384 float sum -1"
is "the head of the table has the column names of nccl-tests" \
	"$(awk '/^# +size/ { $1 = $1; print }' "$tmp/out")" \
	"# size count type redop root time algbw busbw #wrong time algbw busbw #wrong"
ok "the footer has the number of wrong values" \
	grep -q '^# Out of bounds values : 0 OK$' "$tmp/out"
ok "the footer has the bus bandwidth" \
	grep -Eq '^# Avg bus bandwidth    : [0-9.e-]+$' "$tmp/out"
is "the head has a line per rank with its device" \
	"$(grep -c '^#  Rank  [0-3] Group  0 Pid .*\[rxe[1-4]\]' "$tmp/out")" 4

ok "JSON: version 3 with the keys of nccl-tests" json '.version == 3 and
	(keys - ["collperf", "ranks"]) == ["args", "average_bus_bandwidth",
	"config", "end_time", "env", "errors", "out_of_bounds", "results",
	"start_time", "version"]'
ok "JSON: three results, out-of-place and in-place" json '(.results | length) == 3 and
	all(.results[]; .out_of_place.nwrong == 0 and .in_place.nwrong == 0)'
ok "JSON: true and false are strings in config" json '.config |
	.blocking_collectives == "false" and .per_iter_timing == "false" and
	.parallel_init == "false"'
ok "JSON: no value is out of bounds, and the bandwidth is unchecked" json '
	.out_of_bounds == { count: 0, okay: "true" } and
	.average_bus_bandwidth.okay == "unchecked" and .env == []'
ok "JSON: config has the path MTU" json '.config.mtu >= 256'
ok "JSON: config has the devices of four ranks" json '[.config.devices[].rank] == [0, 1, 2, 3]'
ok "JSON: the unit of bandwidths is 10^9 bytes per second" json 'all(.results[];
	(.size / .in_place.time / 1000 / .in_place.alg_bw - 1 | fabs) < 1e-6)'
ok "busbw of all_reduce is algbw * 2(n-1)/n, 1.5 for 4 ranks" json 'all(.results[].out_of_place;
	(.bus_bw / .alg_bw - 1.5 | fabs) < 1e-6)'
ok "table and JSON have the same time" near \
	"$(awk '!/^#/ { print $6; exit }' "$tmp/out")" \
	"$(json '.results[0].out_of_place.time')"

row()
{
	collperf all_reduce -N 2 -b 4K -n 2 --timeout 17 "$@" | grep -v '^#' |
		awk '{ print $6 == "N/A", $9, $10 == "N/A", $13 }'
	[ "${PIPESTATUS[0]}" = 0 ] || echo "and it failed"
}
is "-c 0: the columns of wrong values have N/A" "$(row -c 0)" "0 N/A 0 N/A"
is "--place out: the in-place columns have N/A" "$(row --place out)" "0 0 1 N/A"
is "--place in: the out-of-place columns have N/A" "$(row --place in)" "1 N/A 0 0"
is "-b 1003: the size is rounded down to whole elements, 1000 bytes" \
	"$(collperf all_reduce -N 2 -b 1003 -n 1 | awk '!/^#/ { print $1, $2 }')" \
	"1000 250"
is "-b 1K -e 3K -i 1K: the sizes are 1, 2 and 3 KiB" \
	"$(collperf all_reduce -N 2 -b 1K -e 3K -i 1K -n 1 |
	awk '!/^#/ { printf "%s ", $1 }')" "1024 2048 3072 "

# sizes COLLECTIVE OPTION...: prints size, count, type, redop and root of each row
sizes()
{
	collperf "$@" -n 1 -w 0 -c 0 --place out --timeout 17 |
		awk '!/^#/ { print $1, $2, $3, $4, $5 }'
	[ "${PIPESTATUS[0]}" = 0 ] || echo "and it failed"
}

is "all_gather: the count is the elements that a rank contributes" \
	"$(sizes all_gather -N 3 -b 100)" "96 8 float none -1"
is "reduce_scatter: the count is the elements that a rank receives" \
	"$(sizes reduce_scatter -N 3 -b 100)" "96 8 float sum -1"
is "alltoall: the count is the elements that a rank sends to each other rank" \
	"$(sizes alltoall -N 4 -b 100)" "96 6 float none -1"
is "broadcast: the row has the count of the vector and a root" \
	"$(sizes broadcast -N 3 -b 100)" "100 25 float none 0"
is "reduce: the row has an operation and a root" \
	"$(sizes reduce -N 3 -b 100 -o max -r 2)" "100 25 float max 2"
is "sendrecv: the row has the count of the vector" \
	"$(sizes sendrecv -N 3 -b 100)" "100 25 float none -1"
is "barrier: the size and count are 0" "$(sizes barrier -N 3)" "0 0 none none -1"
is "-r all: the table has a row per root" \
	"$(sizes broadcast -N 3 -b 100 -r all | awk '{ printf "%s ", $5 }')" \
	"0 1 2 "
is "-d all -o all: the table has a row per type and operation" \
	"$(sizes all_reduce -N 2 -b 64 -d all -o all |
		awk 'NR == 1 { t = $3; o = $4 }
		     $3 == t { ops++ } $4 == o { types++ } { n++ }
		     END { print (types > 7), (ops > 2), (n == types * ops) }')" \
	"1 1 1"

# factor COLLECTIVE RANKS: prints busbw / algbw from the JSON output, multiplied by 1000
factor()
{
	collperf "$1" -N "$2" -b 64K -n 2 -c 0 --place out --timeout 17 \
		-J "$tmp/out.json" >/dev/null
	jq '.results[0].out_of_place | .bus_bw / .alg_bw * 1000 | round' \
		"$tmp/out.json"
}

is "busbw of all_gather is algbw * (n-1)/n" "$(factor all_gather 4)" 750
is "busbw of reduce_scatter is algbw * (n-1)/n" "$(factor reduce_scatter 4)" 750
is "busbw of alltoall is algbw * (n-1)/n" "$(factor alltoall 4)" 750
is "busbw of broadcast is algbw" "$(factor broadcast 4)" 1000
is "busbw of reduce is algbw" "$(factor reduce 4)" 1000
is "busbw of sendrecv is algbw" "$(factor sendrecv 4)" 1000

ok "collperf -I 1 -K 2 succeeds" eval "collperf all_reduce -N 3 -b 4K -n 12 -w 0 -I 1 -K 2 \
	--timeout 17 -J $tmp/out.json >$tmp/out"
is "-I 1: the head of the table has four more columns per place" \
	"$(awk '/^# +size/ { $1 = $1; print }' "$tmp/out")" \
	"# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min i_max i_p99 i_cv%"
is "-I 1: a row has 21 columns" "$(awk '!/^#/ { print NF }' "$tmp/out")" 21
ok "JSON: in_place_per_iter has the keys of nccl-tests" json '.results[0].in_place_per_iter |
	keys == ["avg_us", "cv_pct", "max_us", "min_us", "p50_us", "p95_us",
	"p99_us", "per_process_max_times_us", "skipped_iterations", "stdev_us",
	"times_us"]'
ok "JSON: the times of all 12 iterations of all ranks" json '.results[0] |
	[.out_of_place_per_iter, .in_place_per_iter] | all(.[];
	(.times_us | length) == 12 and
	(.per_process_max_times_us | map(length)) == [12, 12, 12])'
ok "JSON: the time of an iteration is that of its slowest rank" json '
	.results[0].out_of_place_per_iter |
	(.per_process_max_times_us | transpose | map(max)) == .times_us'
ok "JSON: minimum, maximum and p99 ignore the skipped iterations" json '
	.results[0].out_of_place_per_iter | .skipped_iterations == 2 and
	.max_us == (.times_us[2:] | max) and .min_us == (.times_us[2:] | min) and
	.p99_us == .max_us'

ok "JSON: the counts of the last rank in and out add up to all iterations" json '
	(.ranks | map(.in_last.count) | add) == 24 and
	(.ranks | map(.out_last.count) | add) == 24 and
	all(.ranks[]; .iterations == 24 and .avg_waited_us >= 0)'
is "the footer has a line per rank with its counts" \
	"$(sed -n '/^# Rank   in last/,$p' "$tmp/out" |
		grep -Ec '^# +[0-2] +[0-9]+ +[0-9]+% ')" 3

# averaged NUMBER FILTER: prints true if the time that collperf -a NUMBER reports is equal to the
# result of the jq FILTER, whose input is the list of the times of all ranks
averaged()
{
	collperf all_reduce -N 3 -b 4K -n 1 -w 0 -z 1 -a "$1" -I 1 --place out \
		--timeout 17 -J "$tmp/out.json" >/dev/null
	jq "[.results[0] | .out_of_place.time, (.out_of_place_per_iter |
		.per_process_max_times_us | map(.[0]) | $2)] |
		(.[0] - .[1] | fabs) < 0.001" "$tmp/out.json"
}

is "-a 0: the reported time is that of rank 0" "$(averaged 0 '.[0]')" true
is "-a 1: the reported time is the mean of all ranks" "$(averaged 1 'add / 3')" true
is "-a 2: the reported time is the minimum of all ranks" "$(averaged 2 min)" true
is "-a 3: the reported time is the maximum of all ranks" "$(averaged 3 max)" true

demand()
{
	NCCL_TESTS_MIN_BW=$1 collperf all_reduce -N 2 -b 64K -n 2 --timeout 17 \
		-J "$tmp/out.json" >"$tmp/out"
	echo "$? $(awk '/Avg bus/ { print $NF }' "$tmp/out") $(json \
		.average_bus_bandwidth.okay)"
}

is "NCCL_TESTS_MIN_BW higher than the bandwidth: collperf exits with 1 and prints FAILED" \
	"$(demand 1000)" '1 FAILED "false"'
is "NCCL_TESTS_MIN_BW lower than the bandwidth: collperf exits with 0 and prints OK" \
	"$(demand 0.000001)" '0 OK "true"'

refused "-T 3: a longer job fails, the error names the step" \
	"rank [0-9] .* failed first: the job did not end within 3 s \(-T\): (step|barrier)" \
	collperf all_reduce -N 2 -b 64K -n 1000000 --timeout 17 -T 3 \
	-J "$tmp/out.json"
ok "JSON: the reason of a failed job" json '(.errors | length) == 1 and
	(.errors[0] | test("did not end within 3 s|rank 1")) and .results == []'
ok "-T 1000: a shorter job succeeds" \
	collperf all_reduce -N 2 -b 64K -n 1 --timeout 17 -T 1000

# completes WORD...: prints the completions of the last word of a command line
completes()
{
	local COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))

	_collperf
	echo "${COMPREPLY[*]}"
}

# shellcheck source=../../tools/completion/collperf
. "$selftests/../tools/completion/collperf"
is "bash completion completes collectives" "$(completes collperf all_)" \
	"all_reduce all_gather"
is "bash completion completes options" "$(completes collperf all_reduce --al)" \
	"--allow-loopback --algo"
is "bash completion completes values of an option" "$(completes collperf all_reduce -o m)" "min max"
is "bash completion completes nothing after an option with a number" \
	"$(completes collperf all_reduce --timeout "")" ""
