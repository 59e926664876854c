// SPDX-License-Identifier: GPL-2.0
/*
 * report.html, a single file that loads nothing from the network: summary line, main
 * figures, table of all cases, a section per faulted case, cost, test setup.
 */
#include <stdlib.h>

#include "html.h"
#include "tools/scenario/program.h"
#include "units.h"

#define CASES_MAX	12

static void put_title(const struct rf_html *h)
{
	char words[512];

	fputs("<header>\n<p class=\"over\">", h->f);
	rf_html_text(h->f, h->run->scenario->name);
	fputc(' ', h->f);
	rf_html_verdict(h->f, h->run->verdict);
	fputs("</p>\n<h1>", h->f);
	rf_html_text(h->f, h->run->scenario->title);
	fputs("</h1>\n<p class=\"lead\">", h->f);
	rf_html_text(h->f, rf_summary_line(h->run, words, sizeof(words)));
	fputs("</p>\n</header>\n", h->f);
}

static void put_tile(FILE *f, const char *name, const char *value,
		     const char *note)
{
	fputs("<li><span>", f);
	rf_html_text(f, name);
	fputs("</span><b>", f);
	rf_html_text(f, value);
	fputs("</b><span>", f);
	rf_html_text(f, note);
	fputs("</span></li>\n", f);
}

static void put_count(FILE *f, const char *name, uint64_t n, const char *note)
{
	char value[32];

	put_tile(f, name, rf_fmt_count(n, value), note);
}

static void put_step_tile(const struct rf_html *h, const struct rf_run_case *p)
{
	char note[96], time[RF_FMT_LEN], clean[RF_FMT_LEN];

	snprintf(note, sizeof(note), "%s; a clean step takes %s",
		 p->label, rf_fmt_time(p->an.clean_ns, clean));
	if (!rf_measure_is_known(&p->an, RF_STALL))
		snprintf(note, sizeof(note), "%s; no clean step to compare with",
			 p->label);
	put_tile(h->f, "step of the first hit",
		 rf_fmt_time(p->an.step_ns, time), note);
}

static void put_time_tile(const struct rf_html *h, const struct rf_run_case *p)
{
	const struct rf_run_case *by = rf_run_clean_job(h->run, p);
	char note[96], time[RF_FMT_LEN], clean[RF_FMT_LEN];

	snprintf(note, sizeof(note), by ? "the clean case ended early" :
					  "no clean case runs the same job");
	if (by && rf_case_is_whole(by))
		snprintf(note, sizeof(note), "the clean case took %s",
			 rf_fmt_time(rf_case_ns(by), clean));
	put_tile(h->f, p->label, rf_fmt_time(rf_case_ns(p), time), note);
}

static void put_pause_tile(const struct rf_html *h, const struct rf_run_case *p)
{
	const struct rf_port_tally *port = NULL;
	const struct rf_prio_tally *t = rf_most_paused(&p->rec, &port);
	char note[96], time[RF_FMT_LEN];

	if (!t)
		return;
	snprintf(note, sizeof(note), "priority %td of %s", t - port->prio,
		 port->netdev);
	put_tile(h->f, "paused for", rf_fmt_time(t->paused_ns, time), note);
}

static void put_tiles(const struct rf_html *h, const struct rf_run_case *p)
{
	const uint64_t *m = p->an.measure;
	char note[96], size[RF_FMT_LEN];

	fputs("<ul class=\"tiles\">\n", h->f);
	if (rf_case_is_one_packet(p) &&
	    rf_measure_is_known(&p->an, RF_STEP_EVERY_RANK))
		put_step_tile(h, p);
	else if (rf_case_ns(p))
		put_time_tile(h, p);
	put_pause_tile(h, p);
	snprintf(note, sizeof(note), "%llu NAK%s, %llu timeout%s",
		 (unsigned long long)m[RF_NAKS], m[RF_NAKS] == 1 ? "" : "s",
		 (unsigned long long)m[RF_TIMEOUTS],
		 m[RF_TIMEOUTS] == 1 ? "" : "s");
	put_count(h->f, "packets hit", m[RF_HITS], note);
	snprintf(note, sizeof(note), "%s by go-back-N",
		 rf_fmt_size(p->an.retransmitted_bytes, size));
	put_count(h->f, "retransmitted packets", m[RF_RETRANSMITTED], note);
	put_count(h->f, "wrong results", m[RF_WRONG], "of all checked results");
	fputs("</ul>\n", h->f);
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

static void put_case_row(const struct rf_html *h, const struct rf_run_case *p,
			 bool linked)
{
	const uint64_t *m = p->an.measure;
	char time[RF_FMT_LEN];

	rf_table_row(h->f);
	fputs("<td>", h->f);
	if (linked)
		fprintf(h->f, "<a href=\"#case%zu\">", p - h->run->cases);
	rf_html_text(h->f, p->label);
	fputs(linked ? "</a></td><td>" : "</td><td>", h->f);
	rf_html_verdict(h->f, p->verdict);
	fputs("</td>", h->f);
	rf_table_cell(h->f, "%s", rf_case_ns(p) ?
		      rf_fmt_time(rf_case_ns(p), time) : "");
	put_ratio(h, p);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_HITS]);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_NAKS]);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_TIMEOUTS]);
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_RETRANSMITTED]);
	rf_table_cell(h->f, "%s", p->an.step && rf_measure_is_known(&p->an, RF_STALL) ?
		      rf_fmt_time(m[RF_STALL], time) : "");
	rf_table_cell(h->f, "%llu", (unsigned long long)m[RF_WRONG]);
	fputc('\n', h->f);
}

