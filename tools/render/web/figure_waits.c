// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting time by rank and step: for data, for ACKs and at the barrier. A stall is a dark
 * column; a light cell in this column is a rank that the other ranks wait for.
 */
#include <json-c/json.h>
#include <stdlib.h>

#include "json.h"
#include "summary.h"
#include "units.h"

#define COLUMNS_MAX	200	/* maximum number of columns in the figure */

struct waits {
	const struct rf_timeline *tl;
	size_t columns;
	uint64_t *ns;			/* longest wait of each rank in each column */
	uint64_t most;
};

static int set_up_waits(struct waits *w, const struct rf_timeline *tl)
{
	const struct rf_step *s;
	uint32_t rank, step;
	size_t columns = tl->iters < COLUMNS_MAX ? tl->iters : COLUMNS_MAX;
	uint64_t *cell;

	*w = (struct waits){ .tl = tl, .columns = columns };
	w->ns = calloc(columns * tl->ranks + 1, sizeof(*w->ns));
	if (!w->ns)
		return -1;
	for (step = 1; step <= tl->iters; step++)
		for (rank = 0; rank < tl->ranks; rank++) {
			s = rf_timeline_step(tl, rank, step);
			cell = &w->ns[rank * columns +
				      (step - 1ull) * columns / tl->iters];
			if (s && rf_step_wait_ns(s) > *cell)
				*cell = rf_step_wait_ns(s);
			if (s && rf_step_wait_ns(s) > w->most)
				w->most = rf_step_wait_ns(s);
		}
	return 0;
}

/* Return: the median of all waits (one per rank and step) of the clean case */
static uint64_t usually_waited(const struct rf_timeline *clean)
{
	uint64_t *v = calloc((size_t)clean->ranks * clean->iters + 1, sizeof(*v));
	const struct rf_step *s;
	uint32_t rank, step;
	uint64_t usual;
	size_t n = 0;

	if (!v)
		return 0;
	for (step = 1; step <= clean->iters; step++)
		for (rank = 0; rank < clean->ranks; rank++) {
			s = rf_timeline_step(clean, rank, step);
			if (s)
				v[n++] = rf_step_wait_ns(s);
		}
	usual = rf_median(v, n);
	free(v);
	return usual;
}

/*
 * Return: the wait that gets the darkest shade: the longest wait, but at least twice the
 * median wait of the clean case, so that noise stays light.
 */
static uint64_t find_top(const struct rf_run_case *clean, uint64_t most)
{
	uint64_t usual = clean ? usually_waited(&clean->rec.tl) : 0;

	return most > 2 * usual ? most : 2 * usual;
}

/**
 * rf_figure_waits - get the data of the figure of waiting time
 * @run: the run
 * @p: the case
 *
 * Return: the object: per rank, the longest wait of each column of steps; NULL if the job has
 * no steps, or no waits because it is a command.
 */
struct json_object *rf_figure_waits(const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	struct json_object *o, *all, *row;
	struct waits w;
	uint32_t rank;
	size_t i;

	if (!tl->ranks || !tl->iters || tl->of_command || set_up_waits(&w, tl))
		return NULL;
	o = json_object_new_object();
	rf_put_u64(o, "steps", tl->iters);
	rf_number_put(o, "top_us", find_top(rf_run_clean_step(run, p), w.most) / 1000.0);
	all = rf_put_list(o, "wait_us");
	for (rank = 0; rank < tl->ranks; rank++) {
		row = json_object_new_array();
		for (i = 0; i < w.columns; i++)
			rf_number_add(row, w.ns[rank * w.columns + i] / 1000.0);
		json_object_array_add(all, row);
	}
	free(w.ns);
	return o;
}
