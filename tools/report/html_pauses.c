// SPDX-License-Identifier: GPL-2.0
/*
 * Figure of pauses over time. Each paused priority of a port has a row. The shade of a cell
 * is the fraction of the cell's time during which the priority was paused.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "units.h"

#define ROW		18
#define STRIPS_MAX	24
#define COLUMN		3		/* width in pixels */
#define COLUMNS_DATA	400

struct strip {
	char dev[16];
	uint32_t prio;
	uint32_t times;
	uint32_t detected;		/* storms detected by the watchdog */
	uint64_t ns, longest;
};

struct pauses {
	const struct rf_run_case *p;
	struct strip strip[STRIPS_MAX];
	size_t n, left_out;
	uint64_t begin, end;
};

static struct strip *find_strip(struct pauses *ps, const struct rf_event *e)
{
	size_t i;

	for (i = 0; i < ps->n; i++)
		if (ps->strip[i].prio == e->prio &&
		    !strcmp(ps->strip[i].dev, e->dev))
			return &ps->strip[i];
	if (ps->n == STRIPS_MAX) {
		ps->left_out++;
		return NULL;
	}
	ps->strip[i].prio = e->prio;
	snprintf(ps->strip[i].dev, sizeof(e->dev), "%s", e->dev);
	ps->n++;
	return &ps->strip[i];
}

/*
 * Check whether the case ended during the pause that begins with @e. The end of such a
 * pause was not recorded. The pause is drawn from @e until it would expire, or until the
 * last event.
 */
static bool is_open(const struct rf_events *ev, const struct rf_event *e)
{
	const struct rf_event *next;

	for (next = e + 1; next < ev->e + ev->n; next++)
		if (next->kind == RF_EVENT_PAUSE && next->prio == e->prio &&
		    !strcmp(next->dev, e->dev))
			return false;
	return true;
}

static bool span_of(const struct pauses *ps, const struct rf_event *e,
		    uint64_t *from, uint64_t *to)
{
	if (e->kind != RF_EVENT_PAUSE)
		return false;
	*from = e->paused ? e->t_ns : e->until - e->ns;
	*to = e->until;
	if (e->paused && !is_open(&ps->p->rec.ev, e))
		return false;
	if (*to > ps->end)
		*to = ps->end;
	if (*from < ps->begin)
		*from = ps->begin;
	return *to > *from;
}

static void add_event(struct pauses *ps, const struct rf_event *e)
{
	uint64_t from, to;
	struct strip *s;

	if (e->kind != RF_EVENT_PAUSE && e->kind != RF_EVENT_WATCHDOG)
		return;
	s = find_strip(ps, e);
	if (!s)
		return;
	if (e->kind == RF_EVENT_WATCHDOG)
		s->detected += e->event == 0;
	if (!span_of(ps, e, &from, &to))
		return;
	s->times++;
	s->ns += to - from;
	s->longest = to - from > s->longest ? to - from : s->longest;
}

/* Set the range of the axis: from the first step or event to the last. */
static void set_span(struct pauses *ps)
{
	const struct rf_events *ev = &ps->p->rec.ev;
	const struct rf_step *s;
	uint32_t rank;

	ps->begin = ev->e[0].t_ns;
	ps->end = ev->e[ev->n - 1].t_ns;
	for (rank = 0; rank < ps->p->rec.tl.ranks; rank++) {
		s = rf_timeline_step(&ps->p->rec.tl, rank, 1);
		if (s && s->start_ns < ps->begin)
			ps->begin = s->start_ns;
		s = rf_timeline_step(&ps->p->rec.tl, rank, ps->p->rec.tl.iters);
		if (s && s->sync_ns > ps->end)
			ps->end = s->sync_ns;
	}
}

static void set_up(struct pauses *ps, const struct rf_run_case *p)
{
	const struct rf_events *ev = &p->rec.ev;
	size_t i;

	*ps = (struct pauses){ .p = p };
	if (!ev->n)
		return;
	set_span(ps);
	for (i = 0; i < ev->n; i++)
		add_event(ps, &ev->e[i]);
}

/*
 * Add a pause from @from to @to to the columns that it overlaps. A column gets the paused
 * fraction of its width.
 */
static void spread(double *share, size_t columns, double width, double from,
		   double to)
{
	size_t i = from / width, last = to / width;
	double a, b;

	for (; i <= last && i < columns; i++) {
		a = i * width > from ? i * width : from;
		b = (i + 1) * width < to ? (i + 1) * width : to;
		if (b > a)
			share[i] += (b - a) / width;
	}
}

