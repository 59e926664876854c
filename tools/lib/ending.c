// SPDX-License-Identifier: GPL-2.0
/* The signals that ask this process to end, for code that blocks and reads them. */
#include <stddef.h>

#include "ending.h"

/**
 * rf_ending_signals - the signals that ask this process to end
 * @set: gets them
 *
 * A signal that is blocked waits to be read even if it is to be ignored, so that
 * nohup(1) would be for nothing. Of the others none is left out: a shell has its
 * jobs in the background ignore SIGINT, but a SIGINT sent to one of them is meant.
 */
void rf_ending_signals(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (sigaction(SIGHUP, NULL, &hangup) || hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}
