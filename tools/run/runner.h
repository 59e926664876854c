/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run the cases of a scenario, one after the other. Before each case, the runner checks
 * that nothing is left of the previous case. After the case, the runner restores the
 * settings that faults changed.
 *
 * The runner is in memory that the run shares with its supervisor (guard.h), which cleans
 * up if the run is killed.
 */
#ifndef RF_RUNNER_H
#define RF_RUNNER_H

#include "cluster.h"
#include "job.h"
#include "tools/scenario/scenario.h"
#include "stage.h"
#include "record.h"

struct rf_runner {
	const struct rf_scenario *scenario;
	struct rf_cluster cluster;
	struct rf_signals signals;
	uint64_t deadline_ns;		/* maximum duration of one case */
	bool show_progress;
	bool progress_lines;		/* output is no terminal: print whole lines, less often */
	uint32_t done;			/* number of cases that have ended */
	uint64_t run_ns;		/* total duration of the cases that have ended */
	int lock;			/* descriptor of the lock: one run at a time on a machine */
	size_t size;			/* size of this struct, including faults[] */

	/* for rf_runner_clear() */
	pid_t job;			/* process ID of the job; 0: none */
	const struct rf_case *on_stage;	/* current case; NULL: none */
	struct rf_fault_state faults[];	/* state of the faults of the current case */
};

struct rf_runner *rf_runner_new(const struct rf_scenario *s);
void rf_runner_free(struct rf_runner *p);
int rf_runner_open(struct rf_runner *p);
void rf_runner_close(struct rf_runner *p);
void rf_runner_clear(struct rf_runner *p);
int rf_runner_run(struct rf_runner *p, const struct rf_case *test_case,
		  const char *label, const char *dir, struct rf_record *rec);

#endif
