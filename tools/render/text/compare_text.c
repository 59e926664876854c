// SPDX-License-Identifier: GPL-2.0
/*
 * Print the comparison of two runs. For each case that both runs have, print the metrics
 * and their change. Metrics that are 0 in both runs are omitted.
 */
#include <string.h>

#include "page.h"
#include "tools/analysis/analysis.h"
#include "tools/render/words/words.h"
#include "units.h"

#define NAME_WIDTH 22
#define VALUE_WIDTH 12

static void put_metric_line(FILE *f, const struct rf_compared *c, const char *case_name,
			    const struct rf_metric_info *m)
{
	double v[RF_COMPARED];
	char text[RF_COMPARE_LEN];
	size_t i;

	if (!rf_compare_values(c, case_name, m, v))
		return;
	fprintf(f, "  %-*s", NAME_WIDTH, m->name);
	for (i = 0; i < RF_COMPARED; i++)
		fprintf(f, " %*s", VALUE_WIDTH, rf_compare_value(m, v[i], text));
	fprintf(f, " %*s\n", VALUE_WIDTH, rf_compare_change(m, v[0], v[1], text));
}

static void put_compared_case(FILE *f, const struct rf_compared *c, const char *name)
{
	const struct rf_run *lacks = rf_compare_lacks(c, name);
	const struct rf_metric_info *m;
	size_t i;

	if (lacks) {
		fprintf(f, "  %s: no such case in %s\n\n", name,
			rf_compare_name(lacks));
		return;
	}
	rf_text_rule(f, name, "2 runs");
	for (i = 0; (m = rf_metrics.row(i)); i++)
		if (!strchr(m->name, '['))
			put_metric_line(f, c, name, m);
	fputc('\n', f);
}

static void put_run_lines(FILE *f, const struct rf_compared *c)
{
	char rounds[RF_THINGS_LEN];
	const struct rf_run *run;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		run = c->runs[i];
		fprintf(f, "  %c  %s: %s, %s, %s on Linux %s\n",
			(char)('A' + i), run->dir, run->scenario->name,
			rf_fmt_things(run->rounds, "round", rounds),
			rf_verdict_name(run->verdict), run->kernel);
	}
	fputc('\n', f);
}

static void put_summary_words(FILE *f, const struct rf_compared *c)
{
	char words[256];

	rf_text_wrap(f, "", 2, rf_compare_summary_line(c, words, sizeof(words)));
	if (rf_compare_differ(c))
		rf_text_wrap(f, "  NOTE", 12, RF_COMPARE_NOTE);
	fputc('\n', f);
}

static void put_columns(FILE *f)
{
	size_t i;

	fprintf(f, "  %-*s", NAME_WIDTH, "median over rounds");
	for (i = 0; i < RF_COMPARED; i++)
		fprintf(f, " %*c", VALUE_WIDTH, (char)('A' + i));
	fprintf(f, " %*s\n\n", VALUE_WIDTH, "change");
}

/**
 * rf_compare_write - print a comparison
 * @f: output stream
 * @c: the two runs
 */
void rf_compare_write(FILE *f, const struct rf_compared *c)
{
	const struct rf_run *a = c->runs[0];
	const struct rf_run_case *p;

	put_run_lines(f, c);
	put_summary_words(f, c);
	put_columns(f);
	for (p = a->cases; p < a->cases + a->ncases; p++)
		if (rf_compare_case(a, p->test_case->name) == p)
			put_compared_case(f, c, p->test_case->name);
}
