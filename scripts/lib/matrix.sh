# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/check --matrix: run tests on several kernels of Debian, each with one CPU and
# with two. A cell is one kernel with one number of CPUs. A cell runs the tests that
# selftests/matrix lists, or all tests, or the tests given on the command line. Of
# these, a cell with two CPUs runs the tests in real time and the tests on several
# machines. A cell with one CPU runs the tests in real time and the tests in virtual
# time.
#
# The results are kept in build/matrix/, so that --matrix and --ci can fill the table
# kernel by kernel. build/matrix/kernels.rst is Documentation/kernels.rst with the new
# table.

matrix_dir=$build/matrix
matrix_page=$top/Documentation/kernels.rst
matrix_top='.. The table, by scripts/check --matrix'
matrix_bottom='.. The end of the table'
matrix_kernels=(6.12 6.1 newest)

# matrix_modes CPUS: prints the modes (see boot) of the jobs that a cell with this number of
# CPUs runs
matrix_modes() {
	[ "$1" = 1 ] && echo single virtual || echo live paired three slurm
}

# matrix_wants MODE: succeeds if a chosen cell runs jobs in this mode. Without -c, all cells
# are chosen.
matrix_wants() {
	[ -z "$cpus" ] || [[ " $(matrix_modes "$cpus") " == *" $1 "* ]]
}

# matrix_notes: prints the failed and skipped tests in the logs on stdin
matrix_notes() {
	awk '/^    not ok / || /^    ok .*# SKIP/ { held[n++] = substr($0, 5); next }
		/^(not )?ok [0-9]+ - / {
			name = $0
			sub(/^(not )?ok [0-9]+ - /, "", name)
			sub(/(: | #).*/, "", name)
			if (/# SKIP/) print name ": skipped"
			for (i = 0; i < n; i++) print name ": " held[i]
			n = 0; next
		}
		/^not ok - / { print substr($0, 10) }'
}

# matrix_version KERNEL: prints the version of the kernel, as "uname -r" does
matrix_version() {
	case $1 in
	*/*) basename "$1"/lib/modules/* ;;
	*)
		if newest_is "$1"; then
			newest_version
		else
			image_versions | grep -E "^${1//./\\.}([^0-9]|$)" | tail -n 1
		fi ;;
	esac
}

# matrix_jobs KERNEL CPUS ENDING: prints the paths of the files NAME.ENDING that the jobs of the
# cell wrote
matrix_jobs() {
	local mode

	for mode in $(matrix_modes "$2"); do
		find "$pool_dir" -name "$(job_name "$1" "$mode")-*.$3" -newer "$matrix_dir/start" | sort -V
	done
}

# matrix_words KERNEL CPUS: prints which tests the cell ran, as the column "Tests" of the
# table: all, part, some, ci or virtual
matrix_words() {
	if [ "$what" != ci ]; then
		echo "$matrix_chosen"
	elif [ "$2" = 1 ]; then
		echo virtual
	elif [ "$1" = "$whole_kernel" ]; then
		echo all
	else
		echo ci
	fi
}

# matrix_collect KERNEL CPUS: add up the results of all jobs of the cell (this kernel with this
# number of CPUs), and write the sums as a row of the table
matrix_collect() {
	local found logs row words

	mapfile -t found < <(matrix_jobs "$1" "$2" counts)
	mapfile -t logs < <(matrix_jobs "$1" "$2" log)
	[ ${#found[@]} -gt 0 ] || return 0
	words=$(matrix_words "$1" "$2")
	row=$matrix_dir/$(job_name "$1" "$2")-$words.row
	awk -v begin="$(matrix_version "$1") $2 $words" \
		'{ p += $1; f += $2; s += $3 } END { print begin, p, f, s }' "${found[@]}" >"$row"
	cat "${logs[@]}" | matrix_notes >"${row%.row}.notes"
}

# matrix_table: prints the table, then for each row its failed and skipped tests
matrix_table() {
	local line='=======================  ====  =======  ======  ======  =======' row name

	{
		echo "$line"
		echo Kernel CPUs Tests Passed Failed Skipped
		echo "$line"
		for row in $(matrix_rows); do
			cat "$row"
		done
		echo "$line"
	} | awk 'NF == 1 { print; next }
		{ printf "%-23s  %4s  %-7s  %6s  %6s  %7s\n", $1, $2, $3, $4, $5, $6 }'
	for row in $(matrix_rows); do
		[ -s "${row%.row}.notes" ] || continue
		name=$(awk '{ print $1 ", " $2 " CPU" ($2 > 1 ? "s" : "") ", " $3 }' "$row")
		printf '\n%s::\n\n' "$name"
		sed 's/^/    /' "${row%.row}.notes"
	done
}

# matrix_rows: prints the paths of the files that each have one row of the table, in the order
# of the rows
matrix_rows() {
	find "$matrix_dir" -name '*.row' -exec awk '{ print $1, $2, FILENAME }' {} + |
		sort -V | cut -d' ' -f3
}

# matrix_shape FILE: prints the cells of the table in FILE, without their results
matrix_shape() {
	awk '/^[0-9]+\.[0-9]+[^ ]* +[12] +(all|part|ci|virtual) / {
		split($1, v, "."); sub(/[^0-9].*/, "", v[2]); print v[1] "." v[2], $2, $3 }' "$1" |
		sort
}

# matrix_lacks PAGE OTHER: prints the cells that are in the table of OTHER but not in the
# table of PAGE. A cell is not printed if the table of PAGE has a cell for the same kernel and
# CPUs that ran all tests.
matrix_lacks() {
	awk 'NR == FNR { has[$0]; next } !($0 in has) && !($1 " " $2 " all" in has)' \
		<(matrix_shape "$1") <(matrix_shape "$2")
}

# matrix_write: write the page with the new table, and print a note if cells are new
matrix_write() {
	local new=$matrix_dir/kernels.rst

	matrix_table >"$matrix_dir/table"
	awk -v begin="$matrix_top" -v end="$matrix_bottom" -v table="$matrix_dir/table" '
		$0 == end { on = 0 }
		!on
		$0 == begin { on = 1; print ""; while ((getline line <table) > 0) print line; print "" }
		' "$matrix_page" >"$new"
	cat "$matrix_dir/table"
	[ -z "$(matrix_lacks "$matrix_page" "$new")" ] ||
		echo "# ${new#"$top"/} has cells that ${matrix_page#"$top"/} lacks: copy it there"
}

# matrix_begin: record the start time. Only results written after it are added to the table.
matrix_begin() {
	mkdir -p "$matrix_dir"
	touch "$matrix_dir/start"
}

# matrix_end: collect the cells of all kernels, and write the table
matrix_end() {
	local kernel

	for kernel in "${kernels[@]}"; do
		matrix_collect "$kernel" 1
		matrix_collect "$kernel" 2
	done
	matrix_write
}
