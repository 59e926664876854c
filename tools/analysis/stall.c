// SPDX-License-Identifier: GPL-2.0
/*
 * Compute the additional time of the step of the first hit: the time of this step minus the
 * median step time of the clean case. The median is used because single steps vary much on
 * a busy machine. The clean step with the same number as the step of the hit is excluded
 * from the median, unless the clean case has no other step.
 */
#include <stdlib.h>

#include "analysis.h"

static int times_by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/**
 * rf_median - compute the median
 * @v: the values; they are sorted
 * @n: number of values
 *
 * Return: the median; for an even number of values, the mean of the middle two; 0 if @n is 0.
 */
uint64_t rf_median(uint64_t *v, size_t n)
{
	if (!n)
		return 0;
	qsort(v, n, sizeof(*v), times_by_value);
	return n % 2 ? v[n / 2] : v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

/*
 * Return: the number of the step that is excluded from the median of the clean case: @but, the
 * step in which the faulted case had its first hit. If the clean case has no other step, no
 * step is excluded: 0.
 */
static uint32_t left_out(const struct rf_timeline *tl, uint32_t but)
{
	uint32_t step;

	for (step = 1; step <= tl->iters; step++)
		if (step != but && rf_timeline_whole_ns(tl, step))
			return but;
	return 0;
}

static void clean_steps(const struct rf_timeline *tl, uint32_t but, uint64_t *v,
			struct rf_analysis *an)
{
	uint32_t step;
	size_t n = 0;

	for (step = 1; step <= tl->iters; step++)
		if (step != but && rf_timeline_whole_ns(tl, step))
			v[n++] = rf_timeline_whole_ns(tl, step);
	an->clean_ns = rf_median(v, n);
	an->clean_min_ns = n ? v[0] : 0;
	an->clean_max_ns = n ? v[n - 1] : 0;
}

static struct rf_wait wait_of(const struct rf_step *s)
{
	return (struct rf_wait){
		.step = rf_step_ns(s),
		.recv = s->wait_recv_ns,
		.send = s->wait_send_ns,
		.sync = s->wait_sync_ns,
	};
}

/* Compute the median of one member of struct rf_wait over a rank's clean steps. */
static uint64_t clean_wait(const struct rf_timeline *tl, uint32_t rank,
			   uint32_t but, size_t member, uint64_t *v)
{
	const struct rf_step *s;
	struct rf_wait w;
	uint32_t step;
	size_t n = 0;

	for (step = 1; step <= tl->iters; step++) {
		s = rf_timeline_step(tl, rank, step);
		if (!s || step == but)
			continue;
		w = wait_of(s);
		v[n++] = *(uint64_t *)((char *)&w + member);
	}
	return rf_median(v, n);
}

static void rank_usual(const struct rf_timeline *tl, uint32_t rank, uint32_t but,
		       uint64_t *v, struct rf_analysis *an)
{
	struct rf_rank_cost *c = &an->rank[rank];
	size_t at;

	for (at = 0; at < sizeof(c->clean); at += sizeof(uint64_t))
		*(uint64_t *)((char *)&c->clean + at) =
			clean_wait(tl, rank, but, at, v);
}

static uint64_t time_over(uint64_t now, uint64_t usual)
{
	return now > usual ? now - usual : 0;
}

static uint64_t least_step(const struct rf_analysis *an)
{
	uint64_t least = UINT64_MAX;
	uint32_t rank;

	for (rank = 0; rank < an->ranks; rank++)
		if (an->rank[rank].now.step < least)
			least = an->rank[rank].now.step;
	return least;
}

static uint64_t least_stall(const struct rf_timeline *tl,
			    const struct rf_analysis *an, uint32_t step)
{
	uint64_t over, least = UINT64_MAX;
	const struct rf_step *s;
	uint32_t rank;

	for (rank = 0; rank < an->ranks; rank++) {
		s = rf_timeline_step(tl, rank, step);
		over = time_over(s ? rf_step_ns(s) : 0, an->rank[rank].clean.step);
		least = over < least ? over : least;
	}
	return least;
}

/**
 * rf_stall_worst - find the longest of several steps
 * @rec: the record of the case
 * @an: its analysis
 * @first: the first step to consider, at least 1
 * @last: the last step to consider
 * @w: filled in
 *
 * Return: false if no such step took longer than the slowest clean step, or if no clean
 * step is known.
 */
bool rf_stall_worst(const struct rf_record *rec, const struct rf_analysis *an,
		    uint32_t first, uint32_t last, struct rf_worst_step *w)
{
	uint32_t step;
	uint64_t ns;

	*w = (struct rf_worst_step){ };
	for (step = first; step <= last; step++) {
		ns = rf_timeline_whole_ns(&rec->tl, step);
		if (ns <= w->took)
			continue;
		w->took = ns;
		w->step = step;
	}
	if (!an->clean_ns || w->took <= an->clean_max_ns)
		return false;
	w->over = time_over(w->took, an->clean_ns);
	w->over_every_rank = least_stall(&rec->tl, an, w->step);
	return true;
}

/* Compute the measures that need no clean case. */
static void read_step(const struct rf_timeline *tl, struct rf_analysis *an)
{
	const struct rf_step *s;
	uint32_t rank;

	for (rank = 0; rank < an->ranks; rank++) {
		s = rf_timeline_step(tl, rank, an->step);
		if (s)
			an->rank[rank].now = wait_of(s);
	}
	if (!an->step)
		return;
	an->step_ns = rf_timeline_step_ns(tl, an->step);
	an->broken = rf_timeline_broken(tl, an->step);
	an->measure[RF_STEP_EVERY_RANK] = least_step(an);
}

static bool is_of_hit(enum rf_measure m)
{
	return m == RF_STALL || m == RF_STALL_EVERY_RANK ||
	       m == RF_STEP_EVERY_RANK || m == RF_DETECTED_BY || m == RF_RECOVERY_TIME;
}

static const char *step_why_not(const struct rf_analysis *an, enum rf_measure m)
{
	if (!an->step)
		return "no packet of a step was hit";
	if (!an->step_ns)
		return "not all ranks completed the step in which a packet was hit";
	if (an->broken)
		return "a rank failed in the step in which a packet was hit";
	if (m != RF_STEP_EVERY_RANK && !an->clean_ns)
		return "no case without faults has steps to compare with";
	return NULL;
}

/**
 * rf_measure_why_not - get the reason why a measure has no value
 * @an: the case's analysis
 * @m: the measure
 *
 * Return: the reason; NULL if the measure has a value.
 */
const char *rf_measure_why_not(const struct rf_analysis *an, enum rf_measure m)
{
	if (m == RF_SEND_ERRORS)
		return an->no_rxe;
	if (m == RF_WRONG)
		return an->no_sums;
	if (an->holes)
		return "events of the trace were lost";
	if (!is_of_hit(m))
		return NULL;
	if (!an->nlosses)
		return "no packet was hit";
	if (m == RF_DETECTED_BY)
		return rf_loss_why_not_detected(rf_first_loss(an));
	if (m == RF_RECOVERY_TIME)
		return rf_loss_why_not_recovered(rf_first_loss(an));
	return step_why_not(an, m);
}

/**
 * rf_measure_is_known - check whether a measure has a value
 * @an: the case's analysis
 * @m: the measure
 *
 * Return: false if rf_measure_why_not() returns a reason.
 */
bool rf_measure_is_known(const struct rf_analysis *an, enum rf_measure m)
{
	return !rf_measure_why_not(an, m);
}

/**
 * rf_stall - compute the additional time of the step of the first hit
 * @rec: the record of the case
 * @clean: the record of the clean case; can be @rec, or NULL
 * @an: the analysis, with the number of the step of the first hit; times are filled in
 */
void rf_stall(const struct rf_record *rec, const struct rf_record *clean,
	      struct rf_analysis *an)
{
	uint32_t rank, but;
	uint64_t *v;

	an->ranks = rec->tl.ranks;
	read_step(&rec->tl, an);
	if (!clean || clean->tl.ranks != rec->tl.ranks)
		return;
	v = calloc(clean->tl.iters + 1, sizeof(*v));
	if (!v)
		return;
	but = left_out(&clean->tl, an->step);
	clean_steps(&clean->tl, but, v, an);
	for (rank = 0; rank < an->ranks; rank++)
		rank_usual(&clean->tl, rank, but, v, an);
	free(v);
	if (!an->step || !an->clean_ns)
		return;
	an->measure[RF_STALL] = time_over(an->step_ns, an->clean_ns);
	an->measure[RF_STALL_EVERY_RANK] = least_stall(&rec->tl, an, an->step);
}
