// SPDX-License-Identifier: GPL-2.0
/*
 * Exact sums of floats.
 *
 * A sum of floats rounds, and how depends on the order; so a sum
 * with a flipped bit looks like one that was rounded. Here each rank rounds what
 * it contributes, before it is sent, to a multiple of 2^-21, and cuts it so
 * that all ranks together stay within +-8. Each partial sum is a whole number
 * of at most 2^24 such steps then, which a float holds exactly. So
 *
 *  - the sum doesn't depend on the order or the algorithm,
 *  - in steps of the grid it is a sum of integers, and so the digest
 *
 *	D(v) = sum of steps(v[i]) * weight(i)   modulo 2^64
 *
 *    of the result is the sum of the digests of the contributions, to the bit.
 *
 * The weights are odd, so a single wrong element always shows; several hide
 * each other with a chance of about 2^-64. Values that cannot be a sum, as
 * those off the grid, count for what no sum can reach.
 *
 * A step of the grid is 5e-7; gradients of this network are of 1e-4 to 1.
 */
#include <math.h>
#include <string.h>

#include "grid.h"
#include "random.h"

#define SCALE		((float)(1u << TR_GRID_BITS))
#define STEPS_MAX	(1 << 24)

/**
 * tr_grid_round() - what a rank contributes
 * @to: where it is put; may be @from
 * @from: what was computed
 * @n: values
 * @ranks: that contribute
 *
 * Return: how many values had to be cut.
 */
uint64_t tr_grid_round(float *to, const float *from, uint64_t n, int ranks)
{
	float most = floorf((float)STEPS_MAX / (float)ranks);
	uint64_t cut = 0;

	for (uint64_t i = 0; i < n; i++) {
		float v = from[i] * SCALE;

		if (!(fabsf(v) <= most)) {
			v = v > 0 ? most : -most;
			cut++;
		}
		to[i] = rintf(v) / SCALE + 0.0f;	/* never -0 */
	}
	return cut;
}

/* In steps of the grid, or what no sum of contributions can be */
static uint64_t steps(float v)
{
	float scaled = v * SCALE;
	uint32_t bits;
	int32_t k;

	memcpy(&bits, &v, sizeof(bits));
	if (fabsf(scaled) <= STEPS_MAX) {
		k = (int32_t)scaled;
		if ((float)k == scaled && (k || !bits))
			return (uint64_t)(int64_t)k;
	}
	return 1ull << 40 | bits;
}

/**
 * tr_grid_digest() - digest of a part of a vector
 * @v: the part
 * @n: its length
 * @at: place of @v[0] in the vector
 *
 * Return: a number modulo 2^64; those of the parts of a vector add up.
 */
uint64_t tr_grid_digest(const float *v, uint64_t n, uint64_t at)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += steps(v[i]) * ((at + i) * 0x9e3779b97f4a7c15ull | 1);
	return sum;
}

static uint64_t add_word(uint64_t h, uint32_t word)
{
	return (h ^ word) * 0x9e3779b97f4a7c15ull + (h >> 32);
}

/** tr_hash() - 64 bits over @bytes bytes, which begin at a multiple of 4 */
uint64_t tr_hash(const void *v, uint64_t bytes)
{
	uint64_t words = bytes / sizeof(uint32_t), h = bytes;
	const uint32_t *word = v;
	uint32_t rest = 0;

	for (uint64_t i = 0; i < words; i++)
		h = add_word(h, word[i]);
	if (bytes % sizeof(rest)) {
		memcpy(&rest, word + words, bytes % sizeof(rest));
		h = add_word(h, rest);
	}
	return tr_mix(h);
}
