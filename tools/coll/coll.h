/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of the collectives and of their algorithms */
#ifndef CP_COLL_H
#define CP_COLL_H

#include "plan.h"

enum cp_algo { CP_RING, CP_TREE, CP_RECURSIVE, CP_DIRECT, CP_ALGOS };

/* A function that adds the operations of one rank to a plan: one file per algorithm. */
typedef void (*cp_planner)(struct cp_plan *plan, const struct cp_shape *s);

/**
 * struct cp_want - a part of the expected result, and the rank that it comes from
 * @at: position of the part in CP_RECV, in elements
 * @count: number of elements
 * @from: the rank that has this part in its input; CP_ALL_RANKS: the part is the
 *	reduction of the inputs of all ranks
 * @input_at: position of the part in the input of @from (or of every rank), in elements
 */
struct cp_want {
	uint64_t at, count, input_at;
	int from;
};

#define CP_ALL_RANKS	(-1)

/**
 * struct cp_coll - a collective
 * @name: name on the command line
 * @bus_factor: returns bus bandwidth / algorithm bandwidth
 * @reduces: true if it has a reduction
 * @rooted: true if it has a root
 * @in_place: true if it can run in place
 * @sized: true if it transfers data; false for a barrier
 * @sent: returns the size of a rank's input as a multiple of cp_shape.count: 1 or the
 *	number of ranks
 * @received: returns the size of CP_RECV, also as a multiple of cp_shape.count. While the
 *	collective runs, it can overwrite all of CP_RECV
 * @input_at: returns the position of a rank's input in CP_RECV, in elements, if the
 *	collective runs in place
 * @wants: describes the expected result of rank @s->rank, part by part; returns the
 *	number of parts
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
