#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the code, the manual, the shell completion and the documents have the same
# commands, words and options. Documents must name only existing files, and man(1) must format
# the manual without a warning. Runs on the host.
. "$(dirname "$0")/../lib/lib.sh"

top=$(cd "$selftests/.." && pwd)
man=$top/Documentation/man
completion=$top/tools/completion/rdmafault

# first_fields FILE TABLE: prints the first field (the name) of each row of the table TABLE in
# the C file FILE
first_fields()
{
	sed -n "/$2\[\] = {/,/^};/s/^\t{ \"\([a-z0-9-]*\)\",.*/\1/p" "$1"
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

commands=$(first_fields "$top/tools/cli/main.c" commands)
ok "control: at least 8 commands are found in the code" test "$(wc -w <<<"$commands")" -ge 8
for command in $commands; do
	ok "rdmafault(8) has the command $command" says "$man/rdmafault.8" "$command"
done
is "the completion offers all commands" "$(completes rdmafault "" | tr ' ' '\n' | sort)" \
	"$(sort <<<"$commands")"

for object in port rule fabric link prio ecn; do
	verbs=$(first_fields "$top/tools/cli/$object.c" "rf_${object}_verbs")
	ok "control: at least 2 verbs of $object are found in the code" test "$(wc -w <<<"$verbs")" -ge 2
	for verb in $verbs; do
		ok "the manual has $object $verb" \
			says "$man/rdmafault-$object.8" "$verb"
	done
	is "the completion offers the verbs of $object" \
		"$(completes rdmafault $object "" | tr ' ' '\n' | sort)" \
		"$(sort <<<"$verbs")"
done

for table in link:rf_link_args prio:rf_prio_args ecn:rf_profile_args; do
	object=${table%:*}
	words=$(first_fields "$top/tools/rule/words_$object.c" "${table#*:}")
	ok "control: at least 6 words of $object are found in the code" test "$(wc -w <<<"$words")" -ge 6
	offered=$(completes rdmafault "$object" set v1 "")
	for word in $words; do
		ok "the manual has $object $word" \
			says "$man/rdmafault-$object.8" "$word"
		ok "the completion has $object $word" \
			grep -qw -- "$word" <<<"$offered"
	done
done
offered=$(completes rdmafault fabric up 4 "")
words=$(first_fields "$top/tools/cli/fabric.c" up_words)
ok "control: a word of fabric up is found in the code" test "$(wc -w <<<"$words")" -ge 1
for word in $words; do
	ok "the manual has fabric up $word" says "$man/rdmafault-fabric.8" "$word"
	ok "the completion has fabric up $word" grep -qw -- "$word" <<<"$offered"
done
# On the command line, the verbs of the command "pause" follow the device or the priorities.
offered=$(completes rdmafault pause "")\ $(completes rdmafault pause v1 "")
offered+=\ $(completes rdmafault pause v1 prio 3 "")
verbs=$(first_fields "$top/tools/cli/pause.c" rf_pause_verbs)
ok "control: at least 3 verbs of pause are found in the code" test "$(wc -w <<<"$verbs")" -ge 3
for verb in $verbs; do
	ok "the manual has pause $verb" says "$man/rdmafault-pause.8" "$verb"
	ok "the completion has pause $verb" grep -qw -- "$verb" <<<"$offered"
done
for table in rf_watchdog_args:watchdog rf_storm_args:prio\ 3\ storm \
	rf_xoff_args:prio\ 3\ xoff; do
	words=$(first_fields "$top/tools/rule/words_pause.c" "${table%:*}")
	ok "control: a word of pause ${table#*:} is found in the code" test "$(wc -w <<<"$words")" -ge 1
	# shellcheck disable=SC2086 # several words
	offered=$(completes rdmafault pause v1 ${table#*:} "")
	for word in $words; do
		ok "the manual has pause $word" \
			says "$man/rdmafault-pause.8" "$word"
		ok "the completion has pause $word" \
			grep -qw -- "$word" <<<"$offered"
	done
done

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

lib=$top/tools/rule
words="$(first_fields "$lib/words_match.c" rf_match_words)
$(first_fields "$lib/words_trigger.c" rf_trigger_words)
$(first_fields "$lib/words_rule.c" rf_rule_words)
$(first_fields "$lib/words_action.c" rf_action_words)"
ok "control: at least 50 words of rules are found in the code" test "$(wc -w <<<"$words")" -ge 50
offered=$(completes rdmafault rule add v1 tx "")
for word in $words; do
	ok "rdmafault-rule(8) has the word $word" says "$man/rdmafault-rule.8" "$word"
	ok "the completion of rules has the word $word" grep -qw -- "$word" <<<"$offered"
done
# Find, for each action, the name of the table in the code that lists the words of this action.
# Several actions can share a table.
owners=$(sed -n '/rf_action_words\[\] = {/,/^};/p' "$lib/words_action.c" | awk '
	/^\t{ "/ { split($0, part, "\""); action = part[2] }
	match($0, /[a-z]+_own_words/) { print action, substr($0, RSTART, RLENGTH) }')
ok "control: at least 10 actions with words are found in the code" test "$(wc -l <<<"$owners")" -ge 10
while read -r action table; do
	offered=$(completes rdmafault rule add v1 tx "$action" 1 "")
	words=$(first_fields "$lib/words_action.c" "$table")
	ok "control: a word of the action $action is found in the code" test "$(wc -w <<<"$words")" -ge 1
	for word in $words; do
		ok "the manual has $action $word" says "$man/rdmafault-rule.8" "$word"
		ok "the completion has $action $word" grep -qw -- "$word" <<<"$offered"
	done
done <<<"$owners"
mapfile -t tables < <(sed -n 's/^const struct rf_name \(rf_.*_names\)\[\] = {/\1/p' \
	"$lib/rulenames.c")
ok "control: at least 10 tables of names are found in the code" test ${#tables[@]} -ge 10
for table in "${tables[@]}"; do
	names=$(first_fields "$lib/rulenames.c" "$table")
	ok "control: at least 2 names are found in the table $table" test "$(wc -w <<<"$names")" -ge 2
	for name in $names; do
		ok "rdmafault-rule(8) has the name $name" says "$man/rdmafault-rule.8" "$name"
	done
done
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
keys=$(sed -n 's/.*\.name = "\([a-z-]*\)".*/\1/p' "$top"/tools/scenario/load*.c | sort -u)
ok "control: at least 40 keys of scenarios are found in the code" test "$(wc -w <<<"$keys")" -ge 40
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
