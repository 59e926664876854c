# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# kernel_memory: prints the KiB of kernel memory that is not cache. The kernel frees some
# memory later, so this waits until five readings in a row are not lower than the lowest.
kernel_memory()
{
	local now least='' same=0

	while [ $same -lt 5 ]; do
		echo 3 >/proc/sys/vm/drop_caches
		now=$(awk '/^(SUnreclaim|Percpu|VmallocUsed):/ { sum += $2 } END { print sum }' \
			/proc/meminfo)
		if [ -n "$least" ] && [ "$now" -ge "$least" ]; then
			same=$((same + 1))
		else
			least=$now same=0
		fi
		sleep 0.1
	done
	echo "$least"
}
