/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's tracepoints, by way of libtracefs: a buffer of our own (an
 * ftrace instance), so that other tracing does not disturb ours nor ours
 * other tracing. It doesn't overwrite: if it is full, the first records are kept, the
 * rest is lost and counted.
 */
#ifndef RF_TRACE_H
#define RF_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"
#include "merge.h"

struct pollfd;
struct kbuffer;
struct rf_format;
struct tep_handle;
struct tracefs_instance;

/* Tracepoints are numbered as the kinds of events; others come behind. */
#define RF_TRACE_PACKET		RF_EVENT_KINDS
#define RF_TRACE_RULE		(RF_EVENT_KINDS + 1)
#define RF_TRACE_POINTS		(RF_EVENT_KINDS + 2)
#define RF_TRACE_BIT(point)	(1u << (point))
#define RF_TRACE_EVERY_KIND	(RF_TRACE_BIT(RF_EVENT_KINDS) - 1)

/* A piece of a packet; the longer ones come in several. */
struct rf_chunk {
	uint64_t t_ns;
	uint64_t seq;
	char dev[16];
	uint32_t ifindex;
	uint32_t dir;
	uint32_t rule;		/* the first that hit it; 0: none */
	uint32_t verdict;	/* of kmod/fault.h; 0: it went on */
	uint32_t len;		/* of the whole, from the MAC header on */
	uint32_t offset;	/* of @data in it */
	uint32_t data_len;
	const uint8_t *data;	/* good until the call that brings it returns */
};

/* Callbacks for the records; those not wanted may be NULL. Non-zero ends the reading. */
struct rf_trace_sink {
	int (*event)(const struct rf_event *e, void *arg);
	int (*chunk)(const struct rf_chunk *c, void *arg);
	int (*rule)(uint64_t t_ns, const void *attrs, size_t len, void *arg);
	void *arg;
};

struct rf_trace_options {
	const char *name;	/* of the tracer; its buffer is rdmafault-NAME-PID */
	uint32_t points;	/* RF_TRACE_BIT() of those to record */
	uint64_t buffer;	/* bytes for each CPU */
	uint32_t snaplen;	/* of packets, bytes that are wanted; 0: all */
	const uint32_t *ifindex;	/* of these netdevs only, unless none */
	size_t netdevs;
};

struct rf_trace {
	struct tracefs_instance *instance;	/* NULL: not tracing */
	struct tep_handle *tep;
	struct rf_format *format;
	uint32_t points;
	int lease;		/* keeps others from removing the instance */
	int *pipe;		/* one a CPU, to wait on and to read */
	int cpus;
	void *page;		/* of a pipe */
	struct kbuffer *records;	/* of a page */
	struct rf_merge merge;	/* read, and not given out */
	bool paused;
};

void rf_trace_sweep(void);
int rf_trace_start(struct rf_trace *t, const struct rf_trace_options *o);
int rf_trace_wait(struct rf_trace *t, struct pollfd *wake, int n);
int rf_trace_read(struct rf_trace *t, const struct rf_trace_sink *sink);
void rf_trace_pause(struct rf_trace *t);	/* nothing more is recorded */
int rf_trace_lost(struct rf_trace *t, uint64_t *lost);
void rf_trace_stop(struct rf_trace *t);		/* also when not tracing */

#endif
