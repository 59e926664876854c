// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault link down: take the carrier of a link away for some time, and print how many packets
 * were dropped.
 *
 * A child process, the keeper, does all of it and owns the rule. If this process is killed, the
 * keeper gives the carrier back before it closes the socket of the rule. Without the rule, a netdev
 * without a carrier ends the queue pairs of rxe. If the keeper is killed, this process gives the
 * carrier back. The keeper has its own session, so that a signal to the process group of a command
 * does not reach it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "host.h"
#include "link_down.h"
#include "out.h"
#include "tools/run/job.h"
#include "units.h"
#include "words.h"

#define NS_PER_S	1000000000

static void report_down(struct rf_nl *nl, const struct rf_link_ends *l, uint32_t id, uint64_t ns)
{
	char time[RF_FMT_LEN], packets[RF_THINGS_LEN];
	struct rf_rule_info rule = { };

	rf_out_begin_object();
	rf_out_str("netdev", "%s: ", l->near.netdev);
	rf_out_str("peer", "link to %s down ", l->far.netdev);
	rf_out_u64("down_ns", NULL, ns);
	rf_out_text("for %s, ", rf_fmt_time(ns, time));
	if (rf_nl_rule_get(nl, l->near.ifindex, id, &rule)) {
		rf_out_null("dropped");
		rf_out_text("packets not counted, because the rule was deleted\n");
	} else {
		rf_out_u64("dropped", NULL, rule.counters.hits);
		rf_out_text("%s dropped\n", rf_fmt_things(rule.counters.hits, "packet", packets));
	}
	rf_out_end();
}

static int refuse_link_down(const struct rf_why *why)
{
	rf_err("%s", why->text);
	return RF_EXIT_FAILED;
}

/* Wait for @ns, or until the other end of the pipe @stop is closed. */
static void stay_down(int stop, uint64_t ns)
{
	struct timespec left = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
	struct pollfd closed = { .fd = stop };

	ppoll(&closed, 1, &left, NULL);
}

static int keep_down(struct rf_nl *nl, const struct rf_link_ends *l, uint64_t ns, int stop)
{
	struct rf_why why;
	uint64_t begin;
	uint32_t rule;

	if (rf_link_take_down(nl, l, &rule, &why))
		return refuse_link_down(&why);
	begin = rf_now_ns();
	rf_hint("%s: link to %s is down; Ctrl-C sets it up", l->near.netdev, l->far.netdev);
	stay_down(stop, ns);
	if (rf_link_bring_up(l, &why))
		return refuse_link_down(&why);
	report_down(nl, l, rule, rf_now_ns() - begin);
	return RF_EXIT_OK;
}

/* The signals that end this process are blocked, as in the parent. */
static int be_keeper_of_link(const struct rf_link_ends *l, uint64_t ns, int stop)
{
	struct rf_nl *nl;
	int status;

	setsid();
	prctl(PR_SET_NAME, "rf-link-keeper");	/* killall(1) and pkill(1) select by name */
	signal(SIGPIPE, SIG_IGN);
	status = rf_open_module(&nl);
	if (status)
		return status;
	status = keep_down(nl, l, ns, stop);
	rf_nl_close(nl);
	if (fflush(stdout))
		status = RF_EXIT_FAILED;
	return status;
}

/* Return: exit status after the keeper was killed by signal @sig */
static int keeper_was_killed(const struct rf_link_ends *l, int sig)
{
	struct rf_why why;

	rf_err("%s: the process that kept the link down was killed by signal %d; the link is set up again, and queue pairs can have failed",
	       l->near.netdev, sig);
	if (rf_link_bring_up(l, &why))
		return refuse_link_down(&why);
	return RF_EXIT_FAILED;
}

/* Wait for the keeper. A signal that ends this process closes the pipe @stop. */
static int wait_for_keeper(struct rf_signals *signals, const struct rf_link_ends *l, pid_t keeper,
			   int stop)
{
	struct pollfd wake = { .fd = signals->fd, .events = POLLIN };
	bool asked = false;
	int status;

	while (waitpid(keeper, &status, WNOHANG) != keeper) {
		poll(&wake, 1, -1);
		rf_signals_read(signals);
		if (signals->aborted && !asked)
			close(stop);
		asked = signals->aborted;
	}
	if (!asked)
		close(stop);
	return WIFSIGNALED(status) ? keeper_was_killed(l, WTERMSIG(status)) : WEXITSTATUS(status);
}

static int start_keeper(const struct rf_link_ends *l, uint64_t ns)
{
	struct rf_signals signals;
	int stop[2], status;
	pid_t keeper;

	if (rf_signals_open(&signals))
		return RF_EXIT_FAILED;
	fflush(stdout);
	keeper = pipe2(stop, O_CLOEXEC) ? -1 : fork();
	if (!keeper) {
		close(stop[1]);
		_exit(be_keeper_of_link(l, ns, stop[0]));
	}
	if (keeper < 0) {
		rf_err("link down: %s", strerror(errno));
		status = RF_EXIT_FAILED;
	} else {
		close(stop[0]);
		status = wait_for_keeper(&signals, l, keeper, stop[1]);
	}
	rf_signals_close(&signals);
	return status;
}

/**
 * rf_link_down - run "rdmafault link down"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "down"
 *
 * Return: the exit status.
 */
int rf_link_down(int argc, char **argv)
{
	struct rf_link_ends l;
	struct rf_target t;
	struct rf_why why;
	uint64_t ns;

	if (rf_check_words(rf_link_verbs, argc, argv, "DEV", -1))
		return RF_EXIT_USAGE;
	if (rf_link_down_words(argv + 2, &ns, &why))
		return rf_refuse_words(&why);
	if (rf_target_find(argv[1], &t))
		return RF_EXIT_FAILED;
	return rf_link_ends_find(&t, &l, &why) ? refuse_link_down(&why) : start_keeper(&l, ns);
}
