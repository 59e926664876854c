// SPDX-License-Identifier: GPL-2.0
/*
 * The rank that all others wait for, step after step. It isn't the one that waits
 * long, but the one that comes last; which is chance where ranks come within a
 * moment, so that it must be late by a good part of a step.
 */
#include "steps.h"

#define PART	4	/* of a step is late */

/**
 * rf_straggler - which rank keeps coming late?
 * @tl: the job's timeline
 * @rank: gets the rank
 * @steps: gets how many steps it came last to
 *
 * Return: how late it is after the first, the median in ns; 0 if none is.
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
