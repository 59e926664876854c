# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# kernel_memory: KiB of kernel memory that only frees when somebody frees it
kernel_memory()
{
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^(SUnreclaim|Percpu|VmallocUsed):/ { sum += $2 } END { print sum }' \
		/proc/meminfo
}
