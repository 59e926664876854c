// SPDX-License-Identifier: GPL-2.0
/*
 * The jobs of a case as child processes.
 *
 * Signals that would end the run are blocked and read from a signalfd, so that a run ends
 * and cleans up in one place. Each job has its own process group, so that Ctrl-C reaches
 * only the run. The run then kills the process group of each job, and processes of a job
 * that have left the group. If the run is killed, the kernel kills the jobs.
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

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? RF_EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Reap the children of a keeper. Return: false if there are none */
static bool reap_kept(struct rf_job *job, pid_t main)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != main)
			continue;
		job->status = exit_status(status);
		job->ended_ns = rf_now_ns();
		job->ended = true;
	}
	return !pid;
}

/*
 * Keep a process of the setup, and the processes that it leaves behind, until SIGTERM, which a
 * keeper also gets if the run is killed. A keeper is a subreaper, so that these processes do not
 * become children of the run, which kills its children at the end of each case.
 */
static void be_keeper(struct rf_job *job, pid_t main)
{
	struct timespec grace = { .tv_sec = GRACE_NS / 1000000000 };
	sigset_t set;
	int sig = SIGCHLD;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	while (reap_kept(job, main) && sig != SIGTERM)
		sig = sigwaitinfo(&set, NULL);
	kill(-main, SIGTERM);
	sigdelset(&set, SIGTERM);
	while (reap_kept(job, main) && sigtimedwait(&set, NULL, &grace) > 0)
		;
	rf_guard_end_children();
	_exit(0);
}

static pid_t fork_kept(struct rf_job *job)
{
	pid_t run = getpid(), pid = fork(), main;

	if (pid) {
		if (pid > 0)
			rf_guard_spare(pid);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (getppid() != run)
		_exit(RF_EXIT_NOT_FOUND);
	main = fork();
	if (!main)
		return 0;
	if (main > 0)
		setpgid(main, main);
	be_keeper(job, main);
	return 0;
}

/**
 * rf_job_start - start a program
 * @job: the job
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
	job->pid = job->kept ? fork_kept(job) : fork();
	if (!job->pid)
		be_job(job, sig, job->kept ? getppid() : parent, argv, fd);
	err = job->pid < 0 ? -errno : 0;
	if (err)
		rf_err("%s: %s", argv[0], strerror(-err));
	else if (!job->kept)
		setpgid(job->pid, job->pid);
	close(fd);
	return err;
}

/**
 * rf_job_has_ended - check whether a job has ended
 * @job: the job; its status and end are set when it has ended
 *
 * Return: true if so.
 */
bool rf_job_has_ended(struct rf_job *job)
{
	int status;

	if (job->ended || job->kept || waitpid(job->pid, &status, WNOHANG) <= 0)
		return job->ended;
	job->ended = true;
	job->ended_ns = rf_now_ns();
	job->status = exit_status(status);
	return true;
}

/** rf_job_end_kept - end a process of the setup, and all processes that it has left behind */
void rf_job_end_kept(struct rf_job *job)
{
	kill(job->pid, SIGTERM);
	waitpid(job->pid, NULL, 0);
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

/* Check whether all jobs have ended; if @waited, only those without a signal that ends them. */
static bool have_ended(struct rf_jobs *jobs, bool waited)
{
	bool all = true;
	size_t i;

	for (i = 0; i < jobs->n; i++)
		if (!rf_job_has_ended(&jobs->job[i]) && !(waited && jobs->job[i].stop))
			all = false;
	return all;
}

/* Send each job that has not ended its signal, and wait for some time until all have ended. */
static void stop_jobs(struct rf_jobs *jobs)
{
	uint64_t until = rf_now_ns() + GRACE_NS;
	struct rf_job *job;

	for (job = jobs->job; job < jobs->job + jobs->n; job++) {
		if (job->ended)
			continue;
		job->stopped = job->stop;
		kill(-job->pid, job->stop ? job->stop : SIGTERM);
	}
	while (!have_ended(jobs, false) && rf_now_ns() < until)
		sleep_tick(jobs->sig, TICK_NS);
}

/**
 * rf_jobs_end - end the jobs, with all their processes
 * @jobs: the jobs
 *
 * A job can end within 5 s after its signal. All process groups are killed, because
 * processes of a job can outlive it.
 */
void rf_jobs_end(struct rf_jobs *jobs)
{
	size_t i;

	stop_jobs(jobs);
	for (i = 0; i < jobs->n; i++)
		kill(-jobs->job[i].pid, SIGKILL);
	rf_guard_end_children();
}

/**
 * rf_jobs_until - wait until a condition holds, or until the deadline of the jobs
 * @jobs: the jobs
 * @done: the condition. Return: 1 if it holds, 0 or -errno
 * @arg: argument of @done
 *
 * Return: 0, -EINTR after a signal, -ETIME at the deadline, or the error of the tick or of @done.
 */
int rf_jobs_until(struct rf_jobs *jobs, int (*done)(void *arg), void *arg)
{
	uint64_t now, sleep_ns;
	int err;

	for (;;) {
		err = done(arg);
		if (err)
			return err < 0 ? err : 0;
		now = rf_now_ns();
		if (jobs->sig->aborted)
			return -EINTR;
		if (now >= jobs->deadline_ns)
			return -ETIME;
		sleep_ns = TICK_NS;
		err = jobs->tick(jobs->arg, jobs->deadline_ns - now, &sleep_ns);
		if (err)
			return err;
		sleep_tick(jobs->sig, sleep_ns);
	}
}

static int waited_have_ended(void *arg)
{
	return have_ended(arg, true);
}

/**
 * rf_jobs_wait - wait until the jobs without a signal that ends them have ended
 * @jobs: the jobs
 *
 * Return: as rf_jobs_until().
 */
int rf_jobs_wait(struct rf_jobs *jobs)
{
	return rf_jobs_until(jobs, waited_have_ended, jobs);
}
