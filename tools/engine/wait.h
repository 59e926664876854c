/* SPDX-License-Identifier: GPL-2.0 */
/* Sleeping until something happens, never longer than the deadline. */
#ifndef CP_WAIT_H
#define CP_WAIT_H

#include <poll.h>
#include <stdint.h>

/**
 * struct cp_waiter - what ends every sleep of a rank
 * @stop_fd: becomes readable when the rank must end
 * @launcher_fd: becomes readable when the launcher is gone; -1: no launcher
 * @deadline_ns: longest sleep
 */
struct cp_waiter {
	int stop_fd, launcher_fd;
	uint64_t deadline_ns;
};

#define CP_WAIT_FDS	96	/* one for each rank and a few */

void cp_wait_alone(int launcher_fd);

int cp_waiter_init(struct cp_waiter *w, uint64_t deadline_ns);
void cp_waiter_limit(uint32_t seconds);
int cp_sleep(const struct cp_waiter *w, struct pollfd *fds, int n,
	     uint64_t until_ns);

#endif
