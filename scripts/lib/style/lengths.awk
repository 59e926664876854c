# SPDX-License-Identifier: GPL-2.0
#
# List long functions and files, or find long lines.
#
#   awk -v what=lines -f lengths.awk FILE...   lines of C with more than 100 columns and
#                                              without a string
#   awk -v what=long -f lengths.awk FILE...    functions with more than 100 lines and
#                                              files with more than 800
#
# The lines of a function are those between its braces at the start of a line, in C and
# in shell scripts.

function file_ends() {
	if (what == "long" && lines > 800)
		printf "%s: %d lines\n", file, lines
}

function function_ends(    n) {
	n = FNR - opened - 1
	opened = 0
	if (what == "long" && n > 100)
		printf "%s: %s(): %d lines\n", FILENAME, name, n
}

function columns(line,    i, n) {
	for (i = 1; i <= length(line); i++)
		n = substr(line, i, 1) == "\t" ? n + 8 - n % 8 : n + 1
	return n
}

FNR == 1 {
	file_ends()
	file = FILENAME
	is_c = file ~ /\.[ch]$/
	opened = 0
}

{ lines = FNR }

what == "lines" && is_c && length($0) > 50 && !/"/ && columns($0) > 100 && file !~ /\/generated\// {
	printf "%s:%d: %d columns; at most 100 without a string\n", FILENAME, FNR, columns($0)
}

is_c && /^[A-Za-z_].*[(]/ && !/;[ \t]*$/ {
	name = $0
	sub(/[(].*/, "", name)
	sub(/.*[ *]/, "", name)
}

is_c && /^\{/ || !is_c && /^[a-z_][A-Za-z0-9_]*[(][)]([ \t]*\{)?$/ {
	opened = FNR
	if (!is_c) {
		name = $0
		sub(/[(].*/, "", name)
	}
}

opened && /^\}/ { function_ends() }

END { file_ends() }
