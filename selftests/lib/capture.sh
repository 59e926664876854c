# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Run tcpdump in the background, to observe packets independently of the module.

# capture_begin LOG OPTION...: start tcpdump. When this function returns, tcpdump captures
# packets. The messages of tcpdump are written to LOG.
capture_begin()
{
	local log=$1

	shift
	# Empty the log: an earlier capture has left the word "listening", for which this
	# function waits.
	: >"$log"
	# In immediate mode, each frame takes the room of the largest one (-s) in the buffer, by
	# default 256 KiB. The default buffer of 2 MiB overflows if tcpdump has to wait.
	tcpdump -n -B 32768 "$@" 2>"$log" &
	capture_pid=$!
	wait_until 20 grep -q listening "$log"
}

# capture_end: end tcpdump, after it has written all packets
capture_end()
{
	kill "$capture_pid"
	wait "$capture_pid" 2>/dev/null
}
