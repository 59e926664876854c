// SPDX-License-Identifier: GPL-2.0
/*
 * Sleeping.
 *
 * A rank sleeps in one place only, cp_sleep(), whatever it waits for, and
 * there are always three ends to it: the event, the launcher's SIGTERM, the
 * deadline. SIGTERM arrives through a signalfd, so there is no moment at
 * which it could be missed. SIGINT is the launcher's business: a terminal
 * sends it to all processes, and the launcher ends the ranks in order.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

#include "clock.h"
#include "wait.h"

/**
 * cp_waiter_init() - route SIGTERM into a descriptor, ignore SIGINT
 * Return: 0 or -errno.
 */
int cp_waiter_init(struct cp_waiter *w, uint64_t deadline_ns)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_SETMASK, &set, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);

	w->deadline_ns = deadline_ns;
	w->stop_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return w->stop_fd < 0 ? -errno : 0;
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
 * @fds: up to CP_WAIT_FDS - 1 descriptors, or none; their revents are set
 * Return: 0, -EINTR when told to end, -ETIMEDOUT when @until_ns is over.
 */
int cp_sleep(const struct cp_waiter *w, struct pollfd *fds, int n,
	     uint64_t until_ns)
{
	struct pollfd all[CP_WAIT_FDS] = {
		{ .fd = w->stop_fd, .events = POLLIN }
	};
	struct timespec left;
	int ret;

	if (n)
		memcpy(&all[1], fds, (size_t)n * sizeof(*fds));
	do {
		left = left_until(until_ns);
		ret = ppoll(all, (nfds_t)n + 1, &left, NULL);
	} while (ret < 0 && errno == EINTR);
	if (n)
		memcpy(fds, &all[1], (size_t)n * sizeof(*fds));

	if (ret == 0)
		return -ETIMEDOUT;
	return all[0].revents ? -EINTR : 0;
}
