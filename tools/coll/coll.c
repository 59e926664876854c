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

static uint64_t at_begin(const struct cp_shape *s)
{
	(void)s;
	return 0;
}

static uint64_t at_own(const struct cp_shape *s)
{
	return (uint64_t)s->rank * s->count;
}

static int want_nothing(const struct cp_shape *s, struct cp_want *wants)
{
	(void)s;
	(void)wants;
	return 0;
}

static int want_sum(const struct cp_shape *s, struct cp_want *wants)
{
	wants[0] = (struct cp_want){ .count = s->count, .from = CP_ALL_RANKS };
	return 1;
}

static int want_sum_at_root(const struct cp_shape *s, struct cp_want *wants)
{
	return s->rank == s->root ? want_sum(s, wants) : 0;
}

static int want_own_sum(const struct cp_shape *s, struct cp_want *wants)
{
	wants[0] = (struct cp_want){ .at = at_own(s), .count = s->count,
				     .input_at = at_own(s),
				     .from = CP_ALL_RANKS };
	return 1;
}

static int want_root(const struct cp_shape *s, struct cp_want *wants)
{
	wants[0] = (struct cp_want){ .count = s->count, .from = s->root };
	return 1;
}

static int want_previous(const struct cp_shape *s, struct cp_want *wants)
{
	wants[0] = (struct cp_want){ .count = s->count,
				     .from = cp_rank_at(s, -1) };
	return 1;
}

static int want_each(const struct cp_shape *s, struct cp_want *wants)
{
	for (int r = 0; r < s->ranks; r++)
		wants[r] = (struct cp_want){ .at = (uint64_t)r * s->count,
					     .count = s->count, .from = r };
	return s->ranks;
}

static int want_own_of_each(const struct cp_shape *s, struct cp_want *wants)
{
	want_each(s, wants);
	for (int r = 0; r < s->ranks; r++)
		wants[r].input_at = at_own(s);
	return s->ranks;
}

const struct cp_coll cp_colls[] = {
	{
		.name = "all_reduce",
		.bus_factor = factor_all_reduce,
		.reduces = true, .in_place = true, .sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_sum,
		.algos = {
			[CP_RING] = cp_ring_all_reduce,
			[CP_TREE] = cp_tree_all_reduce,
			[CP_RECURSIVE] = cp_recursive_all_reduce,
			[CP_DIRECT] = cp_direct_all_reduce,
		},
	}, {
		.name = "all_gather",
		.bus_factor = factor_others,
		.in_place = true, .sized = true,
		.sent = once, .received = for_each, .input_at = at_own,
		.wants = want_each,
		.algos = {
			[CP_RING] = cp_ring_all_gather,
			[CP_RECURSIVE] = cp_recursive_all_gather,
			[CP_DIRECT] = cp_direct_all_gather,
		},
	}, {
		.name = "reduce_scatter",
		.bus_factor = factor_others,
		.reduces = true, .in_place = true, .sized = true,
		.sent = for_each, .received = for_each, .input_at = at_begin,
		.wants = want_own_sum,
		.algos = {
			[CP_RING] = cp_ring_reduce_scatter,
			[CP_RECURSIVE] = cp_recursive_reduce_scatter,
			[CP_DIRECT] = cp_direct_reduce_scatter,
		},
	}, {
		.name = "broadcast",
		.bus_factor = factor_one,
		.rooted = true, .in_place = true, .sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_root,
		.algos = {
			[CP_RING] = cp_ring_broadcast,
			[CP_TREE] = cp_tree_broadcast,
			[CP_RECURSIVE] = cp_recursive_broadcast,
			[CP_DIRECT] = cp_direct_broadcast,
		},
	}, {
		.name = "reduce",
		.bus_factor = factor_one,
		.reduces = true, .rooted = true, .in_place = true,
		.sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_sum_at_root,
		.algos = {
			[CP_RING] = cp_ring_reduce,
			[CP_TREE] = cp_tree_reduce,
			[CP_RECURSIVE] = cp_recursive_reduce,
			[CP_DIRECT] = cp_direct_reduce,
		},
	}, {
		.name = "alltoall",
		.bus_factor = factor_others,
		.sized = true,
		.sent = for_each, .received = for_each, .input_at = at_begin,
		.wants = want_own_of_each,
		.algos = {
			[CP_DIRECT] = cp_direct_alltoall,
		},
	}, {
		.name = "sendrecv",
		.bus_factor = factor_one,
		.sized = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_previous,
		.algos = {
			[CP_DIRECT] = cp_direct_sendrecv,
		},
	}, {
		.name = "barrier",
		.bus_factor = factor_one,
		.in_place = true,
		.sent = once, .received = once, .input_at = at_begin,
		.wants = want_nothing,
		.algos = {
			[CP_RING] = cp_ring_all_gather,
			[CP_TREE] = cp_tree_all_reduce,
			[CP_RECURSIVE] = cp_recursive_all_gather,
			[CP_DIRECT] = cp_direct_all_gather,
		},
	},
	{ .name = NULL }
};

