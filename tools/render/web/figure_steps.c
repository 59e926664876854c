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

static uint64_t max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void put_points(struct json_object *o, const char *const keys[COLUMNS], const char *end,
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
	rf_number_put(o, end, (pts->end_ns - pts->begin_ns) / 1000.0);
}

static void put_bands(struct json_object *o, const struct rf_bands *at)
{
	struct json_object *all = rf_put_list(o, "bands"), *one;
	size_t i;

	for (i = 0; i < at->n; i++) {
		one = json_object_new_array();
		rf_number_add(one, at->e[i].from / 1000.0);
		rf_number_add(one, at->e[i].to / 1000.0);
		rf_number_add(one, at->e[i].lane);
		json_object_array_add(all, one);
	}
	all = rf_put_list(o, "lanes");
	for (i = 0; i < at->lanes; i++) {
		one = json_object_new_object();
		rf_put_text(one, "name", at->lane[i].name);
		json_object_object_add(one, "planned", json_object_new_boolean(at->lane[i].planned));
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

/* Add the figure of a case with the points @now; @clean: those of the clean case, or NULL */
static void put_steps(struct json_object *o, const struct rf_run_case *p,
		      const struct rf_step_points *now, const struct rf_step_points *clean,
		      const struct rf_bands *at)
{
	static const char *const now_keys[COLUMNS] = {
		"t_us", "job_us", "least_us", "most_us", "step"
	};
	static const char *const clean_keys[COLUMNS] = {
		"clean_t_us", "clean_us", NULL, NULL, "clean_step"
	};

	rf_put_u64(o, "steps", p->rec.tl.iters);
	json_object_object_add(o, "thinned", json_object_new_boolean(p->rec.tl.iters > POINTS));
	put_points(o, now_keys, "end_us", now);
	if (clean)
		put_points(o, clean_keys, "clean_end_us", clean);
	put_bands(o, at);
	put_hits(rf_put_list(o, "hits"), p);
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
	const struct rf_run_case *clean = rf_run_clean_step(run, p);
	struct rf_step_points now = { }, usual = { };
	struct json_object *o = NULL;
	struct rf_bands at = { };
	uint64_t span_ns;
	int err;

	err = rf_step_points(&p->rec.tl, POINTS, &now);
	if (!err && clean)
		err = rf_step_points(&clean->rec.tl, POINTS, &usual);
	span_ns = max64(now.end_ns - now.begin_ns, usual.end_ns - usual.begin_ns);
	if (!err && max64(now.most_ns, usual.most_ns) &&
	    !rf_bands_find(&at, p, now.begin_ns, span_ns)) {
		o = json_object_new_object();
		put_steps(o, p, &now, clean && clean != p ? &usual : NULL, &at);
	}
	rf_bands_free(&at);
	rf_step_points_free(&now);
	rf_step_points_free(&usual);
	return o;
}
