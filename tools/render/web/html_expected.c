// SPDX-License-Identifier: GPL-2.0
/* The expectations of a case, line by line, and the measured values. */
#include "html.h"
#include "tools/analysis/analysis.h"

static void put_met(FILE *f, bool holds)
{
	fprintf(f, "<td><span class=\"verdict %s\">%s</span></td>",
		holds ? "pass" : "fail", holds ? "met" : "not met");
}

static void put_check_row(const struct rf_html *h, const struct rf_run_case *p,
			  const struct rf_check *c)
{
	struct rf_metric_case mp = { .run = h->run, .run_case = p };
	struct rf_check_result r;
	char got[256];

	rf_check_eval(c, &rf_metrics, &mp, &r);
	rf_table_row(h->f);
	rf_table_cell(h->f, "%s", c->text);
	rf_table_cell(h->f, "%s", rf_check_measured(c, &r, got, sizeof(got)));
	put_met(h->f, r.holds);
	fputc('\n', h->f);
}

/**
 * rf_html_expected - write the table of expectations, if the case has any
 * @h: the page
 * @p: the case
 */
void rf_html_expected(struct rf_html *h, const struct rf_run_case *p)
{
	static const char *const heads[] = { "expectation", "measured", "verdict", NULL };
	size_t i;

	if (!p->test_case->nchecks)
		return;
	fputs("<h3>Expectations</h3>\n", h->f);
	rf_table_begin(h->f, "Expectations and measured values", heads);
	for (i = 0; i < p->test_case->nchecks; i++)
		put_check_row(h, p, &p->test_case->checks[i]);
	rf_table_end(h->f);
}
