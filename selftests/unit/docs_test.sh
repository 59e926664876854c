#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Commands and rule words are the same in the code, the manual and the
# completion, and the manual is without a warning. Runs on the host.
. "$(dirname "$0")/../lib/lib.sh"

top=$(cd "$selftests/.." && pwd)
man=$top/Documentation/man
completion=$top/tools/completion/rdmafault

# first_fields FILE TABLE: the names in a table of the code
first_fields()
{
	sed -n "/$2\[\] = {/,/^};/s/^\t{ \"\([a-z0-9-]*\)\",.*/\1/p" "$1"
}

# says FILE WORD: the manual marks it up as a word of the command line
says()
{
	grep -Eq "(Cm |, )$2( |,|\$)" "$1"
}

# completes LINE...: what is offered for the last word of a command line
completes()
{
	local COMPREPLY=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))

	_rdmafault
	echo "${COMPREPLY[*]}"
}

# shellcheck source=../../tools/completion/rdmafault
. "$completion"

commands=$(first_fields "$top/tools/rdmafault/main.c" commands)
ok "there are commands" test "$(wc -w <<<"$commands")" -ge 8
for command in $commands; do
	ok "the manual has $command" says "$man/rdmafault.8" "$command"
done
is "the completion offers them" "$(completes rdmafault "" | tr ' ' '\n' | sort)" \
	"$(sort <<<"$commands")"

for object in port rule fabric link prio ecn; do
	verbs=$(first_fields "$top/tools/rdmafault/$object.c" "rf_${object}_verbs")
	ok "there are verbs of $object" test "$(wc -w <<<"$verbs")" -ge 2
	for verb in $verbs; do
		ok "the manual has $object $verb" \
			says "$man/rdmafault-$object.8" "$verb"
	done
	is "the completion offers the verbs of $object" \
		"$(completes rdmafault $object "" | tr ' ' '\n' | sort)" \
		"$(sort <<<"$verbs")"
done

for table in link:link_args prio:prio_args ecn:profile_args; do
	object=${table%:*}
	words=$(first_fields "$top/tools/lib/words_$object.c" "${table#*:}")
	ok "there are words of $object" test "$(wc -w <<<"$words")" -ge 6
	offered=$(completes rdmafault "$object" set v1 "")
	for word in $words; do
		ok "the manual has $object $word" \
			says "$man/rdmafault-$object.8" "$word"
		ok "the completion has $object $word" \
			grep -qw -- "$word" <<<"$offered"
	done
done
offered=$(completes rdmafault fabric up 4 "")
words=$(first_fields "$top/tools/rdmafault/fabric.c" up_words)
ok "there are words of fabric up" test "$(wc -w <<<"$words")" -ge 1
for word in $words; do
	ok "the manual has fabric up $word" says "$man/rdmafault-fabric.8" "$word"
	ok "the completion has fabric up $word" grep -qw -- "$word" <<<"$offered"
done
# pause has its verbs behind the device, or behind priorities
offered=$(completes rdmafault pause "")\ $(completes rdmafault pause v1 "")
offered+=\ $(completes rdmafault pause v1 prio 3 "")
verbs=$(first_fields "$top/tools/rdmafault/pause.c" rf_pause_verbs)
ok "there are verbs of pause" test "$(wc -w <<<"$verbs")" -ge 3
for verb in $verbs; do
	ok "the manual has pause $verb" says "$man/rdmafault-pause.8" "$verb"
	ok "the completion has pause $verb" grep -qw -- "$verb" <<<"$offered"
