/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/hash.h> in user space: the part that the module uses. */
#ifndef RF_FUZZ_HASH_H
#define RF_FUZZ_HASH_H

#include <linux/types.h>

#define GOLDEN_RATIO_32	0x61c88647u

static inline u32 hash_32(u32 value, unsigned int bits)
{
	return value * GOLDEN_RATIO_32 >> (32 - bits);
}

#endif
