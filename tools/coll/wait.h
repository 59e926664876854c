/* SPDX-License-Identifier: GPL-2.0 */
/* Wait for events, at most until a deadline. */
#ifndef CP_WAIT_H
#define CP_WAIT_H

#include <poll.h>
#include <stdint.h>

/**
 * struct cp_waiter - conditions that end every wait of a rank
 * @stop_fd: readable when the rank must end
 * @launcher_fd: readable when the launcher has ended; -1: no launcher
 * @deadline_ns: maximum duration of a wait
 */
struct cp_waiter {
	int stop_fd, launcher_fd;
	uint64_t deadline_ns;
};

#define CP_WAIT_FDS	96	/* descriptors: one per rank, 2 of the waiter, some spare */

void cp_wait_alone(int launcher_fd);

int cp_waiter_init(struct cp_waiter *w, uint64_t deadline_ns);
void cp_waiter_limit(uint32_t seconds);
uint64_t cp_wake_time(uint64_t until_ns);
int cp_sleep(const struct cp_waiter *w, struct pollfd *fds, int n,
	     uint64_t until_ns);

#endif
