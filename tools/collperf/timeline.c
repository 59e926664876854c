// SPDX-License-Identifier: GPL-2.0
/*
 * What collperf adds to the timeline: the settings of the job, one line "case" per combination
 * of type, operation and root if there are several, a line "failover" if a rail failed, and the
 * stragglers.
 */
#include <json-c/json.h>

#include "bench.h"
#include "json.h"
#include "results.h"

static void put_str_or_null(struct json_object *o, const char *key, const char *v)
{
	json_object_object_add(o, key, v ? rf_json_text(v) : NULL);
}

static void emit_job(const struct cp_config *cfg, const struct coll_state *states)
{
	struct cp_case what = cp_case(cfg, 0);
	struct cp_size size = cp_size_of(cfg, what.type, cfg->min_bytes);
	struct json_object *o = rf_json_typed("job");

	put_str_or_null(o, "collective", cfg->coll->name);
	put_str_or_null(o, "algorithm", coll_algo_names[cp_algo_of(cfg, size.bytes)].name);
	rf_put_u64(o, "ranks", cfg->ranks);
	rf_put_u64(o, "bytes", size.bytes);
	rf_put_u64(o, "count", size.count);
	put_str_or_null(o, "datatype", cp_type_word(cfg, &what));
	put_str_or_null(o, "op", cp_op_word(&what));
	json_object_object_add(o, "root", json_object_new_int(what.root));
	rf_put_u64(o, "iters", cfg->iters);
	rf_put_u64(o, "warmups", cfg->warmups);
	rf_put_u64(o, "blocking", cfg->blocking);
	rf_put_u64(o, "timeout", cfg->options.verbs.timeout);
	rf_put_u64(o, "retry_cnt", cfg->options.verbs.retry_cnt);
	rf_put_u64(o, "mtu", states[0].mtu);
	put_str_or_null(o, "clock", "monotonic");
	rf_json_emit(cfg->timeline, o);
}

/* Write the cases, if there are several. */
static void emit_cases(const struct cp_config *cfg)
{
	uint32_t n = cp_cases(cfg);

	for (uint32_t i = 0; n > 1 && i < n; i++) {
		struct cp_case what = cp_case(cfg, i);
		struct json_object *o = rf_json_typed("case");

		rf_put_u64(o, "case", i);
		put_str_or_null(o, "datatype", cp_type_word(cfg, &what));
		put_str_or_null(o, "op", cp_op_word(&what));
		json_object_object_add(o, "root",
				       json_object_new_int(what.root));
		rf_json_emit(cfg->timeline, o);
	}
}

static void add_to_step(struct json_object *o, const struct coll_record *rec, const void *arg)
{
	const struct cp_config *cfg = arg;

	rf_put_u64(o, "case", rec->which);
	put_str_or_null(o, "algorithm", coll_algo_names[cp_algo_of(cfg, rec->bytes)].name);
	rf_put_u64(o, "bytes", rec->bytes);
	json_object_object_add(o, "in_place",
			       json_object_new_boolean(rec->in_place));
}

static void emit_failover(const struct cp_config *cfg, const struct coll_failover *failover)
{
	struct json_object *o;

	if (!failover->rail)
		return;
	o = rf_json_typed("failover");
	rf_put_u64(o, "rail", failover->rail);
	rf_put_u64(o, "rank", failover->rank);
	rf_put_u64(o, "step", failover->step);
	if (failover->end_ns) {
		rf_put_u64(o, "end_ns", failover->end_ns);
		rf_put_u64(o, "time_ns", failover->time_ns);
		rf_put_u64(o, "repeated_bytes", failover->repeated_bytes);
	}
	rf_json_emit(cfg->timeline, o);
}

static void emit_end(const struct cp_config *cfg, const struct coll_state *st,
		     uint32_t rank, const struct cp_stragglers *stragglers)
{
	struct json_object *o = coll_timeline_end(st, rank);

	rf_put_u64(o, "in_last", stragglers->in[rank].times);
	rf_put_u64(o, "out_last", stragglers->out[rank].times);
	rf_json_emit(cfg->timeline, o);
}

/* Count the stragglers of step @i. Return: false if a rank did not reach it */
static bool count_stragglers(const struct cp_config *cfg, const struct coll_state *states,
			     uint64_t i, struct cp_stragglers *stragglers)
{
	struct cp_visit visits[COLL_RANKS_MAX];

	for (uint32_t r = 0; r < cfg->ranks; r++) {
		if (i >= states[r].n_records)
			return false;
		visits[r] = (struct cp_visit){
			.in_ns = states[r].records[i].start_ns,
			.out_ns = states[r].records[i].end_ns,
		};
	}
	cp_stragglers_add(stragglers, visits, (int)cfg->ranks);
	return true;
}

/**
 * cp_timeline_write() - write the timeline of a job that has ended
 * @cfg: options of the job
 * @states: the states of all ranks
 *
 * Return: 0, or -EIO after a message.
 */
int cp_timeline_write(const struct cp_config *cfg,
		      const struct coll_state *states)
{
	struct cp_stragglers stragglers = { .steps = 0 };
	uint64_t i = 0;

	emit_job(cfg, states);
	emit_cases(cfg);
	coll_timeline_qps(cfg->timeline, states, cfg->ranks);
	coll_timeline_steps(cfg->timeline, states, cfg->ranks, add_to_step, cfg);
	emit_failover(cfg, &states[0].failover);
	while (count_stragglers(cfg, states, i, &stragglers))
		i++;
	for (uint32_t r = 0; r < cfg->ranks; r++)
		emit_end(cfg, &states[r], r, &stragglers);
	return coll_output_close(cfg->options.timeline_path, cfg->timeline);
}
