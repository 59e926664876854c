# SPDX-License-Identifier: GPL-2.0
#
# How long functions, files and lines are, against the yardstick of the house:
# half of the functions have at most 15 lines and nine tenths at most 50; none has
# more than 100 and no file more than 600 without a reason in lengths.reasons; no
# line of C has more than 100 columns but for the sake of a text in it.
#
#   awk -f lengths.awk lengths.reasons FILE...
#
# A function's lines are those between its braces, in C those at the line's
# begin, in the shell "name()" and what closes it there.

function file_ends() {
	if (file == "" || lines <= 600)
		return
	if (file in reason)
		used[file] = 1
	else
		printf "%s: %d lines, and no reason for more than 600\n", file, lines
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
		printf "%s: %d lines, and no reason for more than 100\n", who, n
}

# quantile(share): the length that so many functions don't exceed
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
	printf "%s:%d: %d columns, and no text in them\n", FILENAME, FNR, columns($0)
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
	for (who in reason)
		if (!(who in used))
			printf "lengths.reasons: %s has become short enough: take it out\n", who
	if (quantile(0.5) > 15 || quantile(0.9) > 50)
		printf "functions have %d lines in the median and %d in nine of ten: wanted 15 and 50\n", quantile(0.5), quantile(0.9)
}
