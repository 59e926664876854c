/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers that depend only on the seed, so they are the same on every machine.
 * A counter is incremented by an odd constant, and its bits are mixed (Steele, Lea and
 * Flood, "Fast splittable pseudorandom number generators", 2014).
 */
#ifndef TR_RANDOM_H
#define TR_RANDOM_H

#include <stdint.h>

struct tr_random {
	uint64_t state;
};

static inline uint64_t tr_mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline uint64_t tr_random(struct tr_random *r)
{
	r->state += 0x9e3779b97f4a7c15ull;
	return tr_mix(r->state);
}

/* Return a random number from 0 to n - 1. The bias is negligible: n is much less than 2^32. */
static inline uint32_t tr_below(struct tr_random *r, uint32_t n)
{
	return (uint32_t)((tr_random(r) >> 32) * n >> 32);
}

/* Return a random multiple of 2^-23 from -1 to below 1; a float represents it exactly. */
static inline float tr_symmetric(struct tr_random *r)
{
	return (float)(int32_t)(tr_random(r) >> 40) * 0x1p-23f - 1.0f;
}

#endif
