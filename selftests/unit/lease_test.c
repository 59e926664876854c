// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_run_command(), which runs a command for the lifetime of a rule: rdmafault passes
 * signals on to the command, also while it is starting the command. The command ignores the
 * signals that rdmafault ignores.
 */
#include <signal.h>
#include <unistd.h>

#include "said.h"
#include "tap.h"

static int early;			/* signal raised right after fork() */

static pid_t watched_fork(void)
{
	pid_t pid = fork();

	if (pid > 0 && early)
		raise(early);
	return pid;
}

#define fork watched_fork
#include "tools/cli/lease.c"
#undef fork

int rf_nl_rule_get(struct rf_nl *nl, uint32_t ifindex, uint32_t id,
		   struct rf_rule_info *rule)
{
	*rule = (struct rf_rule_info){ };
	return !nl + !ifindex + !id;
}

/* Run the shell command @line in a new process that ignores only the signal @ignored. */
static int run_shell(const char *line, int ignored, int sig)
{
	char *argv[] = { "sh", "-c", (char *)line, NULL };
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGINT, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		if (ignored)
			signal(ignored, SIG_IGN);
		early = sig;
		_exit(rf_run_command(argv, NULL, NULL));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   -WTERMSIG(status);
}

int main(void)
{
	ok(run_shell("exit 5", 0, 0) == 5, "rf_run_command() returns the exit status of the command");
	ok(run_shell("kill -KILL $$", 0, 0) == 137, "rf_run_command() returns 128 plus the signal that killed the command");
	ok(run_shell("sleep 9", 0, SIGTERM) == 143,
	   "a signal right after fork() reaches the command");
	ok(run_shell("exit 5", SIGHUP, SIGHUP) == 5,
	   "an ignored SIGHUP is not passed on to the command");
	ok(run_shell("kill -HUP $$; exit 5", SIGHUP, 0) == 5,
	   "the command ignores SIGHUP if rdmafault ignores it");
	ok(run_shell("kill -HUP $$; exit 5", 0, 0) == 129,
	   "the command does not ignore SIGHUP if rdmafault does not");
	ok(run_shell("kill -INT $$; exit 5", 0, 0) == 130,
	   "the command does not ignore SIGINT, which rdmafault ignores while it runs");
	return done_testing();
}
