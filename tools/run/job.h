/* SPDX-License-Identifier: GPL-2.0 */
/* The processes of a run */
#ifndef RF_JOB_H
#define RF_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * job.c: the jobs of a case as child processes. They end by themselves, at a signal or at their
 * deadline, and none of their processes stays behind.
 */

/* The signalfd of a run */
struct rf_signals {
	int fd;
	bool aborted;			/* SIGINT, SIGTERM or SIGHUP was received */
	sigset_t before;
};

struct rf_job {
	bool background;			/* background command: cannot announce steps */
	char **env;			/* NULL: that of the run */
	bool kept;			/* process of the setup, in shared memory; @pid is that */
					/* of its keeper, which ends it with all its processes */
	int stop;			/* signal that ends it when the others have ended; */
					/* 0: rf_jobs_wait() waits until it ends */
	pid_t pid;
	bool ended;
	bool stopped;			/* the signal @stop was sent */
	int status;			/* exit status, or 128 + number of the signal */
	uint64_t started_ns, ended_ns;	/* CLOCK_MONOTONIC */
};

/*
 * @sleep_ns: longest sleep until the next call of the function, which can set a shorter sleep.
 * Return: 0, or -errno, which ends the jobs.
 */
typedef int (*rf_tick_fn)(void *arg, uint64_t ns_left, uint64_t *sleep_ns);

struct rf_jobs {
	struct rf_job *job;		/* started in this order */
	size_t n;
	uint64_t deadline_ns;		/* CLOCK_MONOTONIC */
	struct rf_signals *sig;
	rf_tick_fn tick;		/* called several times per second */
	void *arg;
};

int rf_signals_open(struct rf_signals *sig);
void rf_signals_read(struct rf_signals *sig);
void rf_signals_close(struct rf_signals *sig);

int rf_job_start(struct rf_job *job, struct rf_signals *sig, char **argv,
		 const char *log);
int rf_jobs_until(struct rf_jobs *jobs, int (*done)(void *arg), void *arg);
int rf_jobs_wait(struct rf_jobs *jobs);
void rf_jobs_end(struct rf_jobs *jobs);
void rf_job_end_kept(struct rf_job *job);
bool rf_job_has_ended(struct rf_job *job);

/* guard.c: execute a run in a child process, and clean up if it is killed */
struct rf_guarded {
	int (*run)(void *arg);		/* returns an exit status */
	void (*clear)(void *arg);	/* function that cleans up after a killed run */
	void *arg;
};

int rf_guard(const struct rf_guarded *what, int aborted, int broken);
int rf_guard_end_children(void);
void rf_guard_spare(pid_t pid);	/* rf_guard_end_children() does not kill it */

#endif