done
for table in watchdog_args:watchdog storm_args:prio\ 3\ storm \
	xoff_args:prio\ 3\ xoff; do
	words=$(first_fields "$top/tools/lib/words_pause.c" "${table%:*}")
	ok "there are words of pause ${table#*:}" test "$(wc -w <<<"$words")" -ge 1
	# shellcheck disable=SC2086 # several words
	offered=$(completes rdmafault pause v1 ${table#*:} "")
	for word in $words; do
		ok "the manual has pause $word" \
			says "$man/rdmafault-pause.8" "$word"
		ok "the completion has pause $word" \
			grep -qw -- "$word" <<<"$offered"
	done
done

is "a value of theirs is completed" \
	"$(completes rdmafault ecn set v1 prio 3 not-ect l)" leave

# Collectives and how they can be done, by the table of the engine
table=$(awk '/\.name = "/ { gsub(/[",]/, ""); name = $3; next }
	/\[CP_[A-Z]*\] = cp_/ { gsub(/.*\[CP_|\].*/, ""); ways[name] = ways[name] " " tolower($0) }
	END { for (name in ways) print name ways[name] }' "$top/tools/engine/coll.c")
ok "there are collectives" test "$(wc -l <<<"$table")" -ge 8
is "collectives.rst has them all, and no other" "$(sort <<<"$table")" \
	"$(sed -n '/^Which there are/,/^With/s/^   \([a-z_]*\)  *\(.*\)/\1 \2/p' \
		"$top/Documentation/collectives.rst" | sort)"

# tc's plugin
words=$(sed -n 's/^\t\t"\([a-z]*\)", "[a-z_]*", &.*/\1/p' "$top/tools/tc/q_rdmafault.c")
ok "tc has options" test "$(wc -w <<<"$words")" -ge 5
for word in $words; do
	ok "the manual has tc $word" says "$man/tc-rdmafault.8" "$word"
done
words=$(grep -oE '\<(PORT|PRIO)\([a-z_]+\)' "$top/tools/tc/xstats.c" |
	sed '/(member)/d; s/.*(\(.*\))/\1/')
ok "tc has statistics" test "$(wc -w <<<"$words")" -ge 25
for word in $words; do
	ok "the manual has tc -s $word" \
		grep -Eq "^\.It Li.* $word( |\$)" "$man/tc-rdmafault.8"
done

lib=$top/tools/lib
words="$(first_fields "$lib/words_match.c" rf_match_words)
$(first_fields "$lib/words_trigger.c" rf_trigger_words)
$(first_fields "$lib/words_rule.c" rf_rule_words)
$(first_fields "$lib/words_action.c" rf_action_words)"
ok "there are rule words" test "$(wc -w <<<"$words")" -ge 50
offered=$(completes rdmafault rule add v1 tx "")
for word in $words; do
	ok "the manual has $word" says "$man/rdmafault-rule.8" "$word"
	ok "the completion has $word" grep -qw -- "$word" <<<"$offered"
done
# Actions, and the table of their own words; some share one.
owners=$(sed -n '/rf_action_words\[\] = {/,/^};/p' "$lib/words_action.c" | awk '
	/^\t{ "/ { split($0, part, "\""); action = part[2] }
	match($0, /[a-z]+_own_words/) { print action, substr($0, RSTART, RLENGTH) }')
ok "there are actions with words" test "$(wc -l <<<"$owners")" -ge 10
while read -r action table; do
	offered=$(completes rdmafault rule add v1 tx "$action" 1 "")
	words=$(first_fields "$lib/words_action.c" "$table")
	ok "there are words of $action" test "$(wc -w <<<"$words")" -ge 1
	for word in $words; do
		ok "the manual has $action $word" says "$man/rdmafault-rule.8" "$word"
		ok "the completion has $action $word" grep -qw -- "$word" <<<"$offered"
	done
done <<<"$owners"
mapfile -t tables < <(sed -n 's/^const struct rf_name \(rf_.*_names\)\[\] = {/\1/p' \
	"$lib/rulenames.c")
ok "there are tables of names" test ${#tables[@]} -ge 10
for table in "${tables[@]}"; do
	names=$(first_fields "$lib/rulenames.c" "$table")
	ok "there are names of $table" test "$(wc -w <<<"$names")" -ge 2
	for name in $names; do
		ok "the manual has $name" says "$man/rdmafault-rule.8" "$name"
	done
done
is "a direction is completed" "$(completes rdmafault drop v1 "")" "tx rx"
is "so is a value" "$(completes rdmafault --json drop v1 tx position mi)" middle
is "so is an opcode" "$(completes rdmafault drop v1 tx opcode rc-write-m)" \
	rc-write-middle
is "so is an option" "$(completes rdmafault port add v1 --f)" --force
is "so is a kind of events" "$(completes rdmafault monitor v1 hit rel)" release
is "so is its option" "$(completes rdmafault record --sn)" --snaplen
for kind in hit retransmit nak hold release pause mark watchdog; do
	ok "the manual has monitor $kind" \
		says "$man/rdmafault-monitor.8" "$kind"
done
is "behind -- nothing is" "$(completes rdmafault drop v1 tx qp 1 -- "")" ""

# scenarios: keys, and what they say of programs
keys=$(sed -n 's/.*\.name = "\([a-z-]*\)".*/\1/p' "$top"/tools/scenario/load*.c | sort -u)
ok "scenarios have keys" test "$(wc -w <<<"$keys")" -ge 40
for key in $keys; do
	ok "the manual has the key $key" grep -Eq "(Ic|,) $key( |,|\$)" "$man/rdmafault-scenario.5"
done
options=$(sed -n 's/^\t{ "\([a-z_-]*\)", .*\(BOTH\|COLLECTIVE\|TRAIN\).*/\2:\1/p' "$top/tools/scenario/program.c")
ok "programs have options" test "$(wc -w <<<"$options")" -ge 30
for option in $options; do
	case $option in
	BOTH:*) sources=(engine/options.c collperf/config.c train/config.c) ;;
	COLLECTIVE:*) sources=(collperf/config.c) ;;
	TRAIN:*) sources=(train/config.c) ;;
	esac
	ok "a program has --${option#*:}" \
		grep -q "\"${option#*:}\"" "${sources[@]/#/$top/tools/}"
done
is "collectives are those of collperf" \
	"$(grep -o '{ "[a-z_]*", [0-9]* }' "$top/tools/scenario/program.c" | cut -d'"' -f2)" \
	"$(sed -n 's/^\t\t\.name = "\([a-z_]*\)",$/\1/p' "$top/tools/engine/coll.c")"

# fuzz targets
targets=$("$top/scripts/fuzz" --list)
ok "there are fuzz targets" test "$(wc -w <<<"$targets")" -ge 15
for target in $targets; do
	ok "testing.rst has the target $target" \
		grep -q "^$target  *[a-z]" "$top/Documentation/testing.rst"
done

# Links and names of other documents
mapfile -t documents < <(cd "$top" && find README.rst Documentation -name '*.rst' | sort)
ok "there are documents" test ${#documents[@]} -ge 20
# missing: "DOCUMENT: NAME" for each file, document and man page that is named and
# does not exist
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
		done < <(grep -oP '(?<![\w/])(?!build/)[\w/-]+\.rst\b' "$top/$document")
		while read -r name; do
			[ -e "$man/${name/(/.}" ] || echo "$document: $name)"
		done < <(grep -oP '\b(rdmafault|collperf|train|tc-rdmafault)(-[a-z]+)?\([1-8](?=\))' \
			"$top/$document")
	done
}
is "documents name only files that exist" "$(missing)" ""

# The version is written in three files
version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
ok "there is a version" grep -Eq '^[0-9]+\.[0-9]+$' <<<"$version"
is "the module has the version of the tools" \
	"$(sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' "$top/kmod/main.c")" "$version"
is "DKMS has it, too" "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$top/dkms.conf")" "$version"

command -v man >/dev/null || exit 0
for page in "$man"/*.[1-8]; do
	is "no warning in ${page##*/}" \
		"$(LC_ALL=C.UTF-8 man --warnings -l -Tutf8 "$page" 2>&1 >/dev/null)" ""
done
