#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the contrasts of the report page in light and in dark mode. WCAG 2.2 (1.4.3 and 1.4.11)
# requires a contrast of at least 4.5 between a text and its background, and of at least 3
# between a line or mark and its background.
. "$(dirname "$0")/../lib/lib.sh"

css=$selftests/../tools/render/web/report.css

# colours light|dark: prints the colours of the style sheet in this mode: "NAME RRGGBB"
colours()
{
	awk -v dark="$([ "$1" = dark ] && echo 1)" '
		/prefers-color-scheme: dark/ { inside = 1 }
		/^}/ { inside = 0 }
		!inside || dark {
			while (match($0, /--[a-z0-9]+: #[0-9a-f]+;/)) {
				split(substr($0, RSTART + 2, RLENGTH - 3), part, ": #")
				value[part[1]] = part[2]
				$0 = substr($0, RSTART + RLENGTH)
			}
		}
		END {
			for (name in value) {
				v = value[name]
				if (length(v) == 3)
					v = substr(v, 1, 1) substr(v, 1, 1) substr(v, 2, 1) \
						substr(v, 2, 1) substr(v, 3, 1) substr(v, 3, 1)
				print name, v
			}
		}' "$css"
}

# contrast RRGGBB RRGGBB: prints the contrast of two colours times 100
contrast()
{
	awk -v a="$1" -v b="$2" '
		function digit(s) { return index("0123456789abcdef", s) - 1 }
		function linear(s, v) {
			v = (16 * digit(substr(s, 1, 1)) + digit(substr(s, 2, 1))) / 255
			return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4
		}
		function light(s) {
			return 0.2126 * linear(substr(s, 1, 2)) + 0.7152 * linear(substr(s, 3, 2)) + \
				0.0722 * linear(substr(s, 5, 2))
		}
		BEGIN {
			x = light(a) + 0.05
			y = light(b) + 0.05
			print int(100 * (x > y ? x / y : y / x) + 1e-6)
		}'
}

# stands_out MODE COLOUR BACKGROUND LEAST: test that COLOUR and BACKGROUND have at least the
# contrast LEAST (times 100) in light or dark MODE
stands_out()
{
	local got

	got=$(contrast "$(colours "$1" | sed -n "s/^$2 //p")" "$(colours "$1" | sed -n "s/^$3 //p")")
	ok "$1 mode: colour $2 on $3 has a contrast of at least $(($4 / 100)).$(($4 / 10 % 10)): $((got / 100)).$((got / 10 % 10))" \
		test "$got" -ge "$4"
}

is "control: the contrast of black on white is 21" "$(contrast 000000 ffffff)" 2100
is "control: the contrast of #767676 on white is 4.54" "$(contrast 767676 ffffff)" 454
for mode in light dark; do
	for on in page card; do
		for what in ink dim job; do
			stands_out $mode $what $on 450
		done
	done
	stands_out $mode good goodbg 450
	stands_out $mode bad badbg 450
	stands_out $mode warn warnbg 450
	stands_out $mode ink lane 450
	for what in clean hit again nak acks barrier run0 run1 transfer waiting edge; do
		stands_out $mode $what card 300
	done
done
