/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The job of a case as a child process: started in a separate process group, waited
 * for until it ends, the user has enough or time is up, and never left behind.
 */
#ifndef RF_JOB_H
#define RF_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Signals as a file, from the first case to the last. */
struct rf_signals {
	int fd;
	bool aborted;			/* a signal asks this process to end */
	sigset_t before;
};

struct rf_job {
	bool background;			/* of another; it announces no steps */
	pid_t pid;
	int status;			/* exit status, or 128 + signal */
	uint64_t started_ns;
	uint64_t deadline_ns;		/* from the start */
};

/* @sleep_ns: the longest sleep till the next tick; may be made shorter. An error
 * ends the job.
 */
typedef int (*rf_tick_fn)(void *arg, uint64_t ns_left, uint64_t *sleep_ns);

int rf_signals_open(struct rf_signals *sig);
void rf_signals_read(struct rf_signals *sig);
void rf_signals_close(struct rf_signals *sig);

int rf_job_start(struct rf_job *job, struct rf_signals *sig, char **argv,
		 const char *log);
int rf_job_wait(struct rf_job *job, struct rf_signals *sig, rf_tick_fn tick,
		void *arg);	/* 0: ended, -EINTR: aborted, -ETIME: deadline */
bool rf_job_has_ended(struct rf_job *job);

#endif
