// SPDX-License-Identifier: GPL-2.0
/*
 * Parse records into events and chunks of packets. The fields of each tracepoint are
 * looked up by name once. If a tracepoint has no such field, the member of the struct stays 0.
 */
#include <errno.h>
#include <event-parse.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "trace.h"

#define SYSTEM "rdmafault"

static const char *const point_names[RF_TRACE_POINTS] = {
	[RF_EVENT_HIT] = "rf_hit",
	[RF_EVENT_RETRANSMIT] = "rf_retransmit",
	[RF_EVENT_NAK] = "rf_nak",
	[RF_EVENT_HOLD] = "rf_hold",
	[RF_EVENT_RELEASE] = "rf_release",
	[RF_EVENT_PAUSE] = "rf_pause",
	[RF_EVENT_MARK] = "rf_mark",
	[RF_EVENT_WATCHDOG] = "rf_watchdog",
	[RF_EVENT_CNP] = "rf_cnp",
	[RF_EVENT_RATE] = "rf_rate",
	[RF_TRACE_PACKET] = "rf_packet",
	[RF_TRACE_SENT] = "rf_sent",
	[RF_TRACE_RULE] = "rf_rule",
};

/* A field of a record, and the struct member that it is copied to */
struct member {
	const char *name;
	size_t offset, size;
	bool is_array;
};

#define NUMBER(type, member) \
	{ #member, offsetof(struct type, member), \
	  sizeof(((struct type *)0)->member), false }
#define ARRAY(type, member) \
	{ #member, offsetof(struct type, member), \
	  sizeof(((struct type *)0)->member), true }

static const struct member event_members[] = {
	NUMBER(rf_event, seq), NUMBER(rf_event, ns), ARRAY(rf_event, dev),
	NUMBER(rf_event, ifindex), NUMBER(rf_event, dir),
	NUMBER(rf_event, rule), NUMBER(rf_event, action),
	NUMBER(rf_event, count), ARRAY(rf_event, types),
	ARRAY(rf_event, values), NUMBER(rf_event, unchanged),
	NUMBER(rf_event, family),
	ARRAY(rf_event, saddr), ARRAY(rf_event, daddr), NUMBER(rf_event, qp),
	NUMBER(rf_event, psn), NUMBER(rf_event, psn_rel),
	NUMBER(rf_event, opcode), NUMBER(rf_event, syndrome),
	NUMBER(rf_event, class), NUMBER(rf_event, position),
	NUMBER(rf_event, attempt), NUMBER(rf_event, flow),
	NUMBER(rf_event, message), NUMBER(rf_event, step),
	NUMBER(rf_event, len), NUMBER(rf_event, until),
	NUMBER(rf_event, prio), NUMBER(rf_event, source),
	NUMBER(rf_event, paused), NUMBER(rf_event, event),
	NUMBER(rf_event, dropped), NUMBER(rf_event, queue),
	NUMBER(rf_event, received), NUMBER(rf_event, cause), NUMBER(rf_event, at),
	NUMBER(rf_event, rate), NUMBER(rf_event, before), NUMBER(rf_event, target),
	NUMBER(rf_event, alpha), NUMBER(rf_event, time_stage), NUMBER(rf_event, byte_stage),
	{ }
};

static const struct member chunk_members[] = {
	NUMBER(rf_chunk, seq), NUMBER(rf_chunk, of), ARRAY(rf_chunk, dev),
	NUMBER(rf_chunk, ifindex),
	NUMBER(rf_chunk, dir), NUMBER(rf_chunk, rule),
	NUMBER(rf_chunk, verdict), NUMBER(rf_chunk, len),
	NUMBER(rf_chunk, offset),
	{ }
};

/* Maximum number of entries of a table of members, including the empty entry at its end */
#define MEMBERS_MAX 48

_Static_assert(sizeof(event_members) <= MEMBERS_MAX * sizeof(struct member),
	       "an event has more members than MEMBERS_MAX");

struct rf_format {
	int id[RF_TRACE_POINTS];
	struct tep_event *event[RF_TRACE_POINTS];
	struct tep_format_field *field[RF_TRACE_POINTS][MEMBERS_MAX];
};

/**
 * rf_point_name - get the name of a tracepoint
 * @point: its number
 *
 * Return: the name.
 */
const char *rf_point_name(unsigned int point)
{
	return point_names[point];
}

static const struct member *members_of(unsigned int point)
{
	return point == RF_TRACE_PACKET || point == RF_TRACE_SENT ? chunk_members : event_members;
}

static int parse_page_header(struct tep_handle *tep)
{
	char *text;
	int size, err;

	tep_set_file_bigendian(tep, tep_is_local_bigendian(tep) ?
			       TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, sizeof(long));
	tep_set_page_size(tep, sysconf(_SC_PAGESIZE));
	text = tracefs_instance_file_read(NULL, "events/header_page", &size);
	if (!text)
		return -EIO;
	err = tep_parse_header_page(tep, text, size, sizeof(long));
	free(text);
	return err ? -EIO : 0;
}

