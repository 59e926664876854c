// SPDX-License-Identifier: GPL-2.0
/*
 * Record the tracepoints of a case: hits of rules, pauses of priorities, ECN marks,
 * actions of the PFC watchdog, CNPs, and rates of flows that DCQCN changes.
 *
 * The kernel's ring buffer is large enough for a case. It is read after the case, so that
 * reading does not slow the job down.
 */
#include "runner.h"

#define BUFFER	(6u << 20)		/* bytes per CPU: about 20,000 events */

/**
 * rf_recorder_start - start recording
 * @r: the recorder
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_recorder_start(struct rf_recorder *r)
{
	const struct rf_trace_options o = {
		.name = "run",
		.points = RF_TRACE_BIT(RF_EVENT_HIT) |
			  RF_TRACE_BIT(RF_EVENT_PAUSE) |
			  RF_TRACE_BIT(RF_EVENT_MARK) |
			  RF_TRACE_BIT(RF_EVENT_WATCHDOG) |
			  RF_TRACE_BIT(RF_EVENT_CNP) |
			  RF_TRACE_BIT(RF_EVENT_RATE),
		.buffer = BUFFER,
	};

	return rf_trace_start(&r->trace, &o);
}

static int keep_event(const struct rf_event *e, void *arg)
{
	return rf_events_add(arg, e);
}

/**
 * rf_recorder_read - stop recording and read the events
 * @r: the recorder
 * @ev: the events, sorted by time
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_recorder_read(struct rf_recorder *r, struct rf_events *ev)
{
	const struct rf_trace_sink sink = { .event = keep_event, .arg = ev };
	int err;

	rf_trace_pause(&r->trace);
	err = rf_trace_lost(&r->trace, &ev->lost);
	if (!err)
		err = rf_trace_read(&r->trace, &sink);
	if (err)
		return err;
	rf_events_sort(ev);
	return 0;
}

/** rf_recorder_stop - remove the trace instance */
void rf_recorder_stop(struct rf_recorder *r)
{
	rf_trace_stop(&r->trace);
}
