// SPDX-License-Identifier: GPL-2.0
/* The plays of a run: their names, and which one each is measured against. */
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

/* The last play without faults up to @p of which @same holds. */
static const struct rf_run_play *
find_clean(const struct rf_run *run, const struct rf_run_play *p,
	   bool (*same)(const struct rf_play *a, const struct rf_play *b))
{
	const struct rf_run_play *clean;

	for (clean = p + 1; clean-- > run->plays;)
		if (rf_play_is_clean(clean->play) &&
		    same(clean->play, p->play))
			return clean;
	return NULL;
}

/**
 * rf_run_clean_job - what to measure the time of a whole play against
 * @run: the run
 * @p: one of its plays
 *
 * Return: the last play without faults up to this one that has the same job;
 * NULL: there is none.
 */
const struct rf_run_play *rf_run_clean_job(const struct rf_run *run,
					   const struct rf_run_play *p)
{
	return find_clean(run, p, rf_same_job);
}

/**
 * rf_play_is_whole - did a job come through all its steps, and tell of them?
 * @p: its play
 *
 * Return: true if so: then the time of the play is that of the job.
 */
bool rf_play_is_whole(const struct rf_run_play *p)
{
	const struct rf_timeline *tl = &p->rec.tl;

	return tl->iters && rf_timeline_whole_ns(tl, tl->iters);
}

/**
 * rf_run_clean_whole - what a play took longer than, all of it
 * @run: the run
 * @p: one of its plays
 *
 * Return: the one of rf_run_clean_job(), if both came through all their steps; NULL:
 * their times are of different work.
 */
const struct rf_run_play *rf_run_clean_whole(const struct rf_run *run,
					     const struct rf_run_play *p)
{
	const struct rf_run_play *clean = rf_run_clean_job(run, p);

	return clean && rf_play_is_whole(clean) && rf_play_is_whole(p) ? clean : NULL;
}

/**
 * rf_run_clean_step - what to measure the steps of a play against
 * @run: the run
 * @p: one of its plays
 *
 * Return: the same, or if there is none the last that differs in the number of
 * steps alone; NULL: there is none.
 */
const struct rf_run_play *rf_run_clean_step(const struct rf_run *run,
					    const struct rf_run_play *p)
{
	const struct rf_run_play *clean = rf_run_clean_job(run, p);

	return clean ? clean : find_clean(run, p, rf_same_step);
}
