/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/log2.h> in user space: logarithms. */
#ifndef RF_TOOLS_LOG2_H
#define RF_TOOLS_LOG2_H

static inline int ilog2(unsigned int n)
{
	return 31 - __builtin_clz(n);
}

#endif
