// SPDX-License-Identifier: GPL-2.0
/*
 * The straggler: the rank for which all others wait in most steps. The straggler is the
 * last rank to start a step, not a rank with long waits. If all ranks start at nearly the
 * same time, it is chance which rank is last. Therefore a straggler must be late by a large
 * part of a step.
 */
#include "analysis.h"

#define PART	4	/* a rank is late if its delay is at least 1/PART of a step */

/**
 * rf_straggler - find the straggler
 * @tl: the job's timeline
 * @rank: set to the rank
 * @steps: set to the number of steps that the straggler was the last to start
 *
 * Return: the median delay of the straggler after the first rank, in ns; 0 if there is no
 * straggler.
 */
uint64_t rf_straggler(const struct rf_timeline *tl, uint32_t *rank,
		      uint32_t *steps)
{
	double late, step;

	for (*rank = 0; *rank < tl->ranks; (*rank)++) {
		*steps = rf_steps_last(tl, *rank);
		if (*steps * 2 <= rf_steps_whole(tl))
			continue;
		if (!rf_steps_figure(tl, *rank, RF_PART_ARRIVAL, RF_FIGURE_P50,
				     &late) ||
		    !rf_steps_figure(tl, RF_ALL_RANKS, RF_PART_ALL,
				     RF_FIGURE_P50, &step))
			return 0;
		return late * PART >= step ? (uint64_t)late : 0;
	}
	return 0;
}