/* Return: the paused fraction of each column per priority; the caller frees the array */
static double *shares(const struct pauses *ps, size_t columns)
{
	double *share = calloc(ps->n * columns + 1, sizeof(*share));
	double width = (double)(ps->end - ps->begin) / columns;
	const struct rf_events *ev = &ps->p->rec.ev;
	uint64_t from, to;
	size_t i, s;

	for (i = 0; share && i < ev->n; i++) {
		if (!span_of(ps, &ev->e[i], &from, &to))
			continue;
		for (s = 0; s < ps->n; s++)
			if (ps->strip[s].prio == ev->e[i].prio &&
			    !strcmp(ps->strip[s].dev, ev->e[i].dev))
				spread(share + s * columns, columns, width,
				       from - ps->begin, to - ps->begin);
	}
	return share;
}

static void draw_grades(struct rf_plot *plot, const struct pauses *ps)
{
	size_t columns = (plot->right - plot->left) / COLUMN, i;
	uint8_t *grade = calloc(ps->n * columns + 1, 1);
	double *share = shares(ps, columns);

	for (i = 0; grade && share && i < ps->n * columns; i++)
		grade[i] = rf_grade(share[i], 0.999);
	if (grade && share)
		rf_plot_cells(plot, grade, ps->n, columns);
	free(share);
	free(grade);
}

static void draw(struct rf_plot *plot, const void *what)
{
	const struct pauses *ps = what;
	size_t i;

	plot->x = rf_axis_time(0, ps->end - ps->begin);
	for (i = 0; i < ps->n; i++) {
		rf_plot_rect(plot, plot->left, plot->right,
			     plot->top + i * ROW + 1, ROW - 2, "lane");
		rf_plot_text(plot, plot->left - 6, plot->top + i * ROW + 13,
			     "end", "%.5s p%u", ps->strip[i].dev,
			     ps->strip[i].prio);
	}
	draw_grades(plot, ps);
	rf_plot_axis_x(plot, "since the case began");
}

/* Write the paused fraction of each column in thousandths, and the time range in us. */
static void put_data(struct rf_html *h, const struct pauses *ps)
{
	struct json_object *o = json_object_new_object(), *names, *all, *row;
	double *share = shares(ps, COLUMNS_DATA);
	char name[32];
	size_t i, s;

	rf_data_str(o, "kind", "pauses");
	rf_data_put(o, "span_us", (ps->end - ps->begin) / 1000);
	names = rf_data_array(o, "names");
	all = rf_data_array(o, "paused");
	for (s = 0; share && s < ps->n; s++) {
		snprintf(name, sizeof(name), "%s prio %u", ps->strip[s].dev,
			 ps->strip[s].prio);
		json_object_array_add(names, json_object_new_string(name));
		row = json_object_new_array();
		for (i = 0; i < COLUMNS_DATA; i++)
			rf_data_add(row, (int)(share[s * COLUMNS_DATA + i] * 1000 + 0.5));
		json_object_array_add(all, row);
	}
	free(share);
	rf_figure_data(h, o);
}

static void put_table(struct rf_html *h, const struct pauses *ps)
{
	static const char *const heads[] = {
		"port", "priority", "pauses", "paused in total", "share of the case",
		"longest", "storms detected", NULL
	};
	const struct strip *s;
	char time[RF_FMT_LEN];

	rf_figure_table(h, heads);
	for (s = ps->strip; s < ps->strip + ps->n; s++) {
		rf_table_row(h->f);
		rf_table_cell(h->f, "%s", s->dev);
		rf_table_cell(h->f, "%u", s->prio);
		rf_table_cell(h->f, "%u", s->times);
		rf_table_cell(h->f, "%s", rf_fmt_time(s->ns, time));
		rf_table_cell(h->f, "%.1f%%", 100.0 * s->ns / (ps->end - ps->begin));
		rf_table_cell(h->f, "%s", rf_fmt_time(s->longest, time));
		rf_table_cell(h->f, "%u", s->detected);
		fputc('\n', h->f);
	}
}

/**
 * rf_html_pauses - write the figure of pauses; nothing if nothing was paused
 * @h: the page
 * @p: the case
 */
void rf_html_pauses(struct rf_html *h, const struct rf_run_case *p)
{
	struct pauses ps;

	set_up(&ps, p);
	if (!ps.n || ps.end <= ps.begin)
		return;
	rf_figure_begin(h, "Pauses by priority",
			"Each row is a priority of a port, each column a time interval. The stronger the color, the longer the priority was paused in the interval.%s",
			ps.left_out ? " More paused priorities are in events.jsonl." : "");
	rf_figure_draw(h, ps.n * ROW, "Pauses of each priority over time", draw, &ps);
	put_data(h, &ps);
	put_table(h, &ps);
	rf_figure_end(h);
}
