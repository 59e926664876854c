#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every element of every result is right: for 1 to 8 ranks, for sizes that
# don't divide by the ranks or by the MTU, for sizes with less elements than
# ranks and with none, out-of-place and in-place, for each type.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 8

# A timer that a busy machine doesn't reach: 537 ms.
patient=(--timeout 17)

# sums ROWS OPTION...: ROWS rows, with no wrong value on either side
sums()
{
	local rows=$1

	shift
	collperf all_reduce "${patient[@]}" "$@" | awk -v rows="$rows" '
		/^#/ { next }
		NF != 13 || $9 != "0" || $13 != "0" { print; bad = 1 }
		{ n++ }
		END { if (n != rows) print n " rows"; exit bad || n != rows }'
}

for ranks in 1 2 3 4 5 8; do
	ok "$ranks ranks: 0, 1, 4 and 16 elements" \
		sums 4 -N $ranks -b 0 -e 64 -f 4 -n 1 -w 0
	ok "$ranks ranks: odd sizes up to 100 kB" \
		sums 4 -N $ranks -b 4100 -e 102000 -i 31004 -n 1 -w 0
done
for type in int8 uint8 int32 uint32 int64 uint64 float double; do
	ok "$type: 3 ranks, odd count" \
		sums 1 -N 3 -b 20008 -n 1 -w 0 -d $type
done
for op in min max; do
	ok "$op: 3 ranks" sums 1 -N 3 -b 20008 -n 1 -w 0 -o $op
done
ok "8 ranks, 1 MiB, MTU 1024" sums 1 -N 8 -b 1M -n 1 -w 0 --mtu 1024
ok "PSNs wrap from 0xffffff to 0" \
	sums 1 -N 2 -b 256K -n 2 -w 0 --psn 0xfffff0
ok "with a barrier after each step" sums 1 -N 4 -b 256K -n 5 -w 1 -z 1
