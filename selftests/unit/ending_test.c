// SPDX-License-Identifier: GPL-2.0
/*
 * Test which signals end a run: SIGHUP does not end a run that ignores SIGHUP (nohup). SIGINT
 * ends a run even if the run was started with SIGINT ignored, as a shell does for background
 * jobs.
 */
#include "said.h"
#include "tap.h"
#include "../../tools/base/ending.c"
#include "tools/run/job.c"

int rf_guard_end_children(void)
{
	return 0;
}

void rf_guard_spare(pid_t pid)
{
	(void)pid;
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
	   ends(SIGHUP, SIG_DFL), "SIGINT, SIGTERM and SIGHUP end a run");
	ok(!ends(SIGHUP, SIG_IGN), "an ignored SIGHUP does not end a run (nohup)");
	ok(ends(SIGHUP, SIG_DFL), "SIGHUP ends a run that follows one with an ignored SIGHUP");
	ok(ends(SIGINT, SIG_IGN), "an ignored SIGINT ends a run (background job of a shell)");
	return done_testing();
}
