// SPDX-License-Identifier: GPL-2.0
/*
 * Clean up after a run even if it is killed with SIGKILL.
 *
 * The run is a child process, and its parent supervises it. If the run is killed, the
 * supervisor removes what the run created. If the supervisor is killed, the kernel sends
 * SIGTERM to the run, which then ends in the normal way. If both are killed at the same
 * time, the fabric and other parts of the run can remain.
 *
 * The run has its own process group, because timeout(1) and shells kill the whole
 * group of a command. The supervisor forwards signals to the run.
 *
 * Both processes are child subreapers: processes that a job leaves behind, in any
 * process group or session, become their children and are killed with the job.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "err.h"
#include "host.h"
#include "job.h"
#include "tools/scenario/scenario.h"

#define DYING_S 60			/* rxe can delay the end of a killed process by 50 s */

static int run_child(const struct rf_guarded *what, pid_t supervisor,
		     const sigset_t *before)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != supervisor)
		_exit(0);		/* killed before prctl() */
	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigprocmask(SIG_SETMASK, before, NULL);
	return what->run(what->arg);
}

/* Wait for the run, and forward the signals of @set to it. Return: wait status of the run. */
static int wait_for_run(pid_t run, const sigset_t *set)
{
	siginfo_t info;
	int status;

	while (waitpid(run, &status, WNOHANG) != run)
		if (sigwaitinfo(set, &info) > 0 && info.si_signo != SIGCHLD)
			kill(run, info.si_signo);
	return status;
}

/*
 * Clean up after a run that was killed by signal @sig. SIGINT, SIGTERM and SIGHUP can kill
 * a run only at its start, before it blocks these signals. A run that was killed by one of
 * these signals counts as aborted, as if it had received the signal later.
 */
static int was_killed(const struct rf_guarded *what, int sig, int aborted,
		      int broken)
{
	what->clear(what->arg);
	if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
		return aborted;
	rf_err("run: killed by signal %d (%s); fabric and rules removed", sig,
	       strsignal(sig));
	return broken;
}

/**
 * rf_guard - execute a run in a child process, and clean up if it is killed
 * @what: the run, and the function that cleans up
 * @aborted: exit status to return if SIGINT, SIGTERM or SIGHUP ended the run
 * @broken: exit status to return if another signal killed the run
 *
 * This function returns in both processes. The caller must only free memory and
 * exit with the returned status.
 *
 * Return: the exit status of the run.
 */
int rf_guard(const struct rf_guarded *what, int aborted, int broken)
{
	pid_t supervisor = getpid(), run;
	sigset_t set, before;
	int status;

	rf_ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &before);
	fflush(NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	run = fork();
	if (!run)
		return run_child(what, supervisor, &before);
	if (run < 0) {
		rf_err("run: %s", strerror(errno));
		status = broken;
	} else {
		status = wait_for_run(run, &set);
		status = WIFSIGNALED(status) ?
			 was_killed(what, WTERMSIG(status), aborted, broken) :
			 WEXITSTATUS(status);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

static pid_t spared[RF_SETUP_MAX];
static size_t nspared;

/** rf_guard_spare - let rf_guard_end_children() not kill a child process, up to RF_SETUP_MAX */
void rf_guard_spare(pid_t pid)
{
	spared[nspared++] = pid;
}

static bool is_spared(pid_t pid)
{
	size_t i;

	for (i = 0; i < nspared && spared[i] != pid; i++)
		;
	return i < nspared;
}

/* Kill the child processes, except those to spare. Return: their number */
static size_t kill_children(void)
{
	char path[64];
	size_t n = 0;
	FILE *f;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children",
		 (int)getpid());
	f = fopen(path, "re");
	while (f && fscanf(f, "%d", &pid) == 1) {
		if (is_spared(pid))
			continue;
		kill(pid, SIGKILL);
		n++;
	}
	if (f)
		fclose(f);
	return n;
}

static void reap_children(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/**
 * rf_guard_end_children - kill all child processes, except those to spare
 *
 * Children of a killed process become children of this process and are killed too.
 *
 * Return: 0, or -EBUSY after rf_err() if a process still exists after 60 s.
 */
int rf_guard_end_children(void)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	time_t until = time(NULL) + DYING_S;

	for (reap_children(); kill_children(); reap_children()) {
		if (time(NULL) > until) {
			rf_err("job: a process still exists %d s after SIGKILL",
			       DYING_S);
			return -EBUSY;
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}
