// SPDX-License-Identifier: GPL-2.0
/*
 * Records the module's events by libtracefs.
 *
 * The kernel's ring buffer is large enough for a play and is read when the
 * play is over, so that no reader disturbs it. It doesn't overwrite: if it
 * fills up, what comes first is kept, the rest is lost and counted.
 */
#include <errno.h>
#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "err.h"
#include "recorder.h"

#define INSTANCE	"rdmafault-run"
#define SYSTEM		"rdmafault"
#define EVENT		"rf_hit"
#define BUFFER_KIB	4096		/* a CPU: about 25,000 events */

static int refuse(const char *what)
{
	rf_err("recording events: %s: %s", what, strerror(errno));
	return -EIO;
}

static int set_up(struct tracefs_instance *in)
{
	if (tracefs_instance_file_write(in, "trace_clock", "mono") < 0)
		return refuse("trace_clock");
	if (tracefs_instance_set_buffer_size(in, BUFFER_KIB, -1) < 0)
		return refuse("buffer_size_kb");
	if (tracefs_option_disable(in, TRACEFS_OPTION_OVERWRITE) < 0)
		return refuse("overwrite");
	if (tracefs_event_enable(in, SYSTEM, EVENT) < 0)
		return refuse("event " SYSTEM ":" EVENT);
	return 0;
}

/**
 * rf_recorder_start - record from now on
 * @r: the recorder
 *
 * A buffer that a killed run left behind is thrown away.
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_recorder_start(struct rf_recorder *r)
{
	int err;

	r->instance = tracefs_instance_create(INSTANCE);
	if (r->instance && !tracefs_instance_is_new(r->instance)) {
		rf_recorder_stop(r);
		r->instance = tracefs_instance_create(INSTANCE);
	}
	if (!r->instance)
		return refuse("instance " INSTANCE);
	err = set_up(r->instance);
	if (err)
		rf_recorder_stop(r);
	return err;
}

/* Fields come by name, so that their place in the record may change. */
static uint64_t number(struct tep_event *event, struct tep_record *record,
		       const char *name)
{
	struct tep_format_field *field = tep_find_field(event, name);
	unsigned long long v = 0;

	if (field)
		tep_read_number_field(field, record->data, &v);
	return v;
}

static void bytes(struct tep_event *event, struct tep_record *record,
		  const char *name, void *to, size_t len)
{
	struct tep_format_field *field = tep_find_field(event, name);

	if (!field || (size_t)field->size > len ||
	    field->offset + field->size > record->size)
		return;
	memcpy(to, (char *)record->data + field->offset, field->size);
}

static void decode(struct tep_event *event, struct tep_record *record,
		   struct rf_event *e)
{
	*e = (struct rf_event){
		.t_ns = record->ts,
		.ifindex = number(event, record, "ifindex"),
		.dir = number(event, record, "dir"),
		.rule = number(event, record, "rule"),
		.action = number(event, record, "action"),
		.family = number(event, record, "family"),
		.qp = number(event, record, "qp"),
		.psn = number(event, record, "psn"),
		.psn_rel = number(event, record, "psn_rel"),
		.opcode = number(event, record, "opcode"),
		.syndrome = number(event, record, "syndrome"),
		.class = number(event, record, "class"),
		.position = number(event, record, "position"),
		.pass = number(event, record, "pass"),
		.step = number(event, record, "step"),
		.len = number(event, record, "len"),
	};
	bytes(event, record, "dev", e->dev, sizeof(e->dev));
	e->dev[sizeof(e->dev) - 1] = '\0';
	bytes(event, record, "saddr", e->saddr, sizeof(e->saddr));
	bytes(event, record, "daddr", e->daddr, sizeof(e->daddr));
}

static int take(struct tep_event *event, struct tep_record *record, int cpu,
		void *arg)
{
	struct rf_events *ev = arg;
	struct rf_event e;

	(void)cpu;
	if (strcmp(event->name, EVENT))
		return 0;
	decode(event, record, &e);
	return rf_events_add(ev, &e);
}

/* "overrun: 3", "commit overrun: 0", "dropped events: 0" */
static uint64_t stat_of(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	return p ? strtoull(p + strlen(name), NULL, 10) : 0;
}

static uint64_t count_lost(struct tracefs_instance *in)
{
	uint64_t lost = 0;
	char path[64], *text;
	int cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
		text = tracefs_instance_file_read(in, path, NULL);
		if (!text)
			continue;
		lost += stat_of(text, "\noverrun:") +
			stat_of(text, "commit overrun:") +
			stat_of(text, "dropped events:");
		free(text);
	}
	return lost;
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

static int parse_format(struct tep_handle *tep)
{
	char *text;
	int size, err;

	if (parse_page_header(tep))
		return -EIO;
	text = tracefs_event_file_read(NULL, SYSTEM, EVENT, "format", &size);
	if (!text)
		return -EIO;
	err = tep_parse_event(tep, text, size, SYSTEM);
	free(text);
	return err ? -EIO : 0;
}

/*
 * The format of our event alone: libtracefs would read all the kernel's
 * symbols beside, which nobody asks for here and takes seconds.
 */
static struct tep_handle *load_format(void)
{
	struct tep_handle *tep = tep_alloc();

	if (tep && parse_format(tep)) {
		tep_free(tep);
		tep = NULL;
	}
	return tep;
}

/**
 * rf_recorder_read - stop recording and take what was recorded
 * @r: the recorder
 * @ev: gets the events, in the order of time
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_recorder_read(struct rf_recorder *r, struct rf_events *ev)
{
	struct tep_handle *tep;
	int err;

	tracefs_trace_off(r->instance);
	ev->lost = count_lost(r->instance);
	tep = load_format();
	if (!tep)
		return refuse("event formats");
	errno = EIO;
	err = tracefs_iterate_raw_events(tep, r->instance, NULL, 0, take, ev);
	tep_free(tep);
	if (err)
		return refuse("reading the buffer");
	rf_events_sort(ev);
	return 0;
}

/** rf_recorder_stop - leave nothing behind; also when nothing was started */
void rf_recorder_stop(struct rf_recorder *r)
{
	if (!r->instance)
		return;
	tracefs_event_disable(r->instance, SYSTEM, EVENT);
	tracefs_instance_destroy(r->instance);
	tracefs_instance_free(r->instance);
	r->instance = NULL;
}
