/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hash behind keyed draws and flow keys: words are chained through the
 * finalizer of splitmix64, with the golden ratio added before each (variant 13
 * of D. Stafford's "Better Bit Mixing", 2011; G. Steele, D. Lea and C. Flood,
 * "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014). It spreads
 * well and isn't meant to keep a secret.
 */
#ifndef RF_RULE_MIX_H
#define RF_RULE_MIX_H

#include <linux/types.h>

/**
 * rf_mix - take one more word into a hash
 * @hash: what came before, 0 at first
 * @word: the word
 *
 * Context: any.
 * Return: the hash of all.
 */
static inline u64 rf_mix(u64 hash, u64 word)
{
	u64 z = (hash + 0x9e3779b97f4a7c15ULL) ^ word;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

#endif
