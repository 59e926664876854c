/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/bitops.h> in user space: counting and finding bits. */
#ifndef RF_TOOLS_BITOPS_H
#define RF_TOOLS_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>

static inline unsigned int hweight32(u32 word)
{
	return __builtin_popcount(word);
}

static inline unsigned int hweight64(u64 word)
{
	return __builtin_popcountll(word);
}

/* Return the number of the highest bit that is set, from 1; 0 if there is none. */
static inline int fls64(u64 word)
{
	return word ? 64 - __builtin_clzll(word) : 0;
}

/* Return the number of the lowest bit that is set, from 0. There must be one. */
static inline unsigned long __ffs(unsigned long word)
{
	return __builtin_ctzl(word);
}

/* Return the number of the highest bit that is set, from 0. There must be one. */
static inline unsigned long __fls(unsigned long word)
{
	return 8 * sizeof(word) - 1 - __builtin_clzl(word);
}

#endif
