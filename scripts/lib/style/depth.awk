# SPDX-License-Identifier: GPL-2.0
#
# What clang-format and the house agree about, or should: in lines that it keeps
# as lines, how deep a statement stands and where there are blanks between words.
#
#   awk -f depth.awk [FORMATTED AS-IT-IS]...
#
# Told to leave the lines as they are (.clang-format: ColumnLimit 0), it changes
# no character but blanks and line breaks. So a line is known by the number of
# characters before it and in it; where it starts and ends at the same ones in
# both files, the two can be compared. What is left to the author: where a long
# expression is broken and how its rest is aligned, tables, preprocessor lines.

function depth(line,    i, c, n) {
	for (i = 1; (c = substr(line, i, 1)) ~ /[ \t]/; i++)
		n = c == "\t" ? n + 8 - n % 8 : n + 1
	return n + 0
}

# The words with one blank between; empty braces and "for (;;)" either way
function words(line) {
	sub(/[ \t]*\/\*.*/, "", line)
	gsub(/[ \t]+/, " ", line)
	sub(/^ /, "", line)
	sub(/ $/, "", line)
	gsub(/\{ \}/, "{}", line)
	gsub(/; (;|\))/, ";;", line)
	gsub(/;\)/, ";;", line)
	# "class" is a word of C++; a pointer's star in a cast of functions
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
