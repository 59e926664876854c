# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Memory that nobody points to any more, as kmemleak finds it. In a kernel without
# kmemleak there is none.
#
#   leaks_forget    what has been leaked until now doesn't count
#   leaks           prints what has been since then

kmemleak=/sys/kernel/debug/kmemleak

leaks_forget()
{
	[ ! -w $kmemleak ] || echo clear >$kmemleak
}

# What is younger than five seconds isn't told of, nor what differs from what the
# scan before has seen there.
leaks()
{
	local scan

	[ -w $kmemleak ] || return 0
	for scan in 1 2 3; do
		sleep 5
		echo scan >$kmemleak || echo "scan $scan of kmemleak failed"
	done
	grep -a . $kmemleak
}
