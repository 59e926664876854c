// SPDX-License-Identifier: GPL-2.0
/* The jobs of a case, by their names */
#include <string.h>

#include "scenario.h"

/** rf_case_other - find one of the other jobs of a case; NULL: there is none with this name */
const struct rf_case *rf_case_other(const struct rf_case *test_case, const char *name)
{
	size_t i;

	for (i = 0; i < test_case->nothers; i++)
		if (!strcmp(test_case->others[i].name, name))
			return &test_case->others[i];
	return NULL;
}

/** rf_case_job - find a job of a case; NULL: there is none with this name */
const struct rf_workload *rf_case_job(const struct rf_case *test_case, const char *name)
{
	const struct rf_case *other;

	if (test_case->workload.name && !strcmp(test_case->workload.name, name))
		return &test_case->workload;
	other = rf_case_other(test_case, name);
	return other ? &other->workload : NULL;
}
