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

# bad TITLE REGEX ARGUMENT...: run the test TITLE: collperf must refuse the arguments with
# one line that matches REGEX, and exit with the status $bad_with (default 2)
bad()
{
	local words=$1 regex=$2 refused_with=${bad_with:-2}

	shift 2
	refused "$words: refused with one line that names it" "^collperf: $regex" collperf "$@"
}

bad "no collective" "collective missing; all_reduce, .* or barrier"
bad "unknown collective" "all_sum: unknown collective; all_reduce, .* or barrier" \
	all_sum
bad "two collectives" "all_reduce: second collective; " \
	all_reduce all_reduce
bad "unknown option" 'unknown option "-q"; ' all_reduce -q
bad "unknown long option" 'unknown option "--colour"; ' all_reduce --colour
bad "missing argument" "-n: value missing; --iters N" all_reduce -n
bad "unknown type" "-d quad: invalid; int8, .* or all" all_reduce -d quad
bad "unknown operation" "-o xor: invalid; sum, .* or all" all_reduce -o xor
bad "0 ranks" "-N 0: out of range; 1 to 128" all_reduce -N 0
bad "129 ranks" "-N 129: out of range; 1 to 128" all_reduce -N 129
bad "a size with an unknown unit" "-b 1X: invalid; bytes, " \
	all_reduce -b 1X
bad "a negative size" "-b -4: invalid; bytes, " all_reduce -b -4
bad "-e less than -b" \
	"-e 1 KiB: out of range; must not be less than the value of -b, 2 KiB" \
	all_reduce -b 2K -e 1K
bad "vectors larger than the memory" "-e .*: not enough memory; each of 2 ranks needs .* is available" \
	all_reduce -b 1000G
bad "0 iterations" "-n 0: out of range; 1 to " all_reduce -n 0
bad "unknown average" "-a 4: out of range; 0 to 3" all_reduce -a 4
bad "unknown per-iteration report" "-I 2: out of range; 0 to 1" \
	all_reduce -I 2
bad "-K without -I" "-K: no effect without -I 1; " all_reduce -K 1
bad "-K that skips all iterations" "-K 3: out of range; must be less than the value of -n, 3" \
	all_reduce -n 3 -I 1 -K 3
bad "-i together with -f" "-i and -f: only one" \
	all_reduce -i 1K -f 2
bad "unknown algorithm" \
	"--algo star: invalid; ring, tree, recursive, direct or auto" \
	all_reduce --algo star
bad "an algorithm that the collective does not have" \
	"--algo ring: not available for alltoall; available: direct" alltoall --algo ring
bad "a root that is no number" "-r x: invalid; 0 to 127, or all" \
	broadcast -r x
bad "a root beyond the ranks" \
	"-r 2: no such rank; 0 to 1" broadcast -r 2
bad "a root for a collective without one" "-r: no effect, because all_reduce has no root; omit -r" all_reduce -r 0
bad "an operation for a collective that reduces nothing" \
	"-o: no effect, because all_gather does not reduce; omit -o" \
	all_gather -o sum
bad "a barrier with a size" "-b and -e: no effect, because barrier moves no data; omit -b and -e" \
	barrier -b 1K
bad "a barrier with a type" "-d: no effect, because barrier moves no data; omit -d" barrier -d float
bad "--place in for a collective without it" \
	"--place in: alltoall cannot run in place; use --place out" \
	alltoall --place in
bad "--chunk that is no multiple of 64 bytes" \
	"--chunk 100: invalid; a multiple of 64 up to 3M" \
	all_reduce --chunk 100
bad "--chunk of more than 3M" "--chunk 4M: invalid; a multiple of 64 up to 3M" \
	all_reduce --chunk 4M
bad "-T with a unit" "-T 1s: invalid; 0 to 1000000" \
	all_reduce -T 1s
bad "-z 2" "-z 2: out of range; 0 to 1" all_reduce -z 2
bad "--retry-cnt 7, which means for ever in rxe" "--retry-cnt 7: out of range; 0 to 6" \
	all_reduce --retry-cnt 7
bad "--timeout 32" "--timeout 32: out of range; 1 to 31" \
	all_reduce --timeout 32
