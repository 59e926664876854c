// SPDX-License-Identifier: GPL-2.0
/*
 * Generate the inputs of collectives, and check their results.
 *
 * The inputs are chosen so that their reduction never rounds, in any order of the
 * ranks. The expected value is therefore exact, and a result is correct if and only if
 * its bytes are equal. n is the number of ranks, and the type represents all integers
 * from 0 to exact(type) exactly. The inputs of the reductions are:
 *
 *   sum, avg	integers with a magnitude of at most exact(type) / n. An average
 *		is an exact sum that is divided, and rounded, once.
 *   min, max	integers with a magnitude of at most exact(type)
 *   prod	integer types: odd numbers, so that no product is zero. A product that
 *		wraps is the same in every order of the ranks.
 *		floating types: powers of two with a sign. Most ranks have 1 or -1,
 *		so that the product stays in the range of the type.
 *   none	without a reduction, the inputs are the same as for min
 *
 * The expected value is computed in 64-bit integers, then converted to the type.
 *
 * Inputs repeat with a period of COLL_PERIOD elements. The period is a prime, so a
 * chunk at a wrong position or from a wrong rank is detected. The seed of a run
 * rotates the pattern, so data left over from an earlier iteration is detected too.
 * Because of the period, a check is a memcmp() and a fill is a memcpy(). The input of
 * another rank is generated when it is needed.
 *
 * Before each verified run, the result memory is overwritten. The new elements are NaN
 * in floating-point types. In signed integer types, they differ from all inputs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define COLL_PERIOD	4093u	/* elements, prime */
#define COLL_TURN		61u	/* seed + 1 moves the pattern by this many elements */
#define COLL_INPUT_MAX	1000	/* largest magnitude of an integer input */
#define COLL_FACTORS	8	/* maximum number of ranks with a factor other than 1 and -1 */
#define COLL_SHIFT_MAX	7	/* a product of 8 factors of 2^7 fits into an int64_t */

static uint32_t mix(uint32_t a, uint32_t b)
{
	uint32_t h = a * 0x9e3779b1u ^ b * 0x85ebca6bu;

	h ^= h >> 15;
	h *= 0x2c1b3c6du;
	return h ^ h >> 13;
}

static int64_t input_limit(const struct coll_pattern *pat)
{
	int64_t limit = pat->type->exact - 1;

	if (pat->op && pat->op->grows)
		limit /= pat->ranks;
	return limit < COLL_INPUT_MAX ? limit : COLL_INPUT_MAX;
}

static int64_t integer(const struct coll_pattern *pat, uint32_t h)
{
	int64_t limit = input_limit(pat);

	if (!pat->type->is_signed)
		return (int64_t)(h % (uint64_t)(limit + 1));
	return (int64_t)(h % (uint64_t)(2 * limit + 1)) - limit;
}

/*
 * Return the factor of @rank in the product at position @j. In each group of @each ranks,
 * one rank has a power of two as factor, and the others have 1 or -1. This limits the
 * product. The position @j selects the rank that has the power of two.
 */
static int64_t power(const struct coll_pattern *pat, int rank, uint32_t j,
		     uint32_t h)
{
	uint32_t each = ((uint32_t)pat->ranks + COLL_FACTORS - 1) / COLL_FACTORS;
	uint32_t most = (uint32_t)pat->type->exponent / COLL_FACTORS;
	uint32_t shift = 0;

	if (((uint32_t)rank + j) % each == 0)
		shift = h % ((most < COLL_SHIFT_MAX ? most : COLL_SHIFT_MAX) + 1);
	return h >> 31 ? -(1ll << shift) : 1ll << shift;
}

/* Return the input of @rank at position @j of the period, as an integer. */
static int64_t input_value(const struct coll_pattern *pat, int rank, uint32_t j)
{
	uint32_t h = mix((uint32_t)rank + 1, j);

	if (!pat->op || pat->op->id != COLL_OP_PROD)
		return integer(pat, h);
	return pat->type->exponent ? power(pat, rank, j, h) :
				     integer(pat, h) | 1;
}

static void make_input(const struct coll_pattern *pat, int rank, void *input)
{
	for (uint32_t j = 0; j < COLL_PERIOD; j++)
		pat->type->store(input, j, input_value(pat, rank, j));
}

static void make_want(const struct coll_pattern *pat)
{
	for (uint32_t j = 0; j < COLL_PERIOD; j++) {
		int64_t all = input_value(pat, 0, j);

		for (int r = 1; r < pat->ranks; r++)
			all = pat->op->fold(all, input_value(pat, r, j));
		pat->type->store(pat->want, j, all);
	}
	if (pat->op->averages)
		pat->type->divide(pat->want, COLL_PERIOD, pat->ranks);
}

/**
 * coll_pattern_init() - generate the input of a rank and the expected result
 * @pat: gets the input and the expected result
 * @type: element type
 * @op: the reduction, or NULL
 * @rank: this rank
 * @ranks: number of ranks
 *
 * Return: 0 or -ENOMEM; call coll_pattern_free() in both cases.
 */
int coll_pattern_init(struct coll_pattern *pat, const struct coll_type *type,
		      const struct coll_op *op, int rank, int ranks)
{
	*pat = (struct coll_pattern){
		.type = type, .op = op, .rank = rank, .ranks = ranks,
		.input = calloc(COLL_PERIOD, type->size),
		.want = calloc(COLL_PERIOD, type->size),
		.other = calloc(COLL_PERIOD, type->size),
		.others = -1,
	};
	if (!pat->input || !pat->want || !pat->other)
		return -ENOMEM;
	make_input(pat, rank, pat->input);
	if (op)
		make_want(pat);
	return 0;
}

