#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the code, the manual, the shell completion and the documents have the same
# commands, words and options. Documents must name only existing files, and man(1) must format
# the manual without a warning.
. "$(dirname "$0")/../lib/lib.sh"

top=$(cd "$selftests/.." && pwd)
man=$top/Documentation/man
completion=$top/tools/completion/rdmafault
bin=${BIN:-$top/build/bin}

# follows WORD...: prints the words that can follow the words of a command line, from the tables
# that the parsers use
follows()
{
	"$bin/rdmafault" __complete "$@" ""
}

# has_words OBJECT PAGE WORD...: test that the man page PAGE describes the words that can follow
# the words WORD... of a command line
has_words()
{
	local object=$1 page=$2 words word

	words=$(follows "${@:3}" | grep '^[a-z]')
	ok "control: words of $object are found" test "$(wc -w <<<"$words")" -ge 1
	for word in $words; do
		ok "$page has $object $word" says "$man/$page.8" "$word"
	done
}

# says FILE WORD: succeeds if the man page FILE describes WORD as a word of the command line
says()
{
	grep -Eq "(Cm |, )$2( |,|\$)" "$1"
}

# completes WORD...: prints the words that the shell completion offers for the last WORD
completes()
{
	local COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))

	_rdmafault
	echo "${COMPREPLY[*]}"
}

# shellcheck source=../../tools/completion/rdmafault
. "$completion"
PATH=$bin:$PATH

ok "control: at least 8 commands are found" test "$(follows | wc -w)" -ge 8
has_words "the command" rdmafault
for object in port rule fabric link prio ecn path; do
	has_words "the verb of $object" "rdmafault-$object" "$object"
done
for object in link prio ecn path; do
	ok "control: at least 6 words of $object are found" \
		test "$(follows "$object" set v1 | wc -w)" -ge 6
	has_words "$object set" "rdmafault-$object" "$object" set v1
done
has_words "fabric up" rdmafault-fabric fabric up 4
has_words "the shape of fabric up" rdmafault-fabric fabric up shape
has_words "pause DEV" rdmafault-pause pause v1
has_words "pause DEV prio PRIO" rdmafault-pause pause v1 prio 3
for words in watchdog "prio 3 storm" "prio 3 xoff" "watchdog action"; do
	# shellcheck disable=SC2086 # several words
	has_words "pause DEV $words" rdmafault-pause pause v1 $words
done
is "the completion offers deadlock after pause" "$(completes rdmafault pause dead)" deadlock
is "the completion does not offer deadlock after pause DEV" \
	"$(completes rdmafault pause v1 dead)" ""
has_words "pause deadlock" rdmafault-pause pause deadlock

is "the completion offers all commands" "$(completes rdmafault "" | tr ' ' '\n' | sort)" \
	"$("$bin/rdmafault" --json --help | jq -r '.[].command' | sort)"
is "the completion completes the value \"leave\" of not-ect" \
	"$(completes rdmafault ecn set v1 prio 3 not-ect l)" leave