bad "--mtu 3000" "--mtu 3000: out of range; 256, 512, 1024, 2048 or 4096" \
	all_reduce --mtu 3000
bad "a PSN beyond 24 bits" "--psn 0x1000000: invalid; 0 to 0xffffff" \
	all_reduce --psn 0x1000000
bad "a deadline without a unit" "--deadline 20: unit missing; 1ms to " \
	all_reduce --deadline 20
bad "--compute without -z 1" "--compute: no effect without -z 1; " \
	all_reduce --compute 80ms
bad "a straggler without a time" "--straggler 1: invalid; rank and delay" \
	all_reduce --straggler 1
bad "a straggler whose time has no unit" "--straggler 1,200: invalid; rank and delay" \
	all_reduce --straggler 1,200
bad "a straggler with a time of 0" "--straggler 1,0ms: invalid; rank and delay" \
	all_reduce --straggler 1,0ms
bad "a straggler beyond the ranks" \
	"--straggler: rank 2 does not exist; ranks are 0 to 1" \
	all_reduce --straggler 2,200ms
bad "an unknown place" "--place over: invalid; out, in or both" \
	all_reduce --place over
bad "an empty device name" "--device rxe1,: invalid; up to 128 names of RDMA devices" \
	all_reduce --device rxe1,
bad "fewer devices than ranks" "--device: 1 devices for 2 ranks; give one device per rank" \
	all_reduce -N 2 --device rxe1
bad "an unknown device" "device rxe9 of rank 1: no such RDMA device; " \
	all_reduce --device rxe1,rxe9
bad "more ranks than devices" "device rxe3 of rank 2: no such RDMA device; " \
	all_reduce -N 3
bad "two ranks on one device" "device rxe1: used by ranks 0 and 1, .* --allow-loopback" \
	all_reduce --device rxe1,rxe1
bad "a number of devices that is not two per rank" \
	"--device: 3 devices for 2 ranks; give two devices per rank, one per rail" \
	all_reduce --rails 2 --device rxe1,rxe2,rxe1
bad "one device for both rails" "device rxe1: given twice for rank 0; " \
	all_reduce --rails 2 --device rxe1,rxe1,rxe2,rxe2
bad "three rails" "--rails 3: out of range; 1 to 2" all_reduce --rails 3
bad "more devices than 128" "--rails 2: 65 ranks need 130 devices; at most 128" \
	all_reduce -N 65 --rails 2
bad "queue pairs that are no multiple of the rails" \
	"--qps-per-peer 3: not a multiple of --rails 2" all_reduce --rails 2 --qps-per-peer 3
bad "--failover without rails" "--failover: no effect, .*; add --rails 2" all_reduce --failover
bad "--failover in place" "--failover: .* cannot be repeated; use --place out" \
	all_reduce --rails 2 --failover --place in
bad_with=3 bad "a GID index without a GID" "rank [01] \(rxe[12]\) failed first: device rxe[12]: no GID 9" \
	all_reduce --gid-index 9
bad "a file that can't be written" \
	"/proc/none/x: cannot be written: No such file" all_reduce -J /proc/none/x
NCCL_TESTS_MIN_BW=fast bad "NCCL_TESTS_MIN_BW with a word" \
	"NCCL_TESTS_MIN_BW fast: not a bandwidth; GB/s, " all_reduce
ok "two ranks on one device succeed with --allow-loopback" \
	collperf all_reduce --device rxe1,rxe1 --allow-loopback -b 4K -n 1

ip addr flush dev v2
wait_until "$soon" eval "! grep -q 0a4d:0002 /sys/class/infiniband/rxe2/ports/1/gids/1"
bad "a device whose netdev has no IPv4 address" \
	"device rxe2: no IPv4 GID of RoCE v2; assign an IPv4 address to v2" \
	all_reduce

collperf --help >"$tmp/help"
man collperf | col -b >"$tmp/manual"
grep -o -- '--[a-z_-]*' "$tmp/help" | sort -u >"$tmp/options"
ok "--help lists at least 20 options" [ "$(wc -l <"$tmp/options")" -ge 20 ]
while read -r option; do
	grep -q -- "$option" "$tmp/manual" || echo "$option"
done <"$tmp/options" >"$tmp/missing"
is "the manual page has every option of --help" "$(cat "$tmp/missing")" ""
