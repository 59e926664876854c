// SPDX-License-Identifier: GPL-2.0
/*
 * Analyse, save and load a run. A live run and a run loaded from its directory are rendered
 * by the same code, which does not need the kernel module.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "run.h"
#include "waiting.h"

/**
 * rf_run_analyse - analyse and judge one case
 * @run: the run
 * @p: a case of the run; all earlier cases have been analysed
 *
 * Return: 0, or -ENOMEM after rf_err().
 */
int rf_run_analyse(const struct rf_run *run, struct rf_run_case *p)
{
	const struct rf_run_case *by = rf_run_clean_step(run, p);
	int err;

	rf_hits_settle(run->scenario, p->kase, &p->rec.ev);
	err = rf_analyse(&p->rec, by ? &by->rec : NULL, &p->an);
	if (err)
		rf_err("%s: no memory", p->label);
	else
		rf_judge_case(p);
	return err;
}

static int in_dir(char path[PATH_MAX], const struct rf_run *run,
		  const char *file)
{
	if (snprintf(path, PATH_MAX, "%s/%s", run->dir, file) < PATH_MAX)
		return 0;
	rf_err("%s/%s: path too long", run->dir, file);
	return -ENAMETOOLONG;
}

/**
 * rf_run_save - write run.json and events.jsonl
 * @run: the run
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_run_save(const struct rf_run *run)
{
	char path[PATH_MAX];
	int err;

	err = in_dir(path, run, RF_SETUP_FILE);
	if (!err)
		err = rf_setup_write(path, run);
	if (!err)
		err = in_dir(path, run, RF_EVENTS_FILE);
	return err ? err : rf_events_write(path, run);
}

static int read_all(struct rf_run *run)
{
	char path[PATH_MAX];
	int err;

	err = in_dir(path, run, RF_SETUP_FILE);
	if (!err)
		err = rf_setup_read(path, run);
	if (!err)
		err = in_dir(path, run, RF_EVENTS_FILE);
	return err ? err : rf_events_read(path, run);
}

/**
 * rf_run_load - read a run from its directory, analyse and judge it
 * @dir: the directory
 * @run: the run
 *
 * Return: 0, or -errno after rf_err(). The caller calls rf_run_free(), also after an error.
 */
int rf_run_load(const char *dir, struct rf_run *run)
{
	size_t i;
	int err;

	*run = (struct rf_run){ };
	snprintf(run->dir, sizeof(run->dir), "%s", dir);
	err = read_all(run);
	for (i = 0; !err && i < run->ncases; i++) {
		rf_waiting("analysing case %zu of %zu", i + 1, run->ncases);
		err = rf_run_analyse(run, &run->cases[i]);
	}
	rf_waiting_end();
	if (err)
		return err;
	run->verdict = run->ended;
	rf_judge_run(run);
	return 0;
}

/** rf_run_free - free a run */
void rf_run_free(struct rf_run *run)
{
	size_t i;

	for (i = 0; i < run->ncases; i++) {
		rf_reasons_free(&run->cases[i]);
		rf_analysis_free(&run->cases[i].an);
		rf_record_free(&run->cases[i].rec);
	}
	free(run->cases);
	if (run->own)
		rf_scenario_free(run->own);
	free(run->own);
	json_object_put(run->ports);
	*run = (struct rf_run){ };
}
