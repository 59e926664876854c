#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory that isn't there. Each allocation of requests for rules fails once
# (failslab.py), and nothing is half done; that nothing leaks is found by the
# runner, with kmemleak. The other requests and the data path aren't tried yet.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

debugfs=/sys/kernel/debug

[ -e $debugfs/failslab/require-start ] ||
	skip_all "no CONFIG_FAILSLAB with FAULT_INJECTION_STACKTRACE_FILTER"
need_python

# failing SETTING VALUE: of all that can fail
failing()
{
	echo "$2" >"$debugfs/failslab/$1"
	echo "$2" >"$debugfs/fail_page_alloc/$1"
}

# Allocations that may sleep fail too, and pages of any order; without a word.
failing_of_all()
{
	local dir

	failing verbose 0
	failing ignore-gfp-wait N
	echo 0 >$debugfs/fail_page_alloc/min-order
	for dir in failslab fail_page_alloc; do
		defer sh -c "cd $debugfs/$dir && echo 0 >probability &&
			echo 0 >reject-start && echo 0 >reject-end &&
			echo 0 >require-start && echo 0xffffffffffffffff >require-end"
	done
}

control_path_ok()
{
	veth_pair t1 t2
	veth_port t1
	# A flow to be dumped
	rdmafault rule add t1 tx qp 1000 watch >/dev/null
	roce4 7 1000 1 | sendframe t1
	python_test "$selftests/kmod/failslab.py" t1 t2
}

failing_of_all
control_path_ok
