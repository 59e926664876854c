#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The table and the JSON are those that people and scripts know from
# nccl-tests: columns, footer, keys, bus bandwidth, exit status.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp -d)
defer rm -r "$tmp"

json()
{
	jq -e "$1" "$tmp/out.json"
}

# near X Y: equal within 2 %, the rounding of the table
near()
{
	awk -v x="$1" -v y="$2" 'BEGIN { exit !(x > 0.98 * y && x < 1.02 * y) }'
}

ok "4 ranks run" eval \
	"collperf all_reduce -N 4 -b 64K -e 256K -f 2 -n 3 -w 1 --timeout 17 -J $tmp/out.json >$tmp/out"
is "the sizes are 64, 128 and 256 KiB" \
	"$(awk '!/^#/ { printf "%s ", $1 }' "$tmp/out")" "65536 131072 262144 "
is "a row has size, count, type, redop, root and twice four values" \
	"$(awk '!/^#/ { print NF, $2, $3, $4, $5; exit }' "$tmp/out")" \
	"13 16384 float sum -1"
is "the columns have their names" \
	"$(awk '/^# +size/ { $1 = $1; print }' "$tmp/out")" \
	"# size count type redop root time algbw busbw #wrong time algbw busbw #wrong"
ok "the footer says that no value was wrong" \
	grep -q '^# Out of bounds values : 0 OK$' "$tmp/out"
ok "the footer has the bus bandwidth" \
	grep -Eq '^# Avg bus bandwidth    : [0-9.e-]+$' "$tmp/out"
is "each rank is named with its device" \
	"$(grep -c '^#  Rank  [0-3] Group  0 Pid .*\[rxe[1-4]\]' "$tmp/out")" 4

ok "JSON: format 3 with the known keys" json '.version == 3 and
	(keys - ["collperf", "ranks"]) == ["args", "average_bus_bandwidth",
	"config", "end_time", "env", "errors", "out_of_bounds", "results",
	"start_time", "version"]'
ok "JSON: three results with both places" json '(.results | length) == 3 and
	all(.results[]; .out_of_place.nwrong == 0 and .in_place.nwrong == 0)'
ok "JSON: the names of true and false are words" json '.config |
	.blocking_collectives == "false" and .per_iter_timing == "false" and
	.parallel_init == "false"'
ok "JSON: nothing was out of bounds, no bandwidth was demanded" json '
	.out_of_bounds == { count: 0, okay: "true" } and
	.average_bus_bandwidth.okay == "unchecked" and .env == []'
ok "JSON: the path MTU in use" json '.config.mtu >= 256'
ok "JSON: four devices" json '[.config.devices[].rank] == [0, 1, 2, 3]'
ok "JSON: bandwidths are 10^9 bytes a second" json 'all(.results[];
	(.size / .in_place.time / 1000 / .in_place.alg_bw - 1 | fabs) < 1e-6)'
ok "busbw = algbw * 2(n-1)/n, here 1.5" json 'all(.results[].out_of_place;
	(.bus_bw / .alg_bw - 1.5 | fabs) < 1e-6)'
ok "table and JSON agree" near \
	"$(awk '!/^#/ { print $6; exit }' "$tmp/out")" \
	"$(json '.results[0].out_of_place.time')"

row()
{
	collperf all_reduce -N 2 -b 4K -n 2 --timeout 17 "$@" | grep -v '^#' |
		awk '{ print $6 == "N/A", $9, $10 == "N/A", $13 }'
	[ "${PIPESTATUS[0]}" = 0 ] || echo "and it failed"
}
is "-c 0 verifies nothing" "$(row -c 0)" "0 N/A 0 N/A"
is "--place out leaves in-place out" "$(row --place out)" "0 0 1 N/A"
is "--place in leaves out-of-place out" "$(row --place in)" "1 N/A 0 0"
is "a size is cut to whole elements" \
	"$(collperf all_reduce -N 2 -b 1003 -n 1 | awk '!/^#/ { print $1, $2 }')" \
	"1000 250"
is "-i adds" "$(collperf all_reduce -N 2 -b 1K -e 3K -i 1K -n 1 |
	awk '!/^#/ { printf "%s ", $1 }')" "1024 2048 3072 "

# sizes COLLECTIVE OPTION...: size, count, type, redop, root of each row
sizes()
{
	collperf "$@" -n 1 -w 0 -c 0 --place out --timeout 17 |
		awk '!/^#/ { print $1, $2, $3, $4, $5 }'
	[ "${PIPESTATUS[0]}" = 0 ] || echo "and it failed"
}

is "all_gather: the count is what a rank contributes" \
	"$(sizes all_gather -N 3 -b 100)" "96 8 float none -1"
is "reduce_scatter: the count is what a rank gets" \
	"$(sizes reduce_scatter -N 3 -b 100)" "96 8 float sum -1"
is "alltoall: the count is what a rank sends to each" \
	"$(sizes alltoall -N 4 -b 100)" "96 6 float none -1"
is "broadcast: the count is that of the vector, and there is a root" \
	"$(sizes broadcast -N 3 -b 100)" "100 25 float none 0"
is "reduce has both, an operation and a root" \
	"$(sizes reduce -N 3 -b 100 -o max -r 2)" "100 25 float max 2"
is "sendrecv: the count is that of the vector" \
	"$(sizes sendrecv -N 3 -b 100)" "100 25 float none -1"
is "a barrier has no size" "$(sizes barrier -N 3)" "0 0 none none -1"
is "-r all: each rank in turn" \
	"$(sizes broadcast -N 3 -b 100 -r all | awk '{ printf "%s ", $5 }')" \
	"0 1 2 "
