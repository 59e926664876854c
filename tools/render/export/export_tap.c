// SPDX-License-Identifier: GPL-2.0
/*
 * Write a run in the Test Anything Protocol, version 13: one test per case and, if there
 * are several rounds, one test that all rounds hit the same packets. The expectations of a
 * case are subtests, indented as in version 14. prove(1) supports only version 13 and ignores
 * indented lines. The reasons of a failed case are written as diagnostics.
 */
#include <string.h>

#include "export.h"
#include "tools/analysis/analysis.h"

struct points {
	FILE *f;
	const char *indent;
	unsigned int n;
};

/* Write a test description. Escape "#", because it would begin a directive. */
static void put_description(FILE *f, const char *text)
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

static void put_check_point(struct points *p, const struct rf_run *run,
			    const struct rf_run_case *run_case, const struct rf_check *c)
{
	struct rf_metric_case mp = { .run = run, .run_case = run_case };
	struct rf_check_result r;
	char got[256];

	rf_check_eval(c, &rf_metrics, &mp, &r);
	begin_point(p, r.holds);
	put_description(p->f, c->text);
	fprintf(p->f, ", got %s\n", rf_check_measured(c, &r, got, sizeof(got)));
}

static void put_ends(struct points *p, const struct rf_run_case *run_case)
{
	uint32_t rank;

	if (rf_case_expects_ends(run_case->test_case))
		return;
	begin_point(p, !rf_timeline_unfinished(&run_case->rec.tl, &rank));
	fprintf(p->f, "every rank ended without an error\n");
}

/*
 * Write a test point for each fault that begins during the job. Faults with RF_CLOCK_NONE
 * are applied before the job starts.
 */
static void put_moments(struct points *p, const struct rf_run_case *run_case)
{
	const struct rf_fault *f = run_case->test_case->faults;
	size_t i;

	for (i = 0; i < run_case->test_case->nfaults; i++, f++) {
		if (f->when.clock == RF_CLOCK_NONE)
			continue;
		begin_point(p, rf_fault_came(run_case, i));
		fprintf(p->f, "fault %zu began: ", i + 1);
		put_description(p->f, f->words);
		fputc('\n', p->f);
	}
}

/* Write a subtest per condition of the verdict: a case passes if all conditions hold. */
static void put_subtest(FILE *f, const struct rf_run *run,
			const struct rf_run_case *run_case)
{
	struct points p = { .f = f, .indent = "    " };
	size_t i;

	fprintf(f, "# Subtest: %s\n", run_case->label);
	begin_point(&p, rf_case_is_recorded(run_case));
	fprintf(f, "everything was recorded\n");
	put_moments(&p, run_case);
	put_ends(&p, run_case);
	for (i = 0; i < run_case->test_case->nchecks; i++)
		put_check_point(&p, run, run_case, &run_case->test_case->checks[i]);
	fprintf(f, "%s1..%u\n", p.indent, p.n);
}

/*
 * Write the reasons as one block of text (YAML "|"), one reason per line: prove(1) cannot
 * parse a YAML list of quoted strings.
 */
static void put_yaml_reasons(FILE *f, const struct rf_run_case *run_case)
{
	unsigned int i;

	fprintf(f, "  ---\n  verdict: %s\n  reasons: |\n",
		rf_verdict_name(run_case->verdict));
	for (i = 0; i < run_case->nreasons; i++)
		fprintf(f, "    %s\n", run_case->reason[i]);
	fprintf(f, "  ...\n");
}

static void put_case_points(struct points *p, const struct rf_run *run,
			    const struct rf_run_case *run_case)
{
	put_subtest(p->f, run, run_case);
	begin_point(p, run_case->verdict == RF_VERDICT_PASS);
	put_description(p->f, run_case->label);
	fputc('\n', p->f);
	if (run_case->verdict != RF_VERDICT_PASS)
		put_yaml_reasons(p->f, run_case);
}

/**
 * rf_export_tap - write a run as TAP
 * @f: output stream
 * @run: the run, analysed and judged
 */
void rf_export_tap(FILE *f, const struct rf_run *run)
{
	struct points p = { .f = f, .indent = "" };
	size_t i;

	fprintf(f, "TAP version 13\n");
	for (i = 0; i < run->ncases; i++)
		put_case_points(&p, run, &run->cases[i]);
	if (run->rounds > 1) {
		begin_point(&p, !run->differs[0]);
		fprintf(f, "every round hit the same packets\n");
	}
	if (run->ended == RF_VERDICT_PASS)
		fprintf(f, "1..%u\n", p.n);
	else
		fprintf(f, "Bail out! %s\n", rf_verdict_name(run->ended));
}
