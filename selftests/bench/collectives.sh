# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The measurements of scripts/bench --collectives, sourced by guest.sh in the VM: the bus
# bandwidth of collperf's all_reduce, compared with ib_write_bw and with OpenMPI's
# MPI_Allreduce on the same devices. Figures are MB/s (10^6 bytes per second) per rank and
# direction. Each round runs all programs of a comparison one after the other, and writes
# one line with the figure of collperf and the highest figure of the others. The machine has
# virtual time: on a busy host with two emulated CPUs, the figures would differ by a factor
# of two between rounds.

# iterations BYTES [RANKS]: prints the number of iterations in which messages of BYTES add
# up to about 16 MB in each direction of a link, or less with many ranks. perftest needs at
# least 5 iterations.
iterations() {
	local n=$((16777216 * 2 / $1 / ${2:-2}))

	[ $n -le 100 ] || n=100
	echo $((n < 5 ? 5 : n))
}

# of_perftest PAIRS FILE...: prints the sum of the bandwidths of all pairs, in MB/s per
# direction. The FILEs have the output of perftest: Gbit/s, both directions together. Prints
# nothing if the output of a pair is missing.
of_perftest() {
	awk -v pairs="$1" 'NF == 5 && $1 ~ /^[0-9]+$/ { sum += $4; n++ }
		END { if (n == pairs) print sum * 1000 / 16 }' "${@:2}"
}

# perftest_programs: the programs of perftest that are compared, with their options.
# ib_write_bw polls, and takes CPU time from the other process, because both share one CPU.
# ib_send_bw waits for events, which ib_write_bw can't.
perftest_programs=("ib_write_bw" "ib_send_bw -e")

# pairs N BYTES PROGRAM [OPTION...]: run PROGRAM between N pairs of nodes at once, in both
# directions, and print the sum of the bandwidths of all pairs per direction
pairs() {
	local i n=$1 bytes=$2 pids=()

	shift 2
	rm -f "$work"/pair.*
	for ((i = 0; i < n; i++)); do
		perftest "$1" $((2 * i + 1)) $((2 * i + 2)) "${@:2}" -b -s "$bytes" \
			-n "$(iterations "$bytes")" --report_gbits >"$work/pair.$i" &
		pids+=($!)
	done
	wait "${pids[@]}"
	of_perftest "$n" "$work"/pair.*
}

# bus RANKS BYTES: prints the bus bandwidth of collperf's all_reduce, out-of-place
bus() {
	collperf all_reduce -N "$1" -b "$2" -n "$(iterations "$2" "$1")" -w 1 -c 0 \
		--place out --timeout 18 |
		awk -v bytes="$2" -v n="$1" '!/^#/ { print bytes * 2 * (n - 1) / n / $6 }'
}

# bus_of_all RANKS BYTES: prints the sum of the bus bandwidth of all ranks
bus_of_all() { bus "$@" | awk -v n="$1" '{ print $1 * n }'; }

# mpi_bus RANKS BYTES: prints the bus bandwidth of MPI_Allreduce
mpi_bus() {
	mpi "$1" "$mpi_program" "$2" "$(iterations "$2" "$1")" 1 2>/dev/null |
		awk 'match($0, / busbw=[0-9.]* wrong=0$/) {
			split(substr($0, RSTART + 7), v, " "); print v[1] * 1000 }'
}

# mpi_bus_eager RANKS BYTES: like mpi_bus, but without UCX's rendezvous protocol
mpi_bus_eager() { UCX_RNDV_THRESH=inf mpi_bus "$@"; }

# highest NUMBER...: prints the highest of the numbers; ignores empty arguments
highest() { printf '%s\n' "$@" | grep . | sort -g | tail -n 1; }

# size BYTES: prints the size with its unit
size() {
	[ "$1" -lt 1048576 ] && echo "$(($1 / 1024)) KiB" || echo "$(($1 / 1048576)) MiB"
}

# compared PART WHAT ROUND OURS PEER: like pair, but also prints the figures as progress, and
# fails if one is missing
compared() {
	pair "$@"
	echo "bench: $2, round $3: ${4:-none}, ${5:-none} MB/s" >&2
	[ -n "$4" ] && [ -n "$5" ]
}

# collectives_link ROUNDS: compare the bus bandwidth of 2 ranks with the bandwidth of perftest
# between one pair of nodes
collectives_link() {
	local round bytes program status=0

	for program in "${perftest_programs[@]}"; do
		for bytes in 1048576 4194304; do
			for ((round = 1; round <= $1; round++)); do
				# shellcheck disable=SC2086 # a program and its options
				compared link "2 ranks, $(size $bytes); $program" "$round" \
					"$(bus 2 $bytes)" "$(pairs 1 $bytes $program)" || status=1
			done
		done
	done
	return $status
}

# collectives_links ROUNDS: compare the sum of the bus bandwidth of 8 ranks with the bandwidth of
# perftest between 1, 2 or 4 pairs of nodes at once, whichever is highest. Each pair has two
# nodes that send.
collectives_links() {
	local round bytes program n figures status=0

	for program in "${perftest_programs[@]}"; do
		for bytes in 1048576 4194304; do
			for ((round = 1; round <= $1; round++)); do
				figures=()
				for n in 1 2 4; do
					# shellcheck disable=SC2086 # a program and its options
					figures+=("$(pairs $n $bytes $program | awk '{ print $1 * 2 }')")
				done
				compared links "total of 8 ranks, $(size $bytes); $program" "$round" \
					"$(bus_of_all 8 $bytes)" "$(highest "${figures[@]}")" || status=1
			done
		done
	done
	return $status
}

# collectives_mpi ROUNDS: compare the bus bandwidth of collperf with that of MPI_Allreduce, with
# the rendezvous protocol of UCX or without it, whichever is higher
collectives_mpi() {
	local round ranks bytes reason status=0

	reason=$(have_mpi) || { echo "bench: mpi: $reason" >&2; return 1; }
	for ranks in 2 4 8; do
		for bytes in 65536 1048576 4194304; do
			for ((round = 1; round <= $1; round++)); do
				compared mpi "$ranks ranks, $(size $bytes); MPI_Allreduce" "$round" \
					"$(bus $ranks $bytes)" \
					"$(highest "$(mpi_bus $ranks $bytes)" "$(mpi_bus_eager $ranks $bytes)")" ||
					status=1
			done
		done
	done
	return $status
}

# collectives ROUNDS PART...: run the comparisons PART ("link", "links" or "mpi")
collectives() {
	local rounds=$1 part status=0

	shift
	rdmafault fabric up 8 >/dev/null || return
	for part; do
		"collectives_$part" "$rounds" || status=1
	done
	rdmafault fabric down --force >/dev/null
	return $status
}
