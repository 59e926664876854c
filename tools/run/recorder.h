/* SPDX-License-Identifier: GPL-2.0 */
/* Record the events of a case. */
#ifndef RF_RECORDER_H
#define RF_RECORDER_H

#include "tools/trace/trace.h"

struct rf_recorder {
	struct rf_trace trace;
};

int rf_recorder_start(struct rf_recorder *r);
int rf_recorder_read(struct rf_recorder *r, struct rf_events *ev);
void rf_recorder_stop(struct rf_recorder *r);

#endif
