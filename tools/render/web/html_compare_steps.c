// SPDX-License-Identifier: GPL-2.0
/*
 * Step times of one case in two runs: the figure, and its table. Each curve starts at the
 * first step of its run.
 */
#include "html.h"

#define ROWS		40

static void put_steps_row(FILE *f, const struct rf_run_case *const p[RF_COMPARED], uint32_t from,
			  uint32_t to)
{
	size_t i;

	rf_table_row(f);
	if (to - from == 1)
		rf_table_name(f, "%u", from);
	else
		rf_table_name(f, "%u to %u", from, to - 1);
	for (i = 0; i < RF_COMPARED; i++)
		rf_step_range_cell(f, &p[i]->rec.tl, from, to);
	fputc('\n', f);
}

static void put_compared_steps(struct rf_html *h, const struct rf_run_case *const p[RF_COMPARED],
			       uint32_t steps)
{
	uint32_t per = steps <= 2 * ROWS ? 1 : (steps + ROWS - 1) / ROWS, from;

	fputs("<details><summary>as a table</summary>\n", h->f);
	rf_compare_heads(h->f, h->title, "step", NULL);
	for (from = 1; from <= steps; from += per)
		put_steps_row(h->f, p, from, from + per <= steps ? from + per : steps + 1);
}

/**
 * rf_html_compare_steps - write the figure of step times, if a run has steps
 * @h: the page
 * @c: the two runs
 * @case_name: a case that both runs have
 */
void rf_html_compare_steps(struct rf_html *h, const struct rf_compared *c,
			   const char *case_name)
{
	const struct rf_run_case *p[RF_COMPARED];
	struct rf_letter_keys keys;
	uint32_t steps = 0;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		p[i] = rf_compare_case(c->runs[i], case_name);
		if (p[i]->rec.tl.iters > steps)
			steps = p[i]->rec.tl.iters;
	}
	if (!steps)
		return;
	rf_letters(c, &keys);
	rf_figure_begin(h, "compare_steps", p[0], "Step time over time",
			"A step ends when the last rank has left the step. Below the axis, each run has a row: a red bar lasts from the hit of a packet to its retransmission, a yellow bar from the start of a fault to its end.");
	rf_figure_legend(h, keys.keys);
	put_compared_steps(h, p, steps);
	rf_figure_end(h);
}
