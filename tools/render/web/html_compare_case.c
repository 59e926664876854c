// SPDX-License-Identifier: GPL-2.0
/*
 * A case in two runs: what happened in each (one or two sentences), step times, the time of
 * the ranks by activity, and each metric with its change.
 */
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "html.h"
#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define MOVED	0.02		/* smaller relative changes count as noise */

struct compared_case {
	const struct rf_compared *c;
	const struct rf_run_case *p[RF_COMPARED];
};

/* ---- stories ---- */

static bool same_faults(const struct rf_case *a, const struct rf_case *b)
{
	size_t i;

	if (a->nfaults != b->nfaults)
		return false;
	for (i = 0; i < a->nfaults; i++)
		if (strcmp(a->faults[i].words, b->faults[i].words))
			return false;
	return true;
}

static bool same_job(const struct rf_case *a, const struct rf_case *b)
{
	char one[512], other[512];

	rf_job_sentence(&a->workload, &a->qp, one, sizeof(one));
	rf_job_sentence(&b->workload, &b->qp, other, sizeof(other));
	return !strcmp(one, other);
}

static void put_story(FILE *f, const struct rf_run_case *p, bool job,
		      bool faults)
{
	char text[512];

	if (job) {
		fputs("<p class=\"dim\">", f);
		rf_html_text(f, rf_job_sentence(&p->test_case->workload, &p->test_case->qp,
						text, sizeof(text)));
		fputs("</p>\n", f);
	}
	if (faults)
		rf_html_faults(f, p->test_case);
	rf_html_text(f, rf_case_text(p, text, sizeof(text)));
	fputc(' ', f);
	rf_html_verdict(f, p->verdict);
}

/* Write the job and the faults of both runs; write them only once if they are equal. */
static void put_case_stories(FILE *f, const struct compared_case *cp)
{
	const struct rf_case *a = cp->p[0]->test_case, *b = cp->p[1]->test_case;
	bool jobs = !same_job(a, b), faults = !same_faults(a, b);
	size_t i;

	if (!faults)
		rf_html_faults(f, cp->p[0]->test_case);
	fputs("<dl class=\"stories\">\n", f);
	for (i = 0; i < RF_COMPARED; i++) {
		fprintf(f, "<dt><i class=\"%s\"></i>%c</dt><dd>",
			rf_run_looks[i], (char)('A' + i));
		put_story(f, cp->p[i], jobs, faults);
		fputs("</dd>\n", f);
	}
	fputs("</dl>\n", f);
}

/* ---- time by activity ---- */

static void put_activities(struct rf_html *h, const struct compared_case *cp)
{
	static const char *const heads[] = {
		"run", "all ranks", "computing, copying, adding",
		"waiting for data", "waiting for ACKs",
		"waiting at the barrier", NULL
	};
	struct rf_activities b;
	size_t i;

	rf_figure_table(h, heads);
	for (i = 0; i < RF_COMPARED; i++) {
		rf_activities_of(&cp->p[i]->rec.tl, &b);
		rf_table_row(h->f);
		rf_table_name(h->f, "%c", (char)('A' + i));
		rf_activity_cells(h->f, &b);
		fputc('\n', h->f);
	}
}

static bool have_activities(const struct compared_case *cp)
{
	struct rf_activities b = { };
	size_t i;

	for (i = 0; i < RF_COMPARED && !b.all; i++)
		rf_activities_of(&cp->p[i]->rec.tl, &b);
	return b.all;
}

static void put_activity_figure(struct rf_html *h, const struct compared_case *cp)
{
	if (!have_activities(cp))
		return;
	rf_figure_begin(h, "compare_activities", cp->p[0], "Time of the ranks by activity",
			"Each bar is the total time of all ranks in all steps. Compare the waiting time of the two runs.");
	rf_figure_legend(h, rf_activity_keys);
	put_activities(h, cp);
	rf_figure_end(h);
}

/* ---- metrics ---- */

