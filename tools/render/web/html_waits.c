// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting time by rank and step: for data, for ACKs and at the barrier. A stall is a dark
 * column; a light cell in this column is a rank that the other ranks wait for.
 */
#include <json-c/json.h>
#include <stdlib.h>

#include "html.h"
#include "json.h"
#include "summary.h"
#include "units.h"

/* Number of shades of a heat map; shade 0 is for empty cells */
#define SHADES		9
#define COLUMNS_MAX	200	/* maximum number of columns in the figure */
#define ROWS		40

struct waits {
	const struct rf_timeline *tl;
	size_t columns;
	uint64_t *ns;			/* longest wait of each rank in each column */
	uint64_t most;
};

static int set_up_waits(struct waits *w, const struct rf_timeline *tl, size_t columns)
{
	const struct rf_step *s;
	uint32_t rank, step;
	uint64_t *cell;

	if (columns > tl->iters)
		columns = tl->iters;
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

static void put_scale(struct rf_html *h, uint64_t most)
{
	char time[RF_FMT_LEN];
	unsigned int g;

	fputs("<p class=\"scale\">waited 0 ", h->f);
	for (g = 1; g < SHADES; g++)
		fprintf(h->f, "<i class=\"g%u\"></i>", g);
	rf_html_say(h->f, " %s", rf_fmt_time(most, time));
	fputs("</p>\n", h->f);
}

static void put_wait_row(FILE *f, const struct waits *w, size_t column)
{
	uint32_t from = (column * w->tl->iters + w->columns - 1) / w->columns + 1;
	uint32_t to = ((column + 1) * w->tl->iters + w->columns - 1) / w->columns;
	char time[RF_FMT_LEN];
	uint32_t rank;

	rf_table_row(f);
	if (from == to)
		rf_table_cell(f, "%u", from);
	else
		rf_table_cell(f, "%u to %u", from, to);
	for (rank = 0; rank < w->tl->ranks; rank++)
		rf_table_cell(f, "%s", rf_fmt_time(w->ns[rank * w->columns + column],
						   time));
	fputc('\n', f);
}

static void put_wait_table(struct rf_html *h, const struct rf_timeline *tl)
{
	const char *heads[RF_RANKS_MAX + 2] = { "step" };
	char names[RF_RANKS_MAX][16];
	struct waits w;
	uint32_t rank;
	size_t i;

	for (rank = 0; rank < tl->ranks; rank++) {
		snprintf(names[rank], sizeof(names[0]), "rank %u", rank);
		heads[rank + 1] = names[rank];
	}
	rf_figure_table(h, heads);
	if (set_up_waits(&w, tl, tl->iters > 2 * ROWS ? ROWS : tl->iters))
		return;
	for (i = 0; i < w.columns; i++)
		put_wait_row(h->f, &w, i);
	free(w.ns);
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
 * no steps.
 */
struct json_object *rf_figure_waits(const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	struct json_object *o, *all, *row;
	struct waits w;
	uint32_t rank;
	size_t i;

	if (!tl->ranks || !tl->iters || set_up_waits(&w, tl, COLUMNS_MAX))
		return NULL;
	o = json_object_new_object();
	rf_put_u64(o, "steps", tl->iters);
	rf_number_put(o, "top_us", find_top(rf_run_clean_step(run, p), w.most) / 1000);
	all = rf_put_list(o, "wait_us");
	for (rank = 0; rank < tl->ranks; rank++) {
		row = json_object_new_array();
		for (i = 0; i < w.columns; i++)
			rf_number_add(row, w.ns[rank * w.columns + i] / 1000);
		json_object_array_add(all, row);
	}
	free(w.ns);
	return o;
}

/**
 * rf_html_waits - write the figure of waiting time
 * @h: the page
 * @p: the case
 */
void rf_html_waits(struct rf_html *h, const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	struct waits all;

	if (!tl->ranks || !tl->iters || set_up_waits(&all, tl, 1))
		return;
	rf_figure_begin(h, "waits", p, "Waiting time by rank and step",
			"Each column is a step, each row a rank. %s",
			tl->ranks == 1 ? "Strong colors are long waits." :
			"Strong colors are long waits. In a column of strong colors, a pale cell is a rank that the other ranks wait for.");
	put_scale(h, find_top(rf_run_clean_step(h->run, p), all.most));
	put_wait_table(h, tl);
	rf_figure_end(h);
	free(all.ns);
}
