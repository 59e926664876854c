/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records the module's events in a buffer of their own (an ftrace instance),
 * so that nobody else's tracing disturbs ours nor ours theirs.
 */
#ifndef RF_RECORDER_H
#define RF_RECORDER_H

#include "tools/report/events.h"

struct tracefs_instance;

struct rf_recorder {
	struct tracefs_instance *instance;	/* NULL: not recording */
};

int rf_recorder_start(struct rf_recorder *r);
int rf_recorder_read(struct rf_recorder *r, struct rf_events *ev);
void rf_recorder_stop(struct rf_recorder *r);

#endif
