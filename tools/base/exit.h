/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The exit statuses of all programs. rdmafault(8) explains them to users. The exit
 * statuses of the scripts are in scripts/lib/common.sh.
 */
#ifndef RF_EXIT_H
#define RF_EXIT_H

enum rf_exit {
	RF_EXIT_OK = 0,			/* done; verdict pass */
	RF_EXIT_FAILED = 1,		/* refused or wrong; verdict fail */
	RF_EXIT_NO_RESULT = 2,		/* nothing was done; verdict broken */
	RF_EXIT_USAGE = RF_EXIT_NO_RESULT,	/* the command line is invalid */
	RF_EXIT_INCOMPLETE = 3,		/* events were lost, or a rank failed */
	RF_EXIT_SKIPPED = 4,		/* the test cannot run on this host */
	RF_EXIT_ABORTED = 99,		/* aborted by SIGINT, SIGTERM or SIGHUP */

	/* Exit statuses for a command that a tool runs for the user; same numbers as in shells */
	RF_EXIT_NOT_EXECUTABLE = 126,
	RF_EXIT_NOT_FOUND = 127,
	RF_EXIT_SIGNAL = 128,		/* plus the signal number */
};

#endif
