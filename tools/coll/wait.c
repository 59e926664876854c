// SPDX-License-Identifier: GPL-2.0
/*
 * Wait for events. A deadline limits each wait.
 *
 * A rank waits only in coll_sleep(). A wait ends with the event, with SIGTERM from the
 * launcher, with SIGALRM, or at the deadline. SIGALRM limits the duration of the whole
 * job. Both signals are read from a signalfd, so a signal that arrives before the wait
 * also ends it. A terminal sends SIGINT to all processes; ranks ignore SIGINT, and the
 * launcher ends them. A rank that another launcher started also ends on SIGINT and
 * SIGHUP, and when that launcher has ended.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "err.h"
#include "ranks.h"

#define UPDATE_NS	(500 * COLL_NSEC_PER_MSEC)

/*
 * True if another launcher started this process. The variable is global, because signals
 * also concern the whole process.
 */
static bool is_alone;
static int launcher = -1;

/**
 * coll_wait_alone() - record that another launcher started this process
 * @launcher_fd: pidfd of the launcher, or -1
 */
void coll_wait_alone(int launcher_fd)
{
	is_alone = true;
	launcher = launcher_fd;
}

static void stop_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGALRM);
	if (is_alone) {
		sigaddset(set, SIGINT);
		sigaddset(set, SIGHUP);
	}
}

/**
 * coll_waiter_init() - open a descriptor that receives the signals that end a rank
 * @w: gets the descriptor
 * @deadline_ns: maximum duration of a wait
 *
 * Return: 0 or -errno.
 */
int coll_waiter_init(struct coll_waiter *w, uint64_t deadline_ns)
{
	sigset_t set;

	stop_signals(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	if (!is_alone)
		signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);

	w->deadline_ns = deadline_ns;
	w->launcher_fd = launcher;
	w->stop_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return w->stop_fd < 0 ? -errno : 0;
}

/**
 * coll_waiter_limit() - limit the duration of the job
 * @seconds: the limit, counted from now; 0: no limit
 *
 * At the limit, a wait ends with -EINTR, as after SIGTERM.
 */
void coll_waiter_limit(uint32_t seconds)
{
	alarm(seconds);
}

static struct timespec left_until(uint64_t until_ns)
{
	uint64_t now = rf_now_ns();
	uint64_t left = until_ns > now ? until_ns - now : 0;

	return (struct timespec){
		.tv_sec = (time_t)(left / COLL_NSEC_PER_SEC),
		.tv_nsec = (long)(left % COLL_NSEC_PER_SEC),
	};
}

/**
 * coll_wake_time() - get the time of the next wake-up, so that the caller can update the line
 * that rf_waiting() prints on the terminal
 * @until_ns: end of the wait, in the time of rf_now_ns()
 *
 * Return: the time at which to wake up: @until_ns, or an earlier time if rf_waiting() prints
 * lines.
 */
uint64_t coll_wake_time(uint64_t until_ns)
{
	uint64_t next = rf_now_ns() + UPDATE_NS;

	return rf_waiting_shown && next < until_ns ? next : until_ns;
}

/**
 * coll_sleep() - sleep until one of @fds is ready
 * @w: the waiter
 * @fds: up to COLL_WAIT_FDS - 2 descriptors, or none; the function sets their revents
 * @n: number of @fds
 * @until_ns: end of the wait, in the time of rf_now_ns()
 *
 * Return: 0 if a descriptor is ready; -EINTR if the rank must end, because of a signal or
 * the end of its launcher; -ETIMEDOUT at @until_ns.
 */
int coll_sleep(const struct coll_waiter *w, struct pollfd *fds, int n,
	       uint64_t until_ns)
{
	struct pollfd all[COLL_WAIT_FDS] = {
		{ .fd = w->stop_fd, .events = POLLIN },
		{ .fd = w->launcher_fd, .events = POLLIN },
	};
	struct timespec left;
	int ret;

	if (n)
		memcpy(&all[2], fds, (size_t)n * sizeof(*fds));
	do {
		left = left_until(until_ns);
		ret = ppoll(all, (nfds_t)n + 2, &left, NULL);
	} while (ret < 0 && errno == EINTR);
	if (n)
		memcpy(fds, &all[2], (size_t)n * sizeof(*fds));

	if (ret == 0)
		return -ETIMEDOUT;
	return all[0].revents || all[1].revents ? -EINTR : 0;
}
