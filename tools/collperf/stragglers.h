/* SPDX-License-Identifier: GPL-2.0 */
/* Stragglers: statistics of the ranks that enter or leave last */
#ifndef CP_STRAGGLERS_H
#define CP_STRAGGLERS_H

#include <stdint.h>

#include "ranks.h"

/**
 * struct cp_visit - the times of one rank in one step, in the clock of rank 0
 * @in_ns: the rank enters the collective
 * @out_ns: the rank leaves the collective: it has received all data, and all data that it
 *	sent is acknowledged
 * @waited_ns: time between @in_ns and @out_ns in which the rank waited
 */
struct cp_visit {
	uint64_t in_ns, out_ns, waited_ns;
};

/* The steps in which a rank was the last one to enter (or to leave) the collective */
struct cp_last {
	uint64_t times;		/* number of these steps */
	double behind_ns;	/* total delay after the first rank, in these steps */
};

/**
 * struct cp_stragglers - statistics of stragglers
 * @steps: number of steps
 * @in: for each rank: how often it entered the collective last
 * @out: for each rank: how often it left the collective last
 * @waited_ns: for each rank: total waiting time in the collective
 */
struct cp_stragglers {
	uint64_t steps;
	struct cp_last in[COLL_RANKS_MAX], out[COLL_RANKS_MAX];
	double waited_ns[COLL_RANKS_MAX];
};

void cp_stragglers_add(struct cp_stragglers *stragglers, const struct cp_visit *visits,
		       int ranks);

/*
 * For the steps in which this rank was the last one: return its mean delay after the first
 * rank, in us. Return 0 if there are no such steps.
 */
static inline double cp_last_behind_us(const struct cp_last *last)
{
	return last->times ? last->behind_ns / (double)last->times / 1e3 : 0;
}

#endif
