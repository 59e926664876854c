/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a trace, and what a trace passes to its caller */
#ifndef RF_TRACE_STATE_H
#define RF_TRACE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"
#include "merge.h"

struct kbuffer;
struct rf_format;
struct tep_handle;
struct tracefs_instance;

/* Numbers of tracepoints: the kinds of events, from 0, then rf_packet and rf_rule */
#define RF_TRACE_PACKET		RF_EVENT_KINDS
#define RF_TRACE_RULE		(RF_EVENT_KINDS + 1)
#define RF_TRACE_POINTS		(RF_EVENT_KINDS + 2)
#define RF_TRACE_BIT(point)	(1u << (point))
#define RF_TRACE_EVERY_KIND	(RF_TRACE_BIT(RF_EVENT_KINDS) - 1)

/* A part of a packet. Each record has one chunk. A long packet is divided into several chunks. */
struct rf_chunk {
	uint64_t t_ns;
	uint64_t seq;
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

#endif
