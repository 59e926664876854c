// SPDX-License-Identifier: GPL-2.0
/*
 * Test the inputs and the expected results of collectives: for every type and operation, a
 * reduction in any order of the ranks must give exactly the expected values. Wrong values
 * must be found and reported.
 */
#include <stdlib.h>

#include "algo.c"
#include "algo_direct.c"
#include "algo_recursive.c"
#include "algo_ring.c"
#include "algo_tree.c"
#include "coll.c"
#include "datatype.c"
#include "plan.c"
#include "verify.c"
#include "tap.h"

#define COUNT	5000u	/* elements; more than COLL_PERIOD, after which the inputs repeat */
#define SEED	7

static char *mem[COLL_MEMS];
static struct coll_shape shape;

/* Initialize @pat for rank @rank, and write the input of the rank to its memory COLL_SEND. */
static void be(struct coll_pattern *pat, const char *coll, const char *type,
	       const char *op, int rank)
{
	void *const places[] = { mem[COLL_SEND], mem[COLL_RECV] };

	shape.rank = rank;
	shape.count = COUNT;
	coll_pattern_init(pat, coll_type_find(type), op ? coll_op_find(op) : NULL,
			  rank, shape.ranks);
	coll_pattern_prepare(pat, coll_find(coll), &shape, places, SEED);
}

static uint64_t check(struct coll_pattern *pat, const char *coll,
		      const void *got, uint64_t seed, struct coll_mismatch *mismatch)
{
	return coll_pattern_check(pat, coll_find(coll), &shape, got, seed,
				  mismatch);
}

/* Reduce the inputs of all ranks, in order of rank, but beginning with rank @first. */
static void reduce(const struct coll_type *t, const struct coll_op *o, char *sum,
		   int first)
{
	struct coll_pattern pat = { .type = t, .op = o, .ranks = shape.ranks,
				  .input = mem[COLL_RECV] };

	for (int i = 0; i < shape.ranks; i++) {
		make_input(&pat, (first + i) % shape.ranks, pat.input);
		fill_pattern(&pat, i ? mem[COLL_SEND] : sum, COUNT, SEED);
		if (i)
			t->reduce[o->id](sum, sum, mem[COLL_SEND], COUNT);
	}
	if (o->averages)
		t->divide(sum, COUNT, shape.ranks);
}

static uint64_t wrong_of(const struct coll_type *t, const struct coll_op *o,
			 int ranks)
{
	char *sum = malloc(COUNT * t->size);
	struct coll_pattern pat;
	struct coll_mismatch mismatch;
	uint64_t wrong = 0;

	shape.ranks = ranks;
	for (int first = 0; first < ranks; first += 1 + ranks / 2) {
		reduce(t, o, sum, first);
		be(&pat, "all_reduce", t->name, o->name, first);
		wrong += check(&pat, "all_reduce", sum, SEED, &mismatch);
		coll_pattern_free(&pat);
	}
	free(sum);
	return wrong;
}

static void every_order_is_exact_ok(void)
{
	static const int ranks[] = { 1, 2, 3, 8, 64 };

	for (const struct coll_type *t = coll_types; t->name; t++)
		for (const struct coll_op *o = coll_ops; o->name; o++) {
			uint64_t wrong = 0;

			for (size_t i = 0; i < 5; i++)
				wrong += wrong_of(t, o, ranks[i]);
			ok(!wrong, "%s %s: a reduction of 1 to 64 ranks in any order gives the expected values",
			   t->name, o->name);
		}
}

/* If the contribution of the last rank is missing, nearly all values must be reported as wrong. */
static void a_missing_rank_is_seen_ok(void)
{
	for (const struct coll_op *o = coll_ops; o->name; o++) {
		const struct coll_type *t = coll_type_find("float");
		char *sum = malloc(COUNT * t->size);
		struct coll_pattern pat;
		struct coll_mismatch mismatch;

		shape.ranks = 3;
		reduce(t, o, sum, 0);
		shape.ranks = 4;
		be(&pat, "all_reduce", "float", o->name, 0);
		ok(check(&pat, "all_reduce", sum, SEED, &mismatch) > COUNT / 8,
		   "%s: a result without the contribution of one rank is wrong", o->name);
		coll_pattern_free(&pat);
		free(sum);
	}
}

