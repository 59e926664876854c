/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of the kernel's header of this name, a static variable here. */
#ifndef RF_FUZZ_JIFFIES_H
#define RF_FUZZ_JIFFIES_H

#define HZ 250

static unsigned long jiffies;

#define time_before(a, b)	((long)((a) - (b)) < 0)

#endif
