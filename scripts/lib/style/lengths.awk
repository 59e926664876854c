# SPDX-License-Identifier: GPL-2.0
#
# Check the lengths of functions, files and lines. At least half of the functions must
# have at most 15 lines, and nine tenths at most 50. A function of more than 100 lines or
# a file of more than 600 needs a reason in lengths.reasons. A line of C has at most 100
# columns, unless it has a string.
#
#   awk -f lengths.awk lengths.reasons FILE...
#
# The lines of a function are those between its braces at the start of a line, in C and
# in shell scripts.

function file_ends() {
	if (file == "" || lines <= 600)
		return
	if (file in reason)
		used[file] = 1
	else
		printf "%s: %d lines; a file of more than 600 needs a reason in lengths.reasons\n", file, lines
}

function function_ends(    n, who) {
	n = FNR - opened - 1
	count[n]++
	functions++
	opened = 0
	if (n <= 100)
		return
	who = FILENAME ":" name
	if (who in reason)
		used[who] = 1
	else
		printf "%s: %d lines; a function of more than 100 needs a reason in lengths.reasons\n", who, n
}

# quantile(share): the number of lines that this share of the functions does not exceed
function quantile(share,    n, seen) {
	for (n = 0; seen < share * functions; n++)
		seen += count[n]
	return n - 1
}

function columns(line,    i, n) {
	for (i = 1; i <= length(line); i++)
		n = substr(line, i, 1) == "\t" ? n + 8 - n % 8 : n + 1
	return n
}

FILENAME ~ /lengths\.reasons$/ {
	if (/^[^#]/ && NF > 1)
		reason[$1] = 1
	next
}

FNR == 1 {
	file_ends()
	file = FILENAME
	is_c = file ~ /\.[ch]$/
	opened = 0
}

{ lines = FNR }

is_c && length($0) > 50 && !/"/ && columns($0) > 100 && file !~ /\/generated\// {
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

END {
	file_ends()
	for (name in reason)
		if (!(name in used))
			printf "lengths.reasons: %s: within the limits; remove the line\n", name
	if (quantile(0.5) > 15 || quantile(0.9) > 50)
		printf "half of the functions have up to %d lines and nine tenths up to %d; limits are 15 and 50\n", quantile(0.5), quantile(0.9)
}
