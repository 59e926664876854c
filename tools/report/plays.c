// SPDX-License-Identifier: GPL-2.0
/* The plays of a run: their names, and which one each is measured against. */
#include <string.h>

#include "run.h"
#include "tools/scenario/program.h"

/** rf_run_label - name a play; with its round, if there are many */
void rf_run_label(const struct rf_run *run, struct rf_run_play *p)
{
	if (run->rounds > 1)
		snprintf(p->label, sizeof(p->label), "%.50s-%u", p->play->name,
			 p->round);
	else
		snprintf(p->label, sizeof(p->label), "%.63s", p->play->name);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Plays of a matrix may have jobs of their own. */
static bool same_job(const struct rf_play *a, const struct rf_play *b)
{
	const struct rf_workload *x = &a->workload, *y = &b->workload;

	return x->kind == y->kind && same_text(x->collective, y->collective) &&
	       same_text(x->command, y->command) && x->ranks == y->ranks &&
	       x->size == y->size && x->steps == y->steps &&
	       x->compute_ns == y->compute_ns;
}

/* The last play without faults up to @p, of any job or of the same. */
static const struct rf_run_play *find_clean(const struct rf_run *run,
					    const struct rf_run_play *p,
					    bool any_job)
{
	const struct rf_run_play *clean;

	for (clean = p + 1; clean-- > run->plays;)
		if (rf_play_is_clean(clean->play) &&
		    (any_job || same_job(clean->play, p->play)))
			return clean;
	return NULL;
}

/**
 * rf_run_clean - what to measure a play against
 * @run: the run
 * @p: one of its plays
 *
 * Return: the last play without faults up to this one, if there is one of the
 * same job; otherwise the last without faults, or the run's first play.
 */
const struct rf_run_play *rf_run_clean(const struct rf_run *run,
				       const struct rf_run_play *p)
{
	const struct rf_run_play *clean = find_clean(run, p, false);

	if (!clean)
		clean = find_clean(run, p, true);
	return clean ? clean : run->plays;
}
