// SPDX-License-Identifier: GPL-2.0
/*
 * Read events.jsonl, as written by jsonl.c. A line of an unknown type is refused,
 * because its content would be missing from the report.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "json.h"
#include "record.h"
#include "run.h"

static int take_case_line(struct rf_run_case *p, struct json_object *o)
{
	struct rf_record *rec = &p->rec;

	if (!rf_get_u64(o, "rule_hits", INT64_MAX, &rec->rule_hits) ||
	    !rf_get_u64(o, "flows_lost", INT64_MAX, &rec->flows_lost) ||
	    !rf_get_u64(o, "events_lost", INT64_MAX, &rec->ev.lost) ||
	    !rf_get_u64(o, "events", INT64_MAX, &rec->recorded.events) ||
	    !rf_get_u64(o, "qp_lines", INT64_MAX, &rec->recorded.qps) ||
	    !rf_get_u64(o, "step_lines", INT64_MAX, &rec->recorded.steps) ||
	    !rf_get_u64(o, "end_lines", INT64_MAX, &rec->recorded.ends))
		return -EINVAL;
	rec->has_counts = true;
	rec->traffic.known = rf_get_u64(o, "cm_packets", INT64_MAX, &rec->traffic.cm) &&
			     rf_get_u64(o, "data_packets", INT64_MAX, &rec->traffic.data) &&
			     rf_get_u64(o, "inside_packets", INT64_MAX, &rec->traffic.inside);
	return 0;
}

static int take_counters(struct rf_run_case *p, struct json_object *o)
{
	struct json_object *before = rf_get_object(o, "before");
	struct json_object *after = rf_get_object(o, "after");
	uint64_t was, is;
	uint32_t rank;
	int c;

	if (!before || !after || !rf_get_u32(o, "rank", RF_RANKS_MAX - 1, &rank))
		return -EINVAL;
	for (c = 0; c < RF_COUNTERS; c++) {
		if (!rf_get_u64(before, rf_counter_names[c], INT64_MAX, &was) ||
		    !rf_get_u64(after, rf_counter_names[c], INT64_MAX, &is) ||
		    is < was)
			return -EINVAL;
		p->rec.before[rank][c] = was;
		p->rec.counters[rank][c] = is - was;
	}
	return 0;
}

static int take_prios(struct rf_port_tally *t, struct json_object *all)
{
	size_t i;

	if (!all || json_object_array_length(all) != RDMAFAULT_PRIOS)
		return -EINVAL;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (!rf_tally_take(json_object_array_get_idx(all, i),
				   &t->prio[i]))
			return -EINVAL;
	return 0;
}

static int take_port(struct rf_run_case *p, struct json_object *o)
{
	struct rf_record *rec = &p->rec;
	struct rf_port_tally *all, *t;

	all = reallocarray(rec->ports, rec->nports + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	rec->ports = all;
	t = &all[rec->nports];
	*t = (struct rf_port_tally){ };
	if (!rf_get_text(o, "port", t->netdev, sizeof(t->netdev)) ||
	    !rf_get_u64(o, "pauses_received", INT64_MAX, &t->pauses_received) ||
	    !rf_get_u64(o, "pauses_sent", INT64_MAX, &t->pauses_sent) ||
	    !rf_get_u64(o, "tx_packets", INT64_MAX, &t->tx_packets) ||
	    !rf_get_u64(o, "tx_bytes", INT64_MAX, &t->tx_bytes) ||
	    !rf_get_u64(o, "rx_packets", INT64_MAX, &t->rx_packets) ||
	    !rf_get_u64(o, "rx_bytes", INT64_MAX, &t->rx_bytes) ||
	    !rf_get_u64(o, "rule_dropped", INT64_MAX, &t->rule_dropped))
		return -EINVAL;
	/* Older records have no CNPs. */
	rf_get_u64(o, "cnps_sent", INT64_MAX, &t->cnps_sent);
	rf_get_u64(o, "cnps_received", INT64_MAX, &t->cnps_received);
	rf_get_u64(o, "cnps_refused", INT64_MAX, &t->cnps_refused);
	rec->nports++;
	return take_prios(t, rf_get_list(o, "prios"));
}

static bool take_bytes(struct json_object *list, size_t i, uint64_t *bytes)
{
	struct json_object *o = json_object_array_get_idx(list, i);
	int64_t v = json_object_get_int64(o);

	*bytes = v;
	return json_object_is_type(o, json_type_int) && v >= 0;
}

