// SPDX-License-Identifier: GPL-2.0
/*
 * The timeline.
 *
 * Each line is a JSON object, whose kind is one of:
 *
 *     job	one line
 *     case	one line per combination of type, operation and root, if there are several
 *     qp	one line per queue pair
 *     step	one line per step and rank, in the order of steps
 *     end	one line per rank
 *
 * After all ranks have ended, the launcher writes the timeline from the status page. So the
 * timeline does not slow down the steps. If a rank fails, the timeline is complete up to the
 * failure. Times are CLOCK_MONOTONIC in nanoseconds, as in the kernel's trace clock "mono".
 */
#include <json-c/json.h>
#include <stdio.h>

#include "bench.h"
#include "json.h"
#include "results.h"

static void put_count(struct json_object *o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_int64((int64_t)v));
}

static void put_str_or_null(struct json_object *o, const char *key, const char *v)
{
	json_object_object_add(o, key, v ? rf_json_text(v) : NULL);
}

static struct json_object *timeline_line(const char *type)
{
	struct json_object *o = json_object_new_object();

	put_str_or_null(o, "type", type);
	return o;
}

static void emit_line(const struct cp_config *cfg, struct json_object *o)
{
	fprintf(cfg->timeline, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	json_object_put(o);
}

static void emit_job(const struct cp_config *cfg, const struct coll_state *states)
{
	struct cp_case what = cp_case(cfg, 0);
	struct cp_size size = cp_size_of(cfg, what.type, cfg->min_bytes);
	struct json_object *o = timeline_line("job");

	put_str_or_null(o, "collective", cfg->coll->name);
	put_str_or_null(o, "algorithm", coll_algo_names[cp_algo_of(cfg, size.bytes)]);
	put_count(o, "ranks", cfg->ranks);
	put_count(o, "bytes", size.bytes);
	put_count(o, "count", size.count);
	put_str_or_null(o, "datatype", cp_type_word(cfg, &what));
	put_str_or_null(o, "op", cp_op_word(&what));
	json_object_object_add(o, "root", json_object_new_int(what.root));
	put_count(o, "iters", cfg->iters);
	put_count(o, "warmups", cfg->warmups);
	put_count(o, "blocking", cfg->blocking);
	put_count(o, "timeout", cfg->options.verbs.timeout);
	put_count(o, "retry_cnt", cfg->options.verbs.retry_cnt);
	put_count(o, "mtu", states[0].mtu);
	put_str_or_null(o, "clock", "monotonic");
	emit_line(cfg, o);
}

/* Write the cases, if there are several. */
static void emit_cases(const struct cp_config *cfg)
{
	uint32_t n = cp_cases(cfg);

	for (uint32_t i = 0; n > 1 && i < n; i++) {
		struct cp_case what = cp_case(cfg, i);
		struct json_object *o = timeline_line("case");

		put_count(o, "case", i);
		put_str_or_null(o, "datatype", cp_type_word(cfg, &what));
		put_str_or_null(o, "op", cp_op_word(&what));
		json_object_object_add(o, "root",
				       json_object_new_int(what.root));
		emit_line(cfg, o);
	}
}

static void emit_qp(const struct cp_config *cfg, const struct coll_state *st,
		    uint32_t rank, const struct coll_qp_info *qp)
{
	struct json_object *o = timeline_line("qp");

	put_count(o, "rank", rank);
	put_count(o, "peer", (uint64_t)qp->peer);
	put_str_or_null(o, "dir", qp->dir);
	put_str_or_null(o, "device", st->device);
	put_str_or_null(o, "netdev", st->netdev);
	put_count(o, "qpn", qp->qpn);
	put_count(o, "peer_qpn", qp->peer_qpn);
	put_count(o, "psn", qp->psn);
	put_str_or_null(o, "addr", qp->addr);
	put_str_or_null(o, "peer_addr", qp->peer_addr);
	emit_line(cfg, o);
}

/*
 * Return: true if the rank failed in this step. The record of such a step also has an end
 * time, so the timeline marks the step as "broken".
 */
static bool is_broken(const struct coll_state *st, const struct coll_record *rec)
{
	return st->failed_ns && rec->sync_ns >= st->failed_ns;
}

static void emit_step(const struct cp_config *cfg, const struct coll_state *st,
		      uint32_t rank, const struct coll_record *rec)
{
	struct json_object *o = timeline_line("step");

	put_count(o, "rank", rank);
	put_count(o, "step", rec->step);
	put_count(o, "case", rec->which);
	put_str_or_null(o, "algorithm", coll_algo_names[cp_algo_of(cfg, rec->bytes)]);
	put_count(o, "bytes", rec->bytes);
	json_object_object_add(o, "in_place",
			       json_object_new_boolean(rec->in_place));
	put_count(o, "start_ns", rec->start_ns);
	put_count(o, "end_ns", rec->end_ns);
	put_count(o, "sync_ns", rec->sync_ns);
	put_count(o, "wait_recv_ns", rec->wait_recv_ns);
	put_count(o, "wait_send_ns", rec->wait_send_ns);
	put_count(o, "wait_sync_ns", rec->wait_sync_ns);
	put_count(o, "wrong", rec->wrong);
	if (is_broken(st, rec))
		json_object_object_add(o, "broken",
				       json_object_new_boolean(true));
	emit_line(cfg, o);
}

static void emit_end(const struct cp_config *cfg, const struct coll_state *st,
		     uint32_t rank, const struct cp_stragglers *stragglers)
{
	struct json_object *o = timeline_line("end");

	put_count(o, "rank", rank);
	put_count(o, "status", st->status);
	put_count(o, "wrong", st->wrong);
	put_count(o, "in_last", stragglers->in[rank].times);
	put_count(o, "out_last", stragglers->out[rank].times);
	put_str_or_null(o, "error", st->error[0] ? st->error : NULL);
	if (st->failed_ns)
		put_count(o, "failed_ns", st->failed_ns);
	emit_line(cfg, o);
}

/* Write step @i of all ranks that reached it. Return: false if no rank did. */
static bool emit_steps(const struct cp_config *cfg,
		       const struct coll_state *states, uint64_t i,
		       struct cp_stragglers *stragglers)
{
	struct cp_visit visits[COLL_RANKS_MAX];
	uint32_t n = 0;

	for (uint32_t r = 0; r < cfg->ranks; r++) {
		if (i >= states[r].n_records)
			continue;
		emit_step(cfg, &states[r], r, &states[r].records[i]);
		visits[n++] = (struct cp_visit){
			.in_ns = states[r].records[i].start_ns,
			.out_ns = states[r].records[i].end_ns,
		};
	}
	if (n == cfg->ranks)
		cp_stragglers_add(stragglers, visits, (int)n);
	return n;
}

/**
 * cp_timeline_write() - write the timeline of a job that has ended
 * @cfg: options of the job
 * @states: the states of all ranks
 *
 * Return: 0, or -1 if the file could not be written.
 */
int cp_timeline_write(const struct cp_config *cfg,
		      const struct coll_state *states)
{
	struct cp_stragglers stragglers = { .steps = 0 };
	uint64_t i = 0;

	emit_job(cfg, states);
	emit_cases(cfg);
	for (uint32_t r = 0; r < cfg->ranks; r++)
		for (int q = 0; q < states[r].n_qps; q++)
			emit_qp(cfg, &states[r], r, &states[r].qps[q]);
	while (emit_steps(cfg, states, i, &stragglers))
		i++;
	for (uint32_t r = 0; r < cfg->ranks; r++)
		emit_end(cfg, &states[r], r, &stragglers);
	return ferror(cfg->timeline) || fflush(cfg->timeline) ? -1 : 0;
}
