// SPDX-License-Identifier: GPL-2.0
/*
 * Comparison page, one HTML file: the largest change, the times and verdicts of all cases, a
 * section per case, and the test setup of the two runs. Each run has a letter (A, B) and a
 * color. The script of the page draws the figures from the data of compare_json().
 */
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "html.h"
#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define CASES_MAX	12

const char *const rf_run_looks[RF_COMPARED] = {
	"run0", "run1"
};

/**
 * rf_letters - make the legend of the two runs
 * @c: the two runs
 * @k: filled in
 */
void rf_letters(const struct rf_compared *c, struct rf_letter_keys *k)
{
	size_t i;

	*k = (struct rf_letter_keys){ };
	for (i = 0; i < RF_COMPARED; i++) {
		snprintf(k->words[i], sizeof(k->words[i]), "%c  %.70s",
			 (char)('A' + i), rf_compare_name(c->runs[i]));
		k->keys[i] = (struct rf_key){ rf_run_looks[i], k->words[i] };
	}
}

/**
 * rf_compare_heads - begin a table with a column per run
 * @f: output stream
 * @caption: caption of the table
 * @first: head of the first column, before the columns of the runs
 * @last: head of the last column; NULL: no column after the columns of the runs
 */
void rf_compare_heads(FILE *f, const char *caption, const char *first,
		      const char *last)
{
	size_t i;

	rf_table_open(f, caption);
	fprintf(f, "<th scope=\"col\">%s</th>", first);
	for (i = 0; i < RF_COMPARED; i++)
		fprintf(f, "<th scope=\"col\"><i class=\"%s\"></i>%c</th>",
			rf_run_looks[i], (char)('A' + i));
	if (last)
		fprintf(f, "<th scope=\"col\">%s</th>", last);
	fputs("</tr></thead>\n<tbody>\n", f);
}

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

/* Write a row of the test setup. If both runs have the same value, write it only once. */
static void put_setup_row(FILE *f, const struct rf_compared *c, const char *name,
			  property_fn of)
{
	char text[RF_COMPARED][512];
	bool same = true;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		of(c->runs[i], text[i], sizeof(text[i]));
		same &= !strcmp(text[i], text[0]);
	}
	rf_table_row(f);
	rf_table_name(f, "%s", name);
	if (same) {
		fprintf(f, "<td class=\"wrap\" colspan=\"%d\">", RF_COMPARED);
		rf_html_text(f, text[0]);
		fputs("</td>", f);
	}
	for (i = 0; !same && i < RF_COMPARED; i++)
		rf_table_mark(f, of != records && strcmp(text[i], text[0]) ?
			      "wrap moved" : "wrap", "%s", text[i]);
	fputc('\n', f);
}

static void put_verdict_rows(FILE *f, const struct rf_compared *c)
{
	size_t i;

	rf_table_row(f);
	rf_table_name(f, "verdict");
	for (i = 0; i < RF_COMPARED; i++) {
		fputs("<td>", f);
		rf_html_verdict(f, c->runs[i]->verdict);
		fputs("</td>", f);
	}
	fputc('\n', f);
}

static void put_run_rows(FILE *f, const struct rf_compared *c)
{
	size_t i;

	fputs("<section>\n<h2>Runs</h2>\n", f);
	rf_compare_heads(f, "Runs", "run", NULL);
	put_verdict_rows(f, c);
	for (i = 0; i < sizeof(properties) / sizeof(properties[0]); i++)
		put_setup_row(f, c, properties[i].name, properties[i].of);
	rf_table_end(f);
	fputs("</section>\n", f);
}

/* ---- table and times of all cases ---- */

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

static void put_change(FILE *f, const struct rf_metric_info *m, double was,
		       double is)
{
	char change[RF_COMPARE_LEN], value[RF_COMPARE_LEN];

	rf_compare_value(m, is, value);
	rf_compare_change(m, was, is, change);
	rf_table_cell(f, "%s%s%s%s", value, *change ? " (" : "", change,
		      *change ? ")" : "");
}

static void put_times(struct rf_html *h, const struct rf_compared *c)
{
	const struct rf_metric_info *m = rf_compare_metric("case.time");
	double v[RF_COMPARED];
	char first[RF_COMPARE_LEN];
	size_t i;

	fputs("<details><summary>as a table</summary>\n", h->f);
	rf_compare_heads(h->f, h->title, "case", NULL);
	for (i = 0; i < c->runs[0]->ncases; i++) {
		if (!case_times(c, i, v))
			continue;
		rf_table_row(h->f);
		rf_table_name(h->f, "%s", shared_case(c, i));
		rf_table_cell(h->f, "%s", rf_compare_value(m, v[0], first));
		put_change(h->f, m, v[0], v[1]);
		fputc('\n', h->f);
	}
}

