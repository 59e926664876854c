/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the module's tracepoints with libtracefs. Each tool uses its own ftrace instance, so
 * that it does not interfere with other tracing. A full buffer keeps the oldest records;
 * newer records are lost and counted.
 */
#ifndef RF_TRACE_H
#define RF_TRACE_H

#include "state.h"

struct pollfd;

struct rf_trace_options {
	const char *name;	/* the instance is rdmafault-NAME-PID */
	uint32_t points;	/* RF_TRACE_BIT() of tracepoints to record */
	uint64_t buffer;	/* bytes per CPU */
	uint32_t snaplen;	/* bytes to record of each packet; 0: all */
	const uint32_t *ifindex;	/* netdevs to record */
	size_t netdevs;		/* number of @ifindex; 0: record all netdevs */
};

void rf_trace_sweep(void);
int rf_trace_start(struct rf_trace *t, const struct rf_trace_options *o);
int rf_trace_wait(struct rf_trace *t, struct pollfd *wake, int n);
int rf_trace_read(struct rf_trace *t, const struct rf_trace_sink *sink);
void rf_trace_pause(struct rf_trace *t);
int rf_trace_lost(struct rf_trace *t, uint64_t *lost);
void rf_trace_stop(struct rf_trace *t);		/* allowed also if not tracing */

#endif
