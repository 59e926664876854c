// SPDX-License-Identifier: GPL-2.0
/* Metrics of the processes of a command: client.exit, client.time, and what the scenario names */
#include <math.h>
#include <string.h>

#include "analysis.h"
#include "metric_rows.h"

/* Find a value by the name of its metric. */
static bool find_value(const struct rf_processes *all, const char *name, size_t *process, size_t *n)
{
	const struct rf_process *p;

	for (*process = 0; *process < all->n; ++*process) {
		p = &all->p[*process];
		for (*n = 0; *n < p->nvalues; ++*n)
			if (!strcmp(p->values[*n].info.name, name))
				return true;
	}
	return false;
}

static const struct rf_process_value *recorded(const struct rf_record *rec, size_t process,
					       size_t n)
{
	const struct rf_process_end *end;

	if (process >= rec->nprocesses)
		return NULL;
	end = &rec->processes[process];
	return n < end->nvalues ? &end->values[n] : NULL;
}

/* Compare a file with that of the first case of the run. */
static const char *compare_file(const struct rf_run *run, const struct rf_process_value *value,
				size_t process, size_t n, double *v)
{
	const struct rf_process_value *first = recorded(&run->cases[0].rec, process, n);

	if (!value->hash[0])
		return value->why ? value->why : "there is no file";
	if (!first || !first->hash[0])
		return "the first case has no file to compare with";
	*v = !strcmp(value->hash, first->hash);
	return NULL;
}

/**
 * rf_process_metric - get the value of a metric of a process
 * @run: the run
 * @run_case: a case of the run
 * @name: the name, such as "client.exit"
 * @v: set to the value in the unit of the metric
 *
 * Return: NULL, or the reason why there is no value.
 */
const char *rf_process_metric(const struct rf_run *run, const struct rf_run_case *run_case,
			      const char *name, double *v)
{
	const struct rf_processes *all = &run_case->test_case->workload.processes;
	const struct rf_process_value *value;
	const struct rf_process_end *end;
	size_t process, n;

	if (!find_value(all, name, &process, &n))
		return "there is no such metric";
	if (process >= run_case->rec.nprocesses)
		return "how the process ended was not recorded";
	end = &run_case->rec.processes[process];
	if (n == RF_VALUE_EXIT) {
		*v = end->status;
		return end->stopped ? "the run has ended the process with a signal" : NULL;
	}
	if (n == RF_VALUE_TIME) {
		*v = end->end_ns - end->start_ns;
		return NULL;
	}
	value = recorded(&run_case->rec, process, n);
	if (!value)
		return "it was not recorded";
	if (all->p[process].values[n].file)
		return compare_file(run, value, process, n, v);
	*v = value->v;
	return isnan(*v) ? value->why ? value->why : "there is no output" : NULL;
}
