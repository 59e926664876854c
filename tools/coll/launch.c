// SPDX-License-Identifier: GPL-2.0
/*
 * The launcher: one process per rank, on this machine.
 *
 * It forks the ranks and waits for signals. If a rank fails, it ends all other
 * ranks. They first have a short time to fail by themselves, so that their reasons
 * are known. Then the launcher sends SIGTERM, on which a rank destroys its queue pairs
 * and ends, and later SIGKILL. A rank that is blocked in the kernel does not end even
 * after SIGKILL; the launcher prints a message and exits. If the launcher is killed,
 * the kernel kills the ranks.
 *
 * The cause of the failure is the rank that failed first. A rank that only lost the
 * connection to a peer counts only if no rank failed for another reason.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coll.h"
#include "err.h"
#include "host.h"
#include "ranks.h"

#define GRACE_NS	(100 * COLL_NSEC_PER_MSEC)
#define TERM_NS		(1 * COLL_NSEC_PER_SEC)
#define KILL_NS		(5 * COLL_NSEC_PER_SEC)

enum stage { RUNNING, GRACE, TERMINATING, KILLING, LEFT_BEHIND };

struct job {
	const struct coll_job *what;
	struct coll_state *states;
	int star[COLL_RANKS_MAX][2];
	pid_t pids[COLL_RANKS_MAX];	/* 0: ended */
	uint32_t alive;
	int signal_fd;
	enum stage stage;
	uint64_t next_stage_ns;
	bool interrupted, failed;
};

static void be_rank(struct job *job, int rank, pid_t launcher)
{
	enum coll_status status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != launcher)
		_exit(RF_EXIT_ABORTED);
	close(job->signal_fd);
	status = job->what->be_rank(job->what->arg, rank, &job->states[rank],
				    job->star);
	fflush(NULL);
	_exit(coll_exit_status(status));
}

static int start_rank(struct job *job, uint32_t rank)
{
	pid_t launcher = getpid(), pid;

	pid = fork();
	if (pid == 0)
		be_rank(job, (int)rank, launcher);
	if (pid < 0) {
		int err = errno;

		rf_err("rank %u: cannot be started: %s", rank, strerror(err));
		return coll_fail(&job->states[rank], COLL_FAILED,
				 "cannot be started: %s", strerror(err));
	}
	job->pids[rank] = pid;
	job->alive++;
	return 0;
}

static void close_star(struct job *job)
{
	for (uint32_t r = 1; r < job->what->ranks; r++) {
		close(job->star[r][0]);
		close(job->star[r][1]);
	}
}

static void signal_all(struct job *job, int sig)
{
	for (uint32_t r = 0; r < job->what->ranks; r++)
		if (job->pids[r])
			kill(job->pids[r], sig);
}

static void enter(struct job *job, enum stage stage, uint64_t lasts_ns)
{
	job->stage = stage;
	job->next_stage_ns = rf_now_ns() + lasts_ns;
}

/* Give up: store an error in the state of each rank that is still alive after SIGKILL. */
static void leave_behind(struct job *job)
{
	for (uint32_t r = 0; r < job->what->ranks; r++)
		if (job->pids[r])
			coll_fail(&job->states[r], COLL_ENDED,
				  "does not end after SIGKILL (blocked in the kernel); left running");
	enter(job, LEFT_BEHIND, 0);
}

/*
 * Some ranks are still alive after their time is over: begin the next stage (SIGTERM,
 * SIGKILL, give up).
 */
static void next_stage(struct job *job)
{
	if (job->stage == GRACE) {
		signal_all(job, SIGTERM);
		enter(job, TERMINATING, TERM_NS);
	} else if (job->stage == TERMINATING) {
		signal_all(job, SIGKILL);
		enter(job, KILLING, KILL_NS);
	} else if (job->stage == KILLING) {
		leave_behind(job);
	}
}

/*
 * Process the exit status of a rank. If the rank did not record how it ended, record it
 * here. If a signal killed the rank, the signal came from the launcher only if the
 * launcher has already sent SIGKILL. SIGTERM from the launcher does not kill a rank.
 */
static void take_status(struct job *job, uint32_t rank, int status)
{
	struct coll_state *st = &job->states[rank];
	bool by_us = job->stage >= KILLING;
	char where[128];

	job->pids[rank] = 0;
	job->alive--;
	coll_where(st, where, sizeof(where));
	if (WIFSIGNALED(status))
		coll_fail(st, by_us ? COLL_ENDED : COLL_FAILED,
			  "killed by signal %d (%s): %s", WTERMSIG(status),
			  strsignal(WTERMSIG(status)), where);
	else if (!st->finished)
		coll_fail(st, COLL_FAILED, "ended with status %d: %s",
			  WEXITSTATUS(status), where);
	if (st->status >= COLL_FAILED && job->stage == RUNNING)
		enter(job, GRACE, GRACE_NS);
}

