// SPDX-License-Identifier: GPL-2.0
/* The names of cases and verdicts, and the clean case, without faults, to compare a case with */
#include "run.h"
#include "tools/scenario/scenario.h"

/** rf_run_label - set the label of a case: its name, and its round if there are several */
void rf_run_label(const struct rf_run *run, struct rf_run_case *p)
{
	if (run->rounds > 1)
		snprintf(p->label, sizeof(p->label), "%.50s-%u", p->test_case->name,
			 p->round);
	else
		snprintf(p->label, sizeof(p->label), "%.63s", p->test_case->name);
}

/* Return: the last case without faults, at or before @p, for which @same returns true */
static const struct rf_run_case *
find_same_clean(const struct rf_run *run, const struct rf_run_case *p,
		bool (*same)(const struct rf_case *a, const struct rf_case *b))
{
	const struct rf_run_case *at = p->owner ? p->owner : p, *clean;

	for (clean = at + 1; clean-- > run->cases;)
		if (rf_case_is_clean(clean->test_case) && same(clean->test_case, at->test_case))
			return p->owner ? &clean->others[p - p->owner->others] : clean;
	return NULL;
}

/** rf_run_case_job - find a job of a case; the first job is the case. NULL: it does not run */
const struct rf_run_case *rf_run_case_job(const struct rf_run_case *p, const char *name)
{
	const struct rf_case *other = rf_case_other(p->test_case, name);

	if (other)
		return p->others ? &p->others[other - p->test_case->others] : NULL;
	return rf_case_job(p->test_case, name) ? p : NULL;
}

/**
 * rf_run_clean_job - find the clean case to compare the total time of a case with
 * @run: the run
 * @p: a case of the run
 *
 * Return: the last case without faults, at or before @p, that has the same job; NULL: there
 * is none.
 */
const struct rf_run_case *rf_run_clean_job(const struct rf_run *run,
					   const struct rf_run_case *p)
{
	return find_same_clean(run, p, rf_same_job);
}

/**
 * rf_case_is_whole - check whether a job completed and recorded all its steps, or processes
 * @p: the case of the job
 *
 * Return: true if so. If not, rf_case_ns() is not the duration of the whole job.
 */
bool rf_case_is_whole(const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;

	if (!tl->iters)
		return p->rec.nprocesses && !rf_record_failed(&p->rec);
	return rf_timeline_whole_ns(tl, tl->iters);
}

/**
 * rf_run_clean_whole - find the clean case of a case, if both are complete
 * @run: the run
 * @p: a case of the run
 *
 * Return: the case that rf_run_clean_job() returns, if it and @p completed all steps.
 * Otherwise NULL, because the total times cannot be compared.
 */
const struct rf_run_case *rf_run_clean_whole(const struct rf_run *run,
					     const struct rf_run_case *p)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);

	return clean && rf_case_is_whole(clean) && rf_case_is_whole(p) ? clean : NULL;
}

/**
 * rf_run_clean_step - find the clean case to compare the step times of a case with
 * @run: the run
 * @p: a case of the run
 *
 * Return: the case of rf_run_clean_job(); if there is none, the last clean case that
 * differs only in the number of steps; otherwise NULL.
 */
const struct rf_run_case *rf_run_clean_step(const struct rf_run *run,
					    const struct rf_run_case *p)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);

	return clean ? clean : find_same_clean(run, p, rf_same_step);
}

/** rf_verdict_name - get the name of a verdict */
const char *rf_verdict_name(enum rf_verdict v)
{
	switch (v) {
	case RF_VERDICT_PASS:
		return "pass";
	case RF_VERDICT_FAIL:
		return "fail";
	case RF_VERDICT_BROKEN:
		return "broken";
	case RF_VERDICT_ABORTED:
		return "aborted";
	}
	return "unknown";
}
