# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Print whether lockdep works. It disables itself after its first report about locks, and
# silently after a report of KASAN or an oops.

# debug_locks: prints 1 while lockdep works, 0 if it has disabled itself, nothing in a
# kernel without it
debug_locks()
{
	awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats 2>/dev/null
}