# The collectives and their algorithms, from the table in the engine's code
table=$(awk '/\.name = "/ { gsub(/[",]/, ""); name = $3; next }
	/\[COLL_[A-Z]*\] = coll_/ { gsub(/.*\[COLL_|\].*/, ""); ways[name] = ways[name] " " tolower($0) }
	END { for (name in ways) print name ways[name] }' "$top/tools/coll/coll.c")
ok "control: at least 8 collectives are found in the code" test "$(wc -l <<<"$table")" -ge 8
is "collectives.rst lists the collectives and algorithms of the code and no other" "$(sort <<<"$table")" \
	"$(sed -n '/^Supported algorithms/,/^With/s/^   \([a-z_]*\)  *\(.*\)/\1 \2/p' \
		"$top/Documentation/collectives.rst" | sort)"

# The plugin of tc
words=$(sed -n 's/^\t\t"\([a-z]*\)", "[a-z_]*", &.*/\1/p' "$top/tools/tc/q_rdmafault.c")
ok "control: at least 5 options of the tc plugin are found in the code" test "$(wc -w <<<"$words")" -ge 5
for word in $words; do
	ok "tc-rdmafault(8) has the option $word" says "$man/tc-rdmafault.8" "$word"
done
words=$(grep -oE '\<(PORT|PRIO)\([a-z_]+\)' "$top/tools/tc/xstats.c" |
	sed '/(member)/d; s/.*(\(.*\))/\1/')
ok "control: at least 25 statistics of the tc plugin are found in the code" test "$(wc -w <<<"$words")" -ge 25
for word in $words; do
	ok "tc-rdmafault(8) has the statistic $word" \
		grep -Eq "^\.It Li.* $word( |\$)" "$man/tc-rdmafault.8"
done

words=$(follows rule add v1 tx | grep '^[a-z]')
ok "control: at least 50 words of rules are found" test "$(wc -w <<<"$words")" -ge 50
has_words "the word" rdmafault-rule rule add v1 tx
names=0
for word in $words; do
	values=$(follows rule add v1 tx "$word" | grep -vxF -e "$words" -e where -e --)
	for value in $values; do
		names=$((names + 1))
		[[ $word == opcode || $value == [0-9] || $value == behind ]] ||
			ok "rdmafault-rule(8) has $value after $word" says "$man/rdmafault-rule.8" "$value"
	done
done
ok "control: at least 50 names and words of actions are found" test "$names" -ge 50
is "the completion offers the directions of drop" "$(completes rdmafault drop v1 "")" "tx rx"
is "the completion completes the value of position" "$(completes rdmafault --json drop v1 tx position mi)" middle
is "the completion completes an opcode" "$(completes rdmafault drop v1 tx opcode rc-write-m)" \
	rc-write-middle
is "the completion completes --force of port add" "$(completes rdmafault port add v1 --f)" --force
is "the completion completes the event release of monitor" "$(completes rdmafault monitor v1 hit rel)" release
is "the completion completes --snaplen of record" "$(completes rdmafault record --sn)" --snaplen
for kind in hit retransmit nak hold release pause mark watchdog; do
	ok "the manual has monitor $kind" \
		says "$man/rdmafault-monitor.8" "$kind"
done
is "the completion offers nothing after --" "$(completes rdmafault drop v1 tx qp 1 -- "")" ""

# The keys of scenarios and the options that scenarios pass to the programs must be in the
# manual.
keys=$("$bin/rdmafault" validate --schema | jq -r '.. | .properties? // empty | keys[]' | sort -u)
ok "control: at least 40 keys of scenarios are found in the schema" test "$(wc -w <<<"$keys")" -ge 40
for key in $keys; do
	ok "rdmafault-scenario(5) has the key $key" grep -Eq "(Ic|,) $key( |,|\$)" "$man/rdmafault-scenario.5"
done
options=$(sed -n 's/^\t{ "\([a-z_-]*\)", .*\(BOTH\|COLLECTIVE\|TRAIN\).*/\2:\1/p' "$top/tools/scenario/program.c")
ok "control: at least 30 options that scenarios pass to programs are found in the code" test "$(wc -w <<<"$options")" -ge 30
for option in $options; do
	case $option in
	BOTH:*) sources=(coll/options.c collperf/config.c train/config.c) ;;
	COLLECTIVE:*) sources=(collperf/config.c) ;;
	TRAIN:*) sources=(train/config.c) ;;
	esac
	ok "the program has the option --${option#*:} that scenarios pass" \
		grep -q "\"${option#*:}\"" "${sources[@]/#/$top/tools/}"
done
is "scenarios accept the collectives of collperf and no other" \
	"$(grep -o '{ "[a-z_]*", [0-9]* }' "$top/tools/scenario/program.c" | cut -d'"' -f2)" \
	"$(sed -n 's/^\t\t\.name = "\([a-z_]*\)",$/\1/p' "$top/tools/coll/coll.c")"

# Fuzz targets
targets=$("$top/scripts/fuzz" --list)
ok "control: at least 15 fuzz targets are found" test "$(wc -w <<<"$targets")" -ge 15
for target in $targets; do
	ok "testing.rst has the fuzz target $target" \
		grep -q "^$target  *[a-z]" "$top/Documentation/testing.rst"
done

