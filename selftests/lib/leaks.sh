# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Find leaked memory of the kernel with kmemleak. Without kmemleak, none is found.
#
#   leaks_forget    ignore what has been leaked until now
#   leaks           prints what has been leaked since then

kmemleak=/sys/kernel/debug/kmemleak

leaks_forget()
{
	[ ! -w $kmemleak ] || echo clear >$kmemleak
}

# kmemleak does not report objects younger than five seconds, nor objects whose content
# has changed since the last scan.
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
