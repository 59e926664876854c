// SPDX-License-Identifier: GPL-2.0
/*
 * The text page: summary line, one or two sentences per case, test setup, each case in
 * detail, and the reasons of the verdict.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "tools/scenario/program.h"
#include "units.h"

#define STORY_INDENT 12

static void put_title(FILE *f, const struct rf_run *run)
{
	char right[64];

	snprintf(right, sizeof(right), "%.40s: %s", run->scenario->name,
		 rf_verdict_name(run->verdict));
	fprintf(f, "%s%*s%s\n\n", run->scenario->title,
		(int)(RF_PAGE_WIDTH - rf_text_columns(run->scenario->title) -
		      rf_text_columns(right)) > 1 ?
		(int)(RF_PAGE_WIDTH - rf_text_columns(run->scenario->title) -
		      rf_text_columns(right)) : 1, "", right);
}

static void put_summary_line(FILE *f, const struct rf_run *run)
{
	char words[512];

	rf_text_wrap(f, "", 2, rf_summary_line(run, words, sizeof(words)));
	fputc('\n', f);
}

static void put_stories(FILE *f, const struct rf_run *run)
{
	char story[1024], head[64];
	size_t i;

	for (i = 0; i < run->ncases && i < run->scenario->ncases; i++) {
		snprintf(head, sizeof(head), "  %-8s  ",
			 run->cases[i].kase->name);
		rf_text_wrap(f, head, STORY_INDENT,
			     rf_story(&run->cases[i], story, sizeof(story)));
	}
	fputc('\n', f);
}

static void put_job(FILE *f, const struct rf_scenario *s)
{
	char text[512];

	rf_text_wrap(f, "  job", STORY_INDENT,
		     rf_job_sentence(&s->workload, &s->qp, text, sizeof(text)));
}

static void put_ports(FILE *f, const struct rf_run *run)
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
static void put_ground(FILE *f, const struct rf_run *run)
{
	const struct rf_analysis *an = &run->cases[0].an;
	char min[RF_FMT_LEN], mid[RF_FMT_LEN], max[RF_FMT_LEN], where[256], text[448];
	size_t n;

	put_job(f, run->scenario);
	n = snprintf(text, sizeof(text), "software RDMA (rxe) on %s",
		     rf_environment_text(run, where, sizeof(where)));
	if (an->clean_ns && n < sizeof(text))
		snprintf(text + n, sizeof(text) - n,
			 ": a clean step takes %s (median; %s to %s); hardware NICs are much faster",
			 rf_fmt_time(an->clean_ns, mid),
			 rf_fmt_time(an->clean_min_ns, min),
			 rf_fmt_time(an->clean_max_ns, max));
	rf_text_wrap(f, "  measured", STORY_INDENT, text);
	put_ports(f, run);
	fputc('\n', f);
}

static void put_reasons(FILE *f, const struct rf_run *run)
{
	const struct rf_run_case *p;
	unsigned int n;
	char *text;
	size_t i;

	for (i = 0; i < run->ncases; i++) {
		p = &run->cases[i];
		for (n = 0; n < p->nreasons; n++) {
			if (asprintf(&text, "%s: %s", p->label,
				     p->reason[n]) < 0)
				return;
			rf_text_wrap(f, p->verdict == RF_VERDICT_FAIL ? "  FAIL" :
				     "  BROKEN", STORY_INDENT, text);
			free(text);
		}
	}
	if (run->differs[0])
		rf_text_wrap(f, "  FAIL", STORY_INDENT, run->differs);
}

static void put_advice(FILE *f, const struct rf_run *run)
{
	char text[384];

	if (rf_advice(run, text, sizeof(text)))
		rf_text_wrap(f, "  NOTE", STORY_INDENT, text);
}

/* Print one line for a case in one round: the first packet that a fault hit. */
static void put_round(FILE *f, const struct rf_run_case *p)
{
	const struct rf_loss *l = p->an.losses;
	char stall[RF_FMT_LEN];

	if (!p->an.nlosses || !l->qp)
		return;
	fprintf(f, "  %-20s rank %u to rank %u (QP %u), PSN +%-6u step %-4u detected by %-8s retransmitted: %-4llu stall: %s\n",
		p->label, l->qp->rank, l->qp->peer,
		rf_timeline_ordinal(&p->rec.tl, l->qp), l->hit->psn_rel,
		l->hit->step,
		rf_loss_why_not_detected(l) ? "-" : rf_value_name(rf_detected_names, l->found),
		(unsigned long long)l->packets,
		rf_measure_is_known(&p->an, RF_STALL) ?
		rf_fmt_time(p->an.measure[RF_STALL], stall) : "");
}

/**
 * rf_page_rounds - for each case, print the first packet that a fault hit in each round
 * @f: output stream
 * @run: a run of several rounds
 */
void rf_page_rounds(FILE *f, const struct rf_run *run)
{
	char left[64];
	size_t i, kase;

	snprintf(left, sizeof(left), "%u rounds", run->rounds);
	rf_text_rule(f, left, run->differs[0] ? "different packets hit" :
						"same packets hit");
	for (kase = 0; kase < run->scenario->ncases; kase++)
		for (i = kase; i < run->ncases; i += run->scenario->ncases)
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
	size_t i;

	put_title(f, run);
	put_summary_line(f, run);
	put_stories(f, run);
	put_ground(f, run);
	for (i = 0; i < run->ncases && i < run->scenario->ncases; i++)
		if (!rf_case_is_clean(run->cases[i].kase))
			rf_page_case(f, run, &run->cases[i]);
	if (run->rounds > 1)
		rf_page_rounds(f, run);
	put_reasons(f, run);
	put_advice(f, run);
	fprintf(f, "  verdict   %s\n", rf_verdict_name(run->verdict));
	fprintf(f, "  report    %s\n", run->dir);
}
