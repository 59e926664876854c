/* SPDX-License-Identifier: GPL-2.0 */
/* The single iterations of a measurement, of all ranks */
#ifndef CP_ITERS_H
#define CP_ITERS_H

#include "ranks.h"
#include "stragglers.h"

/**
 * struct cp_iters - the iterations of the current measurement
 * @skew: offset between the clocks of this rank and of rank 0
 * @n: number of recorded iterations
 * @max: size of @mine
 * @mine: records of this rank
 * @all: buffer for a few records of all ranks
 * @stragglers: statistics of the stragglers, over all measurements
 */
struct cp_iters {
	struct coll_skew skew;
	uint32_t n, max;
	struct cp_visit *mine, *all;
	struct cp_stragglers stragglers;
};

int cp_iters_open(struct cp_iters *it, struct coll_oob *oob, uint32_t max);
void cp_iters_close(struct cp_iters *it);
void cp_iters_note(struct cp_iters *it, const struct coll_record *rec);
int cp_iters_gather(struct cp_iters *it, struct coll_oob *oob, double *times_us);

#endif
