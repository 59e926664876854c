// SPDX-License-Identifier: GPL-2.0
/*
 * Exact sums of floats.
 *
 * A sum of floats depends on the order of the additions, because each addition rounds.
 * A sum with a flipped bit would look like a sum with another rounding. Therefore
 * each rank rounds its contribution to a multiple of 2^-21 (the grid step), and clamps
 * it so that the sum of all ranks is within +-8. Each partial sum is then a whole number
 * of at most 2^24 grid steps, which a float represents exactly. Therefore
 *
 *  - the sum does not depend on the order or the algorithm,
 *  - in grid steps it is a sum of integers, and the digest
 *
 *	D(v) = sum of grid_steps(v[i]) * weight(i)   modulo 2^64
 *
 *    of the result equals the sum of the digests of the contributions.
 *
 * The weights are odd, so a single wrong element is always detected. Several wrong
 * elements compensate each other with a probability of about 2^-64. Some values cannot
 * be a sum, for example NaN and values between two multiples of the grid step. For such
 * a value, grid_steps() in the formula returns a number that no sum can reach.
 *
 * A grid step is 5e-7; gradients of this neural network are between 1e-4 and 1.
 */
#include <math.h>
#include <string.h>

#include "net.h"

#define SCALE		((float)(1u << TR_GRID_BITS))
#define STEPS_MAX	(1 << 24)

/**
 * tr_grid_round() - round and clamp the contribution of a rank
 * @to: gets the contribution; can be @from
 * @from: the computed values
 * @n: number of values
 * @ranks: number of ranks that contribute
 *
 * Return: number of clamped values.
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

/* Return @v in grid steps. If @v cannot be a sum, return a number that no sum can reach. */
static uint64_t grid_steps(float v)
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
 * tr_grid_digest() - compute the digest of a part of a vector
 * @v: the part
 * @n: its length
 * @at: position of @v[0] in the vector
 *
 * Return: the digest. The digest of a vector is the sum of the digests of its parts,
 * modulo 2^64.
 */
uint64_t tr_grid_digest(const float *v, uint64_t n, uint64_t at)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += grid_steps(v[i]) * ((at + i) * 0x9e3779b97f4a7c15ull | 1);
	return sum;
}

static uint64_t add_word(uint64_t h, uint32_t word)
{
	return (h ^ word) * 0x9e3779b97f4a7c15ull + (h >> 32);
}

/** tr_hash() - compute a 64-bit hash of @bytes bytes; @v is aligned to 4 bytes */
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
