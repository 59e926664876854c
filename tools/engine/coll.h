/* SPDX-License-Identifier: GPL-2.0 */
/* Collectives and their algorithms, as data */
#ifndef CP_COLL_H
#define CP_COLL_H

#include "plan.h"

enum cp_algo { CP_RING, CP_TREE, CP_RECURSIVE, CP_DIRECT, CP_ALGOS };

/* An algorithm: adds the operations of a rank to a plan. One file each. */
typedef void (*cp_planner)(struct cp_plan *plan, const struct cp_shape *s);

/**
 * struct cp_want - a part of the expected result, and the rank it comes from
 * @at: elements from the start of CP_RECV
 * @count: elements
 * @from: the rank whose input this is, or CP_ALL_RANKS for the reduction
 * @input_at: elements from the start of that input (or of all inputs)
 */
struct cp_want {
	uint64_t at, count, input_at;
	int from;
};

#define CP_ALL_RANKS	(-1)

/**
 * struct cp_coll - a collective
 * @name: name on the command line
 * @bus_factor: bus bandwidth = this * algorithm bandwidth
 * @reduces: true if it has a reduction
 * @rooted: true if it has a root
 * @in_place: true if it can run in place
 * @sized: true if it transfers data; false for a barrier
 * @sent: size of a rank's input, in multiples of the count: 1, or ranks
 * @received: size of CP_RECV, in multiples of the count, also while it runs
 * @input_at: position of a rank's input in CP_RECV, if it runs in place
 * @wants: get the expected result of @s->rank; returns the number of parts
 * @algos: planners, indexed by enum cp_algo; NULL: algorithm not supported
 */
struct cp_coll {
	const char *name;
	double (*bus_factor)(int ranks);
	bool reduces, rooted, in_place, sized;
	uint64_t (*sent)(int ranks);
	uint64_t (*received)(int ranks);
	uint64_t (*input_at)(const struct cp_shape *s);
	int (*wants)(const struct cp_shape *s, struct cp_want *wants);
	cp_planner algos[CP_ALGOS];
};

extern const struct cp_coll cp_colls[];
extern const char *const cp_algo_names[CP_ALGOS];

const struct cp_coll *cp_coll_find(const char *name);
int cp_algo_find(const char *name);
enum cp_algo cp_algo_choose(const struct cp_coll *coll, int ranks,
			    uint64_t bytes);
int cp_plan_make(struct cp_plan *plan, const struct cp_coll *coll,
		 enum cp_algo algo, const struct cp_shape *shape);

#endif
