/* SPDX-License-Identifier: GPL-2.0 */
/* Stragglers: statistics of the ranks that enter or leave last */
#ifndef CP_LATE_H
#define CP_LATE_H

#include <stdint.h>

#include "oob.h"

/**
 * struct cp_visit - one rank in one step; the times of all ranks are from a common
 * clock
 * @in_ns: start of the collective
 * @out_ns: all data is received, and all sent data is acknowledged
 * @waited_ns: waiting time in between
 */
struct cp_visit {
	uint64_t in_ns, out_ns, waited_ns;
};

/* How often a rank was last, and its delay after the first rank */
struct cp_last {
	uint64_t times;
	double behind_ns;	/* total delay after the first rank */
};

/**
 * struct cp_late - statistics of stragglers
 * @steps: number of steps
 * @in: per rank: entered last
 * @out: per rank: left last
 * @waited_ns: per rank: total waiting time
 */
struct cp_late {
	uint64_t steps;
	struct cp_last in[CP_RANKS_MAX], out[CP_RANKS_MAX];
	double waited_ns[CP_RANKS_MAX];
};

void cp_late_add(struct cp_late *late, const struct cp_visit *visits,
		 int ranks);

/* Return the mean delay of a last rank after the first rank, in us; 0 if it was never last. */
static inline double cp_last_behind_us(const struct cp_last *last)
{
	return last->times ? last->behind_ns / (double)last->times / 1e3 : 0;
}

#endif
