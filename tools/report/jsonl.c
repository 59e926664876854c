// SPDX-License-Identifier: GPL-2.0
/*
 * events.jsonl: everything that happened, one object a line, each with its
 * play. First what a play's job was and what became of it, then its packets
 * and its steps.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "err.h"
#include "run.h"

typedef struct json_object *obj;

static void put(obj o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_int64((int64_t)v));
}

static obj line(const char *type)
{
	obj o = json_object_new_object();

	json_object_object_add(o, "type", json_object_new_string(type));
	return o;
}

static void emit(FILE *f, const struct rf_run_play *p, obj o)
{
	json_object_object_add(o, "play",
			       json_object_new_string(p->play->name));
	put(o, "round", p->round);
	fprintf(f, "%s\n", json_object_to_json_string_ext(o,
			JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static void emit_play(FILE *f, const struct rf_run_play *p)
{
	obj o = line("play");
	unsigned int c;

	put(o, "ranks", p->rec.tl.ranks);
	put(o, "steps", p->rec.tl.iters);
	put(o, "events", p->rec.ev.n);
	put(o, "events_lost", p->rec.ev.lost);
	for (c = 0; c < RF_COUNTERS; c++)
		put(o, rf_counter_names[c], rf_record_counter(&p->rec, c));
	emit(f, p, o);
}

static void emit_step(FILE *f, const struct rf_run_play *p, uint32_t rank,
		      uint32_t step)
{
	const struct rf_step *s = rf_timeline_step(&p->rec.tl, rank, step);
	obj o;

	if (!s)
		return;
	o = line("step");
	put(o, "t_ns", s->start_ns);
	put(o, "rank", rank);
	put(o, "step", step);
	put(o, "end_ns", s->end_ns);
	put(o, "sync_ns", s->sync_ns);
	put(o, "wait_recv_ns", s->wait_recv_ns);
	put(o, "wait_send_ns", s->wait_send_ns);
	put(o, "wait_sync_ns", s->wait_sync_ns);
	put(o, "wrong", s->wrong);
	emit(f, p, o);
}

static void emit_all(FILE *f, const struct rf_run_play *p)
{
	const struct rf_events *ev = &p->rec.ev;
	uint32_t rank, step;
	size_t i;

	emit_play(f, p);
	for (i = 0; i < ev->n; i++)
		emit(f, p, rf_event_json(&ev->e[i]));
	for (step = 1; step <= p->rec.tl.iters; step++)
		for (rank = 0; rank < p->rec.tl.ranks; rank++)
			emit_step(f, p, rank, step);
}

/**
 * rf_events_write - write events.jsonl
 * @path: the file
 * @run: the run
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_events_write(const char *path, const struct rf_run *run)
{
	FILE *f = fopen(path, "we");
	size_t i;
	int bad;

	for (i = 0; f && i < run->nplays; i++)
		emit_all(f, &run->plays[i]);
	bad = f ? ferror(f) : 1;
	if (f && fclose(f))
		bad = 1;
	if (!bad)
		return 0;
	rf_err("%s: %s", path, strerror(errno));
	return -EIO;
}