const char *const cp_algo_names[CP_ALGOS] = {
	[CP_RING] = "ring",
	[CP_TREE] = "tree",
	[CP_RECURSIVE] = "recursive",
	[CP_DIRECT] = "direct",
};

/** cp_coll_find() - find a collective by name, or return NULL */
const struct cp_coll *cp_coll_find(const char *name)
{
	for (const struct cp_coll *c = cp_colls; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/** cp_algo_find() - find an algorithm by name, or return -1 */
int cp_algo_find(const char *name)
{
	for (int a = 0; a < CP_ALGOS; a++)
		if (!strcmp(cp_algo_names[a], name))
			return a;
	return -1;
}

static enum cp_algo first_that_exists(const struct cp_coll *coll,
				      const enum cp_algo *liked)
{
	for (int i = 0; i < CP_ALGOS; i++)
		if (coll->algos[liked[i]])
			return liked[i];
	return CP_DIRECT;
}

/**
 * cp_algo_choose() - choose the algorithm for the length of a vector
 * @coll: the collective
 * @ranks: number of ranks
 * @bytes: size of the caller's data
 *
 * The time for a short vector depends on the number of messages, so the tree is
 * preferred. The time for a long vector depends on the number of bytes per link, so
 * the ring is preferred. A vector is short if its blocks in a ring (one per rank)
 * would be shorter than CP_BLOCK_MIN. With two ranks, all algorithms send the same messages,
 * so the ring is preferred there, too.
 *
 * Return: an algorithm that @coll supports.
 */
enum cp_algo cp_algo_choose(const struct cp_coll *coll, int ranks,
			    uint64_t bytes)
{
	static const enum cp_algo short_ones[CP_ALGOS] = {
		CP_TREE, CP_RECURSIVE, CP_DIRECT, CP_RING };
	static const enum cp_algo long_ones[CP_ALGOS] = {
		CP_RING, CP_RECURSIVE, CP_DIRECT, CP_TREE };
	bool is_short = ranks > 2 && bytes < CP_BLOCK_MIN * (uint64_t)ranks;

	return first_that_exists(coll, is_short ? short_ones : long_ones);
}

static void plan_alone(struct cp_plan *plan, const struct cp_coll *coll,
		       const struct cp_shape *s)
{
	struct cp_place from = { CP_SEND, 0 };

	if (s->in_place)
		from = cp_result(coll->input_at(s));
	cp_plan_at(plan, "copy", 1, 1);
	cp_plan_copy(plan, cp_result(0), from, s->count);
}

/**
 * cp_plan_make() - make the plan of rank @shape->rank
 * @plan: zeros, or an old plan, which is replaced
 * @coll: the collective
 * @algo: the algorithm
 * @shape: the ranks and the size
 *
 * Return: 0, -ENOMEM, or -EOPNOTSUPP if @coll does not support @algo.
 */
int cp_plan_make(struct cp_plan *plan, const struct cp_coll *coll,
		 enum cp_algo algo, const struct cp_shape *shape)
{
	struct cp_shape s = *shape;

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
	return cp_plan_end(plan);
}
