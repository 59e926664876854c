// SPDX-License-Identifier: GPL-2.0
/* Save a run to its directory, and load it from there. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "out.h"
#include "run.h"
#include "runner.h"

static int write_scenario(const char *path, const struct rf_scenario *s)
{
	FILE *f = fopen(path, "we");

	if (f)
		fwrite(s->text, 1, s->length, f);
	return rf_file_close(f, path);
}

/* Get the path of a file of a case. */
static int in_case(char path[PATH_MAX], const struct rf_run *run, const struct rf_run_case *p,
		   const char *file)
{
	char dir[PATH_MAX];
	int err = rf_stage_path(dir, run->dir, p->label);

	return err ? err : rf_stage_path(path, dir, file);
}

/**
 * rf_run_save - write the record of a run, except the timelines, which the jobs have written
 * @run: the run; the directories of its cases exist
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_run_save(const struct rf_run *run)
{
	char path[PATH_MAX];
	size_t i;
	int err;

	err = rf_stage_path(path, run->dir, RF_SCENARIO_FILE);
	if (!err)
		err = write_scenario(path, run->scenario);
	for (i = 0; !err && i < run->ncases; i++) {
		err = in_case(path, run, &run->cases[i], RF_EVENTS_FILE);
		if (!err)
			err = rf_events_write(path, &run->cases[i]);
	}
	if (!err)
		err = rf_stage_path(path, run->dir, RF_ENVIRONMENT_FILE);
	return err ? err : rf_environment_write(path, run);
}

static int load_own_scenario(struct rf_run *run)
{
	char path[PATH_MAX];
	int err = rf_stage_path(path, run->dir, RF_SCENARIO_FILE);

	if (err)
		return err;
	run->own = calloc(1, sizeof(*run->own));
	if (!run->own)
		return -ENOMEM;
	err = rf_scenario_load(path, run->own);
	if (err)
		return err;
	run->scenario = run->own;
	run->price = &run->own->price;
	return 0;
}

static int load_case(const struct rf_run *run, struct rf_run_case *p)
{
	char path[PATH_MAX], dir[PATH_MAX];
	int err;

	rf_run_label(run, p);
	err = in_case(path, run, p, RF_TIMELINE_FILE);
	if (!err)
		err = rf_timeline_read(path, p->test_case->workload.kind == RF_WORK_COMMAND,
				       &p->rec.tl);
	if (!err)
		err = rf_stage_path(dir, run->dir, p->label);
	if (!err)
		err = rf_others_read(dir, p->test_case, &p->rec);
	if (!err)
		err = in_case(path, run, p, RF_EVENTS_FILE);
	if (!err)
		err = rf_events_read(path, p);
	return err ? err : rf_record_split(&p->rec);
}

static int load_cases(struct rf_run *run, uint32_t n)
{
	const struct rf_scenario *s = run->scenario;
	int err = 0;

	run->cases = calloc(n + 1, sizeof(*run->cases));
	if (!run->cases)
		return -ENOMEM;
	while (!err && run->ncases < n) {
		run->cases[run->ncases] = (struct rf_run_case){
			.test_case = &s->cases[run->ncases % s->ncases],
			.round = run->ncases / s->ncases + 1,
		};
		err = load_case(run, &run->cases[run->ncases++]);
	}
	return err;
}

/* Refuse a directory without a record, and the record of an older version, in other files. */
static int check_dir(const struct rf_run *run)
{
	char path[PATH_MAX];

	if (rf_stage_path(path, run->dir, RF_ENVIRONMENT_FILE) || !access(path, F_OK))
		return 0;
	if (access(run->dir, F_OK))
		rf_err("%s: %s; \"rdmafault run FILE\" makes the directory of a run", run->dir,
		       strerror(errno));
	else if (!rf_stage_path(path, run->dir, "run.json") && !access(path, F_OK))
		rf_err("%s: written by an older rdmafault; repeat the run, or use the rdmafault that wrote it",
		       run->dir);
	else
		rf_err("%s: not the directory of a run, which has " RF_ENVIRONMENT_FILE " and " RF_SCENARIO_FILE "; \"rdmafault run FILE\" makes one",
		       run->dir);
	return -EINVAL;
}

/**
 * rf_run_read - read the record of a run
 * @run: the run; run->dir is the directory, all other members are 0
 *
 * Return: 0, or -errno after rf_err(). The caller frees the run, also after an error.
 */
int rf_run_read(struct rf_run *run)
{
	struct json_object *o = NULL;
	char path[PATH_MAX];
	uint32_t n = 0;
	int err;

	err = check_dir(run);
	if (!err)
		err = rf_stage_path(path, run->dir, RF_ENVIRONMENT_FILE);
	if (!err) {
		o = rf_environment_open(path);
		err = o ? load_own_scenario(run) : -EINVAL;
	}
	if (!err)
		err = rf_environment_take(o, path, run, &n);
	json_object_put(o);
	return err ? err : load_cases(run, n);
}
