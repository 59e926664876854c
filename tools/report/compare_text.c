// SPDX-License-Identifier: GPL-2.0
/*
 * Runs side by side in a terminal: for each case that they have in common the
 * metrics that are something in one of them. Two runs get a column of changes;
 * more are only set beside one another.
 */
#include <string.h>

#include "compare.h"
#include "metric.h"

#define NAME_WIDTH 22
#define VALUE_WIDTH 12

static void put_row(FILE *f, const struct rf_compared *c, const char *kase,
		    const struct rf_metric_info *m)
{
	double v[RF_COMPARE_MAX];
	char text[RF_COMPARE_LEN];
	size_t i;

	if (!rf_compare_values(c, kase, m, v))
		return;
	fprintf(f, "  %-*s", NAME_WIDTH, m->name);
	for (i = 0; i < c->n; i++)
		fprintf(f, " %*s", VALUE_WIDTH, rf_compare_value(m, v[i], text));
	if (c->n == 2)
		fprintf(f, " %*s", VALUE_WIDTH,
			rf_compare_change(m, v[0], v[1], text));
	fputc('\n', f);
}

/* A case that some run doesn't have is nothing to compare. */
static void put_case(FILE *f, const struct rf_compared *c, const char *name)
{
	const struct rf_run *lacks = rf_compare_lacks(c, name);
	const struct rf_metric_info *m;
	char right[16];
	size_t i;

	if (lacks) {
		fprintf(f, "  %s: %s has no such case\n\n", name,
			rf_compare_name(lacks));
		return;
	}
	snprintf(right, sizeof(right), "%zu runs", c->n);
	rf_text_rule(f, name, right);
	for (i = 0; (m = rf_metrics.row(i)); i++)
		if (!strchr(m->name, '['))
			put_row(f, c, name, m);
	fputc('\n', f);
}

static void put_runs(FILE *f, const struct rf_compared *c)
{
	const struct rf_run *run;
	size_t i;

	for (i = 0; i < c->n; i++) {
		run = c->runs[i];
		fprintf(f, "  %c  %s: %s, %u round%s, %s on Linux %s\n",
			(char)('A' + i), run->dir, run->scenario->name,
			run->rounds, run->rounds == 1 ? "" : "s",
			rf_verdict_name(run->verdict), run->kernel);
	}
	fputc('\n', f);
}

static void put_words(FILE *f, const struct rf_compared *c)
{
	char words[256];

	rf_text_wrap(f, "", 2, rf_compare_summary_line(c, words, sizeof(words)));
	if (rf_compare_differ(c))
		rf_text_wrap(f, "  NOTE", 12, RF_COMPARE_NOTE);
	fputc('\n', f);
}

static void put_columns(FILE *f, const struct rf_compared *c)
{
	size_t i;

	fprintf(f, "  %-*s", NAME_WIDTH, "median over rounds");
	for (i = 0; i < c->n; i++)
		fprintf(f, " %*c", VALUE_WIDTH, (char)('A' + i));
	fprintf(f, c->n == 2 ? " %*s\n\n" : "\n\n", VALUE_WIDTH, "change");
}

/**
 * rf_compare_write - two or more runs side by side
 * @f: where to
 * @runs: the runs, analysed, each with a case
 * @n: how many, 2 to RF_COMPARE_MAX
 */
void rf_compare_write(FILE *f, const struct rf_run *const *runs, size_t n)
{
	const struct rf_compared c = { runs, n };
	const struct rf_run_case *p, *end = runs[0]->cases + runs[0]->ncases;

	put_runs(f, &c);
	put_words(f, &c);
	put_columns(f, &c);
	for (p = runs[0]->cases; p < end; p++)
		if (rf_compare_case(runs[0], p->kase->name) == p)
			put_case(f, &c, p->kase->name);
}