/*
 * Check whether a case gets a section: faulted cases of the first round and all cases that
 * did not pass. If the scenario has no faults, all cases of the first round get a section.
 */
static bool is_told(const struct rf_html *h, size_t i)
{
	const struct rf_scenario *s = h->run->scenario;
	const struct rf_run_case *p = &h->run->cases[i];
	bool faults = false;
	size_t k;

	for (k = 0; k < s->ncases; k++)
		faults |= !rf_case_is_clean(&s->cases[k]);
	return (i < s->ncases && (!rf_case_is_clean(p->kase) || !faults)) || p->nreasons;
}

static void put_cases(const struct rf_html *h)
{
	static const char *const heads[] = {
		"case", "verdict", "time", "vs. clean", "packets hit", "NAKs", "timeouts",
		"retransmitted", "stall of first hit", "wrong results", NULL
	};
	size_t i, told = 0;
	bool linked;

	fputs("<section>\n<h2>Cases</h2>\n", h->f);
	rf_table_begin(h->f, "All cases", heads);
	for (i = 0; i < h->run->ncases; i++) {
		linked = is_told(h, i) && told < CASES_MAX;
		told += linked;
		put_case_row(h, &h->run->cases[i], linked);
	}
	rf_table_end(h->f);
	if (h->run->differs[0]) {
		fputs("<p class=\"notmet\">", h->f);
		rf_html_text(h->f, h->run->differs);
		fputs("</p>\n", h->f);
	}
	fputs("</section>\n", h->f);
}

static void put_details(struct rf_html *h)
{
	size_t i, told = 0, more = 0;

	for (i = 0; i < h->run->ncases; i++) {
		if (!is_told(h, i))
			continue;
		if (told++ < CASES_MAX)
			rf_html_case(h, &h->run->cases[i]);
		else
			more++;
	}
	if (!more)
		return;
	fputs("<p class=\"dim\">", h->f);
	rf_html_say(h->f, "This list is not complete: %zu more cases are in summary.json and events.jsonl.",
		    more);
	fputs("</p>\n", h->f);
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

static void put_ground(const struct rf_html *h)
{
	const struct rf_run *run = h->run;
	char text[512], time[RF_FMT_LEN], step[96] = "";
	char *ports = rf_ports_sentence(run);

	fputs("<section>\n<h2>Test setup</h2>\n<dl>\n<dt>job</dt><dd>",
	      h->f);
	rf_html_text(h->f, rf_job_sentence(&run->scenario->workload,
					   &run->scenario->qp, text, sizeof(text)));
	fputs("</dd>\n<dt>measured</dt><dd>", h->f);
	if (run->cases->an.clean_ns)
		snprintf(step, sizeof(step), ": a clean step takes %s; hardware NICs are much faster",
			 rf_fmt_time(run->cases->an.clean_ns, time));
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
	rf_html_say(h->f, "%s: events.jsonl has all packets and steps, summary.json all metrics",
		    run->dir);
	fputs("</dd>\n", h->f);
	rf_html_drawn_by(h);
	fputs("</dl>\n", h->f);
	rf_html_licence(h);
	fputs("</section>\n", h->f);
}

static void put_page(struct rf_html *h, const void *what)
{
	const struct rf_run *run = what;
	const struct rf_run_case *worst = rf_run_worst(run);

	h->run = run;
	put_title(h);
	put_advice(h);
	if (worst)
		put_tiles(h, worst);
	put_cases(h);
	put_details(h);
	rf_html_cost(h);
	put_ground(h);
}

/**
 * rf_html_write_with - write the page for a browser
 * @path: the file
 * @run: a run with at least one case
 * @uplot: the directory with uPlot's files; without these files, the page has static
 *	figures
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_html_write_with(const char *path, const struct rf_run *run,
		       const char *uplot)
{
	return rf_html_file(path, uplot, run->scenario->title, put_page, run);
}

/**
 * rf_html_write - write the page with the installed uPlot (a chart library)
 * @path: the file
 * @run: a run with at least one case
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_html_write(const char *path, const struct rf_run *run)
{
	return rf_html_write_with(path, run, RF_UPLOT);
}
