/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Three processes for a run: one that does it and two that wait for it, one for
 * the other, so that whichever two are killed, the third tidies up.
 */
#ifndef RF_GUARD_H
#define RF_GUARD_H

struct rf_guarded {
	int (*run)(void *arg);		/* returns an exit status */
	void (*clear)(void *arg);	/* what it has left, when it was killed */
	void *arg;
};

int rf_guard(const struct rf_guarded *what, int aborted, int broken);
int rf_guard_end_children(void);

#endif
