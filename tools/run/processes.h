/* SPDX-License-Identifier: GPL-2.0 */
/* The processes of a case whose workload is a command */
#ifndef RF_PROCESSES_H
#define RF_PROCESSES_H

#include "runner.h"

/* processes.c */
struct rf_processes_run {
	const struct rf_cluster *cluster;
	const struct rf_processes *all;
	const struct rf_workload *workload;
	const char *dir;		/* of the case */
	uint64_t patience_ns;		/* longest time of a case */
	bool kept;			/* setup: without a condition, a process is ready at its end */
	rf_tick_fn tick;		/* called while a process starts */
	void *arg;
};

int rf_processes_start(const struct rf_processes_run *run, struct rf_jobs *jobs);
int rf_processes_record(const struct rf_processes *all, const struct rf_jobs *jobs, const char *dir,
			struct rf_record *rec);
void rf_processes_late(const struct rf_processes_run *run, const struct rf_jobs *jobs);

/* mpirun.c */
char **rf_mpirun_argv(const struct rf_cluster *c, const struct rf_process *p);

/* output.c */
int rf_output_read(const struct rf_process *p, const char *log, struct rf_process_end *end);

#endif
