// SPDX-License-Identifier: GPL-2.0
/* Being the only one on this machine that does something. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "lock.h"

#define POLL_MS 20

/**
 * rf_lock - be the only one
 * @path: the file that stands for what is done
 * @wait_ms: how long to wait for another one; 0: not at all
 *
 * Return: a descriptor that holds the lock until it is closed; -EWOULDBLOCK if
 * there is another one, or -errno.
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
			return err;
		}
		usleep(POLL_MS * 1000);
	}
	return fd;
}
