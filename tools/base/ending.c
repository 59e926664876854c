// SPDX-License-Identifier: GPL-2.0
/* The signals that end this process. The caller blocks them and reads them from a descriptor. */
#include <stddef.h>

#include "host.h"

/**
 * rf_ending_signals - get the set of signals that end this process
 * @set: gets the signals
 *
 * A blocked signal can be read even if the process ignores it. So the set contains SIGHUP
 * only if SIGHUP is not ignored. Otherwise nohup(1) would have no effect. SIGINT is
 * always included: shells let background jobs ignore it, but a SIGINT sent to such a job
 * is intended.
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
