# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Find warnings and errors in a kernel log: on the host after a run, and in the machine
# after every test.

sick_log='BUG:|WARNING:|Oops|possible recursive|circular locking|INFO: task .* blocked'
sick_log+='|KASAN|UBSAN|refcount_t|unregister_netdevice: waiting|soft lockup|hard LOCKUP'
sick_log+='|rcu: INFO: |rcu_.*detected .*stall|Kernel panic|general protection fault'
sick_log+='|non-static key|turning off the locking correctness validator'
sick_log+='|suspicious RCU|ODEBUG|new suspected memory leaks|Bad page'

# Lines that match $sick_log but are harmless. The last pattern is logged when a process is
# killed while it makes a trace instance (Linux 6.1 to 7.x): the signal aborts an
# allocation, and the kernel warns that the allocation failed.
harmless_log='KernelAddressSanitizer initialized|[Kk]asan: |mitigations|ODEBUG: selftest'
harmless_log+='|WARNING: .* trace_rb_cpu_prepare'

# sick_lines: prints the errors of the kernel log on stdin, without time stamps, once each
sick_lines() {
	tr -d '\r' | grep -aE "$sick_log" | grep -avE "$harmless_log" |
		sed 's/^\[[^]]*\] *//' | awk '!seen[$0]++' | head -n 20
}

# sick_context: prints the first error of the kernel log on stdin and the lines after it,
# without time stamps
sick_context() {
	tr -d '\r' | awk -v sick="$sick_log" -v harmless="$harmless_log" '
		!on && $0 ~ sick && $0 !~ harmless { on = 1 }
		on && n++ < 80 { sub(/^\[[^]]*\] */, ""); print "# " $0 }'
}
