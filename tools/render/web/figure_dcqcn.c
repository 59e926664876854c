// SPDX-License-Identifier: GPL-2.0
/*
 * Rates of flows over time: the rate that DCQCN allows a flow, and its alpha, after each change.
 * Each flow has the time scale of its port, without which the times say nothing.
 */
#include <json-c/json.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"

typedef struct json_object *obj;

#define FLOWS_MAX	12
#define SAMPLES_MAX	2000

struct flow {
	const struct rf_event *first;
	size_t n;
	obj t, mbit, alpha;
};

struct figure {
	const struct rf_run_case *p;
	uint64_t begin_ns, end_ns;
	size_t every;			/* every n-th change of a flow is shown */
	struct flow flow[FLOWS_MAX];
	size_t n;
	obj list;
};

static bool is_same(const struct rf_event *a, const struct rf_event *b)
{
	return a->qp == b->qp && !strcmp(a->dev, b->dev) && !memcmp(a->saddr, b->saddr, 16) &&
	       !memcmp(a->daddr, b->daddr, 16);
}

static void add_sample(const struct figure *f, struct flow *flow, uint64_t at, uint64_t rate,
		       const struct rf_event *e)
{
	rf_number_add(flow->t, ((double)at - f->begin_ns) / 1000.0);
	rf_number_add(flow->mbit, rate / 1e6);
	rf_number_add(flow->alpha, (double)e->alpha / RDMAFAULT_PROBABILITY_ONE);
}

/* Until its first change, a flow has the rate before it. */
static struct flow *add_flow(struct figure *f, const struct rf_run *run, const struct rf_event *e)
{
	struct flow *flow = &f->flow[f->n++];
	obj o = rf_list_object(f->list);
	char addr[64];

	rf_put_text(o, "port", e->dev);
	rf_put_text(o, "source", rf_event_addr(e, e->saddr, addr, sizeof(addr)));
	rf_put_text(o, "destination", rf_event_addr(e, e->daddr, addr, sizeof(addr)));
	rf_put_u64(o, "qp", e->qp);
	rf_put_u64(o, "scale", rf_case_time_scale(run->scenario, f->p->test_case, e->dev));
	*flow = (struct flow){
		.first = e, .t = rf_put_list(o, "t_us"), .mbit = rf_put_list(o, "mbit"),
		.alpha = rf_put_list(o, "alpha"),
	};
	add_sample(f, flow, e->at < f->begin_ns ? e->at : f->begin_ns, e->before, e);
	return flow;
}

static void add_event(struct figure *f, const struct rf_run *run, const struct rf_event *e)
{
	struct flow *flow;

	for (flow = f->flow; flow < f->flow + f->n; flow++)
		if (is_same(flow->first, e))
			break;
	if (flow == f->flow + f->n) {
		if (f->n == FLOWS_MAX)
			return;
		flow = add_flow(f, run, e);
	}
	if (!(flow->n++ % f->every))
		add_sample(f, flow, e->at, e->rate, e);
}

/* Time 0 is the start of the first step; if the job has no steps, that of the first change. */
static void find_span(struct figure *f)
{
	const struct rf_events *ev = &f->p->rec.ev;
	struct rf_step_points pts;
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (e->kind != RF_EVENT_RATE)
			continue;
		if (!f->begin_ns)
			f->begin_ns = e->at;
		if (e->at > f->end_ns)
			f->end_ns = e->at;
	}
	if (rf_step_points(&f->p->rec.tl, 2, &pts))
		return;
	if (pts.n) {
		f->begin_ns = pts.begin_ns;
		f->end_ns = pts.end_ns > f->end_ns ? pts.end_ns : f->end_ns;
	}
	rf_step_points_free(&pts);
}

/**
 * rf_figure_dcqcn - get the data of the figure of the rates of flows over time
 * @run: the run
 * @p: the case
 *
 * Return: the object; NULL if DCQCN has changed no rate.
 */
obj rf_figure_dcqcn(const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_events *ev = &p->rec.ev;
	struct figure f = { .p = p };
	const struct rf_event *e;
	size_t changes = 0;
	obj o;

	for (e = ev->e; e < ev->e + ev->n; e++)
		changes += e->kind == RF_EVENT_RATE;
	if (!changes)
		return NULL;
	o = json_object_new_object();
	find_span(&f);
	f.every = changes / SAMPLES_MAX + 1;
	rf_number_put(o, "end_us", (f.end_ns - f.begin_ns) / 1000.0);
	f.list = rf_put_list(o, "flows");
	for (e = ev->e; e < ev->e + ev->n; e++)
		if (e->kind == RF_EVENT_RATE)
			add_event(&f, run, e);
	return o;
}
