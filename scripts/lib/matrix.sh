# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/check --matrix: Debian's kernels, the newest among them, each with one
# CPU and with two. In each cell run the tests of selftests/matrix, or all, or
# those named. With two CPUs go the live tests and those of two machines; with
# one the live tests again, and those in virtual time, which has one CPU only.
# The two cells of a kernel run side by side.
#
# What the cells found is kept in build/matrix/, so that the table can be filled
# kernel by kernel. build/matrix/kernels.rst is Documentation/kernels.rst with
# that table in it.

matrix_dir=$build/matrix
matrix_page=$top/Documentation/kernels.rst
matrix_begin='.. The table, by scripts/check --matrix'
matrix_end='.. The end of the table'
matrix_kernels=(6.1 6.12 newest)

# The part that is run without further words
matrix_part() {
	sed 's/#.*//; s/[[:space:]]*$//; /^$/d' "$top/selftests/matrix"
}

# matrix_part_is_whole: each line is a test, and each area has a line
matrix_part_is_whole() {
	(
		cd "$top" || exit
		diff <(matrix_part | sort) \
			<(selftests/run.sh --list | grep -Fxf <(matrix_part) | sort) &&
			diff <(matrix_part | cut -d/ -f1 | sort -u) \
				<(selftests/run.sh --list | cut -d/ -f1 | sort -u)
	)
}

# matrix_choose [all | TEST...]: sets matrix_files, and what the table calls them
matrix_choose() {
	local files

	case ${1:-} in
	'') matrix_words=part files=$(matrix_part) ;;
	all) matrix_words=all files=$(cd "$top" && selftests/run.sh --list) ;;
	*) matrix_words=some files=$(cd "$top" && selftests/run.sh --list "$@") || exit ;;
	esac
	mapfile -t matrix_files <<<"$files"
}

# matrix_log KERNEL CPUS: where a cell's output goes; beside it its .row, .notes
matrix_log() {
	echo "$matrix_dir/${1//\//_}-$2.log"
}

# matrix_modes CPUS: how a machine is booted (see boot)
matrix_modes() {
	[ "$1" = 1 ] && echo single virtual || echo live paired
}

# matrix_share MODE: the tests that this mode is for
matrix_share() {
	local file mode

	for file in "${matrix_files[@]}"; do
		mode=$(mode_of "$file")
		if [ "$mode" = "$1" ] || [ "$mode-$1" = live-single ]; then
			echo "selftests/$file"
		fi
	done
}

# matrix_boot KERNEL CPUS: the machines of a cell
matrix_boot() {
	local mode files

	for mode in $(matrix_modes "$2"); do
		mapfile -t files < <(matrix_share "$mode")
		TEST_TIMEOUT=${TEST_TIMEOUT:-480} boot "$1" "$mode" "${files[@]}"
	done
}

# matrix_notes LOG: what a cell did not pass, with the name of its test
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
		/^not ok - / { print substr($0, 10) }' "$1"
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

# matrix_collect KERNEL CPUS: what its machines counted, as a row of the table
matrix_collect() {
	local p=$passed f=$failed s=$skipped log mode

	log=$(matrix_log "$1" "$2")
	for mode in $(matrix_modes "$2"); do
		[ -z "$(matrix_share "$mode")" ] || collect "$1" "$mode" >"$log.end"
		[ ! -e "$log.end" ] || { cat "$log.end"; cat "$log.end" >>"$log"; rm "$log.end"; }
	done
	printf '%s %s %s %s %s %s\n' "$(matrix_version "$1")" "$2" "$matrix_words" \
		$((passed - p)) $((failed - f)) $((skipped - s)) >"${log%.log}.row"
	matrix_notes "$log" >"${log%.log}.notes"
}

# matrix_kernel KERNEL: its two cells
matrix_kernel() {
	local kernel=$1 version one

	if ! "$top/scripts/vm" build -k "$kernel"; then
		result "not ok" "module and tools build for kernel $kernel"
		return
	fi
	version=$(matrix_version "$kernel")
	try "the module builds without a warning at W=1 for $version" \
		no_warnings "$build/kmod/$version.log"
	one=$(matrix_log "$kernel" 1)
	# A process group of its own, so that all of it goes with this script
	set -m
	matrix_boot "$kernel" 1 >"$one" 2>&1 </dev/null &
	beside=$!
	set +m
	matrix_boot "$kernel" 2 2>&1 | tee "$(matrix_log "$kernel" 2)"
	wait "$beside" || true
	beside=
	cat "$one"
	matrix_collect "$kernel" 1
	matrix_collect "$kernel" 2
}

# matrix_table: all rows that there are, and what is said about them
matrix_table() {
	local line='=======================  ====  =====  ======  ======  =======' row name

	{
		echo "$line"
		echo Kernel CPUs Tests Passed Failed Skipped
		echo "$line"
		for row in $(matrix_rows); do
			cat "$row"
		done
		echo "$line"
	} | awk 'NF == 1 { print; next }
		{ printf "%-23s  %4s  %-5s  %6s  %6s  %7s\n", $1, $2, $3, $4, $5, $6 }'
	for row in $(matrix_rows); do
		[ -s "${row%.row}.notes" ] || continue
		name=$(awk '{ print $1 ", " $2 " CPU" ($2 > 1 ? "s" : "") }' "$row")
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
	awk '/^[0-9]+\.[0-9]+[^ ]* +[12] +(all|part|some) / {
		split($1, v, "."); sub(/[^0-9].*/, "", v[2]); print v[1] "." v[2], $2, $3 }' "$1"
}

# matrix_write: the page with this table, and whether the page's is one like it
matrix_write() {
	local new=$matrix_dir/kernels.rst

	matrix_table >"$matrix_dir/table"
	awk -v begin="$matrix_begin" -v end="$matrix_end" -v table="$matrix_dir/table" '
		$0 == end { on = 0 }
		!on
		$0 == begin { on = 1; print ""; while ((getline line <table) > 0) print line; print "" }
		' "$matrix_page" >"$new"
	cat "$matrix_dir/table"
	cmp -s <(matrix_shape "$matrix_page") <(matrix_shape "$new") ||
		echo "# ${matrix_page#"$top"/} has other cells than ${new#"$top"/}: copy it there"
}

# matrix [all | TEST...]: all of it, for the kernels in $kernels
matrix() {
	local kernel why

	matrix_choose "$@"
	mkdir -p "$matrix_dir" "$build/out"
	"$top/scripts/vm" image
	ynl_unpack
	for kernel in "${kernels[@]}"; do
		if newest_is "$kernel" && ! why=$(newest_ensure 2>&1); then
			result skip "the newest kernel" "$(tail -n 1 <<<"$why")"
			continue
		fi
		matrix_kernel "$kernel"
	done
	matrix_write
}
