// SPDX-License-Identifier: GPL-2.0
/*
 * The text page, in the order of report.html: summary line, the ranks around the worst step,
 * one or two sentences per case, each case in detail, test setup, and the reasons of the
 * verdict. The worst case is the first one.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "tools/render/words/words.h"
#include "tools/scenario/scenario.h"
#include "units.h"

#define STORY_INDENT 12

static void put_title_line(FILE *f, const struct rf_run *run)
{
	char right[64];
	size_t used;

	snprintf(right, sizeof(right), "%.40s: %s", run->scenario->name,
		 rf_verdict_name(run->verdict));
	used = rf_text_columns(run->scenario->title) + rf_text_columns(right);
	if (used < RF_PAGE_WIDTH)
		fprintf(f, "%s%*s%s\n\n", run->scenario->title, (int)(RF_PAGE_WIDTH - used), "",
			right);
	else
		fprintf(f, "%s\n%*s\n\n", run->scenario->title, RF_PAGE_WIDTH, right);
}

/*
 * Print at most @most of the expectations that were not met. Of the reasons of some of them,
 * the details behind a semicolon are omitted.
 */
static void put_reason_lines(FILE *f, const struct rf_run *run, size_t most)
{
	const char *until = most < SIZE_MAX ? ";" : "";
	const struct rf_run_case *p;
	unsigned int n;
	char *text;
	size_t i;
	int len;

	for (i = 0; i < run->ncases; i++) {
		p = &run->cases[i];
		for (n = 0; n < p->nreasons && most; n++, most--) {
			len = strcspn(p->reason[n], until);
			if (asprintf(&text, "%s: %.*s", p->label, len, p->reason[n]) < 0)
				return;
			rf_text_wrap(f, p->verdict == RF_VERDICT_FAIL ? "  FAIL" :
				     "  BROKEN", STORY_INDENT, text);
			free(text);
		}
	}
	if (run->differs[0] && most)
		rf_text_wrap(f, "  FAIL", STORY_INDENT, run->differs);
}

#define REASONS_FIRST 3	/* most expectations in the first lines of a page */

static void put_summary_lines(FILE *f, const struct rf_run *run)
{
	struct rf_summary_text t;

	rf_summarize(run, &t);
	if (rf_text_is_colored(f))
		fputs("\033[1m", f);
	rf_text_wrap(f, "", 2, t.impact);
	if (rf_text_is_colored(f))
		fputs("\033[0m", f);
	if (*t.lead)
		rf_text_wrap(f, "", 2, t.lead);
	rf_text_wrap(f, "", 2, t.verdict);
	put_reason_lines(f, run, REASONS_FIRST);
	fputc('\n', f);
}

static void put_processes(FILE *f, const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_processes *all = &p->test_case->workload.processes;
	char text[512], line[600];
	size_t i;

	for (i = 0; all->listed && i < all->n; i++) {
		snprintf(line, sizeof(line), "process %s: %s", all->p[i].name,
			 rf_process_text(run, p, &all->p[i], text, sizeof(text)));
		rf_text_wrap(f, "", 6, line);
	}
}

static void put_dcqcn(FILE *f, const struct rf_scenario *s, const struct rf_case *test_case)
{
	char *words = rf_case_dcqcn_words(s, test_case), *line;

	if (words && asprintf(&line, "DCQCN of the nodes: %s", words) >= 0) {
		rf_text_wrap(f, "", 6, line);
		free(line);
	}
	free(words);
}

/* Print which job the times of a case are of, and the jobs beside it. */
static void put_jobs(FILE *f, const struct rf_run_case *p)
{
	const char *name = p->test_case->workload.name;
	char text[512], line[600];
	size_t i;

	if (name) {
		snprintf(line, sizeof(line), "Ranks and steps are those of job %s.", name);
		rf_text_wrap(f, "", 6, line);
	}
	for (i = 0; i < p->rec.nothers; i++) {
		snprintf(line, sizeof(line), "beside it, job %s: %s", p->others[i].label,
			 rf_other_job_text(&p->others[i], text, sizeof(text)));
		rf_text_wrap(f, "", 6, line);
	}
}

/* Print what each case shows and what happened in it, the worst case first. */
static void put_stories(FILE *f, const struct rf_run *run, const size_t *order, size_t n)
{
	char story[1024], cost[64];
	const struct rf_run_case *p;
	size_t i;

	for (i = 0; i < n; i++) {
		p = &run->cases[order[i]];
		if (p->round > 1)
			continue;
		fprintf(f, "  %-20s %-32s %s\n", p->test_case->name,
			rf_case_cost_text(run, p, cost, sizeof(cost)),
			rf_verdict_name(p->verdict));
		if (p->test_case->explain)
			rf_text_wrap(f, "", 6, p->test_case->explain);
		rf_text_wrap(f, "", 6, rf_case_text(p, story, sizeof(story)));
		put_dcqcn(f, run->scenario, p->test_case);
		put_processes(f, run, p);
		put_jobs(f, p);
	}
	fputc('\n', f);
}

