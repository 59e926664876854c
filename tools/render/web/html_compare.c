// SPDX-License-Identifier: GPL-2.0
/*
 * Comparison page, one HTML file: the largest change, the times and verdicts of all cases, a
 * section per case, and the test setup of the two runs. page.js draws it from the data of
 * compare_json().
 */
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "html.h"
#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define CASES_MAX	12		/* with details */
#define MOVED	0.02		/* smaller relative changes count as noise */

typedef struct json_object *obj;

/* ---- test setup of the runs ---- */

typedef const char *(*property_fn)(const struct rf_run *run, char *buf,
				   size_t len);

static const char *scenario(const struct rf_run *run, char *buf, size_t len)
{
	snprintf(buf, len, "%s", run->scenario->name);
	return buf;
}

static const char *job(const struct rf_run *run, char *buf, size_t len)
{
	return rf_job_sentence(&run->scenario->workload, &run->scenario->qp, buf,
			       len);
}

static const char *rounds(const struct rf_run *run, char *buf, size_t len)
{
	snprintf(buf, len, "%u", run->rounds);
	return buf;
}

static const char *machine(const struct rf_run *run, char *buf, size_t len)
{
	return rf_environment_text(run, buf, len);
}

static const char *records(const struct rf_run *run, char *buf, size_t len)
{
	snprintf(buf, len, "%s", run->dir);
	return buf;
}

static const struct {
	const char *name;
	property_fn of;
} properties[] = {
	{ "scenario", scenario },
	{ "job", job },
	{ "rounds", rounds },
	{ "machine", machine },
	{ "records", records },
};

/* Add the test setup of the runs, a row per property, with a value for each run. */
static void put_setup(obj rows, const struct rf_compared *c)
{
	char text[512];
	obj row, values;
	size_t i, k;

	for (k = 0; k < sizeof(properties) / sizeof(properties[0]); k++) {
		row = rf_list_object(rows);
		rf_put_text(row, "name", properties[k].name);
		values = rf_put_list(row, "values");
		for (i = 0; i < RF_COMPARED; i++) {
			properties[k].of(c->runs[i], text, sizeof(text));
			json_object_array_add(values, rf_json_text(text));
		}
	}
}

/* ---- verdicts and times of all cases ---- */

/* Return: the name of the @i-th case of run A; NULL if the case is not in the first round */
static const char *first_round_case(const struct rf_compared *c, size_t i)
{
	const struct rf_run_case *p = &c->runs[0]->cases[i];

	return rf_compare_case(c->runs[0], p->test_case->name) == p ? p->test_case->name :
	       NULL;
}

static const char *shared_case(const struct rf_compared *c, size_t i)
{
	const char *name = first_round_case(c, i);

	return name && !rf_compare_lacks(c, name) ? name : NULL;
}

/* Get the times of a case in both runs; NAN: no value */
static bool case_times(const struct rf_compared *c, size_t i, double *v)
{
	const char *name = shared_case(c, i);

	return name && rf_compare_values(c, name, rf_compare_metric("case.time"),
					 v);
}

/* Add the values of a metric as text, and how much the second one differs from the first. */
static void put_compared_values(obj o, const struct rf_metric_info *m, const double v[RF_COMPARED])
{
	obj values = rf_put_list(o, "values");
	char text[RF_COMPARE_LEN];
	size_t i;

	for (i = 0; i < RF_COMPARED; i++)
		json_object_array_add(values, rf_json_text(rf_compare_value(m, v[i], text)));
	rf_put_text(o, "change", rf_compare_change(m, v[0], v[1], text));
}

/* Add the verdict of each run on a case of the first round; null: the run lacks the case. */
static void put_verdicts(obj o, const struct rf_compared *c, const char *name)
{
	obj list = rf_put_list(o, "verdicts");
	const struct rf_run_case *p;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		p = rf_compare_case(c->runs[i], name);
		json_object_array_add(list, p ? rf_json_text(rf_verdict_name(p->verdict)) : NULL);
	}
}

/* Add the times of a case in both runs; null: no value */
static void put_times(obj o, obj figures, const double v[RF_COMPARED])
{
	obj list = rf_put_list(figures, "compare_times");
	size_t i;

	for (i = 0; i < RF_COMPARED; i++)
		if (isnan(v[i]))
			json_object_array_add(list, NULL);
		else
			rf_number_add(list, v[i] / 1000.0);
	put_compared_values(rf_put_object(o, "time"), rf_compare_metric("case.time"), v);
}

/* ---- a case in both runs ---- */

static void put_fault_words(obj list, const struct rf_case *test_case)
{
	size_t i;

	for (i = 0; i < test_case->nfaults; i++)
		json_object_array_add(list, rf_json_text(test_case->faults[i].words));
}

/* Add what happened to the case in a run. */
static void put_story(obj o, const struct rf_run_case *p)
{
	char text[512];

	rf_put_text(o, "job", rf_job_sentence(&p->test_case->workload, &p->test_case->qp, text,
					      sizeof(text)));
	put_fault_words(rf_put_list(o, "faults"), p->test_case);
	rf_put_text(o, "text", rf_case_text(p, text, sizeof(text)));
}

