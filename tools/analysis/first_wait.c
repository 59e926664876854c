// SPDX-License-Identifier: GPL-2.0
/*
 * The rank that waited first, and for which rank, in the step in which a case lost the most time.
 * Only long waits count, because ranks also wait for a short time in clean steps.
 */
#include "analysis.h"

/**
 * rf_wait_is_long - check whether a single wait took longer than all waits in a clean step
 * @an: the analysis of the case, with the medians of the clean case
 * @rank: the rank that waited
 * @w: the wait
 *
 * Return: true if it took longer than the median time of all waits of this kind in a clean
 * step, by more than the noise: the slowest clean step minus the median clean step. False if
 * no clean step is known.
 */
bool rf_wait_is_long(const struct rf_analysis *an, uint32_t rank, const struct rf_wait_span *w)
{
	const struct rf_wait *clean = &an->rank[rank].clean;
	const uint64_t usual[RF_WAITS] = {
		[RF_WAIT_RECV] = clean->recv,
		[RF_WAIT_SEND] = clean->send,
		[RF_WAIT_SYNC] = clean->sync,
	};

	return an->clean_ns &&
	       w->end_ns - w->start_ns > usual[w->kind] + an->clean_max_ns - an->clean_ns;
}

static void take_earlier(const struct rf_run_case *p, uint32_t rank, struct rf_first_wait *first)
{
	struct rf_wait_span w[RF_STEP_WAITS_MAX + 1];
	size_t n = rf_timeline_waits(&p->rec.tl, rank, first->step, w), i;

	for (i = 0; i < n; i++)
		if (rf_wait_is_long(p->an, rank, &w[i]) && w[i].start_ns < first->wait.start_ns) {
			first->rank = rank;
			first->wait = w[i];
		}
}

/**
 * rf_first_wait - find the first long wait in the step with the greatest loss of time
 * @p: the case
 * @first: filled in. The step is the one in which the job ended early, or the worst step
 *
 * Return: false if no such step or wait is known.
 */
bool rf_first_wait(const struct rf_run_case *p, struct rf_first_wait *first)
{
	struct rf_worst_step worst;
	uint32_t step, rank;

	*first = (struct rf_first_wait){ .wait.start_ns = UINT64_MAX };
	if (rf_timeline_ended(&p->rec.tl, &step))
		first->step = step;
	else if (!rf_case_is_clean(p->test_case) && rf_case_worst_step(p, &worst))
		first->step = worst.step;
	for (rank = 0; rank < p->an->ranks; rank++)
		take_earlier(p, rank, first);
	return first->wait.start_ns != UINT64_MAX;
}
