# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Make memory allocations of the kernel fail, with CONFIG_FAILSLAB. Only allocations by
# a given function, or by a module, fail: see lib/failing.py.
#
#   need_failing        skip the test without CONFIG_FAILSLAB; stop failures at its end
#   failing SETTING VALUE
#   failing_within NAME limit failures to a function of the kernel, or to a module
#   failing_now PERCENT make this share of those allocations fail from now on
#   failing_never       make none fail
#   failed              prints how many have failed since failing_now
debugfs=/sys/kernel/debug
most=1000000000

failing()
{
	echo "$2" >"$debugfs/failslab/$1"
	echo "$2" >"$debugfs/fail_page_alloc/$1"
}

# Also make allocations fail that the kernel excludes by default: allocations that can sleep, and
# page allocations of order 0. Do not log the failures.
need_failing()
{
	[ -e $debugfs/failslab/require-start ] ||
		skip_all "no CONFIG_FAILSLAB with FAULT_INJECTION_STACKTRACE_FILTER"
	defer failing_never
	failing verbose 0
	failing ignore-gfp-wait N
	failing stacktrace-depth 32
	echo 0 >$debugfs/fail_page_alloc/min-order
}

failing_within()
{
	PYTHONPATH=$selftests/lib python3 -c '
import sys
from failing import Text
text = Text()
text.without_kmemleak()
text.within(sys.argv[1])' "$1"
}

failing_now()
{
	failing times $most
	failing probability "$1"
}

failing_never()
{
	failing probability 0
}

failed()
{
	echo $((2 * most - $(<$debugfs/failslab/times) -
		$(<$debugfs/fail_page_alloc/times)))
}
