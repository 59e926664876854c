// SPDX-License-Identifier: GPL-2.0
/*
 * The launcher: one process a rank, on this machine.
 *
 * It forks the ranks, sleeps on signals, and sees to it that either all ranks
 * come to their end or none goes on alone. When the first fails, the others
 * get a moment to fail of themselves (their reasons are worth having), then
 * SIGTERM, on which a rank takes its queue pairs down in order, then SIGKILL.
 * A rank that even then stays, because it sits in the kernel, is left behind
 * with a word. If the launcher itself is killed, the kernel kills the ranks.
 *
 * Who failed first: failures bear their time. A rank that only lost a peer is
 * never to blame while there is one that failed of itself or was killed.
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

#include "clock.h"
#include "err.h"
#include "launch.h"
#include "rank.h"
#include "timeline.h"

#define GRACE_NS	(100 * CP_NSEC_PER_MSEC)
#define TERM_NS		(1 * CP_NSEC_PER_SEC)
#define KILL_NS		(5 * CP_NSEC_PER_SEC)
#define STATUS_INTERRUPTED	130

enum stage { RUNNING, GRACE, TERMINATING, KILLING, LEFT_BEHIND };

struct job {
	const struct cp_config *cfg;
	struct cp_state *board;
	int star[CP_RANKS_MAX][2];
	pid_t pids[CP_RANKS_MAX];	/* 0 when gone */
	uint32_t alive;
	int signal_fd;
	enum stage stage;
	uint64_t next_stage_ns;
	bool interrupted;
};

static void be_rank(struct job *job, int rank, pid_t launcher)
{
	enum cp_status status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != launcher)
		_exit(CP_ENDED);
	close(job->signal_fd);
	status = cp_rank(job->cfg, rank, &job->board[rank], job->star);
	fflush(NULL);
	_exit(status);
}

static int start_rank(struct job *job, uint32_t rank)
{
	pid_t launcher = getpid(), pid;

	pid = fork();
	if (pid == 0)
		be_rank(job, (int)rank, launcher);
	if (pid < 0) {
		rf_err("rank %u cannot be started: %s", rank, strerror(errno));
		return -errno;
	}
	job->pids[rank] = pid;
	job->alive++;
	return 0;
}

static void close_star(struct job *job)
{
	for (uint32_t r = 1; r < job->cfg->ranks; r++) {
		close(job->star[r][0]);
		close(job->star[r][1]);
	}
}

static void signal_all(struct job *job, int sig)
{
	for (uint32_t r = 0; r < job->cfg->ranks; r++)
		if (job->pids[r])
			kill(job->pids[r], sig);
}

static void enter(struct job *job, enum stage stage, uint64_t lasts_ns)
{
	job->stage = stage;
	job->next_stage_ns = cp_now() + lasts_ns;
}

/* The present stage is over and ranks are still alive. */
static void next_stage(struct job *job)
{
	if (job->stage == GRACE) {
		signal_all(job, SIGTERM);
		enter(job, TERMINATING, TERM_NS);
	} else if (job->stage == TERMINATING) {
		signal_all(job, SIGKILL);
		enter(job, KILLING, KILL_NS);
	} else if (job->stage == KILLING) {
		enter(job, LEFT_BEHIND, 0);
	}
}

/* A rank is gone: complete what it could not put on the board itself. */
static void take_status(struct job *job, uint32_t rank, int status)
{
	struct cp_state *st = &job->board[rank];
	bool by_us = job->stage >= TERMINATING;
	char where[128];

	job->pids[rank] = 0;
	job->alive--;
	cp_where(st, where, sizeof(where));
	if (WIFSIGNALED(status))
		cp_fail(st, by_us ? CP_ENDED : CP_FAILED,
			"killed by signal %d (%s): %s", WTERMSIG(status),
			strsignal(WTERMSIG(status)), where);
	else if (!st->finished)
		cp_fail(st, CP_FAILED, "ended with status %d: %s",
			WEXITSTATUS(status), where);
	if (st->status >= CP_FAILED && job->stage == RUNNING)
		enter(job, GRACE, GRACE_NS);
}