static void reap_ranks(struct job *job)
{
	int status;

	for (uint32_t r = 0; r < job->what->ranks; r++)
		if (job->pids[r] &&
		    waitpid(job->pids[r], &status, WNOHANG) == job->pids[r])
			take_status(job, r, status);
}

static void take_signal(struct job *job)
{
	struct signalfd_siginfo info;

	if (read(job->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD || job->interrupted)
		return;
	job->interrupted = true;
	if (job->stage < TERMINATING)
		enter(job, GRACE, 0);
}

static int millis_left(const struct job *job)
{
	uint64_t now = rf_now_ns();

	if (job->stage == RUNNING)
		return -1;
	if (now >= job->next_stage_ns)
		return 0;
	return (int)((job->next_stage_ns - now) / COLL_NSEC_PER_MSEC) + 1;
}

static void watch(struct job *job)
{
	while (job->alive && job->stage != LEFT_BEHIND) {
		struct pollfd fd = { .fd = job->signal_fd, .events = POLLIN };

		if (poll(&fd, 1, millis_left(job)) > 0)
			take_signal(job);
		reap_ranks(job);
		if (job->stage != RUNNING && rf_now_ns() >= job->next_stage_ns)
			next_stage(job);
	}
}

static bool failed_earlier(const struct coll_state *a, const struct coll_state *b)
{
	if (a->status != b->status)
		return a->status < b->status;
	return a->failed_ns < b->failed_ns;
}

/*
 * Find the rank that caused the failure of the job. The status COLL_FAILED takes precedence
 * over COLL_LOST_PEER, and COLL_LOST_PEER over COLL_ENDED. Among ranks with the same status, the
 * rank that failed first takes precedence. Return: the rank, or -1
 */
static int first_failed(const struct job *job)
{
	int first = -1;

	for (uint32_t r = 0; r < job->what->ranks; r++) {
		const struct coll_state *st = &job->states[r];

		if (st->status < COLL_FAILED)
			continue;
		if (first < 0 || failed_earlier(st, &job->states[first]))
			first = (int)r;
	}
	return first;
}

static void tell_others(const struct job *job, int first)
{
	char name[COLL_RANK_NAME_LEN];

	for (int r = 0; r < (int)job->what->ranks; r++)
		if (r != first && job->states[r].error[0])
			rf_note("%s: %s", coll_rank_name(&job->states[r], r, name, sizeof(name)),
				job->states[r].error);
}

static void tell_left_behind(const struct job *job)
{
	for (uint32_t r = 0; r < job->what->ranks; r++)
		if (job->pids[r])
			rf_err("rank %u (process %d): does not end after SIGKILL (blocked in the kernel); left running",
			       r, job->pids[r]);
}

static int verdict(const struct job *job)
{
	int first = first_failed(job);
	char name[COLL_RANK_NAME_LEN];

	tell_left_behind(job);
	if (job->interrupted) {
		rf_err("interrupted");
		return RF_EXIT_ABORTED;
	}
	if (first >= 0) {
		rf_err("%s%s: %s",
		       coll_rank_name(&job->states[first], first, name, sizeof(name)),
		       job->states[first].status == COLL_LOST_PEER ? "" :
		       " failed first", job->states[first].error);
		if (job->what->verbose)
			tell_others(job, first);
		return RF_EXIT_INCOMPLETE;
	}
	for (uint32_t r = 0; r < job->what->ranks; r++)
		if (job->states[r].status == COLL_WRONG)
			return RF_EXIT_FAILED;
	return RF_EXIT_OK;
}

static int prepare_job(struct job *job)
{
	sigset_t set;
	int ret;

	job->states = coll_status_page_create((int)job->what->ranks, job->what->records);
	ret = job->states ? coll_star_create((int)job->what->ranks, job->star) :
			   -ENOMEM;
	if (ret) {
		rf_err("no memory for %u ranks: %s", job->what->ranks,
		       strerror(-ret));
		return ret;
	}
	rf_ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	job->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	return job->signal_fd < 0 ? -errno : 0;
}

static void run_ranks(struct job *job)
{
	int ret = 0;

	fflush(NULL);
	for (uint32_t r = 0; !ret && r < job->what->ranks; r++)
		ret = start_rank(job, r);
	close_star(job);
	if (ret)
		enter(job, GRACE, 0);
	watch(job);
	job->failed = ret;
}

/**
 * coll_launch() - run a job, or one rank if another launcher started the ranks
 * @what: the job
 *
 * Return: the exit status, enum rf_exit.
 */
int coll_launch(const struct coll_job *what)
{
	struct job job = { .what = what };

	if (what->team && what->team->joined)
		return coll_member(what);
	if (prepare_job(&job))
		return RF_EXIT_NO_RESULT;
	run_ranks(&job);
	if (what->ended && what->ended(what->arg, job.states))
		job.failed = true;
	return job.failed ? RF_EXIT_INCOMPLETE : verdict(&job);
}
