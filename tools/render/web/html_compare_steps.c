// SPDX-License-Identifier: GPL-2.0
/*
 * Overlaid step times of one case in two runs. Each curve starts at the first step of
 * its run. Below the axis, a lane per run shows when its faults were active.
 */
#include <math.h>

#include "tools/analysis/bands.h"
#include "html_compare.h"
#include "units.h"

#define HEIGHT		240
#define LANE		9
#define POINTS		2000
#define POINTS_DRAWN	500
#define POINTS_NARROW	250
#define ROWS		40

struct curves {
	const struct rf_compared *c;
	const struct rf_run_case *p[RF_COMPARED];
	struct rf_step_points pts[RF_COMPARED];
	struct rf_bands at[RF_COMPARED];
	double span_ns, most_ns;
	uint32_t steps;			/* number of steps in the longer of the two runs */
};

static void free_curves(struct curves *s)
{
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		rf_step_points_free(&s->pts[i]);
		rf_bands_free(&s->at[i]);
	}
}

static int set_up(struct curves *s, const struct rf_compared *c,
		  const char *kase)
{
	const struct rf_timeline *tl;
	uint64_t span;
	size_t i;

	*s = (struct curves){ .c = c };
	for (i = 0; i < RF_COMPARED; i++) {
		s->p[i] = rf_compare_case(c->runs[i], kase);
		tl = &s->p[i]->rec.tl;
		if (rf_step_points(tl, POINTS, &s->pts[i]))
			return -1;
		span = s->pts[i].end_ns - s->pts[i].begin_ns;
		if (rf_bands_find(&s->at[i], s->p[i], s->pts[i].begin_ns, span))
			return -1;
		s->span_ns = fmax(s->span_ns, span);
		s->most_ns = fmax(s->most_ns, s->pts[i].most_ns);
		s->steps = tl->iters > s->steps ? tl->iters : s->steps;
	}
	return s->most_ns > 0 ? 0 : -1;
}

/*
 * Draw the step times as a line like a staircase. Each step of the job is a horizontal part of
 * the line: its height is the step time, and it reaches to the start of the next step.
 */
static void draw_line(struct rf_plot *plot, const struct rf_step_points *pts,
		      const char *look)
{
	size_t i;

	fprintf(plot->f, "<path class=\"%s\" d=\"", look);
	for (i = 0; i < pts->n; i++)
		fprintf(plot->f, i ? "H%.1fV%.1f" : "M%.1f %.1f",
			rf_plot_x(plot, pts->p[i].t_ns),
			rf_plot_y(plot, pts->p[i].job_ns));
	if (pts->n)
		fprintf(plot->f, "H%.1f",
			rf_plot_x(plot, pts->end_ns - pts->begin_ns));
	fputs("\"/>\n", plot->f);
}

static void draw_lane(struct rf_plot *plot, const struct rf_bands *at, double y,
		      bool planned)
{
	const struct rf_band *b;

	for (b = at->e; b < at->e + at->n; b++)
		if (rf_band_is_planned(at, b) == planned)
			rf_plot_rect(plot, rf_plot_x(plot, b->from),
				     rf_plot_x(plot, b->to), y, LANE,
				     planned ? "plan" : "hit");
}

static void draw_lanes(struct rf_plot *plot, const struct curves *s)
{
	double y = plot->bottom + 40;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++, y += LANE + 3) {
		rf_plot_text(plot, plot->left - 6, y + LANE - 1, "end", "%c",
			     (char)('A' + i));
		rf_plot_rect(plot, plot->left, plot->right, y, LANE, "lane");
		draw_lane(plot, &s->at[i], y, true);
		draw_lane(plot, &s->at[i], y, false);
	}
}

static void draw(struct rf_plot *plot, const void *what)
{
	const struct curves *s = what;
	struct rf_step_points pts;
	size_t i;

	plot->bottom -= RF_COMPARED * (LANE + 3) + 4;
	plot->x = rf_axis_time(0, s->span_ns);
	plot->y = rf_axis_time(0, s->most_ns * 1.05);
	rf_plot_axis_y(plot);
	for (i = 0; i < RF_COMPARED; i++) {
		if (rf_step_points(&s->p[i]->rec.tl, plot->narrow ?
				   POINTS_NARROW : POINTS_DRAWN, &pts))
			continue;
		draw_line(plot, &pts, rf_run_looks[i]);
		rf_step_points_free(&pts);
	}
	rf_plot_axis_x(plot, "since the first step began");
	draw_lanes(plot, s);
}

static void put_row(FILE *f, const struct curves *s, uint32_t from, uint32_t to)
{
	size_t i;

	rf_table_row(f);
	if (to - from == 1)
		rf_table_name(f, "%u", from);
	else
		rf_table_name(f, "%u to %u", from, to - 1);
	for (i = 0; i < RF_COMPARED; i++)
		rf_step_range_cell(f, &s->p[i]->rec.tl, from, to);
	fputc('\n', f);
}

static void put_table(struct rf_html *h, const struct curves *s)
{
	uint32_t per = (s->steps + ROWS - 1) / ROWS, from;

	if (s->steps <= 2 * ROWS)
		per = 1;
	fputs("<details><summary>as a table</summary>\n", h->f);
	rf_compare_heads(h->f, h->title, "step", NULL);
	for (from = 1; from <= s->steps; from += per)
		put_row(h->f, s, from, from + per <= s->steps ? from + per :
			s->steps + 1);
}

static void put_figure(struct rf_html *h, const struct curves *s)
{
	struct rf_letter_keys keys;

	rf_letters(s->c, &keys);
	rf_figure_begin(h, NULL, NULL, "Step time over time",
			"A step ends when the last rank has left the step. Below the axis, each run has a row: a red bar lasts from the hit of a packet to its retransmission, a yellow bar from the start of a fault to its end.%s",
			s->steps > POINTS_DRAWN ? " Only the shortest and the longest step of each interval of the time axis are drawn." : "");
	rf_figure_draw(h, HEIGHT + RF_COMPARED * (LANE + 3),
		       "Step times of the case in each run over time", draw, s);
	rf_figure_legend(h, keys.keys);
	put_table(h, s);
	rf_figure_end(h);
}

/**
 * rf_html_compare_steps - write the figure of step times, if a run has steps
 * @h: the page
 * @c: the two runs
 * @kase: a case that both runs have
 */
void rf_html_compare_steps(struct rf_html *h, const struct rf_compared *c,
			   const char *kase)
{
	struct curves s;

	if (!set_up(&s, c, kase))
		put_figure(h, &s);
	free_curves(&s);
}
