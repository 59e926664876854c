// SPDX-License-Identifier: GPL-2.0
/* The records of the other jobs of a case */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner.h"

/**
 * rf_others_read - read the timelines of the other jobs of a case
 * @dir: the directory of the case
 * @test_case: the case
 * @rec: gets a record for each of them; the caller frees it, also after an error
 *
 * The run stops these jobs when the first job has ended.
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_others_read(const char *dir, const struct rf_case *test_case, struct rf_record *rec)
{
	char path[PATH_MAX], name[64];
	struct rf_record *other;
	int err = 0;

	rec->others = calloc(test_case->nothers + 1, sizeof(*rec->others));
	if (!rec->others)
		return -ENOMEM;
	while (!err && rec->nothers < test_case->nothers) {
		snprintf(name, sizeof(name), RF_TIMELINE_FILE_OTHER,
			 test_case->others[rec->nothers].name);
		other = &rec->others[rec->nothers++];
		err = rf_stage_path(path, dir, name);
		if (!err)
			err = rf_timeline_read(path, false, &other->tl);
		if (!err)
			rf_timeline_stop(&other->tl);
	}
	return err;
}
