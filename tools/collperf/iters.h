/* SPDX-License-Identifier: GPL-2.0 */
/* The single iterations of a measurement, of all ranks. */
#ifndef CP_ITERS_H
#define CP_ITERS_H

#include "late.h"
#include "oob.h"
#include "skew.h"

/**
 * struct cp_iters - the iterations at work
 * @skew: of the own clock
 * @n: noted so far
 * @max: room
 * @mine: the own part
 * @all: room for a few of all ranks
 * @late: the ranks that came last, over all measurements
 */
struct cp_iters {
	struct cp_skew skew;
	uint32_t n, max;
	struct cp_visit *mine, *all;
	struct cp_late late;
};

int cp_iters_open(struct cp_iters *it, struct cp_oob *oob, uint32_t max);
void cp_iters_close(struct cp_iters *it);
void cp_iters_note(struct cp_iters *it, const struct cp_record *rec);
int cp_iters_gather(struct cp_iters *it, struct cp_oob *oob, double *times_us);

#endif
