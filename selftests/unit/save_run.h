/* SPDX-License-Identifier: GPL-2.0 */
/* Save a run that a test has made: no job has written the timelines of its cases. */
#ifndef UNIT_SAVE_RUN_H
#define UNIT_SAVE_RUN_H

#include <string.h>
#include <sys/stat.h>

#include "tools/run/run.h"

/* Write the record of a run, with its timelines. Return: 0, or an error after rf_err() */
static int save_run(const struct rf_run *run)
{
	char path[PATH_MAX + 128];
	size_t i;
	int err = 0;

	for (i = 0; !err && i < run->ncases; i++) {
		snprintf(path, sizeof(path), "%s/%s", run->dir, run->cases[i].label);
		mkdir(path, 0755);
		strcat(path, "/" RF_TIMELINE_FILE);
		err = rf_timeline_write(path, &run->cases[i].rec.tl);
	}
	return err ? err : rf_run_save(run);
}

#endif
