// SPDX-License-Identifier: GPL-2.0
/* The names of cases, and the clean case with which each is compared */
#include "run.h"
#include "tools/scenario/program.h"

/** rf_run_label - name a case; with its round if there are several */
void rf_run_label(const struct rf_run *run, struct rf_run_case *p)
{
	if (run->rounds > 1)
		snprintf(p->label, sizeof(p->label), "%.50s-%u", p->kase->name,
			 p->round);
	else
		snprintf(p->label, sizeof(p->label), "%.63s", p->kase->name);
}

/* Return: the last case without faults up to @p for which @same is true */
static const struct rf_run_case *
find_clean(const struct rf_run *run, const struct rf_run_case *p,
	   bool (*same)(const struct rf_case *a, const struct rf_case *b))
{
	const struct rf_run_case *clean;

	for (clean = p + 1; clean-- > run->cases;)
		if (rf_case_is_clean(clean->kase) &&
		    same(clean->kase, p->kase))
			return clean;
	return NULL;
}

/**
 * rf_run_clean_job - find the clean case whose total time can be compared with a case's
 * @run: the run
 * @p: one of its cases
 *
 * Return: the last case without faults up to this one that has the same job;
 * NULL: there is none.
 */
const struct rf_run_case *rf_run_clean_job(const struct rf_run *run,
					   const struct rf_run_case *p)
{
	return find_clean(run, p, rf_same_job);
}

/**
 * rf_case_is_whole - check whether a job completed and recorded all its steps
 * @p: its case
 *
 * Return: true if so. Only then is rf_case_ns() the time of the whole job.
 */
bool rf_case_is_whole(const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;

	return tl->iters && rf_timeline_whole_ns(tl, tl->iters);
}

/**
 * rf_run_clean_whole - find the clean case, if both cases are complete
 * @run: the run
 * @p: one of its cases
 *
 * Return: the case of rf_run_clean_job() if both completed all steps; otherwise NULL,
 * because their times cannot be compared.
 */
const struct rf_run_case *rf_run_clean_whole(const struct rf_run *run,
					     const struct rf_run_case *p)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);

	return clean && rf_case_is_whole(clean) && rf_case_is_whole(p) ? clean : NULL;
}

/**
 * rf_run_clean_step - find the clean case for the steps of a case
 * @run: the run
 * @p: one of its cases
 *
 * Return: the case of rf_run_clean_job(); if there is none, the last clean case that
 * differs only in the number of steps; otherwise NULL.
 */
const struct rf_run_case *rf_run_clean_step(const struct rf_run *run,
					    const struct rf_run_case *p)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);

	return clean ? clean : find_clean(run, p, rf_same_step);
}
