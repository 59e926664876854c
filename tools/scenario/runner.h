/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs the cases of a scenario, one at a time, each from a proven clean state, and
 * leaves the same behind.
 *
 * It is in memory that two processes share: what one has made in the cluster,
 * the other can take away when the first was killed.
 */
#ifndef RF_RUNNER_H
#define RF_RUNNER_H

#include "cluster.h"
#include "job.h"
#include "scenario.h"
#include "stage.h"
#include "tools/report/record.h"

struct rf_runner {
	const struct rf_scenario *scenario;
	struct rf_cluster cluster;
	struct rf_signals signals;
	uint64_t deadline_ns;		/* of one case */
	bool show_progress;
	bool progress_lines;		/* for a pipe: whole lines, fewer of them */
	bool rehearsed;			/* programs are in memory */
	uint32_t done;			/* cases, and how long they took */
	uint64_t run_ns;
	int lock;			/* one run at a time on a machine */
	size_t size;			/* of this struct and what is behind it */

	/* for the cleanup */
	pid_t job;			/* 0: none */
	const struct rf_case *on_stage;	/* NULL: none */
	struct rf_fault_state faults[];	/* of that case */
};

struct rf_runner *rf_runner_new(const struct rf_scenario *s);
void rf_runner_free(struct rf_runner *p);
int rf_runner_open(struct rf_runner *p);
void rf_runner_close(struct rf_runner *p);
void rf_runner_clear(struct rf_runner *p);
int rf_runner_run(struct rf_runner *p, const struct rf_case *kase,
		  const char *label, const char *dir, struct rf_record *rec);

#endif
