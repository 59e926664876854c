// SPDX-License-Identifier: GPL-2.0
/*
 * Inputs and expected values.
 *
 * Every input is a small integer, so small that no order of summing over the
 * ranks can round: with n ranks its magnitude is at most exact(type) / n. The
 * expected value is folded in 64-bit integers and then stored in the type, so
 * it is exact too, and a result is right if and only if its bytes are equal.
 *
 * Inputs repeat with a period of CP_PERIOD elements. The period is a prime, so
 * that a chunk put at a wrong place, or taken from a wrong rank, does not fit.
 * The run's seed turns the pattern by some elements, so that what an earlier
 * iteration left behind in a buffer does not fit either. Thanks to the period
 * a check costs a memcmp() and a fill costs a memcpy().
 *
 * Before each verified run the result buffer is poisoned with ones, which in
 * floating point is not a number.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

#define CP_PERIOD	4093u	/* elements, prime */
#define CP_TURN		61u	/* elements that one seed turns the pattern */
#define CP_INPUT_MAX	1000	/* no need for larger magnitudes */

static uint32_t mix(uint32_t a, uint32_t b)
{
	uint32_t h = a * 0x9e3779b1u ^ b * 0x85ebca6bu;

	h ^= h >> 15;
	h *= 0x2c1b3c6du;
	return h ^ h >> 13;
}

/* The integer that @rank contributes at place @j of the period. */
static int64_t input_value(const struct cp_type *type, int64_t limit, int rank,
			   uint32_t j)
{
	uint32_t h = mix((uint32_t)rank + 1, j);

	if (!type->is_signed)
		return h % (uint64_t)(limit + 1);
	return (int64_t)(h % (uint64_t)(2 * limit + 1)) - limit;
}

static int64_t input_limit(const struct cp_type *type, const struct cp_op *op,
			   int ranks)
{
	int64_t limit = op->grows ? type->exact / ranks : type->exact;

	return limit < CP_INPUT_MAX ? limit : CP_INPUT_MAX;
}

/**
 * cp_pattern_init() - make a rank's input and the expected result
 * Return: 0 or -ENOMEM.
 */
int cp_pattern_init(struct cp_pattern *pat, const struct cp_type *type,
		    const struct cp_op *op, int rank, int ranks)
{
	int64_t limit = input_limit(type, op, ranks);

	pat->type = type;
	pat->input = calloc(CP_PERIOD, type->size);
	pat->want = calloc(CP_PERIOD, type->size);
	if (!pat->input || !pat->want)
		return -ENOMEM;

	for (uint32_t j = 0; j < CP_PERIOD; j++) {
		int64_t all = input_value(type, limit, 0, j);

		for (int r = 1; r < ranks; r++)
			all = op->fold(all, input_value(type, limit, r, j));
		type->store(pat->want, j, all);
		type->store(pat->input, j, input_value(type, limit, rank, j));
	}
	return 0;
}

/** cp_pattern_free() - give back what cp_pattern_init() took */
void cp_pattern_free(struct cp_pattern *pat)
{
	free(pat->input);
	free(pat->want);
	pat->input = NULL;
	pat->want = NULL;
}

/** cp_pattern_index() - the place in the period of element @i under @seed */
size_t cp_pattern_index(uint64_t i, uint64_t seed)
{
	return (i + seed % CP_PERIOD * CP_TURN) % CP_PERIOD;
}

static uint64_t run_length(size_t j, uint64_t left)
{
	return left < CP_PERIOD - j ? left : CP_PERIOD - j;
}

/** cp_pattern_fill() - write @count elements of this rank's input */
void cp_pattern_fill(const struct cp_pattern *pat, void *dst, uint64_t count,
		     uint64_t seed)
{
	size_t size = pat->type->size;
	uint64_t n;

	for (uint64_t i = 0; i < count; i += n) {
		size_t j = cp_pattern_index(i, seed);

		n = run_length(j, count - i);
		memcpy((char *)dst + i * size, (char *)pat->input + j * size,
		       n * size);
	}
}

/** cp_poison() - make sure that no result is there before it is computed */
void cp_poison(void *dst, uint64_t bytes)
{
	memset(dst, 0xff, bytes);
}

/* Count in one run of equal phase, which starts at element @at. */
static uint64_t count_wrong(const char *got, const char *want, uint64_t n,
			    size_t size, uint64_t at, uint64_t *first)
{
	uint64_t wrong = 0;

	if (!memcmp(got, want, n * size))
		return 0;
	for (uint64_t i = 0; i < n; i++) {
		if (!memcmp(got + i * size, want + i * size, size))
			continue;
		if (at + i < *first)
			*first = at + i;
		wrong++;
	}
	return wrong;
}

/**
 * cp_pattern_check() - compare a result with the expected values
 * @first: set to the first wrong element, or to @count
 * Return: the number of wrong elements.
 */
uint64_t cp_pattern_check(const struct cp_pattern *pat, const void *got,
			  uint64_t count, uint64_t seed, uint64_t *first)
{
	size_t size = pat->type->size;
	uint64_t wrong = 0, n;

	*first = count;
	for (uint64_t i = 0; i < count; i += n) {
		size_t j = cp_pattern_index(i, seed);

		n = run_length(j, count - i);
		wrong += count_wrong((const char *)got + i * size,
				     (const char *)pat->want + j * size,
				     n, size, i, first);
	}
	return wrong;
}
