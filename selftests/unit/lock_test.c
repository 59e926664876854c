// SPDX-License-Identifier: GPL-2.0
/* Test rf_lock(): only one process holds a lock, and it is released when the process dies. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "tap.h"
#include "../../tools/base/lock.c"
#include "../../tools/base/waiting.c"

static char path[] = "/tmp/lock-XXXXXX";

/* Start another process that holds the lock for @ms milliseconds, or until it is killed. */
static pid_t holder(unsigned int ms)
{
	int ready[2], fd;
	char c = 0;
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		fd = rf_lock(path, 0);
		if (fd < 0 || write(ready[1], &c, 1) != 1)
			_exit(1);
		usleep(ms * 1000);
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1)
		puts("# the other process has not taken the lock");
	close(ready[0]);
	return pid;
}

int main(void)
{
	pid_t pid;
	int fd;

	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	pid = holder(60000);
	ok(rf_lock(path, 0) == -EWOULDBLOCK && rf_lock(path, 50) == -EWOULDBLOCK,
	   "a lock held by another process is not obtained, neither at once nor after a wait");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fd = rf_lock(path, 0);
	ok(fd >= 0, "a lock is obtained after its holder was killed");
	close(fd);
	pid = holder(300);
	fd = rf_lock(path, 30000);
	ok(fd >= 0, "a lock is obtained by waiting until its holder exits");
	close(fd);
	waitpid(pid, NULL, 0);
	ok(rf_lock("/proc/none/lock", 50) == -ENOENT, "rf_lock() returns -ENOENT if the directory does not exist");
	unlink(path);
	return done_testing();
}
