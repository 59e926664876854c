// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting time by rank and step: for data, for ACKs and at the barrier. A stall is a dark
 * column; a light cell in this column is a rank that the other ranks wait for.
 */
#include <json-c/json.h>
#include <stdlib.h>

#include "html.h"
#include "units.h"

#define ROW_HIGH	20
#define ROW_LOW		9
#define RANKS_HIGH	16
#define COLUMN		2		/* width in pixels */
#define CELLS_MAX	16000		/* maximum cells in the data for the script */
#define ROWS		40

/* The waits to draw, and the wait of the darkest shade */
struct field {
	const struct rf_timeline *tl;
	uint64_t top;
};

struct waits {
	const struct rf_timeline *tl;
	size_t columns;
	uint64_t *ns;			/* longest wait of each rank in each column */
	uint64_t most;
};

static uint64_t waited(const struct rf_step *s)
{
	return s->wait_recv_ns + s->wait_send_ns + s->wait_sync_ns;
}

static int set_up(struct waits *w, const struct rf_timeline *tl, size_t columns)
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
			if (s && waited(s) > *cell)
				*cell = waited(s);
			if (s && waited(s) > w->most)
				w->most = waited(s);
		}
	return 0;
}

static void draw_grades(struct rf_plot *plot, const struct waits *w,
			uint64_t top)
{
	size_t n = w->columns * w->tl->ranks, i;
	uint8_t *grade = calloc(n + 1, 1);

	for (i = 0; grade && i < n; i++)
		grade[i] = rf_grade(w->ns[i], top);
	if (grade)
		rf_plot_cells(plot, grade, w->tl->ranks, w->columns);
	free(grade);
}

static void draw(struct rf_plot *plot, const void *what)
{
	const struct field *field = what;
	const struct rf_timeline *tl = field->tl;
	double h = (plot->bottom - plot->top) / tl->ranks;
	struct waits w;
	uint32_t rank;

	/* The number of a step is below the middle of its cell. */
	plot->x = rf_axis_count(0.5, tl->iters + 0.5, "");
	if (set_up(&w, tl, (plot->right - plot->left) / COLUMN))
		return;
	for (rank = 0; rank < tl->ranks; rank++)
		if (tl->ranks <= RANKS_HIGH || rank % 4 == 0)
			rf_plot_text(plot, plot->left - 6,
				     plot->top + (rank + 0.5) * h + 4, "end",
				     "rank %u", rank);
	draw_grades(plot, &w, field->top);
	rf_plot_axis_x(plot, "step");
	free(w.ns);
}

static void put_scale(struct rf_html *h, uint64_t most)
{
	char time[RF_FMT_LEN];
	unsigned int g;

	fputs("<p class=\"scale\">waited 0 ", h->f);
	for (g = 1; g < RF_GRADES; g++)
		fprintf(h->f, "<i class=\"g%u\"></i>", g);
	rf_html_say(h->f, " %s", rf_fmt_time(most, time));
	fputs("</p>\n", h->f);
}

/* Write the waits in microseconds, per rank. */
static void put_data(struct rf_html *h, const struct rf_timeline *tl)
{
	struct json_object *o = json_object_new_object(), *all, *row;
	struct waits w;
	uint32_t rank;
	size_t i;

	rf_data_str(o, "kind", "waits");
	rf_data_put(o, "steps", tl->iters);
	all = rf_data_array(o, "us");
	rf_figure_data(h, o);
	if (set_up(&w, tl, CELLS_MAX / tl->ranks))
		return;
	for (rank = 0; rank < tl->ranks; rank++) {
		row = json_object_new_array();
		for (i = 0; i < w.columns; i++)
			rf_data_add(row, w.ns[rank * w.columns + i] / 1000);
		json_object_array_add(all, row);
	}
	free(w.ns);
}

static void put_row(FILE *f, const struct waits *w, size_t column)
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

static void put_table(struct rf_html *h, const struct rf_timeline *tl)
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
	if (set_up(&w, tl, tl->iters > 2 * ROWS ? ROWS : tl->iters))
		return;
	for (i = 0; i < w.columns; i++)
		put_row(h->f, &w, i);
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
				v[n++] = waited(s);
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
 * rf_html_waits - write the figure of waiting time
 * @h: the page
 * @p: the case
 */
void rf_html_waits(struct rf_html *h, const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	struct field field = { .tl = tl };
	struct waits all;

	if (!tl->ranks || !tl->iters || set_up(&all, tl, 1))
		return;
	field.top = find_top(rf_run_clean_step(h->run, p), all.most);
	rf_figure_begin(h, "Waiting time by rank and step",
			"Each column is a step, each row a rank. Dark cells are long waits. In a dark column, a light cell is a rank that the other ranks wait for. A cell that covers several steps shows their longest wait.");
	rf_figure_draw(h, tl->ranks * (tl->ranks <= RANKS_HIGH ? ROW_HIGH : ROW_LOW),
		       "How long each rank waited in each step", draw, &field);
	put_scale(h, field.top);
	put_data(h, tl);
	put_table(h, tl);
	rf_figure_end(h);
	free(all.ns);
}
