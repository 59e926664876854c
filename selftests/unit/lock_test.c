// SPDX-License-Identifier: GPL-2.0
/* A lock has one holder, and goes with it. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "tap.h"
#include "../../tools/lib/lock.c"

static char path[] = "/tmp/lock-XXXXXX";

/* Another process that holds it for a time, or till it is killed */
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
		puts("# nobody holds it");
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
	   "what another one has nobody gets");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fd = rf_lock(path, 0);
	ok(fd >= 0, "when it is killed, one does");
	close(fd);
	pid = holder(300);
	fd = rf_lock(path, 30000);
	ok(fd >= 0, "or who waits until it ends");
	close(fd);
	waitpid(pid, NULL, 0);
	ok(rf_lock("/proc/none/lock", 50) == -ENOENT, "no place for one is told");
	unlink(path);
	return done_testing();
}