/* The lines of the ports come before their samples. */
static int take_sample(struct rf_run_case *p, struct json_object *o)
{
	struct json_object *sent = rf_get_list(o, "sent"), *queued = rf_get_list(o, "queued");
	struct rf_samples *s = &p->rec.samples;
	size_t n = p->rec.nports, i;
	struct rf_load *row;
	uint64_t t_ns;
	int err;

	if (!n || !rf_get_u64(o, "t_ns", INT64_MAX, &t_ns) ||
	    (s->n && t_ns <= s->t_ns[s->n - 1]) ||
	    !sent || json_object_array_length(sent) != n ||
	    !queued || json_object_array_length(queued) != n)
		return -EINVAL;
	row = calloc(n, sizeof(*row));
	err = row ? 0 : -ENOMEM;
	for (i = 0; !err && i < n; i++)
		if (!take_bytes(sent, i, &row[i].sent) || !take_bytes(queued, i, &row[i].queued) ||
		    (s->n && row[i].sent < s->load[(s->n - 1) * n + i].sent))
			err = -EINVAL;
	if (!err)
		err = rf_samples_add(s, t_ns, row, n);
	free(row);
	return err;
}

static bool take_addr_text(struct json_object *o, const char *key, char *text, size_t len)
{
	uint8_t addr[16];

	return rf_get_text(o, key, text, len) &&
	       inet_pton(strchr(text, ':') ? AF_INET6 : AF_INET, text, addr) == 1;
}

static int take_flow_line(struct rf_run_case *p, struct json_object *o)
{
	struct rf_flow_tally flow = { };

	if (!take_addr_text(o, "source", flow.saddr, sizeof(flow.saddr)) ||
	    !take_addr_text(o, "destination", flow.daddr, sizeof(flow.daddr)) ||
	    !rf_get_u32(o, "qp", 0xffffff, &flow.qp) ||
	    !rf_get_u64(o, "packets", INT64_MAX, &flow.packets) ||
	    !rf_get_u64(o, "bytes", INT64_MAX, &flow.bytes))
		return -EINVAL;
	return rf_record_flow(&p->rec, &flow);
}

static int take_rule(struct rf_run_case *p, struct json_object *o)
{
	struct json_object *missed = rf_get_object(o, "missed");
	const struct rf_case *test_case = p->test_case;
	struct rf_rule_tally rule;
	size_t i;

	if (!rf_get_u32(o, "fault", test_case->nfaults, &rule.fault) || !rule.fault ||
	    !rf_fault_has_rule(&test_case->faults[--rule.fault]) ||
	    rf_record_find_rule(&p->rec, rule.fault) ||
	    !rf_get_text(o, "port", rule.netdev, sizeof(rule.netdev)) ||
	    !rf_get_u32(o, "rule", UINT32_MAX, &rule.id) ||
	    !rf_get_u64(o, "matched", INT64_MAX, &rule.matched) ||
	    !rf_get_u64(o, "hits", rule.matched, &rule.hits) || !missed)
		return -EINVAL;
	for (i = 0; i < RF_MISSES; i++)
		if (!rf_get_u64(missed, rf_miss_names[i], INT64_MAX, &rule.missed[i]))
			return -EINVAL;
	return rf_record_rule(&p->rec, &rule);
}

static int take_done(struct rf_run_case *p, struct json_object *o)
{
	struct rf_done done = { };
	char what[8];

	if (!rf_get_u64(o, "t_ns", INT64_MAX, &done.t_ns) ||
	    !rf_get_u32(o, "fault", p->test_case->nfaults, &done.fault) ||
	    !done.fault || !rf_get_text(o, "what", what, sizeof(what)) ||
	    (strcmp(what, "begin") && strcmp(what, "end")))
		return -EINVAL;
	done.fault--;
	done.undo = what[0] == 'e';
	return rf_record_done(&p->rec, &done);
}

/* The lines have a value, or the reason why there is none, for each metric of the process. */
static int take_process_values(const struct rf_process *p, struct json_object *o,
			       struct rf_process_end *end)
{
	struct json_object *values = rf_get_object(o, "values");
	struct json_object *no_value = rf_get_object(o, "no_value");
	struct rf_process_value *v;
	const char *name;
	size_t i;

	end->values = calloc(p->nvalues, sizeof(*end->values));
	if (!end->values)
		return -ENOMEM;
	end->nvalues = p->nvalues;
	for (i = RF_VALUES_OWN; values && no_value && i < p->nvalues; i++) {
		name = p->values[i].info.name + strlen(p->name) + 1;
		v = &end->values[i];
		v->v = NAN;
		v->why = rf_get_copy(no_value, name);
		if (!v->why && !(p->values[i].file ?
				 rf_get_text(values, name, v->hash, sizeof(v->hash)) :
				 rf_get_real(values, name, &v->v)))
			return -EINVAL;
	}
	return values && no_value ? 0 : -EINVAL;
}

