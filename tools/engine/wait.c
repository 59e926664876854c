// SPDX-License-Identifier: GPL-2.0
/*
 * Sleeping.
 *
 * A rank sleeps in one place only, cp_sleep(), whatever it waits for, and
 * there are always three ends to it: the event, the launcher's SIGTERM, the
 * deadline. SIGTERM arrives through a signalfd, so there is no moment at
 * which it could be missed; so does SIGALRM, when the whole job is limited.
 * SIGINT is the launcher's business: a terminal sends it to all processes, and
 * the launcher ends the ranks in order. A rank that another program started ends
 * by either signal, and by the end of the process that started it.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "wait.h"

/* Of the process, like its signals: our launcher's child, or on its own */
static bool is_alone;
static int launcher = -1;

/**
 * cp_wait_alone() - no launcher of ours looks after this process
 * @launcher_fd: the pidfd of what started it, or -1
 */
void cp_wait_alone(int launcher_fd)
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
 * cp_waiter_init() - route the signals that tell to end into a descriptor
 * @w: to be filled in
 * @deadline_ns: longest that anything is waited for
 *
 * Return: 0 or -errno.
 */
int cp_waiter_init(struct cp_waiter *w, uint64_t deadline_ns)
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
 * cp_waiter_limit() - end after some time, whatever is done then
 * @seconds: from now; 0: never
 *
 * What sleeps then is woken with -EINTR, as by SIGTERM.
 */
void cp_waiter_limit(uint32_t seconds)
{
	alarm(seconds);
}

static struct timespec left_until(uint64_t until_ns)
{
	uint64_t now = cp_now();
	uint64_t left = until_ns > now ? until_ns - now : 0;

	return (struct timespec){
		.tv_sec = (time_t)(left / CP_NSEC_PER_SEC),
		.tv_nsec = (long)(left % CP_NSEC_PER_SEC),
	};
}

/**
 * cp_sleep() - sleep until one of @fds is ready
 * @w: what else ends the sleep
 * @fds: up to CP_WAIT_FDS - 2 descriptors, or none; their revents are set
 * @n: how many
 * @until_ns: when to give up, as cp_now() counts
 *
 * Return: 0, -EINTR when told to end, -ETIMEDOUT when @until_ns is over.
 */
int cp_sleep(const struct cp_waiter *w, struct pollfd *fds, int n,
	     uint64_t until_ns)
{
	struct pollfd all[CP_WAIT_FDS] = {
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
