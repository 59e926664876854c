/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/jhash.h> in user space: the hash function of B. Jenkins. */
#ifndef RF_FUZZ_JHASH_H
#define RF_FUZZ_JHASH_H

#include <linux/types.h>

#define JHASH_INITVAL	0xdeadbeef

static inline u32 rol32(u32 word, unsigned int shift)
{
	return word << (shift & 31) | word >> (-shift & 31);
}

#define __jhash_mix(a, b, c)						\
{									\
	a -= c;  a ^= rol32(c, 4);  c += b;				\
	b -= a;  b ^= rol32(a, 6);  a += c;				\
	c -= b;  c ^= rol32(b, 8);  b += a;				\
	a -= c;  a ^= rol32(c, 16); c += b;				\
	b -= a;  b ^= rol32(a, 19); a += c;				\
	c -= b;  c ^= rol32(b, 4);  b += a;				\
}

#define __jhash_final(a, b, c)						\
{									\
	c ^= b; c -= rol32(b, 14);					\
	a ^= c; a -= rol32(c, 11);					\
	b ^= a; b -= rol32(a, 25);					\
	c ^= b; c -= rol32(b, 16);					\
	a ^= c; a -= rol32(c, 4);					\
	b ^= a; b -= rol32(a, 14);					\
	c ^= b; c -= rol32(b, 24);					\
}

static inline u32 jhash2(const u32 *k, u32 length, u32 initval)
{
	u32 a = JHASH_INITVAL + (length << 2) + initval, b = a, c = a;

	for (; length > 3; length -= 3, k += 3) {
		a += k[0];
		b += k[1];
		c += k[2];
		__jhash_mix(a, b, c);
	}
	if (!length)
		return c;
	a += k[0];
	b += length > 1 ? k[1] : 0;
	c += length > 2 ? k[2] : 0;
	__jhash_final(a, b, c);
	return c;
}

static inline u32 jhash_3words(u32 a, u32 b, u32 c, u32 initval)
{
	initval += JHASH_INITVAL + (3 << 2);
	a += initval;
	b += initval;
	c += initval;
	__jhash_final(a, b, c);
	return c;
}

static inline u32 jhash_2words(u32 a, u32 b, u32 initval)
{
	return jhash_3words(a, b, 0, initval - (1 << 2));
}

#endif
