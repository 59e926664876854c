/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Steps of a case as points of a curve, no more of them than a page can show:
 * of the steps that share a piece of the axis, the shortest and the longest
 * remain, so that no stall gets lost.
 */
#ifndef RF_STEP_POINTS_H
#define RF_STEP_POINTS_H

#include "timeline.h"

struct rf_step_point {
	uint32_t step;
	uint64_t t_ns;			/* of its start, from the first one's */
	uint64_t job_ns;		/* from the first start to the last end */
	uint64_t least_ns, most_ns;	/* of a rank */
};

struct rf_step_points {
	struct rf_step_point *p;
	size_t n;
	uint64_t begin_ns, end_ns;	/* CLOCK_MONOTONIC */
	uint64_t most_ns;		/* the longest step of the job */
	uint32_t share;			/* steps of which two remain; 1: all do */
};

int rf_step_points(const struct rf_timeline *tl, uint32_t room,
		   struct rf_step_points *pts);
void rf_step_points_free(struct rf_step_points *pts);

#endif