/**
 * coll_pattern_free() - release the resources of coll_pattern_init()
 * @pat: the pattern, or zeros
 */
void coll_pattern_free(struct coll_pattern *pat)
{
	free(pat->input);
	free(pat->want);
	free(pat->other);
	*pat = (struct coll_pattern){ .type = NULL };
}

/* Return the position in the period for element @i in a run with @seed. */
static size_t period_place(uint64_t i, uint64_t seed)
{
	return (i + seed % COLL_PERIOD * COLL_TURN) % COLL_PERIOD;
}

static uint64_t run_length(size_t j, uint64_t left)
{
	return left < COLL_PERIOD - j ? left : COLL_PERIOD - j;
}

static void fill_pattern(const struct coll_pattern *pat, char *dst, uint64_t count,
			 uint64_t seed)
{
	size_t size = pat->type->size;
	uint64_t n;

	for (uint64_t i = 0; i < count; i += n) {
		size_t j = period_place(i, seed);

		n = run_length(j, count - i);
		memcpy(dst + i * size, (char *)pat->input + j * size, n * size);
	}
}

/* Overwrite the result memory, so that the result of an earlier run cannot pass the check. */
static void poison(const struct coll_type *type, void *dst, uint64_t bytes)
{
	memset(dst, type->exponent || !type->is_signed ? 0xff : 0x80, bytes);
}

/**
 * coll_pattern_prepare() - write the input, and overwrite the result of an earlier run
 * @pat: pattern of the rank
 * @coll: the collective
 * @shape: shape of its plan
 * @mem: the two memories, at position 0 of the plan
 * @seed: seed of the run
 */
void coll_pattern_prepare(const struct coll_pattern *pat,
			  const struct coll_collective *coll,
			  const struct coll_shape *shape,
			  void *const mem[COLL_MEMS], uint64_t seed)
{
	uint64_t sent = coll->sent(shape->ranks) * shape->count;
	uint64_t received = coll->received(shape->ranks) * shape->count;
	size_t size = pat->type->size;
	char *input = mem[COLL_SEND];

	poison(pat->type, mem[COLL_RECV], received * size);
	if (shape->in_place)
		input = (char *)mem[COLL_RECV] + coll->input_at(shape) * size;
	fill_pattern(pat, input, sent, seed);
}

/* Return one period of the expected values for a part of the result. */
static const char *wanted(struct coll_pattern *pat, const struct coll_want *want)
{
	if (want->from == COLL_ALL_RANKS)
		return pat->want;
	if (want->from == pat->rank)
		return pat->input;
	if (pat->others != want->from)
		make_input(pat, want->from, pat->other);
	pat->others = want->from;
	return pat->other;
}

/*
 * Compare @n elements. @mismatch gets the first wrong element. Return: the number of wrong
 * elements.
 */
static uint64_t compare_elements(const struct coll_type *type, const char *got,
				 const char *want, uint64_t n, struct coll_mismatch *mismatch)
{
	size_t size = type->size;
	uint64_t wrong = 0;

	if (!memcmp(got, want, n * size))
		return 0;
	for (uint64_t i = 0; i < n; i++) {
		if (!memcmp(got + i * size, want + i * size, size))
			continue;
		if (!wrong++) {
			mismatch->at = i;
			type->format(mismatch->got, sizeof(mismatch->got), got, i);
			type->format(mismatch->want, sizeof(mismatch->want), want, i);
		}
	}
	return wrong;
}

static uint64_t check_want(struct coll_pattern *pat, const struct coll_want *want,
			   const char *received, uint64_t seed,
			   struct coll_mismatch *first)
{
	const char *got = received + want->at * pat->type->size;
	const char *period = wanted(pat, want);
	uint64_t wrong = 0, n, more;
	struct coll_mismatch mismatch;

	for (uint64_t i = 0; i < want->count; i += n) {
		size_t j = period_place(want->input_at + i, seed);

		n = run_length(j, want->count - i);
		more = compare_elements(pat->type, got + i * pat->type->size,
					period + j * pat->type->size, n, &mismatch);
		if (more && !wrong) {
			*first = mismatch;
			first->at += want->at + i;
			first->from = want->from;
		}
		wrong += more;
	}
	return wrong;
}

/**
 * coll_pattern_check() - compare a result with the expected values
 * @pat: pattern of the rank
 * @coll: the collective
 * @shape: shape of its plan
 * @received: the result, at position 0 of the plan
 * @seed: seed of the run
 * @first: gets the first wrong element, if there is one
 *
 * Return: the number of wrong elements.
 */
uint64_t coll_pattern_check(struct coll_pattern *pat, const struct coll_collective *coll,
			    const struct coll_shape *shape, const void *received,
			    uint64_t seed, struct coll_mismatch *first)
{
	struct coll_want wants[COLL_RANKS_MAX];
	int n = coll->wants(shape, wants);
	uint64_t wrong = 0;
	struct coll_mismatch mismatch;

	for (int w = 0; w < n; w++) {
		uint64_t more = check_want(pat, &wants[w], received, seed,
					   &mismatch);

		if (more && !wrong)
			*first = mismatch;
		wrong += more;
	}
	return wrong;
}
