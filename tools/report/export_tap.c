// SPDX-License-Identifier: GPL-2.0
/*
 * A run in the Test Anything Protocol, version 14: a test for each play, whose
 * subtests are what was expected of it; and one for the rounds, if there are
 * several. Why a play didn't pass stands in its diagnostics.
 */
#include <string.h>

#include "export.h"
#include "metric.h"

struct points {
	FILE *f;
	const char *indent;
	unsigned int n;
};

/* In a description, # begins a directive. */
static void put_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '#' || *text == '\\')
			fputc('\\', f);
		fputc(*text, f);
	}
}

static void begin_point(struct points *p, bool good)
{
	fprintf(p->f, "%s%sok %u - ", p->indent, good ? "" : "not ", ++p->n);
}

static void put_range(struct points *p, const struct rf_run_play *play,
		      enum rf_measure m)
{
	char words[160];

	if (!play->play->expect.range[m].set)
		return;
	begin_point(p, rf_range_judge(play, m, words, sizeof(words)));
	put_text(p->f, words);
	fputc('\n', p->f);
}

static void put_check(struct points *p, const struct rf_run *run,
		      const struct rf_run_play *play, const struct rf_check *c)
{
	struct rf_metric_play mp = { .run = run, .play = play };
	struct rf_check_result r;
	char got[64];

	rf_check_eval(c, &rf_metrics, &mp, &r);
	begin_point(p, r.holds);
	put_text(p->f, c->text);
	if (r.why)
		fprintf(p->f, ": no value (%s)", r.why);
	else
		fprintf(p->f, ", got %s",
			rf_check_format(c, r.got, got, sizeof(got)));
	fputc('\n', p->f);
}

static void put_ends(struct points *p, const struct rf_run_play *play)
{
	uint32_t rank;

	if (rf_play_expects_ends(play->play))
		return;
	begin_point(p, !rf_timeline_unfinished(&play->rec.tl, &rank));
	fprintf(p->f, "every rank came to its end\n");
}

/* Those without a clock are there before the job is. */
static void put_moments(struct points *p, const struct rf_run_play *play)
{
	const struct rf_fault *f = play->play->faults;
	size_t i;

	for (i = 0; i < play->play->nfaults; i++, f++) {
		if (f->when.clock == RF_CLOCK_NONE)
			continue;
		begin_point(p, rf_fault_came(play, i));
		fprintf(p->f, "the moment of fault %zu came: ", i + 1);
		put_text(p->f, f->words);
		fputc('\n', p->f);
	}
}

/* All that a verdict rests on: a play passes if all of these do. */
static void put_subtest(FILE *f, const struct rf_run *run,
			const struct rf_run_play *play)
{
	struct points p = { .f = f, .indent = "    " };
	unsigned int m;
	size_t i;

	fprintf(f, "# Subtest: %s\n", play->label);
	begin_point(&p, rf_play_is_recorded(play));
	fprintf(f, "everything was recorded\n");
	put_moments(&p, play);
	put_ends(&p, play);
	for (m = 0; m < RF_MEASURES; m++)
		put_range(&p, play, m);
	for (i = 0; i < play->play->nchecks; i++)
		put_check(&p, run, play, &play->play->checks[i]);
	fprintf(f, "%s1..%u\n", p.indent, p.n);
}

/* As a string of YAML: in single quotes, which are doubled inside. */
static void put_quoted(FILE *f, const char *text)
{
	fputc('\'', f);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', f);
		fputc(*text, f);
	}
	fputc('\'', f);
}

static void put_reasons(FILE *f, const struct rf_run_play *play)
{
	unsigned int i;

	fprintf(f, "  ---\n  verdict: %s\n  reasons:\n",
		rf_verdict_name(play->verdict));
	for (i = 0; i < play->nreasons; i++) {
		fprintf(f, "    - ");
		put_quoted(f, play->reason[i]);
		fputc('\n', f);
	}
	fprintf(f, "  ...\n");
}

static void put_play(struct points *p, const struct rf_run *run,
		     const struct rf_run_play *play)
{
	put_subtest(p->f, run, play);
	begin_point(p, play->verdict == RF_VERDICT_PASS);
	put_text(p->f, play->label);
	fputc('\n', p->f);
	if (play->verdict != RF_VERDICT_PASS)
		put_reasons(p->f, play);
}

/**
 * rf_export_tap - write a run as TAP
 * @f: where to
 * @run: the run, analysed and judged
 */
void rf_export_tap(FILE *f, const struct rf_run *run)
{
	struct points p = { .f = f, .indent = "" };
	size_t i;

	fprintf(f, "TAP version 14\n");
	for (i = 0; i < run->nplays; i++)
		put_play(&p, run, &run->plays[i]);
	if (run->rounds > 1) {
		begin_point(&p, !run->differs[0]);
		fprintf(f, "each round hit the same packets\n");
	}
	if (run->ended == RF_VERDICT_PASS)
		fprintf(f, "1..%u\n", p.n);
	else
		fprintf(f, "Bail out! %s\n", rf_verdict_name(run->ended));
}
