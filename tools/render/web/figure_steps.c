// SPDX-License-Identifier: GPL-2.0
/*
 * Figure of step times over time: the step times of the case, the range from the fastest to
 * the slowest rank, and the step times of a clean case that does the same work per step, if
 * there is one. Bands show when faults were active. Below the axis are one lane per rank
 * whose packets were hit and one lane per port with faults that have a start and an end.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define POINTS		2000
#define COLUMNS		5

struct steps {
	const struct rf_run_case *p;
	const struct rf_run_case *clean;	/* NULL: there is none */
	uint64_t span_ns, most_ns;
	struct rf_bands at;		/* times in which faults were active */
};

static uint64_t max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static int set_up_steps(struct steps *s, const struct rf_run *run, const struct rf_run_case *p)
{
	struct rf_step_points now = { }, usual = { };
	uint64_t begin_ns;
	int err;

	*s = (struct steps){ .p = p, .clean = rf_run_clean_step(run, p) };
	err = rf_step_points(&p->rec.tl, POINTS, &now);
	if (!err && s->clean)
		err = rf_step_points(&s->clean->rec.tl, POINTS, &usual);
	s->span_ns = max64(now.end_ns - now.begin_ns,
			   usual.end_ns - usual.begin_ns);
	s->most_ns = max64(now.most_ns, usual.most_ns);
	begin_ns = now.begin_ns;
	rf_step_points_free(&now);
	rf_step_points_free(&usual);
	if (err || !s->most_ns)
		return -1;
	return rf_bands_find(&s->at, p, begin_ns, s->span_ns);
}

static void put_points(struct json_object *o, const char *const keys[COLUMNS],
		       const struct rf_step_points *pts)
{
	struct json_object *column[COLUMNS];
	size_t i, k;

	for (k = 0; k < COLUMNS; k++)
		column[k] = keys[k] ? rf_put_list(o, keys[k]) : NULL;
	for (i = 0; i < pts->n; i++) {
		const double v[COLUMNS] = {
			pts->p[i].t_ns / 1000.0, pts->p[i].job_ns / 1000.0,
			pts->p[i].least_ns / 1000.0, pts->p[i].most_ns / 1000.0,
			pts->p[i].step
		};

		for (k = 0; k < COLUMNS; k++)
			if (column[k])
				rf_number_add(column[k], v[k]);
	}
}

static void put_bands(struct json_object *o, const struct steps *s)
{
	struct json_object *all = rf_put_list(o, "bands"), *one;
	size_t i;

	for (i = 0; i < s->at.n; i++) {
		one = json_object_new_array();
		rf_number_add(one, s->at.e[i].from / 1000.0);
		rf_number_add(one, s->at.e[i].to / 1000.0);
		rf_number_add(one, s->at.e[i].lane);
		json_object_array_add(all, one);
	}
	all = rf_put_list(o, "lanes");
	for (i = 0; i < s->at.lanes; i++) {
		one = json_object_new_object();
		rf_put_text(one, "name", s->at.lane[i].name);
		json_object_object_add(one, "planned", json_object_new_boolean(s->at.lane[i].planned));
		json_object_array_add(all, one);
	}
}

/* Add each step in which packets were hit, and how many; the hits are in the order of time. */
static void put_hits(struct json_object *list, const struct rf_run_case *p)
{
	const struct rf_loss *l = p->an->losses, *end = l + p->an->nhits, *from;
	struct json_object *one;

	while (l < end) {
		for (from = l; l < end && l->hit->step == from->hit->step; l++)
			;
		one = json_object_new_array();
		rf_number_add(one, from->hit->step);
		rf_number_add(one, l - from);
		json_object_array_add(list, one);
	}
}

/**
 * rf_figure_steps - get the data of the figure of step times
 * @run: the run
 * @p: the case
 *
 * Return: the object; NULL if the job has no steps.
 */
struct json_object *rf_figure_steps(const struct rf_run *run, const struct rf_run_case *p)
{
	static const char *const now_keys[COLUMNS] = {
		"t_us", "job_us", "least_us", "most_us", "step"
	};
	static const char *const clean_keys[COLUMNS] = {
		"clean_t_us", "clean_us", NULL, NULL, "clean_step"
	};
	struct json_object *o = NULL;
	struct rf_step_points pts;
	struct steps s;

	if (!set_up_steps(&s, run, p)) {
		o = json_object_new_object();
		rf_put_u64(o, "steps", p->rec.tl.iters);
		json_object_object_add(o, "thinned", json_object_new_boolean(p->rec.tl.iters > POINTS));
		if (!rf_step_points(&p->rec.tl, POINTS, &pts)) {
			put_points(o, now_keys, &pts);
			rf_number_put(o, "end_us", (pts.end_ns - pts.begin_ns) / 1000.0);
			rf_step_points_free(&pts);
		}
		if (s.clean && s.clean != p &&
		    !rf_step_points(&s.clean->rec.tl, POINTS, &pts)) {
			put_points(o, clean_keys, &pts);
			rf_number_put(o, "clean_end_us", (pts.end_ns - pts.begin_ns) / 1000.0);
			rf_step_points_free(&pts);
		}
		put_bands(o, &s);
		put_hits(rf_put_list(o, "hits"), p);
	}
	rf_bands_free(&s.at);
	return o;
}
