/* SPDX-License-Identifier: GPL-2.0 */
/* Statistics of step times: of the job, or of one of its ranks */
#ifndef RF_STEPS_H
#define RF_STEPS_H

#include "analyse.h"

#define RF_ALL_RANKS UINT32_MAX

enum rf_step_part {
	RF_PART_ALL,		/* the whole step, with the barrier */
	RF_PART_ARRIVAL,	/* start of this rank minus start of the first rank */
	RF_PART_TRANSFER,	/* the collective, without waiting for data and ACKs */
	RF_PART_WAIT,		/* the sum of the three waits below */
	RF_PART_WAIT_RECV,
	RF_PART_WAIT_SEND,
	RF_PART_WAIT_SYNC,
};

enum rf_figure {
	RF_FIGURE_MIN, RF_FIGURE_P50, RF_FIGURE_P90, RF_FIGURE_P99,
	RF_FIGURE_MAX, RF_FIGURE_MEAN, RF_FIGURE_SUM,
};

bool rf_step_part_ns(const struct rf_timeline *tl, uint32_t rank, uint32_t step,
		     enum rf_step_part part, uint64_t *ns);
bool rf_steps_figure(const struct rf_timeline *tl, uint32_t rank,
		     enum rf_step_part part, enum rf_figure what, double *v);
uint64_t rf_percentile(const uint64_t *v, size_t n, unsigned int percent);
uint32_t rf_steps_last(const struct rf_timeline *tl, uint32_t rank);
uint32_t rf_steps_whole(const struct rf_timeline *tl);

/* straggler.c */
uint64_t rf_straggler(const struct rf_timeline *tl, uint32_t *rank,
		      uint32_t *steps);

#endif