is "-d all -o all: for each type each operation" \
	"$(sizes all_reduce -N 2 -b 64 -d all -o all |
		awk 'NR == 1 { t = $3; o = $4 }
		     $3 == t { ops++ } $4 == o { types++ } { n++ }
		     END { print (types > 7), (ops > 2), (n == types * ops) }')" \
	"1 1 1"

# factor COLLECTIVE RANKS: bus bandwidth over algorithm bandwidth, in JSON
factor()
{
	collperf "$1" -N "$2" -b 64K -n 2 -c 0 --place out --timeout 17 \
		-J "$tmp/out.json" >/dev/null
	jq '.results[0].out_of_place | .bus_bw / .alg_bw * 1000 | round' \
		"$tmp/out.json"
}

is "busbw of all_gather: (n-1)/n" "$(factor all_gather 4)" 750
is "busbw of reduce_scatter: (n-1)/n" "$(factor reduce_scatter 4)" 750
is "busbw of alltoall: (n-1)/n" "$(factor alltoall 4)" 750
is "busbw of broadcast: 1" "$(factor broadcast 4)" 1000
is "busbw of reduce: 1" "$(factor reduce 4)" 1000
is "busbw of sendrecv: 1" "$(factor sendrecv 4)" 1000

ok "-I 1 runs" eval "collperf all_reduce -N 3 -b 4K -n 12 -w 0 -I 1 -K 2 \
	--timeout 17 -J $tmp/out.json >$tmp/out"
is "-I 1 adds four columns to each place" \
	"$(awk '/^# +size/ { $1 = $1; print }' "$tmp/out")" \
	"# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min i_max i_p99 i_cv%"
is "and to each row" "$(awk '!/^#/ { print NF }' "$tmp/out")" 21
ok "JSON: the keys of the iterations" json '.results[0].in_place_per_iter |
	keys == ["avg_us", "cv_pct", "max_us", "min_us", "p50_us", "p95_us",
	"p99_us", "per_process_max_times_us", "skipped_iterations", "stdev_us",
	"times_us"]'
ok "JSON: all iterations of all ranks" json '.results[0] |
	[.out_of_place_per_iter, .in_place_per_iter] | all(.[];
	(.times_us | length) == 12 and
	(.per_process_max_times_us | map(length)) == [12, 12, 12])'
ok "an iteration lasts as long as its slowest rank" json '
	.results[0].out_of_place_per_iter |
	(.per_process_max_times_us | transpose | map(max)) == .times_us'
ok "the spread leaves the skipped ones out" json '
	.results[0].out_of_place_per_iter | .skipped_iterations == 2 and
	.max_us == (.times_us[2:] | max) and .min_us == (.times_us[2:] | min) and
	.p99_us == .max_us'

ok "JSON: who came last adds up to all iterations" json '
	(.ranks | map(.in_last.count) | add) == 24 and
	(.ranks | map(.out_last.count) | add) == 24 and
	all(.ranks[]; .iterations == 24 and .avg_waited_us >= 0)'
is "the footer has a line for each rank" \
	"$(sed -n '/^# Rank   in last/,$p' "$tmp/out" |
		grep -Ec '^# +[0-2] +[0-9]+ +[0-9]+% ')" 3

# averaged WHAT: the time that -a WHAT reports, with the ranks' own times
averaged()
{
	collperf all_reduce -N 3 -b 4K -n 1 -w 0 -z 1 -a "$1" -I 1 --place out \
		--timeout 17 -J "$tmp/out.json" >/dev/null
	jq "[.results[0] | .out_of_place.time, (.out_of_place_per_iter |
		.per_process_max_times_us | map(.[0]) | $2)] |
		(.[0] - .[1] | fabs) < 0.001" "$tmp/out.json"
}

is "-a 0: the time of rank 0" "$(averaged 0 '.[0]')" true
is "-a 1: the mean" "$(averaged 1 'add / 3')" true
is "-a 2: the least" "$(averaged 2 min)" true
is "-a 3: the most" "$(averaged 3 max)" true

demand()
{
	NCCL_TESTS_MIN_BW=$1 collperf all_reduce -N 2 -b 64K -n 2 --timeout 17 \
		-J "$tmp/out.json" >"$tmp/out"
	echo "$? $(awk '/Avg bus/ { print $NF }' "$tmp/out") $(json \
		.average_bus_bandwidth.okay)"
}

is "more bandwidth than there is: status 1, and it is said" \
	"$(demand 1000)" '1 FAILED "false"'
is "less than there is" "$(demand 0.000001)" '0 OK "true"'

refused "-T: a job that takes longer fails, and says where it was" \
	"rank [0-9] .* failed first: the job is not done after 3 s \(-T\): (step|barrier)" \
	collperf all_reduce -N 2 -b 64K -n 1000000 --timeout 17 -T 3 \
	-J "$tmp/out.json"
ok "JSON: the reason of a failure" json '(.errors | length) == 1 and
	(.errors[0] | test("not done after 3 s|rank 1")) and .results == []'
ok "-T: one that is done in time doesn't" \
	collperf all_reduce -N 2 -b 64K -n 1 --timeout 17 -T 1000

# completes WORD...: what is offered for the last word of a command line
completes()
{
	local COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))

	_collperf
	echo "${COMPREPLY[*]}"
}

# shellcheck source=../../tools/completion/collperf
. "$selftests/../tools/completion/collperf"
is "bash completes collectives" "$(completes collperf all_)" \
	"all_reduce all_gather"
is "bash completes options" "$(completes collperf all_reduce --al)" \
	"--algo --allow-loopback"
is "bash completes values" "$(completes collperf all_reduce -o m)" "min max"
is "bash offers nothing where a number stands" \
	"$(completes collperf all_reduce --timeout "")" ""
