// SPDX-License-Identifier: GPL-2.0
/*
 * report.html, a single file that loads nothing from the network: the summary of the run, which
 * page.js draws. Verdict, summary line and expectations that were not met are HTML, because
 * some servers do not allow scripts.
 */
#include <glob.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "html.h"
#include "json.h"
#include "summary.h"
#include "tools/scenario/scenario.h"
#include "units.h"

#define CASES_MAX	12		/* with details */
#define LOSSES_MAX	30

static void put_expectation_table(const struct rf_html *h)
{
	const struct rf_run *run = h->run;
	size_t all = 0, others, missed = rf_run_not_met(run, &others), i;

	for (i = 0; i < run->ncases; i++)
		all += run->cases[i].test_case->nchecks;
	fprintf(h->f, "<span class=\"verdict %s\">", rf_verdict_name(run->verdict));
	if (run->verdict == RF_VERDICT_PASS && all)
		rf_html_say(h->f, "as predicted: %zu of %zu expectations met", all, all);
	else if (run->verdict == RF_VERDICT_FAIL && !others)
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
		rf_html_say(h->f, "%s of %s, ", run->scenario->workload.collective,
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

/* Write the expectations that were not met, with a link to the details of their case. */
static void put_not_met(const struct rf_html *h)
{
	const struct rf_run *run = h->run;
	unsigned int k;
	size_t i;

	for (i = 0; i < run->ncases; i++)
		for (k = 0; k < run->cases[i].nreasons; k++) {
			fprintf(h->f, "<p class=\"notmet\"><a href=\"#case%zu\">", i);
			rf_html_text(h->f, run->cases[i].label);
			fputs("</a>: ", h->f);
			rf_html_text(h->f, run->cases[i].reason[k]);
			fputs("</p>\n", h->f);
		}
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

/* Write links to the files that other programs show, if the run has them. */
static void put_closer(const struct rf_html *h)
{
	char path[PATH_MAX + 16], text[64];
	const char *name;
	size_t n = 0, i;
	glob_t found;

	snprintf(path, sizeof(path), "%s/trace.json", h->run->dir);
	if (!access(path, F_OK)) {
		fputs("<p class=\"dim\">To look closer: ", h->f);
		rf_html_link(h->f, "trace.json", "trace.json");
		fputs(" in Perfetto (ui.perfetto.dev)", h->f);
		n++;
	}
	snprintf(path, sizeof(path), "%s/*/*.pcapng", h->run->dir);
	if (!glob(path, 0, NULL, &found))
		for (i = 0; i < found.gl_pathc && i < CASES_MAX; i++) {
			name = found.gl_pathv[i] + strlen(h->run->dir) + 1;
			fputs(n++ ? ", " : "<p class=\"dim\">To look closer: ", h->f);
			snprintf(text, sizeof(text), "%.63s", name);
			rf_html_link(h->f, name, text);
			fputs(" in Wireshark", h->f);
		}
	globfree(&found);
	fputs(n ? "</p>\n" : "", h->f);
}

static void put_run_page(struct rf_html *h, const void *what)
{
	const struct rf_run *run = what;

	h->run = run;
	put_title(h);
	put_not_met(h);
	put_advice(h);
	put_closer(h);
	fputs("<p id=\"no-script\" class=\"notmet open\">", h->f);
	rf_html_say(h->f, "The script of this page, which draws its figures and tables, did not run. %s/page.txt has the tables as text.",
		    run->dir);
	fputs("</p>\n", h->f);
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
	json_object_object_del(steps, "clean_step");
	json_object_object_del(steps, "clean_us");
	json_object_object_del(steps, "clean_end_us");
}

static bool is_nonzero(struct json_object *o, const char *key)
{
	return json_object_get_int64(json_object_object_get(o, key));
}

/*
 * Keep only the flows that had a loss, NAK or retransmission, or that do not conform to
 * go-back-N; "quiet_flows" is the number of the others.
 */
static void leave_out_flows(struct json_object *test_case)
{
	static const char *const counts[] = { "lost", "naks", "restarts", "timeouts", "retransmitted" };
	struct json_object *all = json_object_object_get(test_case, "flows"), *o;
	struct json_object *some = json_object_new_array();
	size_t i, k, quiet = 0;
	bool is_quiet;

	for (i = 0; i < json_object_array_length(all); i++) {
		o = json_object_array_get_idx(all, i);
		is_quiet = !strcmp(json_object_get_string(json_object_object_get(o, "verdict")),
				   rf_gbn_verdict_name(RF_GBN_CONFORMS));
		for (k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
			is_quiet &= !is_nonzero(o, counts[k]);
		quiet += is_quiet;
		if (!is_quiet)
			json_object_array_add(some, json_object_get(o));
	}
	json_object_object_add(test_case, "flows", some);
	rf_put_u64(test_case, "quiet_flows", quiet);
}

/* Keep the first hits, and the ranks that the first loss stalled. */
static void leave_out_losses(struct json_object *test_case)
{
	struct json_object *all = json_object_object_get(test_case, "losses"), *o, *first;
	size_t i, n = json_object_array_length(all);
	size_t hits = json_object_get_int64(json_object_object_get(test_case, "hits"));

	if (json_object_object_get_ex(test_case, "first_loss", &first)) {
		o = json_object_array_get_idx(all, json_object_get_int64(first));
		json_object_object_add(test_case, "stalled",
				       json_object_get(json_object_object_get(o, "stalled")));
	}
	if (hits > LOSSES_MAX)
		hits = LOSSES_MAX;
	json_object_array_del_idx(all, hits, n - hits);
	for (i = 0; i < hits; i++)
		json_object_object_del(json_object_array_get_idx(all, i), "stalled");
}

/* Keep the metrics of the table of all cases. */
static void leave_out_metrics(struct json_object *test_case)
{
	static const char *const used[] = {
		"faults.hit", "naks", "timeouts", "retransmitted", "stall", "wrong",
		"lost_time", "lost_time.unexplained", "lost_time.straggler"
	};
	struct json_object *all = json_object_object_get(test_case, "metrics"), *v;
	struct json_object *some = json_object_new_object();
	size_t i;

	for (i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		if (json_object_object_get_ex(all, used[i], &v))
			json_object_object_add(some, used[i], json_object_get(v));
	json_object_object_add(test_case, "metrics", some);
}

/* Get the summary for the script, without the members that it does not need. */
static struct json_object *summary_of(const struct rf_run *run)
{
	struct json_object *o = rf_summary_json(run), *cases, *test_case;
	size_t *order = calloc(run->ncases + 1, sizeof(*order)), n, i;

	cases = json_object_object_get(o, "cases");
	for (i = 0; i < run->ncases; i++) {
		test_case = json_object_array_get_idx(cases, i);
		leave_out_metrics(test_case);
		leave_out_flows(test_case);
		leave_out_losses(test_case);
		json_object_object_del(test_case, "no_value");
		json_object_object_del(test_case, "rxe_counters");
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
