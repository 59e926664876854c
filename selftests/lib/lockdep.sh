# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Print whether lockdep works. It disables itself after its first report about locks, and
# silently after a report of KASAN or an oops.

# debug_locks: prints 1 while lockdep works, 0 after lockdep has disabled itself, and nothing
# if the kernel has no lockdep
debug_locks()
{
	awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats 2>/dev/null
}
