# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# kernel_memory: prints the KiB of kernel memory that is not cache
kernel_memory()
{
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^(SUnreclaim|Percpu|VmallocUsed):/ { sum += $2 } END { print sum }' \
		/proc/meminfo
}
