// SPDX-License-Identifier: GPL-2.0
/*
 * Which signals end a run: what nohup(1) has us ignore doesn't, what a shell has
 * its jobs in the background ignore does.
 */
#include "said.h"
#include "tap.h"
#include "../../tools/lib/ending.c"
#include "../../tools/scenario/job.c"

int rf_guard_end_children(void)
{
	return 0;
}

static bool ends(int sig, void (*handler)(int))
{
	struct rf_signals signals;

	signal(sig, handler);
	if (rf_signals_open(&signals))
		return false;
	raise(sig);
	rf_signals_read(&signals);
	rf_signals_close(&signals);
	signal(sig, SIG_DFL);
	return signals.aborted;
}

int main(void)
{
	ok(ends(SIGINT, SIG_DFL) && ends(SIGTERM, SIG_DFL) &&
	   ends(SIGHUP, SIG_DFL), "INT, TERM and HUP end a run");
	ok(!ends(SIGHUP, SIG_IGN), "nohup's doesn't");
	ok(ends(SIGHUP, SIG_DFL), "but the next one's does");
	ok(ends(SIGINT, SIG_IGN), "INT for a job in the background does");
	return done_testing();
}
