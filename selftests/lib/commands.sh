# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# The commands in README, documents and man pages. commands.reasons lists those that are not tried.
# Commands of make, scripts, collperf and train would take long, so unit/commands_test.sh only checks
# that their arguments are parsed: it adds a wrong option at the end, which must be the only error.
# cli/commands.sh runs all others, in the machine.

top=$(cd "$selftests/.." && pwd)
reasons=$selftests/lib/commands.reasons
wrong=--no-such-option
tmp=$(mktemp -d)
defer rm -r "$tmp"
cd "$top" || exit
mkdir "$tmp/kernel"
echo 'modules:' >"$tmp/kernel/Makefile"
python3 "$selftests/lib/commands.py" "$top" >"$tmp/commands"

# is_parsed COMMAND: succeeds if the command is only parsed
is_parsed()
{
	[[ $1 =~ ^(make(\ |$)|.*scripts/|action/|(collperf|train)\ ) ]]
}

# parsed COMMAND: succeeds if the program's parser accepts all arguments, so that an added
# wrong option is the only error. Filters after "|" are left out.
parsed()
{
	local command=${1%% | *}

	command=${command/#scripts\/vm shell/scripts/vm run}
	case $command in
	*" --help") bash -c "$command" >"$tmp/out" 2>&1; return ;;
	*" -- "*) command=${command/ -- / $wrong -- } ;;
	*) command+=" $wrong" ;;
	esac
	! timeout 20 bash -c "$command" >"$tmp/out" 2>&1 </dev/null &&
		head -n 1 "$tmp/out" | grep -qe "$wrong"
}

# made COMMAND: succeeds if make knows the targets of COMMAND. It prints what it would do,
# with an empty target in place of the kernel's build system, because the machine does not
# have the headers of each kernel.
made()
{
	KDIR=$tmp/kernel bash -c "make -n ${1#make }" >"$tmp/out" 2>&1
}

# reason COMMAND: prints the regular expression in commands.reasons that excludes the
# command; nothing if it must run
reason()
{
	grep -vE '^(#|$)' "$reasons" | while IFS=$'\t' read -r regex why; do
		[[ ! $1 =~ ^($regex)$ ]] || echo "$regex"
	done
}

# block: prints a line for each command in a literal block: the word "done" or "refused",
# which is the expected result, and the command. Commands that remove ports are the last.
# inline: prints the commands that occur only in sentences, after the word "done".
block()
{
	grep ^block "$tmp/commands" | cut -f 2,4 | sort -u >"$tmp/blocks"
	grep -vE 'fabric|reset|port del' "$tmp/blocks"
	grep -E 'fabric|reset|port del' "$tmp/blocks"
}

inline()
{
	block >/dev/null
	grep ^inline "$tmp/commands" | cut -f 4 | sort -u | grep -vxFf <(cut -f 2 "$tmp/blocks") |
		sed 's/^/done\t/'
}

# each_valid KIND FILTER TRY: test that all commands of KIND (block or inline) for which FILTER succeeds
# are valid, which TRY must say. TRY gets the command; in a literal block, $expected is "done" or
# "refused".
each_valid()
{
	local bad=0 command expected

	while IFS=$'\t' read -r expected command; do
		"$2" "$command" && [ -z "$(reason "$command")" ] || continue
		"$3" "$command" && continue
		bad=$((bad + 1))
		report "not ok" "$(grep -F "	$command" "$tmp/commands" | head -n 1 | cut -f 3): $command"
		diagnose <"$tmp/out"
	done < <("$1")
	is "commands of the kind $1 that are invalid" $bad 0
}
