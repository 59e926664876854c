/* SPDX-License-Identifier: GPL-2.0 */
/* The processes of a run */
#ifndef RF_JOB_H
#define RF_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * job.c: the job of a case as a child process. It ends by itself, at a signal or at its
 * deadline, and none of its processes stays behind.
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
	pid_t pid;
	int status;			/* exit status, or 128 + number of the signal */
	uint64_t started_ns;
	uint64_t deadline_ns;		/* maximum time since the start of the job */
};

/*
 * @sleep_ns: longest sleep until the next call of the function, which can set a shorter sleep.
 * Return: 0, or -errno, which ends the job.
 */
typedef int (*rf_tick_fn)(void *arg, uint64_t ns_left, uint64_t *sleep_ns);

int rf_signals_open(struct rf_signals *sig);
void rf_signals_read(struct rf_signals *sig);
void rf_signals_close(struct rf_signals *sig);

int rf_job_start(struct rf_job *job, struct rf_signals *sig, char **argv,
		 const char *log);
int rf_job_wait(struct rf_job *job, struct rf_signals *sig, rf_tick_fn tick,
		void *arg);	/* returns 0: ended, -EINTR: aborted, -ETIME: deadline */
bool rf_job_has_ended(struct rf_job *job);

/* guard.c: execute a run in a child process, and clean up if it is killed */
struct rf_guarded {
	int (*run)(void *arg);		/* returns an exit status */
	void (*clear)(void *arg);	/* function that cleans up after a killed run */
	void *arg;
};

int rf_guard(const struct rf_guarded *what, int aborted, int broken);
int rf_guard_end_children(void);

#endif
