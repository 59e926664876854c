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
	(keys - ["collperf"]) == ["args", "average_bus_bandwidth", "config",
	"end_time", "env", "out_of_bounds", "results", "start_time", "version"]'
ok "JSON: three results with both places" json '(.results | length) == 3 and
	all(.results[]; .out_of_place.nwrong == 0 and .in_place.nwrong == 0)'
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
	collperf all_reduce -N 2 -b 4K -n 2 "$@" | grep -v '^#' |
		awk '{ print $6 == "N/A", $9, $10 == "N/A", $13 }'
}
is "-c 0 verifies nothing" "$(row -c 0)" "0 N/A 0 N/A"
is "--place out leaves in-place out" "$(row --place out)" "0 0 1 N/A"
is "--place in leaves out-of-place out" "$(row --place in)" "1 N/A 0 0"
is "a size is cut to whole elements" \
	"$(collperf all_reduce -N 2 -b 1003 -n 1 | awk '!/^#/ { print $1, $2 }')" \
	"1000 250"
is "-i adds" "$(collperf all_reduce -N 2 -b 1K -e 3K -i 1K -n 1 |
	awk '!/^#/ { printf "%s ", $1 }')" "1024 2048 3072 "