static void put_times_figure(struct rf_html *h, const struct rf_compared *c)
{
	struct rf_letter_keys keys;
	double v[RF_COMPARED];
	size_t i, n = 0;

	for (i = 0; i < c->runs[0]->ncases; i++)
		n += case_times(c, i, v);
	if (!n)
		return;
	rf_letters(c, &keys);
	rf_figure_begin(h, "compare_times", NULL, "Time per case",
			"From the start of the first step to the end of the last step. Compare the bars of A and B. If there are several rounds, a bar shows the median of all rounds.");
	rf_figure_legend(h, keys.keys);
	put_times(h, c);
	rf_figure_end(h);
}

static void put_compared_row(FILE *f, const struct rf_compared *c, size_t at)
{
	const char *name = first_round_case(c, at);
	const struct rf_run_case *p;
	size_t i;

	rf_table_row(f);
	fputs("<th scope=\"row\">", f);
	if (shared_case(c, at))
		fprintf(f, "<a href=\"#case%zu\">", at);
	rf_html_text(f, name);
	fputs(shared_case(c, at) ? "</a></th>" : "</th>", f);
	for (i = 0; i < RF_COMPARED; i++) {
		p = rf_compare_case(c->runs[i], name);
		fputs("<td>", f);
		if (p)
			rf_html_verdict(f, p->verdict);
		else
			fputs("not run", f);
		fputs("</td>", f);
	}
	fputc('\n', f);
}

static void put_compared_cases(struct rf_html *h, const struct rf_compared *c)
{
	size_t i;

	fputs("<section>\n<h2>Cases</h2>\n", h->f);
	put_times_figure(h, c);
	rf_compare_heads(h->f, "Verdicts of all cases", "case", NULL);
	for (i = 0; i < c->runs[0]->ncases; i++)
		if (first_round_case(c, i))
			put_compared_row(h->f, c, i);
	rf_table_end(h->f);
	fputs("</section>\n", h->f);
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

static void put_compared_details(struct rf_html *h, const struct rf_compared *c)
{
	size_t i, shown = 0, more = 0;

	for (i = 0; i < c->runs[0]->ncases; i++) {
		if (!shared_case(c, i))
			continue;
		if (shown++ >= CASES_MAX) {
			more++;
			continue;
		}
		fprintf(h->f, "<section id=\"case%zu\">\n", i);
		rf_html_compare_case(h, c, shared_case(c, i));
		fputs("</section>\n", h->f);
	}
	if (!more)
		return;
	fputs("<p class=\"dim\">", h->f);
	rf_html_say(h->f, "\"rdmafault report A B\" in a terminal compares %zu more cases.",
		    more);
	fputs("</p>\n", h->f);
}

static void put_compare_setup(const struct rf_html *h)
{
	fputs("<section>\n<h2>Test setup</h2>\n<dl>\n<dt>compared</dt><dd>Cases are matched by name. Metrics are the median of all rounds, curves show the first round. Metrics that rest on lost records are omitted.</dd>\n",
	      h->f);
	fputs("<dt>drawn by</dt><dd>rdmafault " RF_VERSION "</dd>\n</dl>\n</section>\n", h->f);
}

static void put_compare_page(struct rf_html *h, const void *what)
{
	const struct rf_compared *c = what;

	h->run = c->runs[0];
	put_compare_title(h, c);
	put_compared_cases(h, c);
	put_compared_details(h, c);
	put_run_rows(h->f, c);
	put_compare_setup(h);
}

static void put_case_data(struct json_object *o, const struct rf_compared *c, size_t at)
{
	const char *name = shared_case(c, at);
	struct json_object *figures, *list;
	double v[RF_COMPARED];
	size_t i;

	rf_put_text(o, "label", name);
	figures = rf_put_object(o, "figures");
	if (case_times(c, at, v)) {
		list = rf_put_list(figures, "compare_times");
		for (i = 0; i < RF_COMPARED; i++)
			if (isnan(v[i]))
				json_object_array_add(list, NULL);
			else
				rf_number_add(list, v[i] / 1000);
	}
	rf_compare_case_json(figures, c, name);
}

/* Return: the data of the figures; the list of cases has the cases of run A */
static struct json_object *compare_json(const struct rf_compared *c)
{
	struct json_object *o = json_object_new_object(), *list, *one;
	size_t i;

	rf_put_u64(o, "version", RF_SUMMARY_VERSION);
	list = rf_put_list(o, "runs");
	for (i = 0; i < RF_COMPARED; i++)
		json_object_array_add(list, json_object_new_string(rf_compare_name(c->runs[i])));
	list = rf_put_list(o, "cases");
	for (i = 0; i < c->runs[0]->ncases; i++) {
		one = json_object_new_object();
		if (shared_case(c, i))
			put_case_data(one, c, i);
		json_object_array_add(list, one);
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
