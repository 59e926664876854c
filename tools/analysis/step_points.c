// SPDX-License-Identifier: GPL-2.0
/*
 * Reduce the steps of a case to the points of a curve. If there are too many steps for a
 * page, each interval of the axis keeps its shortest and its longest step.
 */
#include <errno.h>
#include <stdlib.h>

#include "analysis.h"

/* Get the times of a step. Return: false if not all ranks completed it */
static bool take_step_point(const struct rf_timeline *tl, uint32_t step,
			    struct rf_step_point *p)
{
	uint64_t first = UINT64_MAX, last = 0, ns;
	const struct rf_step *s;
	uint32_t rank;

	*p = (struct rf_step_point){ .step = step, .least_ns = UINT64_MAX };
	for (rank = 0; rank < tl->ranks; rank++) {
		s = rf_timeline_step(tl, rank, step);
		if (!s)
			return false;
		ns = rf_step_ns(s);
		first = s->start_ns < first ? s->start_ns : first;
		last = s->sync_ns > last ? s->sync_ns : last;
		p->least_ns = ns < p->least_ns ? ns : p->least_ns;
		p->most_ns = ns > p->most_ns ? ns : p->most_ns;
	}
	p->t_ns = first;
	p->job_ns = last - first;
	return tl->ranks;
}

static void add_pair(struct rf_step_points *pts, struct rf_step_point *least,
		     struct rf_step_point *most)
{
	struct rf_step_point *first = least->step < most->step ? least : most;

	pts->p[pts->n++] = *first;
	if (least->step != most->step)
		pts->p[pts->n++] = first == least ? *most : *least;
}

/*
 * Add two points: the shortest and the longest of the steps from @from to @to - 1, in the
 * order of their numbers. If they are the same step, add one point.
 */
static void take_extremes(const struct rf_timeline *tl, uint32_t from, uint32_t to,
			  struct rf_step_points *pts)
{
	struct rf_step_point p, least = { }, most = { };
	uint32_t step;

	for (step = from; step < to; step++) {
		if (!take_step_point(tl, step, &p))
			continue;
		if (!pts->begin_ns)
			pts->begin_ns = p.t_ns;
		pts->end_ns = p.t_ns + p.job_ns;
		p.t_ns -= pts->begin_ns;
		if (!least.step || p.job_ns < least.job_ns)
			least = p;
		if (!most.step || p.job_ns > most.job_ns)
			most = p;
	}
	if (most.job_ns > pts->most_ns)
		pts->most_ns = most.job_ns;
	if (least.step)
		add_pair(pts, &least, &most);
}

/**
 * rf_step_points - reduce the steps of a case to points
 * @tl: its timeline
 * @room: maximum number of points
 * @pts: filled in; the caller frees it
 *
 * Return: 0, or -ENOMEM.
 */
int rf_step_points(const struct rf_timeline *tl, uint32_t room,
		   struct rf_step_points *pts)
{
	uint32_t share = 1, step;

	if (tl->iters > room)
		share = (2ull * tl->iters + room - 1) / room;
	*pts = (struct rf_step_points){ .share = share };
	pts->p = calloc(2 * ((size_t)tl->iters / share + 1), sizeof(*pts->p));
	if (!pts->p)
		return -ENOMEM;
	for (step = 1; step <= tl->iters; step += share)
		take_extremes(tl, step, step + share <= tl->iters ? step + share :
			      tl->iters + 1, pts);
	return 0;
}

/** rf_step_points_free - free points */
void rf_step_points_free(struct rf_step_points *pts)
{
	free(pts->p);
	*pts = (struct rf_step_points){ };
}
