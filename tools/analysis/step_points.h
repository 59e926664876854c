/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Steps of a case as points of a curve. If there are more steps than a page can show, the
 * shortest and the longest step of each interval of the axis remain, so that all stalls
 * are visible.
 */
#ifndef RF_STEP_POINTS_H
#define RF_STEP_POINTS_H

#include "tools/run/record.h"

struct rf_step_point {
	uint32_t step;
	uint64_t t_ns;			/* start of the step, ns after the start of step 1 */
	uint64_t job_ns;		/* from the start of the first rank to the last end */
	uint64_t least_ns, most_ns;	/* times of the fastest and the slowest rank */
};

struct rf_step_points {
	struct rf_step_point *p;
	size_t n;
	uint64_t begin_ns, end_ns;	/* CLOCK_MONOTONIC */
	uint64_t most_ns;		/* time of the longest step of the job */
	uint32_t share;			/* steps that share two points; 1: one point per step */
};

int rf_step_points(const struct rf_timeline *tl, uint32_t room,
		   struct rf_step_points *pts);
void rf_step_points_free(struct rf_step_points *pts);

#endif
