/* SPDX-License-Identifier: GPL-2.0 */
/* Execute a run in a child process, and clean up if it is killed. */
#ifndef RF_GUARD_H
#define RF_GUARD_H

struct rf_guarded {
	int (*run)(void *arg);		/* returns an exit status */
	void (*clear)(void *arg);	/* function that cleans up after a killed run */
	void *arg;
};

int rf_guard(const struct rf_guarded *what, int aborted, int broken);
int rf_guard_end_children(void);

#endif
