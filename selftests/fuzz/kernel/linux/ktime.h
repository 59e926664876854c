/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/ktime.h> in user space: the clock is a static variable. */
#ifndef RF_FUZZ_KTIME_H
#define RF_FUZZ_KTIME_H

static unsigned long long fuzz_now;

static inline unsigned long long ktime_get_ns(void)
{
	return fuzz_now;
}

#endif
