// SPDX-License-Identifier: GPL-2.0
/*
 * The table of collectives.
 *
 * Algorithm bandwidth is the size of the caller's data divided by the time of the
 * collective. The bus bandwidth factor converts it to bytes per second on the link of
 * each rank. An all-reduce of S bytes over n ranks must transfer at least
 * 2 (n - 1) / n * S over every link, with any algorithm. The bus bandwidth can
 * therefore be compared with the rate of the link for any n. The factors, and the counts
 * and positions of elements, are those of nccl-tests.
 *
 * With one rank every collective is a copy of the input, so the algorithms do not
 * handle this case.
 */
#include <errno.h>
#include <string.h>

#include "algo.h"
#include "plan.h"

static double factor_all_reduce(int ranks)
{
	return 2.0 * (ranks - 1) / ranks;
}

static double factor_others(int ranks)
{
	return (double)(ranks - 1) / ranks;
}

static double factor_one(int ranks)
{
	(void)ranks;
	return 1;
}

static uint64_t once(int ranks)
{
	(void)ranks;
	return 1;
}

static uint64_t for_each(int ranks)
{
	return (uint64_t)ranks;
}

static uint64_t at_begin(const struct coll_shape *s)
{
	(void)s;
	return 0;
}

static uint64_t at_own(const struct coll_shape *s)
{
	return (uint64_t)s->rank * s->count;
}

static int want_nothing(const struct coll_shape *s, struct coll_want *wants)
{
	(void)s;
	(void)wants;
	return 0;
}

static int want_sum(const struct coll_shape *s, struct coll_want *wants)
{
	wants[0] = (struct coll_want){ .count = s->count, .from = COLL_ALL_RANKS };
	return 1;
}

static int want_sum_at_root(const struct coll_shape *s, struct coll_want *wants)
{
	return s->rank == s->root ? want_sum(s, wants) : 0;
}

static int want_own_sum(const struct coll_shape *s, struct coll_want *wants)
{
	wants[0] = (struct coll_want){ .at = at_own(s), .count = s->count,
				     .input_at = at_own(s),
				     .from = COLL_ALL_RANKS };
	return 1;
}

static int want_root(const struct coll_shape *s, struct coll_want *wants)
{
	wants[0] = (struct coll_want){ .count = s->count, .from = s->root };
	return 1;
}

static int want_previous(const struct coll_shape *s, struct coll_want *wants)
{
	wants[0] = (struct coll_want){ .count = s->count,
				     .from = coll_rank_at(s, -1) };
	return 1;
}

static int want_each(const struct coll_shape *s, struct coll_want *wants)
{
	for (int r = 0; r < s->ranks; r++)
		wants[r] = (struct coll_want){ .at = (uint64_t)r * s->count,
					     .count = s->count, .from = r };
	return s->ranks;
}

static int want_own_of_each(const struct coll_shape *s, struct coll_want *wants)
{
	want_each(s, wants);
	for (int r = 0; r < s->ranks; r++)
		wants[r].input_at = at_own(s);
	return s->ranks;
}

const struct coll_collective coll_collectives[] = {
	{
		.name = "all_reduce",
		.bus_factor = factor_all_reduce,
		.reduces = true, .in_place = true, .sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_sum,
		.algos = {
			[COLL_RING] = coll_ring_all_reduce,
			[COLL_TREE] = coll_tree_all_reduce,
			[COLL_RECURSIVE] = coll_recursive_all_reduce,
			[COLL_DIRECT] = coll_direct_all_reduce,
		},
	}, {
		.name = "all_gather",
		.bus_factor = factor_others,
		.in_place = true, .sized = true,
		.sent = once, .received = for_each, .input_at = at_own,
		.wants = want_each,
		.algos = {
			[COLL_RING] = coll_ring_all_gather,
			[COLL_RECURSIVE] = coll_recursive_all_gather,
			[COLL_DIRECT] = coll_direct_all_gather,
		},
	}, {
		.name = "reduce_scatter",
		.bus_factor = factor_others,
		.reduces = true, .in_place = true, .sized = true,
		.sent = for_each, .received = for_each, .input_at = at_begin,
		.wants = want_own_sum,
		.algos = {
			[COLL_RING] = coll_ring_reduce_scatter,
			[COLL_RECURSIVE] = coll_recursive_reduce_scatter,
			[COLL_DIRECT] = coll_direct_reduce_scatter,
		},
	}, {
		.name = "broadcast",
		.bus_factor = factor_one,
		.rooted = true, .in_place = true, .sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_root,
		.algos = {
			[COLL_RING] = coll_ring_broadcast,
			[COLL_TREE] = coll_tree_broadcast,
			[COLL_RECURSIVE] = coll_recursive_broadcast,
			[COLL_DIRECT] = coll_direct_broadcast,
		},
	}, {
		.name = "reduce",
		.bus_factor = factor_one,
		.reduces = true, .rooted = true, .in_place = true,
		.sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_sum_at_root,
		.algos = {
			[COLL_RING] = coll_ring_reduce,
			[COLL_TREE] = coll_tree_reduce,
			[COLL_RECURSIVE] = coll_recursive_reduce,
			[COLL_DIRECT] = coll_direct_reduce,
		},
	}, {
		.name = "alltoall",
		.bus_factor = factor_others,
		.sized = true,
		.sent = for_each, .received = for_each, .input_at = at_begin,
		.wants = want_own_of_each,
		.algos = {
			[COLL_DIRECT] = coll_direct_alltoall,
		},
	}, {
		.name = "sendrecv",
		.bus_factor = factor_one,
		.sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_previous,
		.algos = {
			[COLL_DIRECT] = coll_direct_sendrecv,
		},
	}, {
		.name = "barrier",
		.bus_factor = factor_one,
		.in_place = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_nothing,
		.algos = {
			[COLL_RING] = coll_ring_all_gather,
			[COLL_TREE] = coll_tree_all_reduce,
			[COLL_RECURSIVE] = coll_recursive_all_gather,
			[COLL_DIRECT] = coll_direct_all_gather,
		},
	},
	{ .name = NULL }
};

