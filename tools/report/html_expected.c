// SPDX-License-Identifier: GPL-2.0
/* The expectations of a case, line by line, and the measured values. */
#include "html.h"
#include "metric.h"

static void put_mark(FILE *f, bool holds)
{
	fprintf(f, "<td><span class=\"verdict %s\">%s</span></td>",
		holds ? "pass" : "fail", holds ? "met" : "not met");
}

static void put_range(FILE *f, const struct rf_run_case *p, enum rf_measure m)
{
	const struct rf_range *r = &p->kase->expect.range[m];
	const char *why_not = rf_measure_why_not(&p->an, m);
	char want[64], got[64];

	rf_table_row(f);
	rf_table_cell(f, "%s: %s", rf_measure_name(m),
		      rf_range_format(m, r, want, sizeof(want)));
	if (why_not)
		rf_table_cell(f, "no value: %s", why_not);
	else
		rf_table_cell(f, "%s", rf_measure_format(m, p->an.measure[m],
							 got, sizeof(got)));
	put_mark(f, !why_not && rf_range_holds(r, p->an.measure[m]));
	fputc('\n', f);
}

static void put_check(const struct rf_html *h, const struct rf_run_case *p,
		      const struct rf_check *c)
{
	struct rf_metric_case mp = { .run = h->run, .kase = p };
	struct rf_check_result r;
	char got[256];

	rf_check_eval(c, &rf_metrics, &mp, &r);
	rf_table_row(h->f);
	rf_table_cell(h->f, "%s", c->text);
	rf_table_cell(h->f, "%s", rf_check_measured(c, &r, got, sizeof(got)));
	put_mark(h->f, r.holds);
	fputc('\n', h->f);
}

static size_t count_lines(const struct rf_case *kase)
{
	size_t n = kase->nchecks;
	unsigned int m;

	for (m = 0; m < RF_MEASURES; m++)
		n += kase->expect.range[m].set;
	return n;
}

/**
 * rf_html_expected - write the table of expectations, if the case has any
 * @h: the page
 * @p: the case
 */
void rf_html_expected(struct rf_html *h, const struct rf_run_case *p)
{
	static const char *const heads[] = { "expectation", "measured", "verdict", NULL };
	unsigned int m;
	size_t i;

	if (!count_lines(p->kase))
		return;
	fputs("<h3>Expectations</h3>\n", h->f);
	rf_table_begin(h->f, "Expectations and measured values", heads);
	for (m = 0; m < RF_MEASURES; m++)
		if (p->kase->expect.range[m].set)
			put_range(h->f, p, m);
	for (i = 0; i < p->kase->nchecks; i++)
		put_check(h, p, &p->kase->checks[i]);
	rf_table_end(h->f);
}
