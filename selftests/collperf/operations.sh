#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that every element of every result is right: each collective with each of its
# algorithms, on 2 to 8 ranks, out-of-place and in-place. The sizes are no element,
# fewer elements than ranks, odd numbers of elements, and sizes of many chunks. Also
# test each type with each operation, and each root.
#
# With COLLPERF_LONG=all in the environment, all collectives are tested with sizes up to 8 MiB.
# With COLLPERF_LONG="broadcast reduce", only these two are tested. Each collective takes
# minutes, so run.sh needs a longer --timeout.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 8

# A retransmission timer of 537 ms does not expire on a busy machine.
patient=(--timeout 17)

# right ROWS COLLECTIVE OPTION...: test that collperf prints ROWS rows and no wrong value.
# The values of a barrier, and of some collectives in place, must be N/A.
right()
{
	local rows=$1

	shift
	collperf "$@" "${patient[@]}" | awk -v rows="$rows" -v coll="$1" '
		BEGIN {
			values = coll != "barrier"
			in_place = values && coll !~ /^(alltoall|sendrecv)$/
		}
		/^#/ { next }
		NF != 13 || $9 != (values ? "0" : "N/A") ||
		$13 != (in_place ? "0" : "N/A") { print; bad = 1 }
		{ n++ }
		END { if (n != rows) print n " rows"; exit bad || n != rows }'
	[ "${PIPESTATUS[*]}" = "0 0" ]
}

# algorithms COLLECTIVE: prints the algorithms that collperf accepts for the collective
algorithms()
{
	local algo

	for algo in ring tree recursive direct; do
		collperf "$1" -N 1 --algo $algo --device none 2>&1 |
			grep -q -e '--algo .*: not available' || echo $algo
	done
}

# rows UNIT MAX: prints the number of sizes from 0 to MAX: 0, UNIT, and then each size is 29
# times the last one
rows()
{
	local n=1 bytes=$1

	for (( ; bytes <= $2; bytes *= 29)); do
		n=$((n + 1))
	done
	echo $n
}

# sweep COLLECTIVE ALGORITHM RANKS MAX: test sizes from 0 to MAX bytes: no element, 1
# element, 29, 29 * 29, and so on; some collectives have this number of elements per rank
sweep()
{
	local unit=4

	case $1 in
	all_gather|reduce_scatter|alltoall) unit=$((4 * $3)) ;;
	esac
	ok "$1 with algorithm $2 and $3 ranks: no wrong value up to $4 bytes" \
		right "$(rows $unit "$4")" \
		"$1" --algo "$2" -N "$3" -b 0 -e "$4" -f 29 -n 1 -w 0 -z 1
}

# large COLLECTIVE ALGORITHM RANKS BYTES: test one size, which has many chunks
large()
{
	ok "$1 with algorithm $2 and $3 ranks: no wrong value with $4 bytes" right 1 \
		"$1" --algo "$2" -N "$3" -b "$4" -n 1 -w 0 -z 1
}

# some_sizes COLLECTIVE ALGORITHM: test small sizes with 2, 5 and 8 ranks, and a large one
# with 3
some_sizes()
{
	local ranks

	for ranks in 2 5 8; do
		sweep "$1" "$2" $ranks 40000
	done
	large "$1" "$2" 3 1000003
}

# all_sizes COLLECTIVE ALGORITHM: test sizes up to 8 MiB with 2 to 8 ranks
all_sizes()
{
	local ranks

	for ranks in 2 3 4 5 8; do
		sweep "$1" "$2" $ranks 8388608
		large "$1" "$2" $ranks 8388608
	done
}

# barriers ALGORITHM: test barriers of 2 to 8 ranks
barriers()
{
	local ranks

	for ranks in 2 3 4 5 8; do
		ok "barrier with algorithm $1 and $ranks ranks succeeds" right 1 \
			barrier --algo "$1" -N $ranks -n 3 -w 0
	done
}

# choices LETTER: prints how many words the option -d or -o accepts, from its error message
choices()
{
	collperf all_reduce "-$1" none 2>&1 |
		sed 's/.*: invalid; //; s/ or all$//' | tr , '\n' | wc -l
}

collectives='all_reduce all_gather reduce_scatter broadcast reduce alltoall sendrecv'
case ${COLLPERF_LONG:-all} in
all) ;;
*) collectives=$COLLPERF_LONG ;;
esac
for coll in $collectives; do
	algos=$(algorithms "$coll")
	ok "$coll has at least one algorithm" test -n "$algos"
	for algo in $algos; do
		if [ -n "${COLLPERF_LONG:-}" ]; then
			all_sizes "$coll" "$algo"
		else
			some_sizes "$coll" "$algo"
		fi
	done
done
algos=$(algorithms barrier)
ok "barrier has at least one algorithm" test -n "$algos"
for algo in $algos; do
	barriers "$algo"
done

pairs=$(($(choices d) * $(choices o)))
ok "-d and -o have at least 24 combinations" test "$pairs" -ge 24
for coll in all_reduce reduce_scatter reduce; do
	ok "$coll with 3 ranks: no wrong value with each type and operation" right $pairs \
		$coll -N 3 -b 4100 -n 1 -w 0 -z 1 -d all -o all
done
for coll in broadcast reduce; do
	ok "$coll with 5 ranks: no wrong value with each root" right 5 \
		$coll -N 5 -b 12340 -n 1 -w 0 -r all
done
ok "all_reduce with one rank: no wrong value" right 1 all_reduce -N 1 -b 4100 -n 1
ok "all_reduce with separate verified iterations: no wrong value" right 2 \
	all_reduce -N 4 -b 4100 -e 8200 -i 4100 -n 3 -w 1 -c 2
ok "all_reduce with the default algorithm: no wrong value with three sizes" \
	right 3 all_reduce -N 4 -b 64 -e 200K -f 50
ok "all_reduce with MTU 1024: no wrong value" right 1 all_reduce -N 4 -b 300000 -n 1 -w 0 --mtu 1024
ok "all_reduce with chunks of 4 KiB: no wrong value" \
	right 1 all_reduce -N 4 -b 300000 -n 1 -w 0 --chunk 4K
ok "all_reduce with PSNs that wrap from 0xffffff to 0: no wrong value" right 1 \
	all_reduce -N 2 -b 256K -n 2 -w 0 --psn 0xfffff0
