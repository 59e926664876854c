// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of step times: of the job, or of one of its ranks.
 *
 * The time of a rank's step has these parts: arrival (start of this rank minus start of the
 * first rank), waits for data, waits for ACKs, the wait at the barrier, and transfer (the
 * rest).
 */
#include <stdlib.h>

#include "analysis.h"

const char rf_why_no_waits[] = "a command does not record when its ranks wait";
const char rf_why_no_sums[] = "a command does not record wrong results";

static uint64_t start_delay(const struct rf_timeline *tl, const struct rf_step *s,
			    uint32_t step)
{
	uint64_t first = s->start_ns;
	const struct rf_step *other;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++) {
		other = rf_timeline_step(tl, rank, step);
		if (other && other->start_ns < first)
			first = other->start_ns;
	}
	return s->start_ns - first;
}

static uint64_t transfer(const struct rf_step *s)
{
	uint64_t took = s->end_ns - s->start_ns;
	uint64_t waited = s->wait_recv_ns + s->wait_send_ns;

	return took > waited ? took - waited : 0;
}

/* Get the time of one part of a rank's step. Return: false if the rank did not reach the step. */
static bool get_part_ns(const struct rf_timeline *tl, uint32_t rank, uint32_t step,
			enum rf_step_part part, uint64_t *ns)
{
	const struct rf_step *s = rf_timeline_step(tl, rank, step);

	if (!s)
		return false;
	switch (part) {
	case RF_PART_ALL:
		*ns = rf_step_ns(s);
		break;
	case RF_PART_ARRIVAL:
		*ns = start_delay(tl, s, step);
		break;
	case RF_PART_TRANSFER:
		*ns = transfer(s);
		break;
	case RF_PART_WAIT:
		*ns = rf_step_wait_ns(s);
		break;
	case RF_PART_WAIT_RECV:
		*ns = s->wait_recv_ns;
		break;
	case RF_PART_WAIT_SEND:
		*ns = s->wait_send_ns;
		break;
	case RF_PART_WAIT_SYNC:
		*ns = s->wait_sync_ns;
		break;
	}
	return true;
}

/*
 * Collect the step times of @rank, or of the job if @rank is RF_ALL_RANKS. Steps without a
 * time are omitted.
 */
static uint64_t *collect_times(const struct rf_timeline *tl, uint32_t rank,
			       enum rf_step_part part, size_t *n)
{
	uint64_t *v = calloc((size_t)tl->iters + 1, sizeof(*v));
	uint32_t step;

	*n = 0;
	for (step = 1; v && step <= tl->iters; step++) {
		if (rank != RF_ALL_RANKS) {
			*n += get_part_ns(tl, rank, step, part, &v[*n]);
			continue;
		}
		v[*n] = rf_timeline_whole_ns(tl, step);
		*n += v[*n] != 0;
	}
	return v;
}

static double mean(const uint64_t *v, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

/* Get a percentile by the nearest-rank method. @v has @n sorted values; @n is not 0. */
static uint64_t percentile(const uint64_t *v, size_t n, unsigned int percent)
{
	return v[(n * percent + 99) / 100 - 1];
}

static double figure(uint64_t *v, size_t n, enum rf_figure what)
{
	double middle = rf_median(v, n);	/* sorts */

	switch (what) {
	case RF_FIGURE_MIN:
		return v[0];
	case RF_FIGURE_P50:
		return middle;
	case RF_FIGURE_P90:
		return percentile(v, n, 90);
	case RF_FIGURE_P99:
		return percentile(v, n, 99);
	case RF_FIGURE_MAX:
		return v[n - 1];
	case RF_FIGURE_SUM:
		return mean(v, n) * n;
	default:
		return mean(v, n);
	}
}

/**
 * rf_steps_figure - compute a statistic over all steps
 * @tl: the timeline
 * @rank: a rank, or RF_ALL_RANKS for the step times of the job
 * @part: the part of a rank's steps
 * @what: the statistic
 * @v: set to the result in ns
 *
 * Return: false if there is no step.
 */
bool rf_steps_figure(const struct rf_timeline *tl, uint32_t rank,
		     enum rf_step_part part, enum rf_figure what, double *v)
{
	uint64_t *all;
	size_t n;

	all = collect_times(tl, rank, part, &n);
	if (all && n)
		*v = figure(all, n, what);
	free(all);
	return all && n;
}

/**
 * rf_steps_last - count the steps that a rank was the last to start
 * @tl: the timeline
 * @rank: the rank
 *
 * Return: the number of steps.
 */
uint32_t rf_steps_last(const struct rf_timeline *tl, uint32_t rank)
{
	const struct rf_step *me, *other;
	uint32_t step, r, n = 0;
	bool last;

	for (step = 1; step <= tl->iters; step++) {
		me = rf_timeline_step(tl, rank, step);
		last = me;
		for (r = 0; last && r < tl->ranks; r++) {
			other = rf_timeline_step(tl, r, step);
			last = other && (r == rank ||
					 other->start_ns < me->start_ns);
		}
		n += last;
	}
	return n;
}

/** rf_steps_whole - count the steps that all ranks completed */
uint32_t rf_steps_whole(const struct rf_timeline *tl)
{
	uint32_t step, n = 0;

	for (step = 1; step <= tl->iters; step++)
		n += rf_timeline_whole_ns(tl, step) != 0;
	return n;
}
