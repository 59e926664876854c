// SPDX-License-Identifier: GPL-2.0
/* A lock on a file, for operations that must not run in two processes at the same time. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "err.h"
#include "host.h"

#define POLL_MS 20

/**
 * rf_lock - lock a file
 * @path: the file
 * @wait_ms: how long to wait if another process holds the lock; 0: do not wait
 *
 * Return: a descriptor that holds the lock until it is closed; -EWOULDBLOCK if
 * another process holds it, or another -errno.
 */
int rf_lock(const char *path, unsigned int wait_ms)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), err;
	unsigned int ms;

	if (fd < 0)
		return -errno;
	for (ms = 0; flock(fd, LOCK_EX | LOCK_NB); ms += POLL_MS) {
		err = -errno;
		if (err != -EWOULDBLOCK || ms >= wait_ms) {
			close(fd);
			rf_waiting_end();
			return err;
		}
		rf_waiting("waiting for the lock %s, which another process holds", path);
		usleep(POLL_MS * 1000);
	}
	rf_waiting_end();
	return fd;
}
