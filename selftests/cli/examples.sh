#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the examples of the man pages print exactly what the pages show, except
# examples whose output differs in every run (the events of a monitor, the coverage of
# a storm, the time of a job). Also test that rdmafault knows every word of the
# commands in the other documents.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

man=$selftests/../Documentation/man

# joined [FILE...]: prints the text with continued lines joined
joined()
{
	sed -e ':more' -e '/\\$/{N;s/ *\\\n[ \t]*/ /;b more' -e '}' "$@"
}

# shown PAGE: prints the literal text in the EXAMPLES section of the page
shown()
{
	awk '/^\.Sh/ { on = /EXAMPLES/ }
		/^\.Ed/ { lit = 0 } on && lit { print } /^\.Bd/ { lit = 1 }' "$man/$1" |
		sed 's/\\e/\\/g; s/\\&//g' | joined
}

# settings: prints the commands in the documents that add a rule or configure a port, without
# the job that runs while the rule exists, and without filters of the output
settings()
{
	joined "$man"/../*.rst "$man"/../labs/*.rst "$man/../../README.rst" |
		sed -nE 's/^[ \t]+(# )?(rdmafault (rule|drop|corrupt|link|ecn|prio) [^#]*).*/\2/p' |
		sed 's/ -- .*//; s/ | .*//' |
		sort -u
}

# words_refused: prints the commands in the documents that exit with status 2, which means
# an unknown word. A missing device gives another exit status.
words_refused()
{
	local line

	while IFS= read -r line; do
		bash -c "$line" >/dev/null 2>&1 </dev/null
		[ $? != 2 ] || echo "$line"
	done < <(settings)
}

# typed PAGE: run the commands in the examples of the page; prints commands and output in
# the form of the page
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

# figures: replace each number by 0 and each run of spaces by one space, because measured
# values differ and change the width of columns
figures()
{
	sed 's/[0-9][0-9.]*/0/g; s/[ \t][ \t]*/ /g; s/---*/--/g'
}

served()
{
	grep -q ':4853 0*:0000 0A' /proc/net/tcp /proc/net/tcp6
}

# examples PAGE: test that the examples of the page print what the page shows
examples()
{
	ok "$1 has examples" grep -q '^[#$] ' <(shown "$1")
	is "$1: the examples print what the page shows" "$(typed "$1")" "$(shown "$1")"
}

examples rdmafault-cost.8
examples rdmafault-fabric.8
ok "fabric down removes the fabric of the last example" rdmafault fabric down --force

fabric 2
examples rdmafault-port.8
rdmafault port del p2
ports v1 p1 p2
examples rdmafault-link.8
examples rdmafault-ecn.8
examples rdmafault-dcqcn.8
examples rdmafault-prio.8

ib_write_bw -d rxe2 -x 1 -n 100 >/dev/null 2>&1 &
ok "ib_write_bw listens for the client of the next example" wait_until 20 served
is "rdmafault-rule.8: the examples print what the page shows, except numbers" \
	"$(typed rdmafault-rule.8 | figures)" "$(shown rdmafault-rule.8 | figures)"
ok "ib_write_bw of the example with a leased rule succeeds" wait $!

rdmafault -q reset v1
# The example for scenarios is no command.
is "rdmafault-step.7: the examples print what the page shows, except numbers" \
	"$(typed rdmafault-step.7 | figures)" \
	"$(shown rdmafault-step.7 | sed '/^workload:/,$d' | figures)"

ok "the documents have at least ten commands" test "$(settings | wc -l)" -ge 10
is "the program knows all words of the commands in the documents" "$(words_refused)" ""
