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

#include "html.h"
#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define POINTS		2000
#define ROWS		40
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
		const uint64_t v[COLUMNS] = {
			pts->p[i].t_ns / 1000, pts->p[i].job_ns / 1000,
			pts->p[i].least_ns / 1000, pts->p[i].most_ns / 1000,
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
		rf_number_add(one, s->at.e[i].from / 1000);
		rf_number_add(one, s->at.e[i].to / 1000);
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
	static const char *const clean_keys[COLUMNS] = { "clean_t_us", "clean_us" };
	struct json_object *o = NULL;
	struct rf_step_points pts;
	struct steps s;

	if (!set_up_steps(&s, run, p)) {
		o = json_object_new_object();
		if (!rf_step_points(&p->rec.tl, POINTS, &pts)) {
			put_points(o, now_keys, &pts);
			rf_number_put(o, "end_us", (pts.end_ns - pts.begin_ns) / 1000);
			rf_step_points_free(&pts);
		}
		if (s.clean && s.clean != p &&
		    !rf_step_points(&s.clean->rec.tl, POINTS, &pts)) {
			put_points(o, clean_keys, &pts);
			rf_number_put(o, "clean_end_us", (pts.end_ns - pts.begin_ns) / 1000);
			rf_step_points_free(&pts);
		}
		put_bands(o, &s);
	}
	rf_bands_free(&s.at);
	return o;
}

static void put_range(FILE *f, uint64_t least, uint64_t most)
{
	char a[RF_FMT_LEN], b[RF_FMT_LEN];

	if (!most)
		rf_table_cell(f, "not finished");
	else if (least == most)
		rf_table_cell(f, "%s", rf_fmt_time(most, a));
	else
		rf_table_cell(f, "%s to %s", rf_fmt_time(least, a),
			      rf_fmt_time(most, b));
}

/**
 * rf_step_range_cell - write the range of step times as a table cell
 * @f: output stream
 * @tl: the case's steps
 * @from: first step
 * @to: last step plus 1
 */
void rf_step_range_cell(FILE *f, const struct rf_timeline *tl, uint32_t from,
			uint32_t to)
{
	uint64_t least = UINT64_MAX, most = 0, ns;
	uint32_t step;

	for (step = from; step < to; step++) {
		ns = rf_timeline_whole_ns(tl, step);
		if (!ns)
			continue;
		least = ns < least ? ns : least;
		most = ns > most ? ns : most;
	}
	put_range(f, least, most);
}

static void put_rank_range(FILE *f, const struct rf_timeline *tl, uint32_t from,
			   uint32_t to)
{
	uint64_t least = UINT64_MAX, most = 0, ns;
	const struct rf_step *s;
	uint32_t step, rank;

	for (step = from; step < to; step++)
		for (rank = 0; rank < tl->ranks; rank++) {
			s = rf_timeline_step(tl, rank, step);
			if (!s)
				continue;
			ns = rf_step_ns(s);
			least = ns < least ? ns : least;
			most = ns > most ? ns : most;
		}
	put_range(f, least, most);
}

static size_t hits_between(const struct rf_run_case *p, uint32_t from,
			   uint32_t to)
{
	size_t n = 0, i;

	for (i = 0; i < p->an->nhits; i++)
		n += p->an->losses[i].hit->step >= from &&
		     p->an->losses[i].hit->step < to;
	return n;
}

static void put_step_row(FILE *f, const struct steps *s, uint32_t from, uint32_t to)
{
	rf_table_row(f);
	if (to - from == 1)
		rf_table_cell(f, "%u", from);
	else
		rf_table_cell(f, "%u to %u", from, to - 1);
	rf_step_range_cell(f, &s->p->rec.tl, from, to);
	put_rank_range(f, &s->p->rec.tl, from, to);
	if (s->clean)
		rf_step_range_cell(f, &s->clean->rec.tl, from, to);
	rf_table_cell(f, "%zu", hits_between(s->p, from, to));
	fputc('\n', f);
}

static void put_step_table(struct rf_html *h, const struct steps *s)
{
	const char *heads[6] = { "step", "this case", "its ranks" };
	uint32_t n = s->p->rec.tl.iters, per = (n + ROWS - 1) / ROWS, from;
	size_t columns = 3;

	if (s->clean)
		heads[columns++] = "clean case";
	heads[columns] = "packets hit";
	if (n <= 2 * ROWS)
		per = 1;
	rf_figure_table(h, heads);
	for (from = 1; from <= n; from += per)
		put_step_row(h->f, s, from, from + per <= n ? from + per : n + 1);
}

static const char *thinned(const struct steps *s, char *buf, size_t len)
{
	buf[0] = '\0';
	if (s->p->rec.tl.iters > POINTS)
		snprintf(buf, len, " Of %u steps, only the shortest and the longest of each interval of the time axis are drawn.",
			 s->p->rec.tl.iters);
	return buf;
}

static void put_step_legend(struct rf_html *h, const struct steps *s)
{
	struct rf_key keys[6] = { };
	bool hits = false, plans = false;
	size_t i, n = 0;

	for (i = 0; i < s->at.lanes; i++) {
		hits |= !s->at.lane[i].planned;
		plans |= s->at.lane[i].planned;
	}
	if (s->clean != s->p) {
		keys[n++] = (struct rf_key){ "job", "this case: from the start of the first rank to the end of the last rank" };
		keys[n++] = (struct rf_key){ "range", "this case: range from the fastest to the slowest rank" };
	}
	if (s->clean)
		keys[n++] = (struct rf_key){ "clean", "clean case" };
	if (hits)
		keys[n++] = (struct rf_key){ "hit", "from the hit of a packet to its retransmission; one row per sending rank" };
	if (plans)
		keys[n++] = (struct rf_key){ "plan", "a fault at this port, from its start to its end" };
	rf_figure_legend(h, keys);
}

/**
 * rf_html_steps - write the figure of step times
 * @h: the page
 * @p: the case
 */
void rf_html_steps(struct rf_html *h, const struct rf_run_case *p)
{
	struct steps s;
	char more[128];

	if (!set_up_steps(&s, h->run, p)) {
		rf_figure_begin(h, "steps", p, "Step time over time",
				"A step ends when the last rank has left the step. High points are steps in which ranks waited.%s",
				thinned(&s, more, sizeof(more)));
		put_step_legend(h, &s);
		put_step_table(h, &s);
		rf_figure_end(h);
	}
	rf_bands_free(&s.at);
}
