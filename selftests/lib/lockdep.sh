# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The state of lockdep. It turns itself off at its first report about locks, and
# silently at a report of KASAN or an oops: nothing after that is checked.

# debug_locks: 1 while lockdep works, 0 when it has turned itself off, nothing in a
# kernel without it
debug_locks()
{
	awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats 2>/dev/null
}