static int take_process(struct rf_run_case *p, struct json_object *o)
{
	const struct rf_processes *all = &p->test_case->workload.processes;
	size_t i = p->rec.nprocesses;
	struct rf_process_end end = { };
	uint32_t status;
	int err;

	if (i >= all->n || !rf_get_text(o, "name", end.name, sizeof(end.name)) ||
	    strcmp(end.name, all->p[i].name) || !rf_get_u32(o, "status", 255, &status) ||
	    !rf_get_flag(o, "stopped", &end.stopped) ||
	    !rf_get_u64(o, "start_ns", INT64_MAX, &end.start_ns) ||
	    !rf_get_u64(o, "end_ns", INT64_MAX, &end.end_ns) || end.end_ns < end.start_ns)
		return -EINVAL;
	end.status = status;
	end.last_line = rf_get_copy(o, "last_line");
	err = take_process_values(&all->p[i], o, &end);
	if (!err)
		return rf_record_process(&p->rec, &end);
	rf_process_end_free(&end);
	return err;
}

static int take_clock(struct rf_run_case *p, struct json_object *o)
{
	struct rf_clock_tally clock = { .offset_ns = 0 };
	struct json_object *offset;

	if (!rf_get_text(o, "machine", clock.machine, sizeof(clock.machine)) ||
	    !rf_get_u64(o, "error_ns", INT64_MAX / 4, &clock.error_ns) ||
	    !rf_get_real(o, "drift_ppm", &clock.drift_ppm) ||
	    !json_object_object_get_ex(o, "offset_ns", &offset))
		return -EINVAL;
	clock.offset_ns = json_object_get_int64(offset);
	return rf_record_clock(&p->rec, &clock);
}

static int take_event(struct rf_run_case *p, struct json_object *o)
{
	struct rf_event e;
	int err = rf_event_parse(o, &e);

	return err ? err : rf_events_add(&p->rec.ev, &e);
}

static int take_run_line(void *arg, struct json_object *o)
{
	static const struct {
		const char *type;
		int (*take)(struct rf_run_case *p, struct json_object *o);
	} lines[] = {
		{ "case", take_case_line }, { "counters", take_counters },
		{ "port", take_port }, { "sample", take_sample }, { "flow", take_flow_line },
		{ "rule", take_rule }, { "fault", take_done },
		{ "process", take_process }, { "clock", take_clock },
	};
	struct rf_run_case *p = arg;
	char type[16];
	size_t i;

	if (!rf_get_text(o, "type", type, sizeof(type)))
		return -EINVAL;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!strcmp(type, lines[i].type))
			return lines[i].take(p, o);
	return take_event(p, o);
}

/* Check whether the files have as many records as the case had when it was run. */
static int check_complete(const char *path, const struct rf_record *rec)
{
	const struct rf_line_counts got = rf_record_line_counts(rec), *want = &rec->recorded;

	if (!rec->has_counts) {
		rf_err("%s: truncated file: the line with the number of events is missing", path);
		return -EINVAL;
	}
	if (want->events == got.events && want->qps == got.qps && want->steps == got.steps &&
	    want->ends == got.ends)
		return 0;
	rf_err("%s: incomplete: %" PRIu64 " of %" PRIu64 " events; in " RF_TIMELINE_FILE " %" PRIu64
	       " of %" PRIu64 " queue pairs, %" PRIu64 " of %" PRIu64 " steps of ranks, %" PRIu64
	       " of %" PRIu64 " ends of ranks", path, got.events, want->events, got.qps, want->qps,
	       got.steps, want->steps, got.ends, want->ends);
	return -EINVAL;
}

static const struct rf_lines event_lines = {
	.take = take_run_line,
	.valid = "an event of a case, in the format of rdmafault run",
};

/**
 * rf_events_read - read events.jsonl
 * @path: the file
 * @p: the case, with its timeline; gets what was recorded beside it
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_events_read(const char *path, struct rf_run_case *p)
{
	int err = rf_lines_read(path, &event_lines, p);

	return err ? err : check_complete(path, &p->rec);
}

/**
 * rf_events_take - read the lines of events.jsonl from a text
 * @name: name of the text in error messages
 * @text: the text
 * @p: the case; its record gets what the lines contain
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_events_take(const char *name, const char *text, struct rf_run_case *p)
{
	FILE *f = fmemopen((char *)text, strlen(text), "re");
	int err = f ? rf_lines_take(f, name, &event_lines, p) : -ENOMEM;

	if (!f)
		rf_err("%s: no memory", name);
	return err ? err : check_complete(name, &p->rec);
}
