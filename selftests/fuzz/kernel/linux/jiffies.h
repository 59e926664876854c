/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/jiffies.h> in user space: the clock is a static variable. */
#ifndef RF_FUZZ_JIFFIES_H
#define RF_FUZZ_JIFFIES_H

#define HZ 250

static unsigned long jiffies;

#define time_before(a, b)	((long)((a) - (b)) < 0)
#define time_after(a, b)	time_before(b, a)

#endif
