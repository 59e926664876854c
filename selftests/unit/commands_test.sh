#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every command of make, scripts, collperf and train in README, documents and man pages is valid: the
# program accepts its arguments. See lib/commands.sh. All others are run by cli/commands.sh.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/commands.sh"

PATH=$(realpath "${BIN:-build/bin}"):$PATH

# accepts COMMAND: succeeds if the program of the command accepts its arguments
accepts()
{
	case $1 in
	make | scripts/vm) ;;
	make\ *) made "$1" ;;
	*) parsed "$1" ;;
	esac
}

ok "the documents have commands" test "$(wc -l <"$tmp/commands")" -ge 150
each_valid block is_parsed accepts
each_valid inline is_parsed accepts
is "each row of commands.reasons matches a command of the documents" \
	"$(grep -vE '^(#|$)' "$reasons" | cut -f 1 | while IFS= read -r regex; do
		cut -f 4 "$tmp/commands" | grep -qxE -- "$regex" || echo "$regex"
	done)" ""