const struct rf_name coll_algo_names[COLL_ALGOS + 2] = {
	[COLL_RING] = { "ring", COLL_RING },
	[COLL_TREE] = { "tree", COLL_TREE },
	[COLL_RECURSIVE] = { "recursive", COLL_RECURSIVE },
	[COLL_DIRECT] = { "direct", COLL_DIRECT },
	[COLL_ALGOS] = { "auto", COLL_ALGOS },
};

/** coll_find() - find a collective by name, or return NULL */
const struct coll_collective *coll_find(const char *name)
{
	for (const struct coll_collective *c = coll_collectives; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static enum coll_algo first_that_exists(const struct coll_collective *coll,
					const enum coll_algo *liked)
{
	for (int i = 0; i < COLL_ALGOS; i++)
		if (coll->algos[liked[i]])
			return liked[i];
	return COLL_DIRECT;
}

/**
 * coll_algo_choose() - choose the algorithm for the length of a vector
 * @coll: the collective
 * @ranks: number of ranks
 * @bytes: size of the caller's data
 *
 * The time for a short vector depends on the number of messages, so the tree is
 * preferred. The time for a long vector depends on the number of bytes per link, so
 * the ring is preferred. A vector is short if its blocks in a ring (one per rank)
 * would be shorter than COLL_BLOCK_MIN. With two ranks, all algorithms send the same messages,
 * so the ring is preferred there, too.
 *
 * Return: an algorithm that @coll supports.
 */
enum coll_algo coll_algo_choose(const struct coll_collective *coll, int ranks,
				uint64_t bytes)
{
	static const enum coll_algo short_ones[COLL_ALGOS] = {
		COLL_TREE, COLL_RECURSIVE, COLL_DIRECT, COLL_RING };
	static const enum coll_algo long_ones[COLL_ALGOS] = {
		COLL_RING, COLL_RECURSIVE, COLL_DIRECT, COLL_TREE };
	bool is_short = ranks > 2 && bytes < COLL_BLOCK_MIN * (uint64_t)ranks;

	return first_that_exists(coll, is_short ? short_ones : long_ones);
}

static void plan_alone(struct coll_plan *plan, const struct coll_collective *coll,
		       const struct coll_shape *s)
{
	struct coll_place from = { COLL_SEND, 0 };

	if (s->in_place)
		from = coll_result(coll->input_at(s));
	coll_plan_at(plan, "copy", 1, 1);
	coll_plan_copy(plan, coll_result(0), from, s->count);
}

/**
 * coll_plan_make() - make the plan of rank @shape->rank
 * @plan: zeros, or an old plan, which is replaced
 * @coll: the collective
 * @algo: the algorithm
 * @shape: the ranks and the size
 *
 * Return: 0, -ENOMEM, or -EOPNOTSUPP if @coll does not support @algo.
 */
int coll_plan_make(struct coll_plan *plan, const struct coll_collective *coll,
		   enum coll_algo algo, const struct coll_shape *shape)
{
	struct coll_shape s = *shape;

	plan->n = 0;
	plan->failed = false;
	if (!coll->algos[algo] || (s.in_place && !coll->in_place))
		return -EOPNOTSUPP;
	if (!coll->sized)
		s.count = 0;
	if (s.ranks == 1)
		plan_alone(plan, coll, &s);
	else
		coll->algos[algo](plan, &s);
	return coll_plan_end(plan);
}
