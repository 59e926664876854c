// SPDX-License-Identifier: GPL-2.0
/*
 * Read events.jsonl, as written by jsonl.c. A line of an unknown type is refused,
 * because its content would be missing from the report.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "json.h"
#include "record.h"
#include "run.h"

/* Get a number that older versions do not write; UINT64_MAX if it is missing. */
static bool get_count(struct json_object *o, const char *key, uint64_t *n)
{
	*n = UINT64_MAX;
	return !json_object_object_get_ex(o, key, NULL) ||
	       rf_get_u64(o, key, INT64_MAX, n);
}

static int take_case_line(struct rf_run_case *p, struct json_object *o)
{
	struct rf_record *rec = &p->rec;

	if (!rf_get_u64(o, "rule_hits", INT64_MAX, &rec->rule_hits) ||
	    !rf_get_u64(o, "flows_lost", INT64_MAX, &rec->flows_lost) ||
	    !rf_get_u64(o, "events_lost", INT64_MAX, &rec->ev.lost) ||
	    !get_count(o, "events", &rec->announced.events) ||
	    !get_count(o, "step_lines", &rec->announced.steps) ||
	    !get_count(o, "end_lines", &rec->announced.ends))
		return -EINVAL;
	return 0;
}

static int take_timeline(struct rf_run_case *p, struct json_object *o)
{
	return rf_timeline_take(&p->rec.tl, o);
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
	    !rf_get_u64(o, "rx_bytes", INT64_MAX, &t->rx_bytes))
		return -EINVAL;
	rec->nports++;
	return take_prios(t, rf_get_list(o, "prios"));
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

static int take_event(struct rf_run_case *p, struct json_object *o)
{
	struct rf_event e;
	int err = rf_event_parse(o, &e);

	return err ? err : rf_events_add(&p->rec.ev, &e);
}

static int take_any(struct rf_run_case *p, struct json_object *o)
{
	static const struct {
		const char *type;
		int (*take)(struct rf_run_case *p, struct json_object *o);
	} lines[] = {
		{ "case", take_case_line }, { "job", take_timeline },
		{ "qp", take_timeline }, { "step", take_timeline },
		{ "end", take_timeline }, { "counters", take_counters },
		{ "port", take_port }, { "fault", take_done },
	};
	char type[16];
	size_t i;

	if (!rf_get_text(o, "type", type, sizeof(type)))
		return -EINVAL;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!strcmp(type, lines[i].type))
			return i > 1 && !p->rec.tl.steps ? -EINVAL :
							   lines[i].take(p, o);
	return take_event(p, o);
}

static const struct rf_case *find_case(const struct rf_scenario *s,
				       const char *name)
{
	size_t i;

	for (i = 0; i < s->ncases; i++)
		if (!strcmp(s->cases[i].name, name))
			return &s->cases[i];
	return NULL;
}

static struct rf_run_case *add_case(struct rf_run *run,
				    const struct rf_case *test_case, uint32_t round)
{
	struct rf_run_case *all, *p;

	all = reallocarray(run->cases, run->ncases + 1, sizeof(*all));
	if (!all)
		return NULL;
	run->cases = all;
	p = &all[run->ncases++];
	*p = (struct rf_run_case){ .test_case = test_case, .round = round };
	rf_run_label(run, p);
	return p;
}

/*
 * Return: the case that a line belongs to: the current case, unless the line begins the
 * next case
 */
static struct rf_run_case *case_of_line(struct rf_run *run, struct json_object *o)
{
	struct rf_run_case *last;
	const struct rf_case *test_case;
	char name[64], type[16];
	uint32_t round;

	if (!rf_get_text(o, "case", name, sizeof(name)) ||
	    !rf_get_u32(o, "round", run->rounds, &round) || !round ||
	    !rf_get_text(o, "type", type, sizeof(type)))
		return NULL;
	test_case = find_case(run->scenario, name);
	if (!test_case)
		return NULL;
	if (!strcmp(type, "case"))
		return add_case(run, test_case, round);
	if (!run->ncases)
		return NULL;
	last = &run->cases[run->ncases - 1];
	return last->test_case == test_case && last->round == round ? last : NULL;
}

static int take_run_line(void *run, struct json_object *o)
{
	struct rf_run_case *p = case_of_line(run, o);

	return p ? take_any(p, o) : -EINVAL;
}

static bool is_all(uint64_t announced, uint64_t came)
{
	return announced == UINT64_MAX || announced == came;
}

/* Check whether a case is complete: the file has its job, and as many records as it announces. */
static bool is_complete(const struct rf_record *rec)
{
	const struct rf_line_counts counts = rf_record_line_counts(rec);

	return rec->tl.steps && is_all(rec->announced.events, counts.events) &&
	       is_all(rec->announced.steps, counts.steps) &&
	       is_all(rec->announced.ends, counts.ends);
}

/* Check whether all cases are complete. A broken or aborted run can have fewer cases. */
static int check_complete(const char *path, const struct rf_run *run)
{
	size_t want = run->scenario->ncases * run->rounds, i;

	for (i = 0; i < run->ncases; i++) {
		if (is_complete(&run->cases[i].rec))
			continue;
		rf_err("%s: truncated file: case \"%.60s\" is incomplete: its job, or events, steps or results of ranks are missing",
		       path, run->cases[i].label);
		return -EINVAL;
	}
	if (run->ended != RF_VERDICT_PASS || run->ncases == want)
		return 0;
	rf_err("%s: truncated file: %zu of %zu cases", path, run->ncases, want);
	return -EINVAL;
}

/**
 * rf_events_read - read events.jsonl
 * @path: the file
 * @run: a run with a scenario and rounds; gets its cases
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_events_read(const char *path, struct rf_run *run)
{
	static const struct rf_lines lines = {
		.take = take_run_line,
		.valid = "an event of a case of this run, in the format of rdmafault run",
	};
	int err = rf_lines_read(path, &lines, run);

	return err ? err : check_complete(path, run);
}
