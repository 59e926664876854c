// SPDX-License-Identifier: GPL-2.0
/*
 * Run a command, with rules that exist only while it runs. The socket that owns the rules
 * stays open while the command runs. After the command, print the counters of the rules,
 * and return the exit status of the command.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "port.h"

static volatile sig_atomic_t child;

static void forward_signal(int sig)
{
	if (child > 0)
		kill(child, sig);
}

/*
 * SIGINT and SIGQUIT are ignored, because the terminal also sends them to the command.
 * SIGTERM and SIGHUP can be sent to this process only, so they are forwarded to the command.
 */
static struct {
	int sig;
	void (*handler)(int sig);
	struct sigaction before;
} signals[] = {
	{ .sig = SIGINT, .handler = SIG_IGN },
	{ .sig = SIGQUIT, .handler = SIG_IGN },
	{ .sig = SIGTERM, .handler = forward_signal },
	{ .sig = SIGHUP, .handler = forward_signal },
};

#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

static void set_signals(void)
{
	size_t i;

	for (i = 0; i < SIGNALS; i++) {
		struct sigaction sa = { .sa_handler = signals[i].handler };

		sigaction(signals[i].sig, &sa, &signals[i].before);
		/*
		 * If the parent made this process ignore a signal, as nohup(1) does, keep
		 * ignoring it.
		 */
		if (signals[i].before.sa_handler == SIG_IGN)
			sigaction(signals[i].sig, &signals[i].before, NULL);
	}
}

static void reset_signals(const sigset_t *mask)
{
	size_t i;

	for (i = 0; i < SIGNALS; i++)
		sigaction(signals[i].sig, &signals[i].before, NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

/*
 * Run the command. If the parent dies, the module deletes the rules of the parent. Therefore
 * the command then gets SIGTERM.
 */
static void exec_command(pid_t parent, char **argv, const sigset_t *mask)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(RF_EXIT_NOT_EXECUTABLE);
	reset_signals(mask);
	execvp(argv[0], argv);
	rf_err("%s: %s", argv[0], strerror(errno));
	_exit(errno == ENOENT ? RF_EXIT_NOT_FOUND :
				RF_EXIT_NOT_EXECUTABLE);
}

/* Start the command. Signals are blocked until @child is set, so that no signal is lost. */
static pid_t start_command(char **argv)
{
	pid_t parent = getpid(), pid;
	sigset_t all, mask;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	set_signals();
	pid = fork();
	if (!pid)
		exec_command(parent, argv, &mask);
	child = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return pid;
}

/*
 * Wait for the end of the command. While waiting, call @tick every RF_TICK_MS, unless @tick
 * is NULL.
 */
static int wait_for_command(pid_t pid, void (*tick)(void *arg), void *arg)
{
	const struct timespec pause = { .tv_nsec = RF_TICK_MS * 1000000 };
	pid_t ended;
	int status;

	while ((ended = waitpid(pid, &status, tick ? WNOHANG : 0)) <= 0) {
		if (ended < 0 && errno != EINTR)
			return RF_EXIT_FAILED;
		if (!tick)
			continue;
		tick(arg);
		nanosleep(&pause, NULL);
	}
	if (WIFSIGNALED(status))
		return RF_EXIT_SIGNAL + WTERMSIG(status);
	return WEXITSTATUS(status);
}

static void note_tally(const char *netdev, uint32_t id,
		       const struct rf_rule_counters *counters)
{
	char unanswered[40] = "", unchanged[40] = "";

	if (counters->unanswered)
		snprintf(unanswered, sizeof(unanswered),
			 ", unanswered %" PRIu64, counters->unanswered);
	if (counters->unchanged)
		snprintf(unchanged, sizeof(unchanged),
			 ", unchanged %" PRIu64, counters->unchanged);
	rf_note("%s rule %u: matched %" PRIu64 ", hits %" PRIu64 "%s%s",
		netdev, id, counters->matched, counters->hits, unanswered, unchanged);
}

/**
 * rf_report_rule - print the counters of a rule
 * @nl: a socket to the module
 * @t: the port of the rule
 * @id: number of the rule
 */
void rf_report_rule(struct rf_nl *nl, const struct rf_target *t, uint32_t id)
{
	struct rf_rule_info rule;
	int err = rf_nl_rule_get(nl, t->ifindex, id, &rule);

	if (err)
		rf_note("%s rule %u was already removed", t->netdev, id);
	else
		note_tally(t->netdev, id, &rule.counters);
}

/**
 * rf_run_command - run a command and wait for its end
 * @argv: the command
 * @tick: called every RF_TICK_MS while the command runs, or NULL
 * @arg: passed to @tick
 *
 * After this call, SIGINT, SIGQUIT, SIGTERM and SIGHUP do not end this process. SIGTERM and
 * SIGHUP are forwarded to the command.
 *
 * Return: the exit status of the command, or 128 + the number of the signal that ended it.
 */
int rf_run_command(char **argv, void (*tick)(void *arg), void *arg)
{
	pid_t pid = start_command(argv);
	int status;

	if (pid < 0) {
		rf_err("%s: %s", argv[0], strerror(errno));
		return RF_EXIT_FAILED;
	}
	status = wait_for_command(pid, tick, arg);
	child = 0;
	return status;
}

/**
 * rf_with_command - run a command while rules exist, then print their counters
 * @nl: the socket that owns the rules
 * @t: the port of the rules
 * @ids: numbers of the rules
 * @n: number of rules
 * @argv: the command
 *
 * Return: the command's exit status.
 */
int rf_with_command(struct rf_nl *nl, const struct rf_target *t,
		    const uint32_t *ids, size_t n, char **argv)
{
	int status = rf_run_command(argv, NULL, NULL);
	size_t i;

	for (i = 0; i < n; i++)
		rf_report_rule(nl, t, ids[i]);
	return status;
}
