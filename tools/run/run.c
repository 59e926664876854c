// SPDX-License-Identifier: GPL-2.0
/* Save a run to its directory, and read it from there. */
#include <errno.h>

#include "err.h"
#include "run.h"

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

/**
 * rf_run_read - read run.json and events.jsonl
 * @run: the run; run->dir is the directory, all other members are 0
 *
 * Return: 0, or -errno after rf_err(). The caller frees the run, also after an error.
 */
int rf_run_read(struct rf_run *run)
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
