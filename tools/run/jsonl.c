// SPDX-License-Identifier: GPL-2.0
/*
 * events.jsonl: what was recorded in a case beside the timeline of its job, one object per line:
 * the number of records, the counters, the faults that were done, and the packets.
 * jsonl_load.c reads the file.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "out.h"
#include "run.h"

typedef struct json_object *obj;

static void emit_case(FILE *f, const struct rf_run_case *p)
{
	const struct rf_line_counts counts = rf_record_line_counts(&p->rec);
	obj o = rf_json_typed("case");
	unsigned int c;

	rf_put_u64(o, "rule_hits", p->rec.rule_hits);
	rf_put_u64(o, "flows_lost", p->rec.flows_lost);
	rf_put_u64(o, "events", counts.events);
	rf_put_u64(o, "qp_lines", counts.qps);
	rf_put_u64(o, "step_lines", counts.steps);
	rf_put_u64(o, "end_lines", counts.ends);
	rf_put_u64(o, "events_lost", p->rec.ev.lost);
	if (p->rec.traffic.known) {
		rf_put_u64(o, "cm_packets", p->rec.traffic.cm);
		rf_put_u64(o, "data_packets", p->rec.traffic.data);
		rf_put_u64(o, "inside_packets", p->rec.traffic.inside);
	}
	for (c = 0; c < RF_COUNTERS; c++)
		rf_put_u64(o, rf_counter_names[c],
			   rf_record_counter(&p->rec, c));
	rf_json_emit(f, o);
}

/*
 * Check whether the record has counters at index @rank. The index is the number of a device,
 * not of a rank: a job that is a user's command has one rank, but can use several devices.
 */
static bool has_counters(const struct rf_record *rec, uint32_t rank)
{
	unsigned int c;

	for (c = 0; c < RF_COUNTERS; c++)
		if (rec->before[rank][c] || rec->counters[rank][c])
			return true;
	return false;
}

static void emit_counters(FILE *f, const struct rf_run_case *p, uint32_t rank)
{
	const struct rf_record *rec = &p->rec;
	obj o = rf_json_typed("counters"), before = json_object_new_object();
	obj after = json_object_new_object();
	unsigned int c;

	for (c = 0; c < RF_COUNTERS; c++) {
		rf_put_u64(before, rf_counter_names[c], rec->before[rank][c]);
		rf_put_u64(after, rf_counter_names[c],
			   rec->before[rank][c] + rec->counters[rank][c]);
	}
	rf_put_u64(o, "rank", rank);
	json_object_object_add(o, "before", before);
	json_object_object_add(o, "after", after);
	rf_json_emit(f, o);
}

static void emit_port(FILE *f, const struct rf_port_tally *t)
{
	obj o = rf_json_typed("port"), all = json_object_new_array();
	unsigned int prio;

	rf_put_text(o, "port", t->netdev);
	rf_put_u64(o, "pauses_received", t->pauses_received);
	rf_put_u64(o, "pauses_sent", t->pauses_sent);
	rf_put_u64(o, "tx_packets", t->tx_packets);
	rf_put_u64(o, "tx_bytes", t->tx_bytes);
	rf_put_u64(o, "rx_packets", t->rx_packets);
	rf_put_u64(o, "rx_bytes", t->rx_bytes);
	rf_put_u64(o, "rule_dropped", t->rule_dropped);
	rf_put_u64(o, "cnps_sent", t->cnps_sent);
	rf_put_u64(o, "cnps_received", t->cnps_received);
	rf_put_u64(o, "cnps_refused", t->cnps_refused);
	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		json_object_array_add(all, rf_tally_json(&t->prio[prio], prio));
	json_object_object_add(o, "prios", all);
	rf_json_emit(f, o);
}

/* The loads are in the order of the lines of the ports. */
static void emit_sample(FILE *f, const struct rf_record *rec, size_t i)
{
	const struct rf_load *row = rec->samples.load + i * rec->nports;
	obj o = rf_json_typed("sample"), sent, queued;
	size_t port;

	rf_put_u64(o, "t_ns", rec->samples.t_ns[i]);
	sent = rf_put_list(o, "sent");
	queued = rf_put_list(o, "queued");
	for (port = 0; port < rec->nports; port++) {
		json_object_array_add(sent, json_object_new_int64(row[port].sent));
		json_object_array_add(queued, json_object_new_int64(row[port].queued));
	}
	rf_json_emit(f, o);
}

static void emit_flow(FILE *f, const struct rf_flow_tally *flow)
{
	obj o = rf_json_typed("flow");

	rf_put_text(o, "source", flow->saddr);
	rf_put_text(o, "destination", flow->daddr);
	rf_put_u64(o, "qp", flow->qp);
	rf_put_u64(o, "packets", flow->packets);
	rf_put_u64(o, "bytes", flow->bytes);
	rf_json_emit(f, o);
}

