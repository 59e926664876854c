// SPDX-License-Identifier: GPL-2.0
/*
 * The job of a case as a child process.
 *
 * Signals that would end the run are blocked and read from a signalfd, so that a run ends
 * and cleans up in one place. The job has its own process group, so that Ctrl-C reaches
 * only the run. The run then kills the process group of the job, and processes of the job
 * that have left the group. If the run is killed, the kernel kills the job.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "err.h"
#include "host.h"
#include "job.h"

#define TICK_NS		250000000ull
#define GRACE_NS	5000000000ull	/* time between SIGTERM and SIGKILL */

/**
 * rf_signals_open - block the signals that end a run and open a signalfd for them
 * @sig: the signals
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_signals_open(struct rf_signals *sig)
{
	sigset_t set;
	int err;

	rf_ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &sig->before);
	sig->aborted = false;
	sig->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (sig->fd >= 0)
		return 0;
	err = -errno;
	rf_err("signals: %s", strerror(-err));
	sigprocmask(SIG_SETMASK, &sig->before, NULL);
	return err;
}

/** rf_signals_read - read pending signals without waiting */
void rf_signals_read(struct rf_signals *sig)
{
	struct signalfd_siginfo info;

	while (read(sig->fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			sig->aborted = true;
}

/** rf_signals_close - unblock the signals; pending signals are discarded */
void rf_signals_close(struct rf_signals *sig)
{
	rf_signals_read(sig);
	close(sig->fd);
	sigprocmask(SIG_SETMASK, &sig->before, NULL);
}

/*
 * Only the job may announce steps to ports, so background commands lose CAP_NET_ADMIN.
 * Standard input is /dev/null for two reasons: the job is in a background process group
 * and would be stopped if it read from a terminal; in a shell loop it would read the input
 * of the next run.
 */
static void be_job(struct rf_job *job, struct rf_signals *sig, pid_t parent,
		   char **argv, int log)
{
	setpgid(0, 0);
	if (job->background)
		prctl(PR_CAPBSET_DROP, CAP_NET_ADMIN);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(RF_EXIT_NOT_FOUND);
	sigprocmask(SIG_SETMASK, &sig->before, NULL);
	signal(SIGPIPE, SIG_DFL);	/* the run ignores SIGPIPE; the job must not */
	close(STDIN_FILENO);
	if (open("/dev/null", O_RDONLY) != STDIN_FILENO)
		_exit(RF_EXIT_NOT_FOUND);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	if (job->env)
		environ = job->env;
	execvp(argv[0], argv);
	dprintf(log, "%s: %s\n", argv[0], strerror(errno));
	_exit(RF_EXIT_NOT_FOUND);
}

/**
 * rf_job_start - start a program
 * @job: the job; the caller has set its deadline
 * @sig: the signals
 * @argv: the program, searched in PATH, and its arguments
 * @log: file for its output
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_job_start(struct rf_job *job, struct rf_signals *sig, char **argv,
		 const char *log)
{
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	pid_t parent = getpid();
	int err;

	if (fd < 0) {
		err = -errno;
		rf_err("%s: %s", log, strerror(-err));
		return err;
	}
	job->started_ns = rf_now_ns();
	job->pid = fork();
	if (!job->pid)
		be_job(job, sig, parent, argv, fd);
	err = job->pid < 0 ? -errno : 0;
	if (err)
		rf_err("%s: %s", argv[0], strerror(-err));
	else
		setpgid(job->pid, job->pid);
	close(fd);
	return err;
}

/**
 * rf_job_has_ended - check whether a job has ended
 * @job: the job; its status is set when it has ended
 *
 * Return: true on the first call after the job has ended.
 */
bool rf_job_has_ended(struct rf_job *job)
{
	int status;

	if (waitpid(job->pid, &status, WNOHANG) <= 0)
		return false;
	job->status = WIFSIGNALED(status) ? RF_EXIT_SIGNAL + WTERMSIG(status) :
					    WEXITSTATUS(status);
	return true;
}

static void sleep_tick(struct rf_signals *sig, uint64_t ns)
{
	struct pollfd pfd = { .fd = sig->fd, .events = POLLIN };
	struct timespec ts = {
		.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000,
	};

	ppoll(&pfd, 1, &ts, NULL);
	rf_signals_read(sig);
}

/* Kill the process group of the job, because ranks can outlive their launcher. */
static void end_job(struct rf_job *job, struct rf_signals *sig)
{
	uint64_t until = rf_now_ns() + GRACE_NS;

	kill(-job->pid, SIGTERM);
	while (rf_now_ns() < until && !rf_job_has_ended(job))
		sleep_tick(sig, TICK_NS);
	kill(-job->pid, SIGKILL);
}

/**
 * rf_job_wait - wait until a job has ended
 * @job: the job
 * @sig: the signals
 * @tick: called several times per second; it can request an earlier next call
 * @arg: argument of @tick
 *
 * When this function returns, the job has ended.
 *
 * Return: 0 if the job ended by itself, -EINTR after a signal, -ETIME at the deadline,
 * or the error of @tick.
 */
int rf_job_wait(struct rf_job *job, struct rf_signals *sig, rf_tick_fn tick,
		void *arg)
{
	uint64_t end = job->started_ns + job->deadline_ns, now, sleep_ns;
	int err = 0;

	for (;;) {
		now = rf_now_ns();
		if (rf_job_has_ended(job)) {
			kill(-job->pid, SIGKILL);
			return rf_guard_end_children();
		}
		if (sig->aborted)
			err = -EINTR;
		else if (now >= end)
			err = -ETIME;
		sleep_ns = TICK_NS;
		if (!err)
			err = tick(arg, end - now, &sleep_ns);
		if (err)
			break;
		sleep_tick(sig, sleep_ns);
	}
	end_job(job, sig);
	rf_guard_end_children();
	return err;
}
