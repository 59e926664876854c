// SPDX-License-Identifier: GPL-2.0
/*
 * Rates and queues over time: the data rate of the job in the transfer of each step, and the
 * queue length of each priority at the times when its ECN profile marked or dropped a packet.
 */
#include <json-c/json.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"

typedef struct json_object *obj;

#define POINTS		1000
#define QUEUES_MAX	12
#define SAMPLES_MAX	2000

static void put_rates(obj o, const struct rf_timeline *tl)
{
	struct rf_step_points pts;
	obj t, step, mbit;
	uint64_t ns;
	size_t i;

	if (!tl->bytes || !tl->iters || rf_step_points(tl, POINTS, &pts))
		return;
	t = rf_put_list(o, "t_us");
	step = rf_put_list(o, "step");
	mbit = rf_put_list(o, "mbit");
	for (i = 0; i < pts.n; i++) {
		ns = rf_timeline_transfer_ns(tl, pts.p[i].step);
		if (!ns || rf_timeline_broken(tl, pts.p[i].step))
			continue;
		rf_number_add(t, pts.p[i].t_ns / 1000.0);
		rf_number_add(step, pts.p[i].step);
		rf_number_add(mbit, tl->bytes * 8e3 / ns);
	}
	rf_number_put(o, "end_us", (pts.end_ns - pts.begin_ns) / 1000.0);
	rf_step_points_free(&pts);
}

struct queue {
	char dev[16];
	uint32_t prio;
	size_t n;
	obj t, bytes, dropped;
};

static struct queue *find_queue(struct queue *q, size_t *n, const struct rf_event *e, obj list)
{
	size_t i;
	obj o;

	for (i = 0; i < *n; i++)
		if (q[i].prio == e->prio && !strcmp(q[i].dev, e->dev))
			return &q[i];
	if (*n == QUEUES_MAX)
		return NULL;
	o = rf_list_object(list);
	rf_put_text(o, "port", e->dev);
	rf_put_u64(o, "prio", e->prio);
	q[i] = (struct queue){ .prio = e->prio };
	memcpy(q[i].dev, e->dev, sizeof(q[i].dev));
	q[i].t = rf_put_list(o, "t_us");
	q[i].bytes = rf_put_list(o, "bytes");
	q[i].dropped = rf_put_list(o, "dropped");
	++*n;
	return &q[i];
}

/* If a queue has too many samples, keep every n-th. */
static void put_queues(obj list, const struct rf_run_case *p, uint64_t begin_ns)
{
	const struct rf_events *ev = &p->rec.ev;
	size_t n = 0, marks = 0, every;
	struct queue q[QUEUES_MAX], *at;
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++)
		marks += e->kind == RF_EVENT_MARK;
	every = marks / SAMPLES_MAX + 1;
	for (e = ev->e; e < ev->e + ev->n; e++) {
		at = e->kind == RF_EVENT_MARK ? find_queue(q, &n, e, list) : NULL;
		if (!at || at->n++ % every)
			continue;
		rf_number_add(at->t, ((double)e->t_ns - begin_ns) / 1000.0);
		rf_number_add(at->bytes, e->queue);
		rf_number_add(at->dropped, e->dropped);
	}
}

/**
 * rf_figure_rates - get the data of the figure of rates and queues over time
 * @p: the case
 *
 * Return: the object; NULL if the job has no steps.
 */
obj rf_figure_rates(const struct rf_run_case *p)
{
	struct rf_step_points pts;
	obj o;

	if (rf_step_points(&p->rec.tl, 2, &pts))
		return NULL;
	o = pts.n ? json_object_new_object() : NULL;
	if (o) {
		put_rates(o, &p->rec.tl);
		put_queues(rf_put_list(o, "queues"), p, pts.begin_ns);
	}
	rf_step_points_free(&pts);
	return o;
}