static bool has_moved(const struct rf_metric_info *m, double was, double is)
{
	if (isnan(was) || isnan(is))
		return isnan(was) != isnan(is);
	if (m->unit == RF_UNIT_WORD || !was)
		return was != is;
	return fabs(is / was - 1) >= MOVED;
}

static void put_metric_row(FILE *f, const struct rf_metric_info *m, const double *v)
{
	char value[RF_COMPARE_LEN], change[RF_COMPARE_LEN];

	rf_table_row(f);
	rf_table_name(f, "%s", m->name);
	rf_table_cell(f, "%s", rf_compare_value(m, v[0], value));
	rf_compare_value(m, v[1], value);
	rf_compare_change(m, v[0], v[1], change);
	fputs(has_moved(m, v[0], v[1]) ? "<td class=\"moved\">" : "<td>", f);
	rf_html_text(f, value);
	if (*change) {
		fputs(" <span class=\"by\">", f);
		rf_html_text(f, change);
		fputs("</span>", f);
	}
	fputs("</td>", f);
	rf_table_mark(f, "wrap dim", "%s", m->help);
	fputc('\n', f);
}

/*
 * Count the changed (@moved) or unchanged metrics. If @write, also write them as a table.
 * Return: the number of counted metrics.
 */
static size_t put_metric_table(FILE *f, const struct compared_case *cp, bool moved,
			       bool write)
{
	const char *case_name = cp->p[0]->test_case->name;
	const struct rf_metric_info *m;
	double v[RF_COMPARED];
	size_t i, n = 0;

	if (write)
		rf_compare_heads(f, moved ? "Changed metrics" :
				 "Unchanged metrics", "metric", "meaning");
	for (i = 0; (m = rf_metrics.row(i)); i++) {
		if (strchr(m->name, '[') ||
		    !rf_compare_values(cp->c, case_name, m, v) ||
		    has_moved(m, v[0], v[1]) != moved)
			continue;
		n++;
		if (write)
			put_metric_row(f, m, v);
	}
	if (write)
		rf_table_end(f);
	return n;
}

static void put_all_metrics(FILE *f, const struct compared_case *cp)
{
	size_t still = put_metric_table(f, cp, false, false);

	fputs("<h3>Metrics that changed by 2 % or more</h3>\n", f);
	if (put_metric_table(f, cp, true, false))
		put_metric_table(f, cp, true, true);
	else
		fputs("<p>None.</p>\n", f);
	if (!still)
		return;
	fprintf(f, "<details><summary>%zu other metrics</summary>\n", still);
	put_metric_table(f, cp, false, true);
	fputs("</details>\n", f);
}

/**
 * rf_compare_case_json - add the data of the figures of a case
 * @figures: an object; gets one member per figure
 * @c: the two runs
 * @case_name: the case's name
 */
void rf_compare_case_json(struct json_object *figures, const struct rf_compared *c,
			  const char *case_name)
{
	struct json_object *steps = rf_put_list(figures, "compare_steps");
	struct json_object *activities = rf_put_list(figures, "compare_activities"), *one;
	const struct rf_run_case *p;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		p = rf_compare_case(c->runs[i], case_name);
		json_object_array_add(steps, rf_figure_steps(c->runs[i], p));
		one = json_object_new_object();
		rf_activities_json(one, &p->rec.tl);
		json_object_array_add(activities, one);
	}
}

/**
 * rf_html_compare_case - write the section of a case that both runs have
 * @h: the page
 * @c: the two runs
 * @case_name: the case's name
 */
void rf_html_compare_case(struct rf_html *h, const struct rf_compared *c,
			  const char *case_name)
{
	struct compared_case cp = { .c = c };
	size_t i;

	for (i = 0; i < RF_COMPARED; i++)
		cp.p[i] = rf_compare_case(c->runs[i], case_name);
	fputs("<h2>", h->f);
	rf_html_text(h->f, case_name);
	fputs("</h2>\n", h->f);
	put_case_stories(h->f, &cp);
	rf_html_compare_steps(h, c, case_name);
	put_activity_figure(h, &cp);
	put_all_metrics(h->f, &cp);
}