static void reap(struct job *job)
{
	int status;

	for (uint32_t r = 0; r < job->cfg->ranks; r++)
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
	uint64_t now = cp_now();

	if (job->stage == RUNNING)
		return -1;
	if (now >= job->next_stage_ns)
		return 0;
	return (int)((job->next_stage_ns - now) / CP_NSEC_PER_MSEC) + 1;
}

static void watch(struct job *job)
{
	while (job->alive && job->stage != LEFT_BEHIND) {
		struct pollfd fd = { .fd = job->signal_fd, .events = POLLIN };

		if (poll(&fd, 1, millis_left(job)) > 0)
			take_signal(job);
		reap(job);
		if (job->stage != RUNNING && cp_now() >= job->next_stage_ns)
			next_stage(job);
	}
}

static bool earlier(const struct cp_state *a, const struct cp_state *b)
{
	if (a->status != b->status)
		return a->status < b->status;
	return a->failed_ns < b->failed_ns;
}

/* CP_FAILED comes before CP_LOST_PEER comes before CP_ENDED. */
static int first_failed(const struct job *job)
{
	int first = -1;

	for (uint32_t r = 0; r < job->cfg->ranks; r++) {
		const struct cp_state *st = &job->board[r];

		if (st->status < CP_FAILED)
			continue;
		if (first < 0 || earlier(st, &job->board[first]))
			first = (int)r;
	}
	return first;
}

static void tell_others(const struct job *job, int first)
{
	for (int r = 0; r < (int)job->cfg->ranks; r++)
		if (r != first && job->board[r].error[0])
			rf_note("rank %d (%s): %s", r, job->board[r].device,
				job->board[r].error);
}

static void tell_left_behind(const struct job *job)
{
	for (uint32_t r = 0; r < job->cfg->ranks; r++)
		if (job->pids[r])
			rf_err("rank %u (process %d) does not die; it sits in the kernel and is left behind",
			       r, job->pids[r]);
}

static int verdict(const struct job *job)
{
	int first = first_failed(job);
	uint64_t wrong = 0;

	tell_left_behind(job);
	if (job->interrupted) {
		rf_err("interrupted");
		return STATUS_INTERRUPTED;
	}
	if (first >= 0) {
		rf_err("rank %d (%s) failed first: %s", first,
		       job->board[first].device, job->board[first].error);
		if (job->cfg->verbose)
			tell_others(job, first);
		return CP_FAILED;
	}
	for (uint32_t r = 0; r < job->cfg->ranks; r++)
		wrong += job->board[r].wrong;
	return wrong ? CP_WRONG : CP_OK;
}

static int prepare(struct job *job)
{
	uint64_t steps = job->cfg->timeline ? cp_config_steps(job->cfg) : 0;
	sigset_t set;
	int ret;

	job->board = cp_board_create((int)job->cfg->ranks, steps);
	ret = job->board ? cp_star_create((int)job->cfg->ranks, job->star) :
			   -ENOMEM;
	if (ret) {
		rf_err("no room for %u ranks: %s", job->cfg->ranks,
		       strerror(-ret));
		return ret;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	job->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	return job->signal_fd < 0 ? -errno : 0;
}

/**
 * cp_launch() - run the job
 * Return: exit status.
 */
int cp_launch(const struct cp_config *cfg)
{
	struct job job = { .cfg = cfg };
	int ret = prepare(&job);

	if (ret)
		return CP_USAGE;
	fflush(NULL);
	for (uint32_t r = 0; !ret && r < cfg->ranks; r++)
		ret = start_rank(&job, r);
	close_star(&job);
	if (ret)
		enter(&job, GRACE, 0);
	watch(&job);
	if (cfg->timeline && cp_timeline_write(cfg, job.board)) {
		rf_err("%s cannot be written", cfg->timeline_path);
		ret = -EIO;
	}
	return ret ? CP_FAILED : verdict(&job);
}
