// SPDX-License-Identifier: GPL-2.0
/*
 * A process cannot catch SIGKILL, but another process can notice it. The run is done
 * by a grandchild. If a process above it is killed, the kernel sends SIGTERM to the one
 * below, and the run ends as after any SIGTERM. If one below is killed, the one above
 * removes everything that it left. So any two of the three can be killed at once.
 *
 * The two below are in a separate process group, so that a signal to the group of the
 * command, as timeout(1) sends it, does not kill all three.
 *
 * Signals are the run's: what one of those above gets, it passes on. What a job
 * starts and leaves behind, in whatever group or session, comes to us for
 * adoption, and is ended with the job.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ending.h"
#include "err.h"
#include "guard.h"

#define DYING_S 60			/* a queue pair may take 50 s to go */
#define ABOVE	2			/* processes that wait for the run */

struct guard {
	const struct rf_guarded *what;
	int aborted, broken;
	unsigned int above;		/* how many are still to be made */
	sigset_t set, before;		/* signals that are waited for */
};

static int guard(struct guard *g);

static void take_signals(sigset_t *set, sigset_t *before)
{
	rf_ending_signals(set);
	sigaddset(set, SIGCHLD);
	sigprocmask(SIG_BLOCK, set, before);
}

static int be_child(struct guard *g, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);		/* the parent is gone */
	if (g->above == ABOVE)
		setpgid(0, 0);
	g->above--;
	if (g->above)
		return guard(g);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigprocmask(SIG_SETMASK, &g->before, NULL);
	return g->what->run(g->what->arg);
}

static int wait_for(pid_t run, const sigset_t *set)
{
	siginfo_t info;
	int status;

	while (waitpid(run, &status, WNOHANG) != run)
		if (sigwaitinfo(set, &info) > 0 && info.si_signo != SIGCHLD)
			kill(run, info.si_signo);
	return status;
}

/* Of a signal that ended it before it could take it, there is nothing to say. */
static int was_killed(const struct guard *g, int sig)
{
	g->what->clear(g->what->arg);
	if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
		return g->aborted;
	rf_err("run: want it to come to its end, got signal %d (%s); what it made is gone",
	       sig, strsignal(sig));
	return g->broken;
}

static int guard(struct guard *g)
{
	pid_t parent = getpid(), child;
	int status;

	fflush(NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	child = fork();
	if (!child)
		return be_child(g, parent);
	if (child < 0) {
		rf_err("run: %s", strerror(errno));
		return g->broken;
	}
	status = wait_for(child, &g->set);
	return WIFSIGNALED(status) ? was_killed(g, WTERMSIG(status)) :
	       WEXITSTATUS(status);
}

/**
 * rf_guard - do a run that leaves nothing, even if one of its processes is killed
 * @what: the run, and how to clear away what it leaves when it is killed
 * @aborted: exit status of one that a signal ended, as Ctrl-C
 * @broken: exit status of one that was killed otherwise
 *
 * Return: its exit status, once in each of three processes; the caller does
 * nothing more than to end.
 */
int rf_guard(const struct rf_guarded *what, int aborted, int broken)
{
	struct guard g = {
		.what = what,
		.aborted = aborted,
		.broken = broken,
		.above = ABOVE,
	};
	int status;

	take_signals(&g.set, &g.before);
	status = guard(&g);
	sigprocmask(SIG_SETMASK, &g.before, NULL);
	return status;
}

static void kill_children(void)
{
	char path[64];
	FILE *f;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children",
		 (int)getpid());
	f = fopen(path, "re");
	while (f && fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
}

static pid_t reap(void)
{
	pid_t pid;

	do
		pid = waitpid(-1, NULL, WNOHANG);
	while (pid > 0);
	return pid;
}

/**
 * rf_guard_end_children - kill all children, and those that become ours thereby
 *
 * Return: 0, or -EBUSY after rf_err() when one doesn't die.
 */
int rf_guard_end_children(void)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	time_t until = time(NULL) + DYING_S;

	while (!reap()) {
		if (time(NULL) > until) {
			rf_err("job: want its processes dead %d s after SIGKILL, got one that isn't",
			       DYING_S);
			return -EBUSY;
		}
		kill_children();
		nanosleep(&pause, NULL);
	}
	return 0;
}
