// SPDX-License-Identifier: GPL-2.0
/*
 * report.html, a single file that loads nothing from the network. The first screen has the
 * summary line, the main figure, the fabric, the packet and the cases. Folded sections with
 * the details of each case follow, the worst case first, then cost and test setup.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "summary.h"
#include "tools/scenario/scenario.h"
#include "units.h"

#define CASES_MAX	12

static void put_expectation_table(const struct rf_html *h)
{
	const struct rf_run *run = h->run;
	size_t all = 0, missed = 0, i;

	for (i = 0; i < run->ncases; i++) {
		all += run->cases[i].test_case->nchecks;
		missed += run->cases[i].nreasons;
	}
	fprintf(h->f, "<span class=\"verdict %s\">", rf_verdict_name(run->verdict));
	if (run->verdict == RF_VERDICT_PASS && all)
		rf_html_say(h->f, "as predicted: %zu of %zu expectations met", all, all);
	else if (run->verdict == RF_VERDICT_FAIL && missed)
		rf_html_say(h->f, "fail: %zu of %zu expectations not met", missed, all);
	else
		rf_html_text(h->f, rf_verdict_name(run->verdict));
	fputs("</span>", h->f);
}

/* Write the path of the file @to as seen from the directory @from. Both are absolute paths. */
static void relative(const char *from, const char *to, char *buf, size_t len)
{
	size_t same = 0, i, n = 0;

	for (i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
		if (to[i] == '/')
			same = i + 1;
		if (!from[i] || !to[i])
			break;
	}
	from = strlen(from) < same ? "" : from + same;
	for (buf[0] = '\0'; *from && n < len; from += strspn(from, "/")) {
		n += snprintf(buf + n, len - n, "../");
		from += strcspn(from, "/");
	}
	if (n < len)
		snprintf(buf + n, len - n, "%s", to + same);
}

/*
 * Write a link to the document of the lab, if the scenario is a lab of rdmafault. The folder
 * Documentation is beside the folder of the labs, also where both are installed. If the
 * document is not on this machine, write only its name.
 */
static void put_document(const struct rf_html *h)
{
	const char *path = h->run->scenario->path, *name = strstr(path, "labs/");
	char file[PATH_MAX], to[PATH_MAX], from[PATH_MAX], link[PATH_MAX];
	int stem;

	if (!name || (name != path && name[-1] != '/'))
		return;
	stem = strcspn(name, ".");
	snprintf(file, sizeof(file), "%.*s./Documentation/%.*s.rst", (int)(name - path), path,
		 stem, name);
	fputs(" · explained in ", h->f);
	if (realpath(file, to) && realpath(h->run->dir, from)) {
		relative(from, to, link, sizeof(link));
		rf_html_link(h->f, link, strstr(file, "Documentation/"));
	} else {
		rf_html_text(h->f, strstr(file, "Documentation/"));
	}
}

static void put_title(const struct rf_html *h)
{
	const struct rf_run *run = h->run;
	struct rf_summary_text t;
	char ranks[RF_THINGS_LEN];

	rf_summarize(run, &t);
	fputs("<header>\n<p class=\"over\"><span>", h->f);
	rf_html_say(h->f, "%s · %s · Linux %.*s, %s, ", run->scenario->title, run->scenario->name,
		    (int)strcspn(run->kernel, "-"), run->kernel,
		    run->env.time == RF_TIME_VIRTUAL ? "virtual time" : "real time");
	if (run->scenario->workload.ranks)
		rf_html_say(h->f, "%s, ",
			    rf_fmt_things(run->scenario->workload.ranks, "rank", ranks));
	fputs("software RDMA", h->f);
	put_document(h);
	fputs("</span> ", h->f);
	put_expectation_table(h);
	fputs("</p>\n<h1>", h->f);
	rf_html_text(h->f, t.impact);
	fputs("</h1>\n<p class=\"lead\">", h->f);
	rf_html_text(h->f, t.lead);
	if (run->verdict != RF_VERDICT_PASS)
		rf_html_say(h->f, " %s", t.verdict);
	fputs("</p>\n", h->f);
	fputs("</header>\n", h->f);
}

