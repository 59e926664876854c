#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What cannot work is refused before anything runs, with one line that names
# the thing, the legal form and the value given.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
tmp=$(mktemp -d)
defer rm -r "$tmp"

bad()
{
	local words=$1 regex=$2

	shift 2
	refused "$words" "^collperf: $regex" collperf "$@"
}

bad "no collective" "which collective\? there is all_reduce"
bad "unknown collective" "unknown collective 'all_sum'; there is all_reduce" \
	all_sum
bad "two collectives" "one collective at a time, not also 'all_reduce'" \
	all_reduce all_reduce
bad "unknown option" "unknown option '-q'" all_reduce -q
bad "unknown long option" "unknown option '--colour'" all_reduce --colour
bad "missing argument" "-n needs an argument" all_reduce -n
bad "unknown type" "-d takes int8, .* or double, not 'quad'" all_reduce -d quad
bad "unknown operation" "-o takes sum, min or max, not 'xor'" all_reduce -o xor
bad "no rank" "-N takes a number from 1 to 64, not '0'" all_reduce -N 0
bad "too many ranks" "-N takes a number from 1 to 64, not '65'" all_reduce -N 65
bad "a size without meaning" "-b takes a size in bytes.*, not '1X'" \
	all_reduce -b 1X
bad "a negative size" "-b takes a size in bytes.*, not '-4'" all_reduce -b -4
bad "sizes the wrong way round" \
	"-e must not be less than -b, but 1 KiB is less than 2 KiB" \
	all_reduce -b 2K -e 1K
bad "more than the memory" "-e .* is too much: 2 ranks need three times that" \
	all_reduce -b 1000G
bad "no iteration" "-n takes a number from 1 " all_reduce -n 0
bad "unknown blocking" "-z takes a number from 0 to 1, not '2'" all_reduce -z 2
bad "retries for ever" "--retry-cnt takes a number from 0 to 6, not '7'" \
	all_reduce --retry-cnt 7
bad "no such timeout" "--timeout takes a number from 1 to 31, not '32'" \
	all_reduce --timeout 32
bad "no such MTU" "--mtu takes 256, 512, 1024, 2048 or 4096, not '3000'" \
	all_reduce --mtu 3000
bad "a PSN beyond 24 bits" "--psn takes a PSN from 0 to 0xffffff, not '0x1000000'" \
	all_reduce --psn 0x1000000
bad "a deadline without a unit" "--deadline takes a time .*, not '20'" \
	all_reduce --deadline 20
bad "a pause between steps that have none" "--compute needs -z 1" \
	all_reduce --compute 80ms
bad "unknown place" "--place takes out, in or both, not 'over'" \
	all_reduce --place over
bad "an empty device" "--device takes device names .*, not ''" \
	all_reduce --device rxe1,
bad "too few devices" "--device must name one device for each of the 2 ranks, not 1" \
	all_reduce -N 2 --device rxe1
bad "unknown device" "there is no RDMA device 'rxe9' for rank 1" \
	all_reduce --device rxe1,rxe9
bad "ranks without a device" "there is no RDMA device 'rxe3' for rank 2" \
	all_reduce -N 3
bad "two ranks on a device" "ranks 0 and 1 share rxe1: .* --allow-loopback" \
	all_reduce --device rxe1,rxe1
bad "no GID at the index" "rank [01] \(rxe[12]\) failed first: rxe[12] has no GID 9" \
	all_reduce --gid-index 9
bad "a file that can't be written" \
	"'/proc/none/x' cannot be written: No such file" all_reduce -J /proc/none/x
ok "two ranks on a device, if told to" \
	collperf all_reduce --device rxe1,rxe1 --allow-loopback -b 4K -n 1

ip addr flush dev v2
wait_until 5 eval "! grep -q 0a4d:0002 /sys/class/infiniband/rxe2/ports/1/gids/1"
bad "a netdev without IPv4 address" \
	"rxe2 has no IPv4 GID of RoCE v2: give its netdev v2 an IPv4 address" \
	all_reduce

collperf --help >"$tmp/help"
man collperf | col -b >"$tmp/manual"
grep -o -- '--[a-z_-]*' "$tmp/help" | sort -u | while read -r option; do
	grep -q -- "$option" "$tmp/manual" || echo "$option"
done >"$tmp/missing"
is "the manual has every option of the help" "$(cat "$tmp/missing")" ""
