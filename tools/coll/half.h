/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert the two 16-bit floating-point formats to and from float.
 *
 * A conversion from float rounds to nearest, ties to even. The code has no branches and no
 * tables, so that the compiler can convert several numbers at once, on any processor.
 *
 * half (IEEE 754 binary16) has 5 bits of exponent and 10 bits of mantissa. If these
 * bits are moved to their positions in a float, the float is 2^112 times too small.
 * This is also true for denormal numbers, so one multiplication completes the
 * conversion. In the other direction, a number that is denormal in half is rounded by
 * adding 0.5: the last bit of the float 0.5 has the same value as the last bit of a
 * denormal half, 2^-24.
 *
 * bfloat16 is the upper half of a float.
 */
#ifndef COLL_HALF_H
#define COLL_HALF_H

#include <stdint.h>
#include <string.h>

#define COLL_HALF_INF	0x7c00u
#define COLL_FLOAT_INF	0x7f800000u
#define COLL_HALF_TOP	0x47800000u	/* 65536.0f; half stores infinity from here on */
#define COLL_HALF_NORMAL	0x38800000u	/* 2^-14 as float: the smallest normal half */
#define COLL_HALF_BIAS	0x38000000u	/* (127 - 15) << 23 */

static inline float coll_bits_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static inline uint32_t coll_float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/* Return @a if @which is 1, @b if it is 0. The code has no branch. */
static inline uint32_t coll_pick(int which, uint32_t a, uint32_t b)
{
	uint32_t mask = -(uint32_t)which;

	return (a & mask) | (b & ~mask);
}

static inline float coll_half_to_float(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
	uint32_t bits = (uint32_t)(half & 0x7fffu) << 13;
	uint32_t abs = coll_float_bits(coll_bits_float(bits) * 0x1p112f);
	uint32_t special = bits | COLL_FLOAT_INF;

	abs = coll_pick((half & COLL_HALF_INF) == COLL_HALF_INF, special, abs);
	return coll_bits_float(sign | abs);
}

static inline uint16_t coll_float_to_half(float f)
{
	uint32_t bits = coll_float_bits(f), abs = bits & 0x7fffffffu;
	uint32_t normal = (abs + 0xfffu + (abs >> 13 & 1) - COLL_HALF_BIAS) >> 13;
	uint32_t denormal = coll_float_bits(coll_bits_float(abs) + 0.5f) -
			    coll_float_bits(0.5f);
	uint32_t nan = COLL_HALF_INF | 0x200u | (abs >> 13 & 0x3ffu);
	uint32_t out = coll_pick(abs < COLL_HALF_NORMAL, denormal, normal);

	out = coll_pick(abs >= COLL_HALF_TOP, COLL_HALF_INF, out);
	out = coll_pick(abs > COLL_FLOAT_INF, nan, out);
	return (uint16_t)(bits >> 16 & 0x8000u) | (uint16_t)out;
}

static inline float coll_bfloat16_to_float(uint16_t bf)
{
	return coll_bits_float((uint32_t)bf << 16);
}

static inline uint16_t coll_float_to_bfloat16(float f)
{
	uint32_t bits = coll_float_bits(f);
	uint32_t nan = bits >> 16 | 0x40u;
	uint32_t out = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
	int is_nan = (bits & 0x7fffffffu) > COLL_FLOAT_INF;

	return (uint16_t)coll_pick(is_nan, nan, out);
}

#endif
