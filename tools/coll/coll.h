/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of the collectives and of their algorithms */
#ifndef COLL_COLL_H
#define COLL_COLL_H

#include "plan.h"

enum coll_algo { COLL_RING, COLL_TREE, COLL_RECURSIVE, COLL_DIRECT, COLL_ALGOS };

/* A function that adds the operations of one rank to a plan: one file per algorithm. */
typedef void (*coll_planner)(struct coll_plan *plan, const struct coll_shape *s);

/**
 * struct coll_want - a part of the expected result, and the rank that it comes from
 * @at: position of the part in COLL_RECV, in elements
 * @count: number of elements
 * @from: the rank that has this part in its input; COLL_ALL_RANKS: the part is the
 *	reduction of the inputs of all ranks
 * @input_at: position of the part in the input of @from (or of every rank), in elements
 */
struct coll_want {
	uint64_t at, count, input_at;
	int from;
};

#define COLL_ALL_RANKS	(-1)

/**
 * struct coll_collective - a collective
 * @name: name on the command line
 * @bus_factor: returns bus bandwidth / algorithm bandwidth
 * @reduces: true if it has a reduction
 * @rooted: true if it has a root
 * @in_place: true if it can run in place
 * @sized: true if it transfers data; false for a barrier
 * @sent: returns the size of a rank's input as a multiple of coll_shape.count: 1 or the
 *	number of ranks
 * @received: returns the size of COLL_RECV, also as a multiple of coll_shape.count. While the
 *	collective runs, it can overwrite all of COLL_RECV
 * @input_at: returns the position of a rank's input in COLL_RECV, in elements, if the
 *	collective runs in place
 * @wants: describes the expected result of rank @s->rank, part by part; returns the
 *	number of parts
 * @algos: planners, indexed by enum coll_algo; NULL: algorithm not supported
 */
struct coll_collective {
	const char *name;
	double (*bus_factor)(int ranks);
	bool reduces, rooted, in_place, sized;
	uint64_t (*sent)(int ranks);
	uint64_t (*received)(int ranks);
	uint64_t (*input_at)(const struct coll_shape *s);
	int (*wants)(const struct coll_shape *s, struct coll_want *wants);
	coll_planner algos[COLL_ALGOS];
};

extern const struct coll_collective coll_collectives[];
extern const char *const coll_algo_names[COLL_ALGOS];

const struct coll_collective *coll_find(const char *name);
int coll_algo_find(const char *name);
enum coll_algo coll_algo_choose(const struct coll_collective *coll, int ranks,
				uint64_t bytes);
int coll_plan_make(struct coll_plan *plan, const struct coll_collective *coll,
		   enum coll_algo algo, const struct coll_shape *shape);

#endif
