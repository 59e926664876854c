# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# tcpdump in the background, as a witness that knows nothing of the module.

# capture_begin LOG OPTION...: it listens when this returns; tcpdump's own words
# are in LOG.
capture_begin()
{
	local log=$1

	shift
	# What an earlier one has said there is not what is waited for.
	: >"$log"
	tcpdump -n "$@" 2>"$log" &
	capture_pid=$!
	wait_until 20 grep -q listening "$log"
}

# capture_end: with what it has seen written out
capture_end()
{
	kill "$capture_pid"
	wait "$capture_pid" 2>/dev/null
}