static void mismatches_are_named_ok(void)
{
	struct coll_pattern pat;
	struct coll_mismatch mismatch = { 0 };
	float *got = (float *)mem[COLL_SEND];

	shape.ranks = 1;
	be(&pat, "all_reduce", "float", "sum", 0);
	ok(check(&pat, "all_reduce", got, SEED, &mismatch) == 0,
	   "the result of all_reduce with one rank is its input");
	got[4500] = 12345;
	got[4999] += 1;
	ok(check(&pat, "all_reduce", got, SEED, &mismatch) == 2 &&
	   mismatch.at == 4500 && mismatch.from == COLL_ALL_RANKS &&
	   !strcmp(mismatch.got, "12345") && strcmp(mismatch.want, "12345"),
	   "two wrong values are counted, and the first one is reported");
	ok(check(&pat, "all_reduce", got, SEED - 1, &mismatch) > COUNT * 9 / 10,
	   "the result of an earlier run is wrong");
	coll_pattern_free(&pat);
}

static void poison_is_no_result_ok(void)
{
	for (const struct coll_type *t = coll_types; t->name; t++) {
		struct coll_pattern pat;
		struct coll_mismatch mismatch;

		shape.ranks = 3;
		be(&pat, "broadcast", t->name, NULL, 1);
		ok(check(&pat, "broadcast", mem[COLL_RECV], SEED, &mismatch) == COUNT &&
		   mismatch.at == 0 && mismatch.from == 0,
		   "%s: every value that was not written is wrong", t->name);
		coll_pattern_free(&pat);
	}
}

/* In an alltoall of 3 ranks, compute from the inputs of all ranks what rank 1 must receive. */
static void blocks_of_ranks_ok(void)
{
	uint32_t *got = malloc(3 * COUNT * sizeof(*got));
	struct coll_pattern pat;
	struct coll_mismatch mismatch;

	shape.ranks = 3;
	for (int r = 0; r < 3; r++) {
		be(&pat, "alltoall", "int32", NULL, r);
		memcpy(got + (size_t)r * COUNT,
		       mem[COLL_SEND] + COUNT * sizeof(*got),
		       COUNT * sizeof(*got));
		coll_pattern_free(&pat);
	}
	be(&pat, "alltoall", "int32", NULL, 1);
	ok(check(&pat, "alltoall", got, SEED, &mismatch) == 0,
	   "an alltoall result of the blocks of all ranks is right");
	got[2 * COUNT + 3]++;
	ok(check(&pat, "alltoall", got, SEED, &mismatch) == 1 &&
	   mismatch.at == 2 * COUNT + 3 && mismatch.from == 2,
	   "a wrong element of an alltoall is reported with its position and its rank");
	memcpy(got, got + COUNT, COUNT * sizeof(*got));
	ok(check(&pat, "alltoall", got, SEED, &mismatch) > COUNT * 9 / 10 &&
	   mismatch.from == 0, "an alltoall result with another rank's block is wrong");
	coll_pattern_free(&pat);
	free(got);
}

static void in_place_ok(void)
{
	void *const places[] = { NULL, mem[COLL_RECV] };
	struct coll_pattern pat;
	const int32_t *got = (int32_t *)mem[COLL_RECV];

	shape = (struct coll_shape){ .rank = 1, .ranks = 3, .count = 10,
				   .in_place = true };
	coll_pattern_init(&pat, coll_type_find("int32"), NULL, 1, 3);
	coll_pattern_prepare(&pat, coll_find("all_gather"), &shape, places, 0);
	ok(!memcmp(got + 10, pat.input, 10 * sizeof(*got)) &&
	   (uint32_t)got[9] == 0x80808080 && (uint32_t)got[20] == 0x80808080,
	   "an in-place input is in its block, and all other elements are invalid");
	coll_pattern_free(&pat);
}

int main(void)
{
	for (int m = 0; m < COLL_MEMS; m++)
		mem[m] = malloc(3 * COUNT * sizeof(uint64_t));
	every_order_is_exact_ok();
	a_missing_rank_is_seen_ok();
	mismatches_are_named_ok();
	poison_is_no_result_ok();
	blocks_of_ranks_ok();
	in_place_ok();
	for (int m = 0; m < COLL_MEMS; m++)
		free(mem[m]);
	return done_testing();
}