/* Write the time of a case divided by the time of the clean case. */
static void put_ratio(const struct rf_html *h, const struct rf_run_case *p)
{
	const struct rf_run_case *clean = rf_run_clean_whole(h->run, p);

	if (clean && clean != p)
		rf_table_cell(h->f, "%.2f ×", (double)rf_case_ns(p) /
			      rf_case_ns(clean));
	else
		rf_table_cell(h->f, "%s", "");
}

static void put_case_row(const struct rf_html *h, const struct rf_run_case *p)
{
	const uint64_t *m = p->an->measure;
	char time[RF_FMT_LEN];

	rf_table_row(h->f);
	rf_table_name(h->f, "%s", p->label);
	fputs("<td>", h->f);
	rf_html_verdict(h->f, p->verdict);
	fputs("</td>", h->f);
	rf_table_cell(h->f, "%s", rf_case_ns(p) ?
		      rf_fmt_time(rf_case_ns(p), time) : "");
	put_ratio(h, p);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_HITS]);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_NAKS]);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_TIMEOUTS]);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_RETRANSMITTED]);
	rf_table_cell(h->f, "%s", p->an->step && rf_measure_is_known(p->an, RF_STALL) ?
		      rf_fmt_time(m[RF_STALL], time) : "");
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_WRONG]);
	fputc('\n', h->f);
}

static void put_case_table(const struct rf_html *h)
{
	static const char *const heads[] = {
		"case", "verdict", "time", "vs. clean", "packets hit", "NAKs", "timeouts",
		"retransmitted", "stall of first hit", "wrong results", NULL
	};
	size_t i;

	fputs("<section>\n<h2>All cases in numbers</h2>\n", h->f);
	rf_table_begin(h->f, "All cases", heads);
	for (i = 0; i < h->run->ncases; i++)
		put_case_row(h, &h->run->cases[i]);
	rf_table_end(h->f);
	if (h->run->differs[0]) {
		fputs("<p class=\"notmet\">", h->f);
		rf_html_text(h->f, h->run->differs);
		fputs("</p>\n", h->f);
	}
	fputs("</section>\n", h->f);
}

static void put_case_details(struct rf_html *h, const size_t *order, size_t n)
{
	size_t i;

	fputs("<section>\n<h2>Details of each case</h2>\n", h->f);
	for (i = 0; i < n && i < CASES_MAX; i++)
		rf_html_case(h, &h->run->cases[order[i]]);
	if (n > CASES_MAX) {
		fputs("<p class=\"dim\">", h->f);
		rf_html_say(h->f, "This list is not complete: %zu more cases are in summary.json.",
			    n - CASES_MAX);
		fputs("</p>\n", h->f);
	}
	fputs("</section>\n", h->f);
}

static void put_advice(const struct rf_html *h)
{
	char text[384];

	if (!rf_advice(h->run, text, sizeof(text)))
		return;
	fputs("<p class=\"notmet open\">", h->f);
	rf_html_say(h->f, "Note: %s", text);
	fputs("</p>\n", h->f);
}

