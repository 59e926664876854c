// SPDX-License-Identifier: GPL-2.0
/*
 * Bring the records of several machines together in process 0. Each process sends the lines of its
 * events.jsonl. Times are converted to the clock of process 0, and the numbers of packets are made
 * different on each machine. Ports need no change, because their names are those in the fabric.
 *
 * The timeline of the job comes from rank 0, which converted the times with the offsets that the
 * ranks measured once, at the start. These offsets are replaced by those of the case.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "json.h"
#include "machines.h"
#include "out.h"
#include "run.h"
#include "runner.h"

#define PACKETS_BITS 40			/* numbers of packets have fewer bits */

typedef struct json_object *obj;

static uint64_t converted(const struct rf_machine *m, uint64_t t_ns)
{
	return t_ns ? t_ns + rf_clock_offset(&m->clock, t_ns) : 0;
}

static int merge_events(struct rf_events *all, const struct rf_events *ev,
			const struct rf_machine *m, uint64_t number)
{
	struct rf_event e;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < ev->n; i++) {
		e = ev->e[i];
		e.t_ns = converted(m, e.t_ns);
		e.until = converted(m, e.until);
		e.seq += e.seq ? number << PACKETS_BITS : 0;
		err = rf_events_add(all, &e);
	}
	all->lost += ev->lost;
	return err;
}

static void merge_counters(struct rf_record *rec, const struct rf_record *part,
			   const struct rf_machine *m)
{
	uint32_t node;

	for (node = m->first - 1; node < m->last; node++) {
		memcpy(rec->before[node], part->before[node], sizeof(rec->before[node]));
		memcpy(rec->counters[node], part->counters[node], sizeof(rec->counters[node]));
	}
	rec->rule_hits += part->rule_hits;
	rec->flows_lost += part->flows_lost;
}

static int merge_ports(struct rf_record *rec, const struct rf_record *part)
{
	struct rf_port_tally *all = reallocarray(rec->ports, rec->nports + part->nports + 1,
						 sizeof(*all));

	if (!all)
		return -ENOMEM;
	memcpy(all + rec->nports, part->ports, part->nports * sizeof(*all));
	rec->ports = all;
	rec->nports += part->nports;
	return 0;
}

static int merge_record(struct rf_record *rec, const struct rf_record *part,
			const struct rf_machine *m, uint64_t number)
{
	int err = merge_events(&rec->ev, &part->ev, m, number);
	struct rf_done done;
	size_t i;

	merge_counters(rec, part, m);
	if (!err)
		err = merge_ports(rec, part);
	for (i = 0; !err && i < part->nflows; i++)
		err = rf_record_flow(rec, &part->flows[i]);
	for (i = 0; !err && i < part->nrules; i++)
		err = rf_record_rule(rec, &part->rules[i]);
	for (i = 0; !err && i < part->ndone; i++) {
		done = part->done[i];
		done.t_ns = converted(m, done.t_ns);
		err = rf_record_done(rec, &done);
	}
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct rf_done *d = a, *e = b;

	return (d->t_ns > e->t_ns) - (d->t_ns < e->t_ns);
}

static int by_fault(const void *a, const void *b)
{
	const struct rf_rule_tally *r = a, *s = b;

	return (r->fault > s->fault) - (r->fault < s->fault);
}

static int by_port(const void *a, const void *b, void *s)
{
	const struct rf_port_tally *p = a, *q = b;
	uint32_t i = rf_port_number(s, p->netdev), k = rf_port_number(s, q->netdev);

	return (i > k) - (i < k);
}

static void sort_record(const struct rf_scenario *s, struct rf_record *rec)
{
	rf_events_sort(&rec->ev);
	if (rec->ndone)
		qsort(rec->done, rec->ndone, sizeof(*rec->done), by_time);
	if (rec->nrules)
		qsort(rec->rules, rec->nrules, sizeof(*rec->rules), by_fault);
	if (rec->nports)
		qsort_r(rec->ports, rec->nports, sizeof(*rec->ports), by_port, (void *)s);
}

static int record_clock(struct rf_record *rec, const struct rf_machine *m)
{
	struct rf_clock_tally clock = {
		.offset_ns = m->clock.before.offset_ns,
		.error_ns = rf_clock_error(&m->clock),
		.drift_ppm = rf_clock_drift(&m->clock) * 1e6,
	};

	snprintf(clock.machine, sizeof(clock.machine), "%s", m->host);
	return rf_record_clock(rec, &clock);
}

static int take_text(struct rf_machines *ms, uint32_t k, const struct rf_case *test_case,
		     struct rf_record *rec, const char *text)
{
	struct rf_run_case part = { .test_case = test_case };
	int err = rf_events_take(ms->m[k].host, text, &part);

	if (!err) {
		err = merge_record(rec, &part.rec, &ms->m[k], k);
		if (!err)
			err = record_clock(rec, &ms->m[k]);
		if (err)
			rf_err("no memory for the record of machine %s", ms->m[k].host);
	}
	rf_record_free(&part.rec);
	return err;
}

static int send_record(struct rf_machines *ms, const struct rf_case *test_case,
		       const struct rf_record *rec)
{
	const struct rf_run_case part = { .test_case = test_case, .rec = *rec };
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int err = -ENOMEM;

	if (f) {
		rf_events_print(f, &part);
		err = fclose(f) ? -ENOMEM : 0;
	}
	if (err)
		rf_err("no memory for the record");
	else
		err = rf_machines_send(ms, text, len);
	free(text);
	return err;
}

