# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/check --matrix: Debian's kernels, the newest among them, each with one
# CPU and with two. In each cell run the tests of selftests/matrix, or all, or
# those named. With two CPUs go the live tests and those of two machines; with
# one the live tests again, and those in virtual time, which has one CPU only.
#
# What the cells found is kept in build/matrix/, so that the table can be filled
# kernel by kernel, by --matrix and by --ci. build/matrix/kernels.rst is
# Documentation/kernels.rst with that table in it.

matrix_dir=$build/matrix
matrix_page=$top/Documentation/kernels.rst
matrix_top='.. The table, by scripts/check --matrix'
matrix_bottom='.. The end of the table'
matrix_kernels=(6.1 6.12 newest)

# matrix_modes CPUS: whose jobs a cell is made of (see boot)
matrix_modes() {
	[ "$1" = 1 ] && echo single virtual || echo live paired
}

# matrix_wants MODE: is it of a cell that is to be filled? All are, without -c.
matrix_wants() {
	[ -z "$cpus" ] || [[ " $(matrix_modes "$cpus") " == *" $1 "* ]]
}

# matrix_notes: what the jobs of a cell did not pass, with the names of the tests
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

# matrix_version KERNEL: as uname -r says it there
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

# matrix_jobs KERNEL CPUS ENDING: the files that the jobs of a cell left
matrix_jobs() {
	local mode

	for mode in $(matrix_modes "$2"); do
		find "$pool_dir" -name "$(job_name "$1" "$mode")-*.$3" -newer "$matrix_dir/start" | sort -V
	done
}

# matrix_words KERNEL CPUS: which of the tests a cell had
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

# matrix_collect KERNEL CPUS: what its jobs found, as a row of the table
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

# matrix_table: all rows that there are, and what is said about them
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

# matrix_rows: the files, in the order of the table
matrix_rows() {
	find "$matrix_dir" -name '*.row' -exec awk '{ print $1, $2, FILENAME }' {} + |
		sort -V | cut -d' ' -f3
}

# matrix_shape FILE: the cells of its table, without their figures
matrix_shape() {
	awk '/^[0-9]+\.[0-9]+[^ ]* +[12] +(all|part|ci|virtual) / {
		split($1, v, "."); sub(/[^0-9].*/, "", v[2]); print v[1] "." v[2], $2, $3 }' "$1" |
		sort
}

# matrix_lacks PAGE OTHER: the cells of the other page's table that neither this one's
# has nor a cell of it with all tests covers
matrix_lacks() {
	awk 'NR == FNR { has[$0]; next } !($0 in has) && !($1 " " $2 " all" in has)' \
		<(matrix_shape "$1") <(matrix_shape "$2")
}

# matrix_write: the page with this table, and whether the page's lacks a cell of it
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
		echo "# ${matrix_page#"$top"/} lacks cells of ${new#"$top"/}: copy it there"
}

# matrix_begin: results from now on are those of this table
matrix_begin() {
	mkdir -p "$matrix_dir"
	touch "$matrix_dir/start"
}

# matrix_end: the cells of all kernels, and the table
matrix_end() {
	local kernel

	for kernel in "${kernels[@]}"; do
		matrix_collect "$kernel" 1
		matrix_collect "$kernel" 2
	done
	matrix_write
}
