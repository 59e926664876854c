#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every element of every result is right: each collective with each algorithm
# that it has, on 2 to 8 ranks, for no element, for less elements than ranks,
# for sizes that divide by nothing, and for some that take many chunks;
# out-of-place and in-place; each type with each operation; each root.
#
# COLLPERF_LONG=all has them all up to 8 MiB, COLLPERF_LONG="broadcast reduce"
# these; that takes minutes for each collective, so run.sh wants a --timeout.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 8

# A timer that a busy machine doesn't reach: 537 ms.
patient=(--timeout 17)

# right ROWS COLLECTIVE OPTION...: ROWS rows, and no value is wrong. What does
# not exist is N/A: a barrier's values, and some collectives in place.
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

# algorithms COLLECTIVE: those that it has, asked of the refusal
algorithms()
{
	local algo

	for algo in ring tree recursive direct; do
		collperf "$1" -N 1 --algo $algo --device none 2>&1 |
			grep -q 'there is no --algo' || echo $algo
	done
}

# rows UNIT MAX: sizes from 0 to MAX, the first after 0 is UNIT, then 29-fold
rows()
{
	local n=1 bytes=$1

	for (( ; bytes <= $2; bytes *= 29)); do
		n=$((n + 1))
	done
	echo $n
}

# sweep COLLECTIVE ALGORITHM RANKS MAX: sizes from 0 to MAX, none of them even
sweep()
{
	local unit=4

	case $1 in
	all_gather|reduce_scatter|alltoall) unit=$((4 * $3)) ;;
	esac
	ok "$1, $2, $3 ranks: up to $4 bytes" right "$(rows $unit "$4")" \
		"$1" --algo "$2" -N "$3" -b 0 -e "$4" -f 29 -n 1 -w 0 -z 1
}

# large COLLECTIVE ALGORITHM RANKS BYTES
large()
{
	ok "$1, $2, $3 ranks: $4 bytes" right 1 \
		"$1" --algo "$2" -N "$3" -b "$4" -n 1 -w 0 -z 1
}

# some_sizes COLLECTIVE ALGORITHM
some_sizes()
{
	local ranks

	for ranks in 2 5 8; do
		sweep "$1" "$2" $ranks 40000
	done
	large "$1" "$2" 3 1000003
}

# all_sizes COLLECTIVE ALGORITHM
all_sizes()
{
	local ranks

	for ranks in 2 3 4 5 8; do
		sweep "$1" "$2" $ranks 8388608
		large "$1" "$2" $ranks 8388608
	done
}

# barriers ALGORITHM
barriers()
{
	local ranks

	for ranks in 2 3 4 5 8; do
		ok "barrier, $1, $ranks ranks" right 1 \
			barrier --algo "$1" -N $ranks -n 3 -w 0
	done
}

# choices LETTER: how many words -d or -o have, asked of the refusal
choices()
{
	collperf all_reduce "-$1" none 2>&1 |
		sed 's/.* takes //; s/ or all,.*//' | tr , '\n' | wc -l
}

collectives='all_reduce all_gather reduce_scatter broadcast reduce alltoall sendrecv'
case ${COLLPERF_LONG:-all} in
all) ;;
*) collectives=$COLLPERF_LONG ;;
esac
for coll in $collectives; do
	algos=$(algorithms "$coll")
	ok "$coll can be done in some way" test -n "$algos"
	for algo in $algos; do
		if [ -n "${COLLPERF_LONG:-}" ]; then
			all_sizes "$coll" "$algo"
		else
			some_sizes "$coll" "$algo"
		fi
	done
done
algos=$(algorithms barrier)
ok "so can barrier" test -n "$algos"
for algo in $algos; do
	barriers "$algo"
done

pairs=$(($(choices d) * $(choices o)))
ok "there are types and operations" test "$pairs" -ge 24
for coll in all_reduce reduce_scatter reduce; do
	ok "$coll, 3 ranks: each type, each operation, an odd count" right $pairs \
		$coll -N 3 -b 4100 -n 1 -w 0 -z 1 -d all -o all
done
for coll in broadcast reduce; do
	ok "$coll, 5 ranks: each root" right 5 \
		$coll -N 5 -b 12340 -n 1 -w 0 -r all
done
ok "one rank alone" right 1 all_reduce -N 1 -b 4100 -n 1
ok "several runs, verified apart from the measured ones" right 2 \
	all_reduce -N 4 -b 4100 -e 8200 -i 4100 -n 3 -w 1 -c 2
ok "by size and ranks" right 3 all_reduce -N 4 -b 64 -e 200K -f 50
ok "MTU 1024" right 1 all_reduce -N 4 -b 300000 -n 1 -w 0 --mtu 1024
ok "chunks of 4 KiB" right 1 all_reduce -N 4 -b 300000 -n 1 -w 0 --chunk 4K
ok "PSNs wrap from 0xffffff to 0" right 1 \
	all_reduce -N 2 -b 256K -n 2 -w 0 --psn 0xfffff0