static bool has_moved(const struct rf_metric_info *m, double was, double is)
{
	if (isnan(was) || isnan(is))
		return isnan(was) != isnan(is);
	if (m->unit == RF_UNIT_WORD || !was)
		return was != is;
	return fabs(is / was - 1) >= MOVED;
}

static void put_metrics(obj list, const struct rf_compared *c, const char *name)
{
	const struct rf_metric_info *m;
	double v[RF_COMPARED];
	size_t i;
	obj o;

	for (i = 0; (m = rf_metrics.row(i)); i++) {
		if (strchr(m->name, '[') || !rf_compare_values(c, name, m, v))
			continue;
		o = rf_list_object(list);
		rf_put_text(o, "name", m->name);
		rf_put_text(o, "help", m->help);
		put_compared_values(o, m, v);
		json_object_object_add(o, "moved", json_object_new_boolean(has_moved(m, v[0], v[1])));
	}
}

static void put_compared_figures(obj figures, const struct rf_compared *c, const char *name)
{
	obj steps = rf_put_list(figures, "compare_steps");
	obj activities = rf_put_list(figures, "compare_activities"), one;
	const struct rf_run_case *p;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		p = rf_compare_case(c->runs[i], name);
		json_object_array_add(steps, rf_figure_steps(c->runs[i], p));
		one = json_object_new_object();
		rf_activities_json(one, &p->rec.tl);
		json_object_array_add(activities, one);
	}
}

/* Add a case that both runs have; the figures of all but the first cases are left out. */
static void put_shared_case(obj o, const struct rf_compared *c, size_t at, bool detailed)
{
	const char *name = shared_case(c, at);
	obj figures = rf_put_object(o, "figures"), stories;
	double v[RF_COMPARED];
	size_t i;

	if (case_times(c, at, v))
		put_times(o, figures, v);
	if (!detailed)
		return;
	stories = rf_put_list(o, "stories");
	for (i = 0; i < RF_COMPARED; i++)
		put_story(rf_list_object(stories), rf_compare_case(c->runs[i], name));
	put_compared_figures(figures, c, name);
	put_metrics(rf_put_list(o, "metrics"), c, name);
}

/* ---- the page ---- */

static const char *title_of(const struct rf_compared *c)
{
	return rf_compare_differ(c) ? "Comparison of two runs" :
	       c->runs[0]->scenario->title;
}

static void put_compare_title(struct rf_html *h, const struct rf_compared *c)
{
	char words[256];

	fputs("<header>\n<p class=\"over\"><span>", h->f);
	rf_html_say(h->f, "A %s compared with B %s: ", rf_compare_name(c->runs[0]),
		    rf_compare_name(c->runs[1]));
	rf_html_text(h->f, title_of(c));
	fputs("</span></p>\n<h1>", h->f);
	rf_html_text(h->f, rf_compare_summary_line(c, words, sizeof(words)));
	fputs("</h1>\n", h->f);
	if (rf_compare_differ(c))
		fputs("<p class=\"notmet open\">Note: " RF_COMPARE_NOTE "</p>\n",
		      h->f);
	fputs("</header>\n", h->f);
}

static void put_compare_page(struct rf_html *h, const void *what)
{
	put_compare_title(h, what);
	fputs("<p id=\"no-script\" class=\"notmet open\">The script of this page, which draws its figures and tables, did not run. \"rdmafault report A B\" prints the comparison as text.</p>\n",
	      h->f);
}

/* Return: the data of the page; the list of cases has the first round of run A. */
static obj compare_json(const struct rf_compared *c)
{
	obj o = json_object_new_object(), list, one;
	const char *name;
	size_t i, shown = 0;

	rf_put_u64(o, "version", RF_SUMMARY_VERSION);
	rf_put_text(o, "program", "rdmafault " RF_VERSION);
	list = rf_put_list(o, "runs");
	for (i = 0; i < RF_COMPARED; i++)
		json_object_array_add(list, rf_json_text(rf_compare_name(c->runs[i])));
	list = rf_put_list(o, "verdicts");
	for (i = 0; i < RF_COMPARED; i++)
		json_object_array_add(list, rf_json_text(rf_verdict_name(c->runs[i]->verdict)));
	put_setup(rf_put_list(o, "setup"), c);
	list = rf_put_list(o, "cases");
	for (i = 0; i < c->runs[0]->ncases; i++) {
		name = first_round_case(c, i);
		if (!name)
			continue;
		one = rf_list_object(list);
		rf_put_text(one, "label", name);
		put_verdicts(one, c, name);
		if (shared_case(c, i))
			put_shared_case(one, c, i, shown++ < CASES_MAX);
	}
	return o;
}

/**
 * rf_compare_html - write the comparison page
 * @path: the file
 * @c: the two runs
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_compare_html(const char *path, const struct rf_compared *c)
{
	struct json_object *data = compare_json(c);
	int err = rf_html_file(path, title_of(c), data, put_compare_page, c);

	json_object_put(data);
	return err;
}