/**
 * rf_machines_gather - bring the records of a case together in process 0
 * @ms: the machines, after rf_machines_measure()
 * @s: the scenario
 * @test_case: the case
 * @rec: in process 0: gets the records of the others; otherwise: the record to send
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_gather(struct rf_machines *ms, const struct rf_scenario *s,
		       const struct rf_case *test_case, struct rf_record *rec)
{
	char *text;
	uint32_t k;
	int err = 0;

	if (!rf_machines_are_several(ms))
		return 0;
	if (rf_machines_follow(ms))
		return send_record(ms, test_case, rec);
	for (k = 1; !err && k < ms->n; k++) {
		err = rf_machines_receive(ms, k, &text);
		if (!err)
			err = take_text(ms, k, test_case, rec, text);
		free(text);
	}
	sort_record(s, rec);
	return err;
}

/* ---- timeline ---- */

struct conversion {
	const struct rf_machines *ms;
	int64_t measured[RF_RANKS_MAX];	/* offset that the ranks measured */
	FILE *to;
};

static void move_time(obj o, const char *key, int64_t by)
{
	obj v;

	if (json_object_object_get_ex(o, key, &v))
		json_object_set_int64(v, json_object_get_int64(v) + by);
}

static int take_offset(void *arg, obj o)
{
	struct conversion *c = arg;
	uint32_t rank;
	obj v;

	if (rf_get_u32(o, "rank", RF_RANKS_MAX - 1, &rank) &&
	    json_object_object_get_ex(o, "clock_ns", &v))
		c->measured[rank] = json_object_get_int64(v);
	return 0;
}

/* Rank r is on node r + 1. Return: the machine; NULL: that of process 0, or no other */
static const struct rf_machine *machine_of_rank(const struct rf_machines *ms, uint32_t rank)
{
	uint32_t k;

	for (k = 1; k < ms->n; k++)
		if (rank + 1 >= ms->m[k].first && rank + 1 <= ms->m[k].last)
			return &ms->m[k];
	return NULL;
}

/* A line is moved as a whole, so that durations stay as they were measured. */
static int convert_line(void *arg, obj o)
{
	static const char *const times[] = { "start_ns", "end_ns", "sync_ns", "failed_ns" };
	const struct conversion *c = arg;
	const struct rf_machine *m = NULL;
	obj v, list = rf_get_list(o, "waits");
	uint32_t rank;
	int64_t by = 0;
	size_t i;

	if (rf_get_u32(o, "rank", RF_RANKS_MAX - 1, &rank))
		m = machine_of_rank(c->ms, rank);
	if (m && (json_object_object_get_ex(o, "start_ns", &v) ||
		  json_object_object_get_ex(o, "failed_ns", &v)))
		by = rf_clock_offset(&m->clock, json_object_get_int64(v) - c->measured[rank]) -
		     c->measured[rank];
	for (i = 0; i < sizeof(times) / sizeof(*times); i++)
		move_time(o, times[i], by);
	for (i = 0; list && i < json_object_array_length(list); i++) {
		move_time(json_object_array_get_idx(list, i), "start_ns", by);
		move_time(json_object_array_get_idx(list, i), "end_ns", by);
	}
	json_object_object_del(o, "clock_ns");
	fprintf(c->to, "%s\n", rf_json_line(o));
	return 0;
}

/**
 * rf_machines_convert_timeline - convert the times in the timeline of a job
 * @ms: the machines, after rf_machines_measure()
 * @dir: directory of the case
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_convert_timeline(const struct rf_machines *ms, const char *dir)
{
	struct rf_lines lines = { .take = take_offset, .valid = "a line of a timeline" };
	struct conversion c = { .ms = ms };
	char path[PATH_MAX], moved[PATH_MAX];
	int err;

	if (rf_stage_path(path, dir, RF_TIMELINE_FILE) ||
	    rf_stage_path(moved, dir, RF_TIMELINE_FILE ".new"))
		return -ENAMETOOLONG;
	err = rf_lines_read(path, &lines, &c);
	if (err)
		return err;
	lines.take = convert_line;
	c.to = fopen(moved, "we");
	if (c.to)
		err = rf_lines_read(path, &lines, &c);
	if (rf_file_close(c.to, moved))
		return -EIO;
	if (!err && rename(moved, path)) {
		err = -errno;
		rf_err("%s: %s", path, strerror(-err));
	}
	return err;
}

/* ---- environment ---- */

static void put_machine(obj list, const struct rf_machine *m)
{
	obj o = rf_list_object(list);

	rf_put_text(o, "host", m->host);
	rf_put_text(o, "kernel", m->kernel);
	rf_put_u64(o, "cpus", m->cpus);
	rf_put_u64(o, "first_node", m->first);
	rf_put_u64(o, "last_node", m->last);
}

/**
 * rf_machines_environment - record the machines of a run in process 0
 * @ms: the machines
 * @run: gets them, if there are several, and the settings of their ports
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_environment(struct rf_machines *ms, struct rf_run *run)
{
	const char *line;
	obj ports;
	char *text;
	uint32_t k;
	size_t i;
	int err = 0;

	if (!rf_machines_are_several(ms))
		return 0;
	if (rf_machines_follow(ms)) {
		line = rf_json_line(run->ports);
		return rf_machines_send(ms, line, strlen(line));
	}
	run->machines = json_object_new_array();
	put_machine(run->machines, &ms->m[0]);
	for (k = 1; !err && k < ms->n; k++) {
		put_machine(run->machines, &ms->m[k]);
		err = rf_machines_receive(ms, k, &text);
		ports = err ? NULL : json_tokener_parse(text);
		free(text);
		for (i = 0; ports && i < json_object_array_length(ports); i++)
			json_object_array_add(run->ports,
					      json_object_get(json_object_array_get_idx(ports, i)));
		json_object_put(ports);
	}
	return err;
}
