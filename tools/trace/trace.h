/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the module's tracepoints with libtracefs. Each tool uses its own ftrace instance, so
 * that it does not interfere with other tracing. A full buffer keeps the oldest records; newer
 * records are lost and counted.
 */
#ifndef RF_TRACE_H
#define RF_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"

struct kbuffer;
struct pollfd;
struct rf_format;
struct tep_event;
struct tep_handle;
struct tep_record;
struct tracefs_instance;

/*
 * merge.c: merge the records of several CPUs, sorted by time.
 *
 * The buffers of the CPUs are read one after the other while the kernel writes to them, so the
 * oldest record can be in the buffer that is read last. A record is therefore returned only if
 * no older record can follow. The caller passes the time up to which the buffers of all CPUs
 * have been read, see rf_merge_next().
 */

/* The records of one CPU, which are sorted by time */
struct rf_merge_queue {
	uint8_t *bytes;
	size_t head, tail, room;
};

struct rf_merge {
	struct rf_merge_queue *queue;	/* one per CPU */
	int cpus;
};

struct rf_merge_record {
	uint64_t t_ns;
	int cpu;
	uint32_t len;
	const void *data;		/* valid until the next record is added */
};

int rf_merge_open(struct rf_merge *m, int cpus);
void rf_merge_close(struct rf_merge *m);
int rf_merge_add(struct rf_merge *m, const struct rf_merge_record *r);
bool rf_merge_oldest(const struct rf_merge *m, uint64_t *t_ns);
bool rf_merge_next(struct rf_merge *m, uint64_t until, struct rf_merge_record *r);

/* Numbers of tracepoints: the kinds of events, from 0, then those of packets and rules */
#define RF_TRACE_PACKET		RF_EVENT_KINDS
#define RF_TRACE_SENT		(RF_EVENT_KINDS + 1)
#define RF_TRACE_RULE		(RF_EVENT_KINDS + 2)
#define RF_TRACE_POINTS		(RF_EVENT_KINDS + 3)
#define RF_TRACE_BIT(point)	(1u << (point))
#define RF_TRACE_EVERY_KIND	(RF_TRACE_BIT(RF_EVENT_KINDS) - 1)

/* A part of a packet. Each record has one chunk. A long packet is divided into several chunks. */
struct rf_chunk {
	uint64_t t_ns;
	uint64_t seq;
	bool sent;		/* the packet as it left, after the actions */
	uint64_t of;		/* @sent: number of the packet as it arrived; 0: none */
	char dev[16];
	uint32_t ifindex;
	uint32_t dir;
	uint32_t rule;		/* first rule that hit the packet; 0: none */
	uint32_t verdict;	/* enum rf_verdict of kmod/fault/fault.h; 0: the packet passed */
	uint32_t len;		/* bytes of the whole packet, with its MAC header */
	uint32_t offset;	/* position of @data in the packet */
	uint32_t data_len;
	const uint8_t *data;	/* valid during the callback */
};

/* Callbacks for records; NULL: ignore these records. A result other than 0 ends reading. */
struct rf_trace_sink {
	int (*event)(const struct rf_event *e, void *arg);
	int (*chunk)(const struct rf_chunk *c, void *arg);
	int (*rule)(uint64_t t_ns, const void *attrs, size_t len, void *arg);
	void *arg;
};

struct rf_trace {
	struct tracefs_instance *instance;	/* NULL: not tracing */
	struct tep_handle *tep;
	struct rf_format *format;
	uint32_t points;
	int lease;		/* open file that marks the instance as used */
	int *pipe;		/* trace_pipe_raw of each CPU; -1: no such CPU */
	int cpus;
	void *page;		/* buffer for one page of records read from @pipe */
	struct kbuffer *records;	/* parser for the records of a page */
	struct rf_merge merge;	/* records read, but not yet passed to a sink */
	bool paused;
};

/* trace.c: start, read and stop a trace */
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

/*
 * format.c: parse records of tracepoints. Fields are found by their names in the format files
 * of tracefs, so their offsets can differ between versions of the module.
 */
const char *rf_point_name(unsigned int point);	/* rf_hit ... rf_rule */
int rf_format_load(struct rf_trace *t);
void rf_format_free(struct rf_trace *t);
int rf_format_take(const struct rf_trace *t, const struct tep_event *event,
		   struct tep_record *record, const struct rf_trace_sink *sink);

#endif