/* Faults are numbered from 1 in the file. */
static void emit_rule(FILE *f, const struct rf_rule_tally *rule)
{
	obj o = rf_json_typed("rule"), missed = json_object_new_object();
	size_t i;

	rf_put_u64(o, "fault", rule->fault + 1);
	rf_put_text(o, "port", rule->netdev);
	rf_put_u64(o, "rule", rule->id);
	rf_put_u64(o, "matched", rule->matched);
	rf_put_u64(o, "hits", rule->hits);
	for (i = 0; i < RF_MISSES; i++)
		rf_put_u64(missed, rf_miss_names[i], rule->missed[i]);
	json_object_object_add(o, "missed", missed);
	rf_json_emit(f, o);
}

static void emit_done(FILE *f, const struct rf_run_case *p,
		      const struct rf_done *done)
{
	obj o = rf_json_typed("fault");

	rf_put_u64(o, "t_ns", done->t_ns);
	rf_put_u64(o, "fault", done->fault + 1);
	rf_put_text(o, "what", done->undo ? "end" : "begin");
	rf_put_text(o, "do", p->test_case->faults[done->fault].words);
	rf_json_emit(f, o);
}

static void put_process_values(obj o, const struct rf_process *p, const struct rf_process_end *end)
{
	obj values = rf_put_object(o, "values"), no_value = rf_put_object(o, "no_value");
	const struct rf_process_value *v;
	const char *name;
	size_t i;

	for (i = RF_VALUES_OWN; i < end->nvalues; i++) {
		name = p->values[i].info.name + strlen(p->name) + 1;
		v = &end->values[i];
		if (v->hash[0])
			rf_put_text(values, name, v->hash);
		else if (!isnan(v->v))
			json_object_object_add(values, name, json_object_new_double(v->v));
		else
			rf_put_text(no_value, name, v->why ? v->why : "");
	}
}

static void emit_process(FILE *f, const struct rf_process *p, const struct rf_process_end *end)
{
	obj o = rf_json_typed("process");

	rf_put_text(o, "name", end->name);
	rf_put_u64(o, "status", end->status);
	json_object_object_add(o, "stopped", json_object_new_boolean(end->stopped));
	rf_put_u64(o, "start_ns", end->start_ns);
	rf_put_u64(o, "end_ns", end->end_ns);
	if (end->last_line)
		rf_put_text(o, "last_line", end->last_line);
	put_process_values(o, p, end);
	rf_json_emit(f, o);
}

static void emit_clock(FILE *f, const struct rf_clock_tally *clock)
{
	obj o = rf_json_typed("clock");

	rf_put_text(o, "machine", clock->machine);
	json_object_object_add(o, "offset_ns", json_object_new_int64(clock->offset_ns));
	rf_put_u64(o, "error_ns", clock->error_ns);
	json_object_object_add(o, "drift_ppm", json_object_new_double(clock->drift_ppm));
	rf_json_emit(f, o);
}

static void emit_events(FILE *f, const struct rf_events *ev)
{
	size_t i;

	for (i = 0; i < ev->n; i++)
		rf_json_emit(f, rf_event_json(&ev->e[i]));
}

/**
 * rf_events_print - print the lines of events.jsonl
 * @f: the file
 * @p: the case
 */
void rf_events_print(FILE *f, const struct rf_run_case *p)
{
	uint32_t rank;
	size_t i;

	emit_case(f, p);
	for (rank = 0; rank < RF_RANKS_MAX; rank++)
		if (rank < p->rec.tl.ranks || has_counters(&p->rec, rank))
			emit_counters(f, p, rank);
	for (i = 0; i < p->rec.nports; i++)
		emit_port(f, &p->rec.ports[i]);
	for (i = 0; i < p->rec.samples.n; i++)
		emit_sample(f, &p->rec, i);
	for (i = 0; i < p->rec.nflows; i++)
		emit_flow(f, &p->rec.flows[i]);
	for (i = 0; i < p->rec.nrules; i++)
		emit_rule(f, &p->rec.rules[i]);
	for (i = 0; i < p->rec.nclocks; i++)
		emit_clock(f, &p->rec.clocks[i]);
	for (i = 0; i < p->rec.nprocesses; i++)
		emit_process(f, &p->test_case->workload.processes.p[i], &p->rec.processes[i]);
	for (i = 0; i < p->rec.ndone; i++)
		emit_done(f, p, &p->rec.done[i]);
	emit_events(f, &p->rec.ev);
	for (i = 0; i < p->rec.nothers; i++)
		emit_events(f, &p->rec.others[i].ev);
}

/**
 * rf_events_write - write events.jsonl
 * @path: the file
 * @p: the case
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_events_write(const char *path, const struct rf_run_case *p)
{
	FILE *f = fopen(path, "we");

	if (f)
		rf_events_print(f, p);
	return rf_file_close(f, path);
}
