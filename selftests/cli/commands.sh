#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every command of rdmafault, tc and others in README, documents and man pages is valid: it is run. See
# lib/commands.sh. The commands that are only parsed are tested by unit/commands_test.sh.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/commands.sh"

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

# ran COMMAND: run COMMAND and test its result. If "refused" is expected, COMMAND must fail. Otherwise
# rdmafault must know all words of COMMAND.
ran()
{
	local command status

	command=$(without_job "$1")
	prepared "$command"
	(cd "$tmp" && ln -sfn "$top/labs" labs && timeout -s INT 2 bash -c "$command") \
		>"$tmp/out" 2>&1 </dev/null
	status=$?
	# shellcheck disable=SC2154 # each_valid sets it
	case $expected in
	refused) [ $status -ne 0 ] && [ $status -ne 124 ] ;;
	*) words_known $status ;;
	esac
}

is_run()
{
	! is_parsed "$1"
}

# exists COMMAND: succeeds if a command in a sentence is valid. Some of its arguments can be missing
# there. The program must exist and know the command.
exists()
{
	local words

	read -ra words <<<"${1/ --json/}"
	case $1 in
	rdmafault\ *) grep -qx "${words[1]}" <<<"$rdmafault_commands" ;;
	*) "${words[0]}" --help | grep -qie "${words[1]:-usage}" ;;
	esac
}

ok "the documents have commands" test "$(wc -l <"$tmp/commands")" -ge 150
rdmafault_commands=$(sed -n '/commands\[\] = {/,/^};/s/^\t{ "\([a-z]*\)", .*/\1/p' tools/cli/main.c)
fabric 4
ports v1 v2 p1 p2
each_valid block is_run ran
each_valid inline is_run exists
