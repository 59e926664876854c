#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the memory of a rank: a rank must use at most 8 MiB in addition to its two
# vectors. A job that needs more memory than is available must be refused.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp -d)
defer rm -r "$tmp"

# of_process PID: prints the anonymous and shared memory of the process in KiB; 0 if it has
# ended
of_process()
{
	local key value unit sum=0

	while read -r key value unit; do
		case $key in
		RssAnon:|RssShmem:) sum=$((sum + value)) ;;
		esac
	done 2>/dev/null <"/proc/$1/status"
	echo $sum
}

# most_of LAUNCHER VECTORS: prints the most memory that any rank of the launcher uses while
# the job runs, minus VECTORS, in KiB
most_of()
{
	local most=0 now pid pids

	while [ -n "$(jobs -pr)" ]; do
		mapfile -t pids < <(pgrep -P "$1")
		for pid in "${pids[@]}"; do
			now=$(of_process "$pid")
			[ "$now" -le "$most" ] || most=$now
		done
	done
	echo $((most - $2))
}

# extra COLLECTIVE RANKS SIZE: prints the memory of the rank that uses most memory,
# minus the size of two vectors, in KiB. The job computes between its steps, so that it
# runs long enough to be measured.
extra()
{
	local launcher

	collperf "$1" -N "$2" -b "${3}M" -n 10 -w 0 -z 1 --compute 300ms --timeout 18 \
		--place out >"$tmp/out" &
	launcher=$!
	most_of $launcher $((2 * $3 * 1024))
	wait $launcher || echo failed
}

for coll in all_reduce alltoall reduce_scatter; do
	kib=$(extra $coll 4 8)
	echo "# $coll: $kib KiB in addition to the vectors"
	ok "control: $coll: a rank uses more than 1 MiB in addition to its vectors" \
		test "$kib" -gt 1024
	ok "$coll: a rank uses at most 8 MiB in addition to its vectors" test "$kib" -le 8192
done

available=$(awk '/MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
refused "collperf with vectors larger than the memory is refused" \
	"^collperf: -e .*: not enough memory; each of 2 ranks needs .* is available" \
	collperf all_reduce -N 2 -b $((available / 4 + 16))M
refused "collperf with more ranks than the memory is enough for is refused" \
	"^collperf: -e .*: not enough memory; each of 4 ranks needs .* is available" \
	collperf all_reduce -N 4 -b $((available / 8 + 8))M
