// SPDX-License-Identifier: GPL-2.0
/*
 * A command that a rule lives as long as: signals for us are its own, also in the
 * moment in which it is started, and those that are ignored it ignores as well.
 */
#include <signal.h>
#include <unistd.h>

#include "said.h"
#include "tap.h"

static int early;			/* comes as soon as the command is there */

static pid_t watched_fork(void)
{
	pid_t pid = fork();

	if (pid > 0 && early)
		raise(early);
	return pid;
}

#define fork watched_fork
#include "../../tools/rdmafault/lease.c"
#undef fork

void rf_note(const char *fmt, ...)
{
	(void)fmt;
}

int rf_nl_rule_get(struct rf_nl *nl, uint32_t ifindex, uint32_t id,
		   struct rf_rule_info *rule)
{
	*rule = (struct rf_rule_info){ };
	return !nl + !ifindex + !id;
}

/* In a process of its own, which ignores none of the signals but one */
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
	ok(run_shell("exit 5", 0, 0) == 5, "the command's status is ours");
	ok(run_shell("kill -KILL $$", 0, 0) == 137, "or what ended it");
	ok(run_shell("sleep 9", 0, SIGTERM) == 143,
	   "a signal that comes at once reaches it");
	ok(run_shell("exit 5", SIGHUP, SIGHUP) == 5,
	   "one that is ignored reaches nobody");
	ok(run_shell("kill -HUP $$; exit 5", SIGHUP, 0) == 5,
	   "and the command ignores it, too");
	ok(run_shell("kill -HUP $$; exit 5", 0, 0) == 129,
	   "or not, if we didn't");
	ok(run_shell("kill -INT $$; exit 5", 0, 0) == 130,
	   "what we ignore for its sake it doesn't");
	return done_testing();
}