# Links to files, and references to other documents, must be valid.
mapfile -t documents < <(cd "$top" && find README.rst Documentation -name '*.rst' | sort)
ok "control: at least 20 documents are found" test ${#documents[@]} -ge 20
# missing: for each file, document or man page that a document names but that does not exist,
# prints "DOCUMENT: NAME"
missing()
{
	local document name

	for document in "${documents[@]}"; do
		while read -r name; do
			[ -e "$top/$(dirname "$document")/$name" ] || echo "$document: $name"
		done < <(tr '\n' ' ' <"$top/$document" |
			grep -oP '(?<=[ `]<)(?!https?:)[\w./-]+(?=>`_)|image:: \K\S+')
		while read -r name; do
			[ -e "$top/Documentation/$name" ] || [ -e "$top/Documentation/labs/$name" ] ||
				[ -e "$top/$(dirname "$document")/$name" ] || [ -e "$top/$name" ] ||
				echo "$document: $name"
		done < <(grep -oP '(?<![\w/.])(?!build/)[\w/-][\w/.-]*\.rst\b' "$top/$document")
		while read -r name; do
			[ -e "$man/${name/(/.}" ] || echo "$document: $name)"
		done < <(grep -oP '\b(rdmafault|collperf|train|tc-rdmafault)(-[a-z]+)?\([1-8](?=\))' \
			"$top/$document")
	done
}
is "documents name only existing files" "$(missing)" ""

is "references in documents and man pages lead somewhere" \
	"$("$selftests/lib/links.py" "$top")" ""
# Test missing(): make a document and a man page that have a wrong reference of each kind.
broken=$(mktemp -d)
defer rm -r "$broken"
mkdir -p "$broken/Documentation/man"
cat >"$broken/README.rst" <<-'EOT'
	Title
	=====

	.. _label:

	Good: Title_, `Other title`_, :ref:`label`, ``literal_``, https://example.org/a_b and
	`a link <README.rst#other-title>`_.
	Bad: Nothing_, `No title`_, :ref:`words <nowhere>`, http://localhost and `a link
	<README.rst#no-title>`_. Twice_

	Other title
	===========

	::

	  literal_

	Twice
	=====

	Twice
	=====
	EOT
cat >"$broken/Documentation/man/rdmafault.8" <<-'EOT'
	.Sh GOOD
	.Xr tc 8 ,
	.Xr rdmafault 8
	.Sx GOOD .
	.Sh BAD
	.Xr rdmafault-nothing 8 ,
	.Xr nothing 8
	.Xr tc
	.Sx NOWHERE .
	.BR collperf (1)
	EOT
is "each kind of wrong reference is found" "$("$selftests/lib/links.py" "$broken")" \
	"README.rst: No title_: no such section
README.rst: Nothing_: no such section
README.rst: :ref:\`nowhere\`: no such label
README.rst: README.rst#no-title: no such section
README.rst: twice_: several sections have this name
README.rst: http://localhost: not an address
Documentation/man/rdmafault.8: rdmafault-nothing(8): no such man page
Documentation/man/rdmafault.8: nothing(8): a page of another project that is not listed
Documentation/man/rdmafault.8: .Xr tc: no section
Documentation/man/rdmafault.8: .Sx NOWHERE: no such section
Documentation/man/rdmafault.8: collperf(1): no such man page"

# scenarios.rst prints a file and its plan; the file has a comment at its top.
page=$(<"$top/Documentation/scenarios.rst")
example=$(sed '/^#/d; s/^/  /' "$top/Documentation/examples/spine.yaml")
planned=$(cd "$top" && "$bin/rdmafault" run --dry-run Documentation/examples/spine.yaml 2>&1 |
	sed -n '/^  fabric/,/^  rounds/s/^/  /p')
ok "control: the plan of examples/spine.yaml has the pairs of ranks" \
	grep -q 'l1s1, s1l2: ranks 1→2' <<<"$planned"
ok "scenarios.rst has the lines of examples/spine.yaml" [ -z "${page##*"$example"*}" ]
ok "scenarios.rst has the plan of examples/spine.yaml" [ -z "${page##*"$planned"*}" ]
page=$(<"$top/Documentation/bridge.rst")
example=$(sed '/^#/d; s/^/  /' "$top/Documentation/examples/bridge.yaml")
ok "bridge.rst has the lines of examples/bridge.yaml" [ -z "${page##*"$example"*}" ]
ok "examples/bridge.yaml is valid" "$bin/rdmafault" validate "$top/Documentation/examples/bridge.yaml"

# The version is written in three files, which must agree.
version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
ok "the Makefile has a version of two numbers" grep -Eq '^[0-9]+\.[0-9]+$' <<<"$version"
is "the module has the version of the tools" \
	"$(sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' "$top/kmod/main.c")" "$version"
is "dkms.conf has the version of the tools" "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$top/dkms.conf")" "$version"

command -v man >/dev/null || exit 0
for page in "$man"/*.[1-8]; do
	is "man formats ${page##*/} without a warning" \
		"$(LC_ALL=C.UTF-8 man --warnings -l -Tutf8 "$page" 2>&1 >/dev/null)" ""
done
