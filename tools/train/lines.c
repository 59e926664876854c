// SPDX-License-Identifier: GPL-2.0
/*
 * Progress as JSON, one object per line: "job", then "step" for each step and
 * "test" for each test, and "end" if the training completed. The launcher adds "qp"
 * for each queue pair and "rank" for each rank, from the status page.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>

#include "clock.h"
#include "jsonput.h"
#include "show.h"

static void put_real(struct json_object *o, const char *key, double v)
{
	char text[40];

	snprintf(text, sizeof(text), "%.9g", v);
	json_object_object_add(o, key, isfinite(v) ?
			       json_object_new_double_s(v, text) : NULL);
}

static void put_hash(struct json_object *o, const char *key, uint64_t v)
{
	char text[20];

	snprintf(text, sizeof(text), "%016llx", (unsigned long long)v);
	rf_put_text(o, key, text);
}

static struct json_object *line(const char *type)
{
	struct json_object *o = json_object_new_object();

	rf_put_text(o, "type", type);
	return o;
}

static void emit(struct json_object *o)
{
	printf("%s\n", rf_json_line(o));
	fflush(stdout);
	json_object_put(o);
}

static struct json_object *numbers(const uint32_t *v, int n)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_int64(v[i]));
	return list;
}

/** tr_lines_begin() - write the "job" line */
void tr_lines_begin(const struct tr_show *s, const struct tr_rank *me)
{
	const struct tr_config *cfg = s->cfg;
	struct json_object *o = line("job");

	rf_put_u64(o, "ranks", cfg->ranks);
	rf_put_text(o, "parallel", cfg->mode->name);
	rf_put_text(o, "data", cfg->data_name);
	rf_put_u64(o, "train", cfg->data.train);
	rf_put_u64(o, "test", cfg->data.n - cfg->data.train);
	json_object_object_add(o, "network", numbers(cfg->net.width,
						     cfg->net.layers + 1));
	rf_put_u64(o, "parameters", cfg->net.n);
	rf_put_u64(o, "gradient_bytes", tr_vector_length(cfg) * sizeof(float));
	rf_put_u64(o, "buckets", cfg->buckets);
	rf_put_u64(o, "batch", cfg->batch);
	rf_put_u64(o, "steps", cfg->steps);
	rf_put_u64(o, "steps_per_epoch", tr_steps_per_epoch(cfg));
	rf_put_u64(o, "seed", cfg->seed);
	rf_put_u64(o, "compute_ns", cfg->compute_ns);
	rf_put_u64(o, "messages", me->announcer.messages);
	rf_put_u64(o, "mtu", me->state->mtu);
	emit(o);
}

static void put_each(struct json_object *o, const char *key,
		     const struct tr_report *all, int ranks, size_t field)
{
	struct json_object *list = json_object_new_array();

	for (int r = 0; r < ranks; r++) {
		const char *rep = (const char *)&all[r];
		uint64_t ns = *(const uint64_t *)(const void *)(rep + field);

		json_object_array_add(list, json_object_new_int64((int64_t)ns));
	}
	json_object_object_add(o, key, list);
}

/** tr_lines_step() - write the "step" line of a step; @last: the straggler */
void tr_lines_step(const struct tr_show *s, const struct tr_report *all,
		   int last)
{
	struct json_object *o = line("step");
	struct tr_loss loss = { 0 };
	int ranks = (int)s->cfg->ranks;

	for (int r = 0; r < ranks; r++) {
		loss.sum += all[r].loss.sum;
		loss.correct += all[r].loss.correct;
		loss.seen += all[r].loss.seen;
	}
	rf_put_u64(o, "step", all[0].step);
	put_real(o, "loss", tr_mean(&loss));
	put_real(o, "accuracy", tr_percent(&loss));
	rf_put_u64(o, "last_rank", (uint64_t)last);
	put_each(o, "start_ns", all, ranks,
		 offsetof(struct tr_report, start_ns));
	put_each(o, "step_ns", all, ranks, offsetof(struct tr_report, step_ns));
	put_each(o, "busy_ns", all, ranks, offsetof(struct tr_report, busy_ns));
	put_hash(o, "weights", tr_weights(s->cfg, all));
	emit(o);
}

/** tr_lines_test() - write the "test" line with the result after @step steps */
void tr_lines_test(const struct tr_show *s, uint32_t step)
{
	struct json_object *o = line("test");

	rf_put_u64(o, "step", step);
	rf_put_u64(o, "epoch", step / tr_steps_per_epoch(s->cfg));
	rf_put_u64(o, "time_ns", coll_now() - s->began_ns);
	put_real(o, "loss", tr_mean(&s->test));
	put_real(o, "accuracy", tr_percent(&s->test));
	emit(o);
}

/** tr_lines_end() - write the "end" line */
void tr_lines_end(const struct tr_show *s, uint64_t weights)
{
	struct json_object *o = line("end");

	rf_put_u64(o, "steps", s->all.steps);
	rf_put_u64(o, "time_ns", coll_now() - s->began_ns);
	rf_put_u64(o, "step_ns",
		   s->all.steps ? s->all.step_ns / s->all.steps : 0);
	rf_put_u64(o, "busy_ns",
		   s->all.steps ? s->all.busy_ns / s->all.steps : 0);
	json_object_object_add(o, "last", numbers(s->all.last,
						  (int)s->cfg->ranks));
	rf_put_u64(o, "cut", s->all.cut);
	put_real(o, "test_accuracy", tr_percent(&s->test));
	put_real(o, "test_loss", tr_mean(&s->test));
	put_hash(o, "weights", weights);
	emit(o);
}

static void emit_qp(const struct coll_state *st, uint32_t rank,
		    const struct coll_qp_info *qp)
{
	struct json_object *o = line("qp");

	rf_put_u64(o, "rank", rank);
	rf_put_u64(o, "peer", (uint64_t)qp->peer);
	rf_put_text(o, "dir", qp->dir);
	rf_put_text(o, "device", st->device);
	rf_put_text(o, "netdev", st->netdev);
	rf_put_u64(o, "qpn", qp->qpn);
	rf_put_u64(o, "peer_qpn", qp->peer_qpn);
	rf_put_u64(o, "psn", qp->psn);
	rf_put_text(o, "addr", qp->addr);
	rf_put_text(o, "peer_addr", qp->peer_addr);
	emit(o);
}

/* Add the times of the step in which a rank failed. */
static void put_failed_step(struct json_object *o, const struct coll_record *rec)
{
	rf_put_u64(o, "step", rec->step);
	rf_put_u64(o, "start_ns", rec->start_ns);
	rf_put_u64(o, "failed_ns", rec->end_ns);
	rf_put_u64(o, "wait_ns", rec->wait_recv_ns);
}

/**
 * tr_lines_ranks() - write the queue pairs of the ranks, and how each rank ended
 * @cfg: the training
 * @states: states of all ranks; ranks without queue pairs are omitted
 */
void tr_lines_ranks(const struct tr_config *cfg, const struct coll_state *states)
{
	const struct coll_state *st = states;
	struct json_object *o;

	for (uint32_t r = 0; r < cfg->ranks; r++, st++) {
		for (int i = 0; i < st->n_qps; i++)
			emit_qp(st, r, &st->qps[i]);
		if (!st->n_qps)
			continue;
		o = line("rank");
		rf_put_u64(o, "rank", r);
		rf_put_u64(o, "status", st->status);
		rf_put_u64(o, "wrong", st->wrong);
		rf_put_text(o, "error", st->error);
		if (st->n_records)
			put_failed_step(o, st->records);
		emit(o);
	}
}
