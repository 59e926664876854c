# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Memory that isn't there, in a kernel with CONFIG_FAILSLAB. Only allocations near
# a given function, or in a module, fail: see lib/failing.py.
#
#   need_failing        skip all without it; at the end of the test nothing fails
#   failing SETTING VALUE
#   failing_within NAME a function of the kernel, or a module
#   failing_now PERCENT so many of those fail from now on
#   failing_never       none
#   failed              how many have since failing_now
debugfs=/sys/kernel/debug
most=1000000000

failing()
{
	echo "$2" >"$debugfs/failslab/$1"
	echo "$2" >"$debugfs/fail_page_alloc/$1"
}

# Allocations that may sleep fail too, and pages of any order; without a word.
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
