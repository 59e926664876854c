#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A rank takes the memory of its two vectors and at most 8 MiB besides, and a
# job that would take more than there is does not start.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 4
tmp=$(mktemp -d)
defer rm -r "$tmp"

# of_process PID: memory of its own, in KiB; 0 when it is gone
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

# most_of LAUNCHER VECTORS: the most that any of its ranks has beside so many
# KiB, as long as it runs
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

# beside COLLECTIVE RANKS SIZE: KiB of the largest rank beside two vectors. The job
# pauses between its steps, so that a slow reader finds it at work.
beside()
{
	local launcher

	collperf "$1" -N "$2" -b "${3}M" -n 10 -w 0 -z 1 --compute 300ms --timeout 18 \
		--place out >"$tmp/out" &
	launcher=$!
	most_of $launcher $((2 * $3 * 1024))
	wait $launcher || echo failed
}

for coll in all_reduce alltoall reduce_scatter; do
	kib=$(beside $coll 4 8)
	echo "# $coll: $kib KiB beside the vectors"
	ok "$coll: something was measured" test "$kib" -gt 1024
	ok "$coll: at most 8 MiB beside the vectors" test "$kib" -le 8192
done

available=$(awk '/MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
refused "vectors that are more than the memory" \
	"^collperf: -e .* is too much: each of 2 ranks needs .* are available" \
	collperf all_reduce -N 2 -b $((available / 4 + 16))M
refused "as many ranks as make it too much" \
	"^collperf: -e .* is too much: each of 4 ranks needs .* are available" \
	collperf all_reduce -N 4 -b $((available / 8 + 8))M
