#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every command in README, documents and man pages is valid. Commands of rdmafault, tc
# and others are run. Commands of collperf, train and scripts would take long, so the
# test only checks that their arguments are parsed: it adds a wrong option at the end,
# which must be the only error. commands.reasons lists the commands that are not run.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

top=$(cd "$selftests/.." && pwd)
reasons=$selftests/cli/commands.reasons
wrong=--no-such-option
tmp=$(mktemp -d)
defer rm -r "$tmp"
cd "$top" || exit

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

# words_known STATUS: succeeds if the exit status of a command does not mean an unknown word
# or program. Other failures are accepted: the machine may not have the port, for example.
words_known()
{
	[ "$1" != 2 ] && [ "$1" != 126 ] && [ "$1" != 127 ]
}

# without_job COMMAND: prints the command in a form that ends soon: with "true" as its job,
# without a filter after "|", and with --dry-run for "rdmafault run"
without_job()
{
	sed -E 's/ -- .*/ -- true/; s/ \| .*//; s/^sudo //; s/&& sudo /\&\& /
		s|/usr/share/rdmafault/labs|labs|
		s/^rdmafault run /rdmafault run --dry-run /' <<<"$1"
}

# prepared COMMAND: prepare v1 for "tc qdisc add" and "tc qdisc change". Delete its root
# qdisc first, because tc(8) refuses to replace it; for "change", then make v1 a port
# again.
prepared()
{
	case $1 in
	"tc qdisc add "*) tc qdisc del dev v1 root ;;
	"tc qdisc change "*)
		tc qdisc del dev v1 root
		tc qdisc add dev v1 root rdmafault ;;
	esac
} >/dev/null 2>&1

# ran RESULT COMMAND: run COMMAND and test its result. If RESULT is "refused", COMMAND must fail.
# If RESULT is "done", rdmafault must know all words of COMMAND.
ran()
{
	local command status

	command=$(without_job "$2")
	prepared "$command"
	(cd "$tmp" && ln -sfn "$top/labs" labs && timeout -s INT 2 bash -c "$command") \
		>"$tmp/out" 2>&1 </dev/null
	status=$?
	case $1 in
	refused) [ $status -ne 0 ] && [ $status -ne 124 ] ;;
	*) words_known $status ;;
	esac
}

# made COMMAND: succeeds if make knows the targets of COMMAND. It prints what it would do,
# with an empty target in place of the kernel's build system, because the machine does not
# have the headers of each kernel.
made()
{
	KDIR=$tmp/kernel bash -c "make -n ${1#make }" >"$tmp/out" 2>&1
}

# valid RESULT COMMAND: succeeds if a command in a literal block is valid; RESULT is
# "done" or "refused". Commands of make, scripts, collperf and train are only parsed,
# all others are run.
valid()
{
	case $2 in
	make\ *) made "$2" ;;
	*scripts/* | action/* | collperf\ * | train\ *) parsed "$2" ;;
	*) ran "$@" ;;
	esac
}

# reason COMMAND: prints the regular expression in commands.reasons that excludes the
# command; nothing if it must run
reason()
{
	grep -vE '^(#|$)' "$reasons" | while IFS=$'\t' read -r regex why; do
		[[ ! $1 =~ ^($regex)$ ]] || echo "$regex"
	done
}

# blocks: prints a line for each command in a literal block: the word "done" or "refused",
# which is the expected result, and the command. Commands that remove ports are the last.
# inline: prints the commands that occur only in sentences.
blocks()
{
	grep ^block "$tmp/commands" | cut -f 2,4 | sort -u >"$tmp/blocks"
	grep -vE 'fabric|reset|port del' "$tmp/blocks"
	grep -E 'fabric|reset|port del' "$tmp/blocks"
}

inline()
{
	grep ^inline "$tmp/commands" | cut -f 4 | sort -u | grep -vxFf <(cut -f 2 "$tmp/blocks")
}

# inline_valid COMMAND: succeeds if a command in a sentence is valid. Some of its arguments
# can be missing there. The arguments of scripts are parsed; other programs must exist and
# know the command.
inline_valid()
{
	local words

	read -ra words <<<"${1/ --json/}"
	case $1 in
	make | scripts/vm) ;;
	make\ *) made "$1" ;;
	scripts/* | action/*) parsed "$1" ;;
	rdmafault\ *) grep -qx "${words[1]}" <<<"$rdmafault_commands" ;;
	*) "${words[0]}" --help | grep -qie "${words[1]:-usage}" ;;
	esac
}

mkdir "$tmp/kernel"
echo 'modules:' >"$tmp/kernel/Makefile"
python3 "$selftests/lib/commands.py" "$top" >"$tmp/commands"
ok "the documents have commands" test "$(wc -l <"$tmp/commands")" -ge 150
rdmafault_commands=$(sed -n '/commands\[\] = {/,/^};/s/^\t{ "\([a-z]*\)", .*/\1/p' tools/cli/main.c)
fabric 4
ports v1 v2 p1 p2

bad=0 used=
while IFS=$'\t' read -r kind command; do
	why=$(reason "$command")
	used+=$why$'\n'
	if [ -z "$why" ] && ! valid "$kind" "$command"; then
		bad=$((bad + 1))
		report "not ok" "$(grep -F "	$command" "$tmp/commands" | head -n 1 | cut -f 3): $command"
		diagnose <"$tmp/out"
	fi
done < <(blocks)
is "commands of literal blocks that are invalid" $bad 0
bad=0
while IFS= read -r command; do
	why=$(reason "$command")
	used+=$why$'\n'
	[ -z "$why" ] || continue
	inline_valid "$command" && continue
	bad=$((bad + 1))
	report "not ok" "$(grep -F "	$command" "$tmp/commands" | head -n 1 | cut -f 3): $command"
	diagnose <"$tmp/out"
done < <(inline)
is "commands in sentences that are invalid" $bad 0
is "commands.reasons has only commands of the documents" \
	"$(grep -vE '^(#|$)' "$reasons" | cut -f 1 | grep -vxFf <(printf '%s' "$used"))" ""
