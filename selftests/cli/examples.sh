#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual's examples typed in: what is printed is what stands there, word by
# word. Examples whose output is another one each time (what a monitor tells, what
# a storm covers, what a job takes) are not here. And no command of the other
# documents is refused for its words.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

man=$selftests/../Documentation/man

# joined [FILE...]: a line that goes on in the next one is one with it
joined()
{
	sed -e ':more' -e '/\\$/{N;s/ *\\\n[ \t]*/ /;b more' -e '}' "$@"
}

# shown PAGE: its terminal
shown()
{
	awk '/^\.Sh EXAMPLES/ { on = 1 } /^\.Sh SEE/ { on = 0 }
		/^\.Ed/ { lit = 0 } on && lit { print } /^\.Bd/ { lit = 1 }' "$man/$1" |
		sed 's/\\e/\\/g; s/\\&//g' | joined
}

# settings: the documents' commands that make a rule or set a port
settings()
{
	joined "$man"/../*.rst "$man"/../labs/*.rst "$man/../../README" |
		sed -nE 's/^[ \t]+(# )?(rdmafault (rule|drop|corrupt|link|ecn|prio) [^#]*).*/\2/p' |
		sort -u
}

# words_refused: which of them; a name that isn't there is another matter
words_refused()
{
	local line

	while IFS= read -r line; do
		bash -c "$line" >/dev/null 2>&1 </dev/null
		[ $? != 2 ] || echo "$line"
	done < <(settings)
}

# typed PAGE: its commands, and what each of them prints, in the same form
typed()
{
	local line

	while IFS= read -r line; do
		case $line in
		'# '* | '$ '*)
			echo "$line"
			bash -c "${line:2}" 2>&1 </dev/null
			;;
		esac
	done < <(shown "$1")
}

# figures: what is measured is left out, and so are columns that it makes wider
figures()
{
	sed 's/[0-9][0-9.]*/0/g; s/[ \t][ \t]*/ /g; s/---*/--/g'
}

served()
{
	grep -q ':4853 0*:0000 0A' /proc/net/tcp /proc/net/tcp6
}

# examples PAGE
examples()
{
	ok "$1 has examples" grep -q '^[#$] ' <(shown "$1")
	is "$1: they print that" "$(typed "$1")" "$(shown "$1")"
}

examples rdmafault-cost.8
examples rdmafault-fabric.8
ok "the fabric of the last one is taken down" rdmafault fabric down --force

fabric 2
examples rdmafault-port.8
rdmafault port del p2
ports v1 p1 p2
examples rdmafault-link.8
examples rdmafault-ecn.8
examples rdmafault-prio.8

ib_write_bw -d rxe2 -x 1 -n 100 >/dev/null 2>&1 &
ok "a server for the next one" wait_until 20 served
is "rdmafault-rule.8: they print that, but for figures" \
	"$(typed rdmafault-rule.8 | figures)" "$(shown rdmafault-rule.8 | figures)"
ok "the rule that lives as long as a command was met by it" wait $!

ok "the documents have commands" test "$(settings | wc -l)" -ge 10
is "and all of their words are known" "$(words_refused)" ""
