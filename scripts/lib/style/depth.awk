# SPDX-License-Identifier: GPL-2.0
#
# Compare files with the output of clang-format: the indentation of statements and the
# spaces between words, in lines that clang-format keeps.
#
#   awk -f depth.awk [FORMATTED AS-IT-IS]...
#
# With ColumnLimit 0 (.clang-format), clang-format changes only blanks and line breaks. So
# this program counts all other characters. A line of one file is compared with a line of
# the other if the number of characters before the start of the line is the same in both
# files, and so is the number of characters before its end. Line breaks and alignment of
# long expressions, tables and preprocessor lines are not compared.

function depth(line,    i, c, n) {
	for (i = 1; (c = substr(line, i, 1)) ~ /[ \t]/; i++)
		n = c == "\t" ? n + 8 - n % 8 : n + 1
	return n + 0
}

# Return the line without a comment and with one space between words. "{ }" becomes "{}",
# and "for (; ;)" becomes "for (;;)".
function words(line) {
	sub(/[ \t]*\/\*.*/, "", line)
	gsub(/[ \t]+/, " ", line)
	sub(/^ /, "", line)
	sub(/ $/, "", line)
	gsub(/\{ \}/, "{}", line)
	gsub(/; (;|\))/, ";;", line)
	gsub(/;\)/, ";;", line)
	# Ignore blanks that clang-format places wrongly: after a cast before "class", which
	# is a keyword of C++, and after the "*" of a pointer in a cast of a function
	gsub(/\) class/, ")class", line)
	gsub(/ \* /, " *", line)
	return line
}

FNR == 1 {
	file = file == 1 ? 2 : 1
	if (file == 1) {
		split("", deep)
		split("", said)
	}
	at = directive = 0
	ended = 1
}

{
	solid = $0
	gsub(/[ \t\\]/, "", solid)
	start = at
	at += length(solid)
	was = directive
	directive = (was || /^[ \t]*#/) && /\\$/
	if (was || /^[ \t]*#/ || solid == "")
		next
	begins = ended
	ended = /([;{}:]|\*\/)[ \t]*$/
	key = start " " at
	if (file == 1) {
		deep[key] = depth($0)
		said[key] = words($0)
		next
	}
	if (!(key in deep))
		next
	here = depth($0)
	if (begins && here % 8 == 0 && deep[key] % 8 == 0 && here != deep[key] && !/^[ \t]*[*.{"\[]/)
		printf "%s:%d: %d deep, not %d: %s\n", FILENAME, FNR, here, deep[key], words($0)
	else if (words($0) != said[key])
		printf "%s:%d: \"%s\", not \"%s\"\n", FILENAME, FNR, said[key], words($0)
}
