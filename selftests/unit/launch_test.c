// SPDX-License-Identifier: GPL-2.0
/* Test the error that the status page shows for a rank that cannot be started or killed. */
#include <sys/wait.h>
#include <unistd.h>

#include "ranks.h"

static pid_t refused_fork(void);
static pid_t stuck_waitpid(pid_t pid, int *status, int flags);
static uint64_t hasty_now(void);

#define fork refused_fork
#define waitpid stuck_waitpid
#define rf_now_ns hasty_now
#include "status_page.c"
#include "launch.c"
#undef fork
#undef waitpid
#undef rf_now_ns
#include "said.h"
#include "tap.h"

static bool refuses;
static char last_error[COLL_ERROR_LEN];

static pid_t refused_fork(void)
{
	if (!refuses)
		return fork();
	errno = EAGAIN;
	return -1;
}

/* Simulate a rank that hangs in the kernel: waitpid() never returns its exit status. */
static pid_t stuck_waitpid(pid_t pid, int *status, int flags)
{
	(void)pid;
	(void)status;
	(void)flags;
	return 0;
}

/* Return: the time. Each call advances the clock by a minute. */
static uint64_t hasty_now(void)
{
	static uint64_t now;

	now += 60 * COLL_NSEC_PER_SEC;
	return now;
}

int coll_star_create(int ranks, int fds[][2])
{
	(void)ranks;
	(void)fds;
	return 0;
}

int coll_member(const struct coll_job *what)
{
	(void)what;
	return COLL_USAGE;
}

void rf_ending_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
}

static enum coll_status be_stuck(void *arg, int rank, struct coll_state *state,
				 int star[COLL_RANKS_MAX][2])
{
	(void)arg;
	(void)rank;
	(void)state;
	(void)star;
	kill(getppid(), SIGTERM);
	pause();
	return COLL_OK;
}

static int take_error(void *arg, const struct coll_state *states)
{
	(void)arg;
	memcpy(last_error, states[0].error, sizeof(last_error));
	return 0;
}

static const struct coll_job one = {
	.ranks = 1, .be_rank = be_stuck, .ended = take_error,
};

static void refused_ok(void)
{
	refuses = true;
	ok(coll_launch(&one) == RF_EXIT_INCOMPLETE, "coll_launch() fails if a rank cannot be started");
	ok(!strncmp(last_error, "cannot be started: ", 19),
	   "the status page has the reason why the rank cannot be started: %s", last_error);
	refuses = false;
}

static void stuck_ok(void)
{
	ok(coll_launch(&one) == RF_EXIT_ABORTED, "coll_launch() returns although a rank does not die");
	ok(!strncmp(last_error, "does not end after SIGKILL", 26),
	   "the status page says that the rank does not die: %s", last_error);
}

static void exit_status_ok(void)
{
	ok(coll_exit_status(COLL_OK) == 0, "success: exit status 0");
	ok(coll_exit_status(COLL_WRONG) == 1, "wrong values: 1");
	ok(coll_exit_status(COLL_USAGE) == 2, "not started: 2");
	ok(coll_exit_status(COLL_FAILED) == 3, "the rank failed: 3");
	ok(coll_exit_status(COLL_LOST_PEER) == 3, "another rank failed: 3");
	ok(coll_exit_status(COLL_ENDED) == 99, "terminated by a signal: 99");
}

int main(void)
{
	exit_status_ok();
	refused_ok();
	stuck_ok();
	return done_testing();
}
