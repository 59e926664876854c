/* SPDX-License-Identifier: GPL-2.0 */
/* Stragglers: an account of each rank's part in the steps. */
#ifndef CP_LATE_H
#define CP_LATE_H

#include <stdint.h>

#include "oob.h"

/**
 * struct cp_visit - one rank's part in one step, on a clock that all share
 * @in_ns: it enters the collective
 * @out_ns: it has received all, and all that it sent is acknowledged
 * @waited_ns: of the time between: asleep for others
 */
struct cp_visit {
	uint64_t in_ns, out_ns, waited_ns;
};

/* How often a rank was the last, and how long after the first it was then. */
struct cp_last {
	uint64_t times;
	double behind_ns;	/* all in all */
};

/**
 * struct cp_late - the account
 * @steps: how many were taken in
 * @in: of each rank: the last to come
 * @out: of each rank: the last to leave
 * @waited_ns: of each rank, all in all
 */
struct cp_late {
	uint64_t steps;
	struct cp_last in[CP_RANKS_MAX], out[CP_RANKS_MAX];
	double waited_ns[CP_RANKS_MAX];
};

void cp_late_add(struct cp_late *late, const struct cp_visit *visits,
		 int ranks);

/* Mean time behind the first when it was the last, in us; 0 if it never was */
static inline double cp_last_behind_us(const struct cp_last *last)
{
	return last->times ? last->behind_ns / (double)last->times / 1e3 : 0;
}

#endif