static int parse_point(struct rf_trace *t, unsigned int point)
{
	const struct member *m = members_of(point);
	const char *name = point_names[point];
	struct rf_format *f = t->format;
	char *text;
	int i, size, err;

	text = tracefs_event_file_read(NULL, SYSTEM, name, "format", &size);
	if (!text)
		return -EIO;
	err = tep_parse_event(t->tep, text, size, SYSTEM);
	free(text);
	f->event[point] = err ? NULL :
			  tep_find_event_by_name(t->tep, SYSTEM, name);
	if (!f->event[point])
		return -EIO;
	for (i = 0; m[i].name; i++)
		f->field[point][i] = tep_find_field(f->event[point], m[i].name);
	return 0;
}

/**
 * rf_format_load - read the formats of the recorded tracepoints
 * @t: the trace
 *
 * libtracefs has a function for this, but it also reads all symbols of the kernel, which
 * takes seconds.
 *
 * Return: 0, or -errno.
 */
int rf_format_load(struct rf_trace *t)
{
	unsigned int point;
	int err;

	t->tep = tep_alloc();
	t->format = calloc(1, sizeof(*t->format));
	if (!t->tep || !t->format)
		return -ENOMEM;
	err = parse_page_header(t->tep);
	for (point = 0; !err && point < RF_TRACE_POINTS; point++)
		if (t->points & RF_TRACE_BIT(point))
			err = parse_point(t, point);
	return err;
}

/** rf_format_free - free the formats */
void rf_format_free(struct rf_trace *t)
{
	tep_free(t->tep);
	free(t->format);
	t->tep = NULL;
	t->format = NULL;
}

static void take_array(const struct member *m, struct tep_format_field *field,
		       const struct tep_record *record, void *to)
{
	size_t size = field->size;

	if (size <= m->size && field->offset + size <= (size_t)record->size)
		memcpy(to, (char *)record->data + field->offset, size);
}

static void copy_number(const struct member *m, struct tep_format_field *field,
			const struct tep_record *record, void *to)
{
	unsigned long long v = 0;
	uint32_t small;

	tep_read_number_field(field, record->data, &v);
	small = v;
	if (m->size == sizeof(small))
		memcpy(to, &small, sizeof(small));
	else
		memcpy(to, &v, m->size);
}

static void take_members(const struct rf_format *f, unsigned int point,
			 struct tep_record *record, void *to)
{
	struct tep_format_field *const *field = f->field[point];
	const struct member *m;

	for (m = members_of(point); m->name; m++, field++) {
		if (!*field)
			continue;
		if (m->is_array)
			take_array(m, *field, record, (char *)to + m->offset);
		else
			copy_number(m, *field, record, (char *)to + m->offset);
	}
}

static bool is_fault(const struct rf_event *e)
{
	uint32_t i;

	for (i = 0; i < e->count; i++)
		if (e->types[i] != RDMAFAULT_ACTION_OBSERVE)
			return true;
	return false;
}

static int pass_event(const struct rf_format *f, unsigned int kind,
		      struct tep_record *record,
		      const struct rf_trace_sink *sink)
{
	struct rf_event e = { .kind = kind, .t_ns = record->ts };

	take_members(f, kind, record, &e);
	e.dev[sizeof(e.dev) - 1] = '\0';
	if (e.count > RDMAFAULT_ACTIONS_MAX)
		e.count = RDMAFAULT_ACTIONS_MAX;
	e.fault = is_fault(&e);
	return sink->event(&e, sink->arg);
}

static const void *data_of(const struct rf_format *f, unsigned int point,
			   struct tep_record *record, uint32_t *n)
{
	const void *data;
	int len = 0;

	data = tep_get_field_raw(NULL, f->event[point], "data", record, &len, 0);
	*n = data && len > 0 ? len : 0;
	return data;
}

static int pass_chunk(const struct rf_format *f, unsigned int point, struct tep_record *record,
		      const struct rf_trace_sink *sink)
{
	struct rf_chunk c = { .t_ns = record->ts, .sent = point == RF_TRACE_SENT };

	take_members(f, point, record, &c);
	c.dev[sizeof(c.dev) - 1] = '\0';
	c.data = data_of(f, point, record, &c.data_len);
	return sink->chunk(&c, sink->arg);
}

static int pass_rule(const struct rf_format *f, struct tep_record *record,
		     const struct rf_trace_sink *sink)
{
	const void *attrs;
	uint32_t len;

	attrs = data_of(f, RF_TRACE_RULE, record, &len);
	return sink->rule(record->ts, attrs, len, sink->arg);
}

/**
 * rf_format_take - pass a record to a sink
 * @t: the trace
 * @event: the record's tracepoint
 * @record: the record
 * @sink: the sink
 *
 * Return: the result of the callback, or 0 if the sink has no callback for this record.
 */
int rf_format_take(const struct rf_trace *t, const struct tep_event *event,
		   struct tep_record *record, const struct rf_trace_sink *sink)
{
	unsigned int point;

	for (point = 0; point < RF_TRACE_POINTS; point++)
		if (t->format->event[point] == event)
			break;
	if (point == RF_TRACE_PACKET || point == RF_TRACE_SENT)
		return sink->chunk ? pass_chunk(t->format, point, record, sink) : 0;
	if (point == RF_TRACE_RULE)
		return sink->rule ? pass_rule(t->format, record, sink) : 0;
	if (point == RF_TRACE_POINTS || !sink->event)
		return 0;
	return pass_event(t->format, point, record, sink);
}