static void put_test_setup(const struct rf_html *h)
{
	const struct rf_run *run = h->run;
	char text[512], time[RF_FMT_LEN], step[96] = "";
	char *ports = rf_ports_sentence(run);

	fputs("<section>\n<h2>Test setup</h2>\n<dl>\n", h->f);
	fputs("<dt>job</dt><dd>", h->f);
	rf_html_text(h->f, rf_job_sentence(&run->scenario->workload,
					   &run->scenario->qp, text, sizeof(text)));
	fputs("</dd>\n<dt>measured</dt><dd>", h->f);
	if (run->cases->an->clean_ns)
		snprintf(step, sizeof(step), ": a clean step takes %s; hardware NICs are much faster",
			 rf_fmt_time(run->cases->an->clean_ns, time));
	rf_html_say(h->f, "with software RDMA (rxe) on %s%s. On hardware, times are different, but a loss is detected in the same way, the same packets are retransmitted, and the same ranks wait.",
		    rf_environment_text(run, text, sizeof(text)), step);
	if (ports) {
		fputs("</dd>\n<dt>ports</dt><dd>", h->f);
		rf_html_text(h->f, ports);
		free(ports);
	}
	fputs("</dd>\n<dt>scenario</dt><dd>", h->f);
	rf_html_text(h->f, run->scenario->path);
	fputs("</dd>\n<dt>records</dt><dd>", h->f);
	rf_html_say(h->f, "%s: summary.json has all metrics; in the directory of each case, events.jsonl has all packets and timeline.jsonl all steps",
		    run->dir);
	fputs("</dd>\n<dt>words</dt><dd>A rank is one process of the job. A step is one iteration of the job; all ranks wait for each other at its end (barrier). A clean step is a step of a case without faults.</dd>\n",
	      h->f);
	fputs("<dt>drawn by</dt><dd>rdmafault " RF_VERSION "</dd>\n</dl>\n</section>\n", h->f);
}

static void put_run_page(struct rf_html *h, const void *what)
{
	const struct rf_run *run = what;
	size_t *order = calloc(run->ncases + 1, sizeof(*order)), n;

	h->run = run;
	n = order ? rf_run_order(run, order) : 0;
	put_title(h);
	put_advice(h);
	rf_html_first(h, order, n);
	put_case_details(h, order, n);
	put_case_table(h);
	rf_html_cost(h);
	put_test_setup(h);
	free(order);
}

static struct json_object *steps_figure(struct json_object *test_case)
{
	return json_object_object_get(json_object_object_get(test_case, "figures"), "steps");
}

/*
 * Remove the step times of the clean case from a case if they are also in the clean case. The
 * script puts them back.
 */
static void leave_out_clean(struct json_object *cases, struct json_object *test_case)
{
	struct json_object *steps = steps_figure(test_case), *clean;

	if (!steps || !json_object_object_get_ex(test_case, "clean_case", &clean) ||
	    !steps_figure(json_object_array_get_idx(cases, json_object_get_int(clean))))
		return;
	json_object_object_del(steps, "clean_t_us");
	json_object_object_del(steps, "clean_us");
	json_object_object_del(steps, "clean_end_us");
}

/*
 * Get the summary for the script. Members that no figure needs are left out, to keep the page
 * small.
 */
static struct json_object *summary_of(const struct rf_run *run)
{
	static const char *const unused[] = { "metrics", "no_value", "rxe_counters", "flows",
					      "stall", "cost", "expectations", "losses" };
	struct json_object *o = rf_summary_json(run), *cases, *test_case;
	size_t *order = calloc(run->ncases + 1, sizeof(*order)), n, i, k;

	cases = json_object_object_get(o, "cases");
	for (i = 0; i < run->ncases; i++) {
		test_case = json_object_array_get_idx(cases, i);
		for (k = 0; k < sizeof(unused) / sizeof(unused[0]); k++)
			json_object_object_del(test_case, unused[k]);
	}
	n = order ? rf_run_order(run, order) : 0;
	for (i = CASES_MAX; i < n; i++)
		json_object_object_del(json_object_array_get_idx(cases, order[i]), "figures");
	free(order);
	for (i = 0; i < run->ncases; i++)
		leave_out_clean(cases, json_object_array_get_idx(cases, i));
	return o;
}

/**
 * rf_html_write - write the page for a browser
 * @path: the file
 * @run: a run with at least one case
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_html_write(const char *path, const struct rf_run *run)
{
	struct json_object *data = summary_of(run);
	int err = rf_html_file(path, run->scenario->title, data, put_run_page, run);

	json_object_put(data);
	return err;
}
