/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/math64.h> in user space: arithmetic with 64 and 128 bits. */
#ifndef RF_TOOLS_MATH64_H
#define RF_TOOLS_MATH64_H

#include <linux/types.h>

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (u64)((__uint128_t)a * b >> shift);
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (u64)((__uint128_t)a * b / c);
}

#endif
