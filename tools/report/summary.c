// SPDX-License-Identifier: GPL-2.0
/*
 * The run as one JSON object, in the words of the page; times in nanoseconds.
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "err.h"
#include "run.h"

typedef struct json_object *obj;

static void put(obj o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_int64((int64_t)v));
}

static void put_str(obj o, const char *key, const char *v)
{
	json_object_object_add(o, key, json_object_new_string(v));
}

static obj push(obj o, const char *key)
{
	obj child = json_object_new_object();

	json_object_object_add(o, key, child);
	return child;
}

static obj push_array(obj o, const char *key)
{
	obj child = json_object_new_array();

	json_object_object_add(o, key, child);
	return child;
}

static obj push_item(obj array)
{
	obj child = json_object_new_object();

	json_object_array_add(array, child);
	return child;
}

/* Moments of a loss, from the hit on. */
static void put_moment(obj o, const char *key, const struct rf_loss *l,
		       const struct rf_event *e)
{
	json_object_object_add(o, key, e ?
		json_object_new_int64((int64_t)(e->t_ns - l->hit->t_ns)) : NULL);
}

static void put_loss(obj o, const struct rf_timeline *tl,
		     const struct rf_loss *l)
{
	json_object_object_add(o, "packet", rf_event_json(l->hit));
	if (l->qp) {
		put(o, "rank", l->qp->rank);
		put(o, "peer", l->qp->peer);
		put(o, "sender_qp", l->qp->qpn);
		put(o, "qp_ordinal", rf_timeline_ordinal(tl, l->qp));
	}
	put_str(o, "found_by", rf_found_name(l->found));
	put_moment(o, "nak_after_ns", l, l->nak);
	put_moment(o, "first_resend_after_ns", l, l->first);
	put_moment(o, "lost_packet_resent_after_ns", l, l->again);
	put_moment(o, "last_resend_after_ns", l, l->last);
	put(o, "packets_resent", l->packets);
	put(o, "bytes_resent", l->bytes);
}

static void put_wait(obj o, const struct rf_wait *w)
{
	put(o, "step_ns", w->step);
	put(o, "wait_recv_ns", w->recv);
	put(o, "wait_send_ns", w->send);
	put(o, "wait_sync_ns", w->sync);
}

static void put_stall(obj o, const struct rf_run *run,
		      const struct rf_analysis *an)
{
	obj array, item;
	size_t i;

	put(o, "step", an->step);
	put(o, "step_ns", an->step_ns);
	array = push_array(o, "ranks");
	for (i = 0; i < an->ranks; i++) {
		item = push_item(array);
		put(item, "rank", i);
		put_wait(push(item, "step"), &an->rank[i].now);
		put_wait(push(item, "clean_median"), &an->rank[i].clean);
	}
	array = push_array(o, "cost");
	for (i = 0; i < run->price->ngpus; i++) {
		item = push_item(array);
		put(item, "gpus", run->price->gpus[i]);
		json_object_object_add(item, "dollars", json_object_new_double(
			rf_cost(an->measure[RF_STALL], run->price->gpus[i],
				run->price->rate)));
	}
}

/* Keys of JSON are those of the scenario, with "_" for "-". */
static void put_measures(obj o, const struct rf_analysis *an)
{
	unsigned int m;
	char key[32], *p;

	for (m = 0; m < RF_MEASURES; m++) {
		snprintf(key, sizeof(key), "%s%s", rf_measure_name(m),
			 rf_measure_kind(m) == RF_KIND_TIME ? "_ns" : "");
		for (p = key; (p = strchr(p, '-'));)
			*p = '_';
		if (rf_measure_kind(m) == RF_KIND_FOUND)
			put_str(o, key, rf_found_name(an->measure[m]));
		else
			put(o, key, an->measure[m]);
	}
	put(o, "resent_bytes", an->resent_bytes);
}

static void put_counters(obj o, const struct rf_record *rec)
{
	unsigned int c;

	for (c = 0; c < RF_COUNTERS; c++)
		put(o, rf_counter_names[c], rf_record_counter(rec, c));
}

static void put_reasons(obj array, const struct rf_run_play *p)
{
	unsigned int i;

	for (i = 0; i < p->nreasons; i++)
		json_object_array_add(array,
				      json_object_new_string(p->reason[i]));
}

static void put_play(obj o, const struct rf_run *run,
		     const struct rf_run_play *p)
{
	obj losses;
	size_t i;

	put_str(o, "name", p->play->name);
	put(o, "round", p->round);
	put_str(o, "verdict", rf_verdict_name(p->verdict));
	put_reasons(push_array(o, "not_met"), p);
	put_measures(push(o, "measures"), &p->an);
	put_counters(push(o, "rxe_counters"), &p->rec);
	put(o, "events", p->rec.ev.n);
	put(o, "events_lost", p->rec.ev.lost);
	put(o, "clean_median_ns", p->an.clean_ns);
	losses = push_array(o, "losses");
	for (i = 0; i < p->an.nlosses; i++)
		put_loss(push_item(losses), &p->rec.tl, &p->an.losses[i]);
	if (p->an.step)
		put_stall(push(o, "stall"), run, &p->an);
}

static void put_scenario(obj o, const struct rf_scenario *s)
{
	put_str(o, "file", s->path);
	put_str(o, "name", s->name);
	put_str(o, "title", s->title);
	put_str(o, "collective", s->workload.collective);
	put(o, "ranks", s->workload.ranks);
	put(o, "bytes", s->workload.size);
	put(o, "steps", s->workload.steps);
	put(o, "compute_ns", s->workload.compute_ns);
	put(o, "timeout", s->qp.timeout);
	put(o, "timeout_ns", 4096ull << s->qp.timeout);
	put(o, "retry_cnt", s->qp.retry_cnt);
	put(o, "mtu", s->qp.mtu);
}

/**
 * rf_summary_json - the run as an object
 * @run: the run
 *
 * Return: the object; the caller puts it.
 */
struct json_object *rf_summary_json(const struct rf_run *run)
{
	obj o = json_object_new_object(), plays;
	size_t i;

	put_scenario(push(o, "scenario"), run->scenario);
	put_str(o, "verdict", rf_verdict_name(run->verdict));
	put_str(o, "kernel", run->kernel);
	put(o, "cpus", run->cpus);
	put(o, "rounds", run->rounds);
	json_object_object_add(o, "rate",
			       json_object_new_double(run->price->rate));
	put_str(o, "directory", run->dir);
	if (run->differs[0])
		put_str(o, "differs", run->differs);
	plays = push_array(o, "plays");
	for (i = 0; i < run->nplays; i++)
		put_play(push_item(plays), run, &run->plays[i]);
	return o;
}

/**
 * rf_summary_write - the same into a file
 * @path: the file
 * @run: the run
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_summary_write(const char *path, const struct rf_run *run)
{
	obj o = rf_summary_json(run);
	int ret;

	ret = json_object_to_file_ext(path, o, JSON_C_TO_STRING_PRETTY |
				      JSON_C_TO_STRING_SPACED |
				      JSON_C_TO_STRING_NOSLASHESCAPE);
	json_object_put(o);
	if (!ret)
		return 0;
	rf_err("%s: %s", path, strerror(errno));
	return -EIO;
}
