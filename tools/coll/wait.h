/* SPDX-License-Identifier: GPL-2.0 */
/* Wait for events, at most until a deadline. */
#ifndef COLL_WAIT_H
#define COLL_WAIT_H

#include <poll.h>
#include <stdint.h>

/**
 * struct coll_waiter - conditions that end every wait of a rank
 * @stop_fd: readable when the rank must end
 * @launcher_fd: readable when the launcher has ended; -1: no launcher
 * @deadline_ns: maximum duration of a wait
 */
struct coll_waiter {
	int stop_fd, launcher_fd;
	uint64_t deadline_ns;
};

#define COLL_WAIT_FDS	96	/* descriptors: one per rank, 2 of the waiter, some spare */

void coll_wait_alone(int launcher_fd);

int coll_waiter_init(struct coll_waiter *w, uint64_t deadline_ns);
void coll_waiter_limit(uint32_t seconds);
uint64_t coll_wake_time(uint64_t until_ns);
int coll_sleep(const struct coll_waiter *w, struct pollfd *fds, int n,
	       uint64_t until_ns);

#endif
