#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that collperf refuses invalid options before it starts a rank, with one line that
# has the option, the valid form and the given value.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
tmp=$(mktemp -d)
defer rm -r "$tmp"

# bad WORDS REGEX ARGUMENT...: exit status 2, or $bad_with
bad()
{
	local words=$1 regex=$2 refused_with=${bad_with:-2}

	shift 2
	refused "$words: refused with one line that names it" "^collperf: $regex" collperf "$@"
}

bad "no collective" "which collective\? there is all_reduce, .* or barrier"
bad "unknown collective" "unknown collective 'all_sum'; there is all_reduce, .* or barrier" \
	all_sum
bad "two collectives" "one collective at a time, not also 'all_reduce'" \
	all_reduce all_reduce
bad "unknown option" "unknown option '-q'" all_reduce -q
bad "unknown long option" "unknown option '--colour'" all_reduce --colour
bad "missing argument" "-n needs an argument" all_reduce -n
bad "unknown type" "-d takes int8, .* or all, not 'quad'" all_reduce -d quad
bad "unknown operation" "-o takes sum, .* or all, not 'xor'" all_reduce -o xor
bad "0 ranks" "-N takes a number from 1 to 64, not '0'" all_reduce -N 0
bad "65 ranks" "-N takes a number from 1 to 64, not '65'" all_reduce -N 65
bad "a size with an unknown unit" "-b takes a size in bytes.*, not '1X'" \
	all_reduce -b 1X
bad "a negative size" "-b takes a size in bytes.*, not '-4'" all_reduce -b -4
bad "-e less than -b" \
	"-e must not be less than -b, but 1 KiB is less than 2 KiB" \
	all_reduce -b 2K -e 1K
bad "vectors larger than the memory" "-e .* is too much: each of 2 ranks needs .* are available" \
	all_reduce -b 1000G
bad "0 iterations" "-n takes a number from 1 " all_reduce -n 0
bad "unknown average" "-a takes a number from 0 to 3, not '4'" all_reduce -a 4
bad "unknown per-iteration report" "-I takes a number from 0 to 1, not '2'" \
	all_reduce -I 2
bad "-K without -I" "-K needs -I 1" all_reduce -K 1
bad "-K that skips all iterations" "-K must be less than -n, 3, and is 3" \
	all_reduce -n 3 -I 1 -K 3
bad "-i together with -f" "-i adds and -f multiplies: only one" \
	all_reduce -i 1K -f 2
bad "unknown algorithm" \
	"--algo takes ring, tree, recursive, direct or auto, not 'star'" \
	all_reduce --algo star
bad "an algorithm that the collective does not have" \
	"there is no --algo ring of alltoall, only: direct" alltoall --algo ring
bad "a root that is no number" "-r takes the number of a rank, or all, not 'x'" \
	broadcast -r x
bad "a root beyond the ranks" \
	"-r must be less than the number of ranks, 2, and is 2" broadcast -r 2
bad "a root for a collective without one" "all_reduce has no root: leave -r out" all_reduce -r 0
bad "an operation for a collective that reduces nothing" \
	"all_gather reduces nothing: leave -o out" \
	all_gather -o sum
bad "a barrier with a size" "barrier moves no data: leave -b and -e out" \
	barrier -b 1K
bad "a barrier with a type" "barrier moves no data: leave -d out" barrier -d float
bad "--place in for a collective without it" \
	"alltoall cannot be done in place: --place takes out, not 'in'" \
	alltoall --place in
bad "--chunk that is no multiple of 64 bytes" \
	"--chunk takes a multiple of 64 bytes up to 3M, not '100'" \
	all_reduce --chunk 100
bad "--chunk of more than 3M" "--chunk takes a multiple of 64 bytes up to 3M" \
	all_reduce --chunk 4M
bad "-T with a unit" "-T takes a number from 0 to 1000000, not '1s'" \
	all_reduce -T 1s
bad "-z 2" "-z takes a number from 0 to 1, not '2'" all_reduce -z 2
bad "--retry-cnt 7, which means for ever in rxe" "--retry-cnt takes a number from 0 to 6, not '7'" \
	all_reduce --retry-cnt 7
bad "--timeout 32" "--timeout takes a number from 1 to 31, not '32'" \
	all_reduce --timeout 32
bad "--mtu 3000" "--mtu takes 256, 512, 1024, 2048 or 4096, not '3000'" \
	all_reduce --mtu 3000
bad "a PSN beyond 24 bits" "--psn takes a PSN from 0 to 0xffffff, not '0x1000000'" \
	all_reduce --psn 0x1000000
bad "a deadline without a unit" "--deadline takes a time .*, not '20'" \
	all_reduce --deadline 20
bad "--compute without -z 1" "--compute needs -z 1" \
	all_reduce --compute 80ms
bad "a straggler without a time" "--straggler takes a rank and how late it is.*, not '1'" \
	all_reduce --straggler 1
bad "a straggler whose time has no unit" "--straggler takes a rank .*, not '1,200'" \
	all_reduce --straggler 1,200
bad "a straggler with a time of 0" "--straggler takes a rank .*, not '1,0ms'" \
	all_reduce --straggler 1,0ms
bad "a straggler beyond the ranks" \
	"--straggler must be less than the number of ranks, 2, and is 2" \
	all_reduce --straggler 2,200ms
bad "an unknown place" "--place takes out, in or both, not 'over'" \
	all_reduce --place over
bad "an empty device name" "--device takes device names .*, not 'rxe1,'" \
	all_reduce --device rxe1,
bad "fewer devices than ranks" "--device must name one device for each of the 2 ranks, not 1" \
	all_reduce -N 2 --device rxe1
bad "an unknown device" "there is no RDMA device 'rxe9' for rank 1" \
	all_reduce --device rxe1,rxe9
bad "more ranks than devices" "there is no RDMA device 'rxe3' for rank 2" \
	all_reduce -N 3
bad "two ranks on one device" "ranks 0 and 1 share rxe1: .* --allow-loopback" \
	all_reduce --device rxe1,rxe1
bad_with=3 bad "a GID index without a GID" "rank [01] \(rxe[12]\) failed first: rxe[12] has no GID 9" \
	all_reduce --gid-index 9
bad "a file that can't be written" \
	"'/proc/none/x' cannot be written: No such file" all_reduce -J /proc/none/x
NCCL_TESTS_MIN_BW=fast bad "NCCL_TESTS_MIN_BW with a word" \
	"NCCL_TESTS_MIN_BW takes GB/s, like 0.05, not 'fast'" all_reduce
ok "two ranks on one device succeed with --allow-loopback" \
	collperf all_reduce --device rxe1,rxe1 --allow-loopback -b 4K -n 1

ip addr flush dev v2
wait_until "$soon" eval "! grep -q 0a4d:0002 /sys/class/infiniband/rxe2/ports/1/gids/1"
bad "a device whose netdev has no IPv4 address" \
	"rxe2 has no IPv4 GID of RoCE v2: give its netdev v2 an IPv4 address" \
	all_reduce

collperf --help >"$tmp/help"
man collperf | col -b >"$tmp/manual"
grep -o -- '--[a-z_-]*' "$tmp/help" | sort -u >"$tmp/options"
ok "--help lists at least 20 options" [ "$(wc -l <"$tmp/options")" -ge 20 ]
while read -r option; do
	grep -q -- "$option" "$tmp/manual" || echo "$option"
done <"$tmp/options" >"$tmp/missing"
is "the manual page has every option of --help" "$(cat "$tmp/missing")" ""