static void put_job_line(FILE *f, const struct rf_scenario *s)
{
	char text[512];
	size_t i;

	rf_text_wrap(f, "  job", STORY_INDENT,
		     rf_job_sentence(&s->workload, &s->qp, text, sizeof(text)));
	for (i = 0; i < s->nothers; i++)
		rf_text_wrap(f, "", STORY_INDENT,
			     rf_job_sentence(&s->others[i], &s->qp, text, sizeof(text)));
}

static void put_ports_line(FILE *f, const struct rf_run *run)
{
	char *text = rf_ports_sentence(run);

	if (text)
		rf_text_wrap(f, "  ports", STORY_INDENT, text);
	free(text);
}

/*
 * Print the machine and, if the job has steps, the time of a clean step. The reader needs
 * both to interpret other times, because software RDMA is slower than a hardware NIC.
 */
static void put_setup_lines(FILE *f, const struct rf_run *run)
{
	const struct rf_analysis *an = run->cases[0].an;
	char min[RF_FMT_LEN], mid[RF_FMT_LEN], max[RF_FMT_LEN], where[640], text[832];
	size_t n;

	put_job_line(f, run->scenario);
	n = snprintf(text, sizeof(text), "%s %s", rf_fabric_is_remote(&run->scenario->fabric) ?
		     "on a bridge between other machines:" : "software RDMA (rxe) on",
		     rf_environment_text(run, where, sizeof(where)));
	if (an->clean_ns && n < sizeof(text))
		snprintf(text + n, sizeof(text) - n,
			 ": a clean step takes %s (median; %s to %s); hardware NICs are much faster",
			 rf_fmt_time(an->clean_ns, mid),
			 rf_fmt_time(an->clean_min_ns, min),
			 rf_fmt_time(an->clean_max_ns, max));
	rf_text_wrap(f, "  measured", STORY_INDENT, text);
	put_ports_line(f, run);
	fputc('\n', f);
}

static void put_advice_line(FILE *f, const struct rf_run *run)
{
	char text[384];

	if (rf_advice(run, text, sizeof(text)))
		rf_text_wrap(f, "  NOTE", STORY_INDENT, text);
}

/* Print one line for a case in one round: its first loss, or its first hit without a loss. */
static void put_round(FILE *f, const struct rf_run_case *p)
{
	const struct rf_loss *l = rf_first_loss(p->an);
	char stall[RF_FMT_LEN], text[256], head[72];

	if (!p->an->nhits || !l->qp)
		return;
	snprintf(text, sizeof(text),
		 "rank %u to rank %u (QP %u), PSN +%u, step %u, detected by %s, retransmitted: %llu, stall: %s",
		 l->qp->rank, l->qp->peer,
		 rf_timeline_ordinal(&p->rec.tl, l->qp), l->hit->psn_rel,
		 l->hit->step,
		 rf_loss_why_not_detected(l) ? "-" : rf_value_name(rf_detected_names, l->found),
		 (unsigned long long)l->packets,
		 rf_measure_is_known(p->an, RF_STALL) ?
		 rf_fmt_time(p->an->measure[RF_STALL], stall) : "");
	snprintf(head, sizeof(head), "  %s", p->label);
	rf_text_wrap(f, head, 18, text);
}

/* For each case, print the first packet that a fault hit in each round. */
static void put_round_lines(FILE *f, const struct rf_run *run)
{
	char left[64];
	size_t i, case_index;

	snprintf(left, sizeof(left), "%u rounds", run->rounds);
	rf_text_rule(f, left, run->differs[0] ? "different packets hit" :
						"same packets hit");
	for (case_index = 0; case_index < run->scenario->ncases; case_index++)
		for (i = case_index; i < run->ncases; i += run->scenario->ncases)
			put_round(f, &run->cases[i]);
	fputc('\n', f);
}

/**
 * rf_page_write - print the page
 * @f: output stream
 * @run: a run with at least one case
 */
void rf_page_write(FILE *f, const struct rf_run *run)
{
	size_t *order = calloc(run->ncases + 1, sizeof(*order)), n, i;
	const struct rf_run_case *p;

	n = order ? rf_run_order(run, order) : 0;
	put_title_line(f, run);
	put_summary_lines(f, run);
	if (n)
		rf_page_ranks(f, &run->cases[order[0]]);
	put_stories(f, run, order, n);
	for (i = 0; i < n; i++) {
		p = &run->cases[order[i]];
		if (p->round == 1 && !rf_case_is_clean(p->test_case))
			rf_page_case(f, run, p);
	}
	if (run->rounds > 1)
		put_round_lines(f, run);
	put_setup_lines(f, run);
	put_reason_lines(f, run, SIZE_MAX);
	put_advice_line(f, run);
	fprintf(f, "  verdict   %s\n", rf_verdict_name(run->verdict));
	fprintf(f, "  report    %s\n", run->dir);
	free(order);
}
