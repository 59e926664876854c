// SPDX-License-Identifier: GPL-2.0
/*
 * PSN over time at the sender, for each flow that a fault hit: first transmissions,
 * ACKs, hits, NAKs and retransmitted packets. Go-back-N looks like a saw tooth: back
 * to an older PSN, then up again.
 *
 * Hits and retransmitted packets are always recorded. Packets delivered by their first
 * transmission are recorded only in the steps that a fault of the scenario names.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/render/words/words.h"
#include "units.h"

#define HITS_MANY	8
#define HITS_DRAWN	5
#define FLOWS_MAX	3
#define FLOWS_KNOWN	128
#define DOTS_MAX	3000
#define ROWS		60

enum dot_kind { FIRST, ACK, AGAIN, NAK, RNR, HIT, DOT_KINDS };

static const struct {
	const char *name, *words;
} kinds[DOT_KINDS] = {
	[FIRST] = { "first", "first transmission" },
	[ACK] = { "ack", "ACK" },
	[AGAIN] = { "again", "retransmitted" },
	[NAK] = { "nak", "NAK" },
	[RNR] = { "rnr", "RNR NAK" },
	[HIT] = { "hit", "hit by a fault" },
};

struct dot {
	double t_ns;			/* ns since the flow's first hit */
	double psn;			/* relative to the flow's first packet */
	enum dot_kind kind;
	const struct rf_event *e;
};

/*
 * The ends of a flow. Data goes from address @from, QP @from_qp, to address @to, QP @to_qp.
 * Responses go the opposite way. A QP of 0 means any QP.
 */
struct ends {
	uint8_t from[16], to[16];
	uint32_t from_qp, to_qp;
};

struct flow {
	const struct rf_run_case *p;
	const struct rf_loss *loss;	/* first loss of the flow */
	struct ends ends;
	const struct rf_event *base;	/* a packet whose relative PSN is known */
	struct dot *dots;
	size_t n, of;			/* number of dots after and before thin() */
	size_t hits;
	double t0, t1, psn0, psn1;
};

/* Get the flow of a packet that was hit. The packet can be data or a response. */
static struct ends ends_of(const struct rf_timeline *tl, const struct rf_loss *l)
{
	bool data = rf_event_is_request(l->hit);
	const struct rf_qp *qp;
	struct ends e = { };

	memcpy(e.from, data ? l->hit->saddr : l->hit->daddr, 16);
	memcpy(e.to, data ? l->hit->daddr : l->hit->saddr, 16);
	if (data) {
		e.to_qp = l->hit->qp;
		e.from_qp = l->qp ? l->qp->qpn : 0;
		return e;
	}
	e.from_qp = l->hit->qp;
	for (qp = tl->qps; qp < tl->qps + tl->nqps; qp++)
		if (qp->qpn == l->hit->qp && l->qp && qp->rank == l->qp->rank)
			e.to_qp = qp->peer_qpn;
	return e;
}

static bool goes(const struct rf_event *e, const uint8_t from[16],
		 const uint8_t to[16], uint32_t qp)
{
	return (!qp || e->qp == qp) && !memcmp(e->saddr, from, 16) &&
	       !memcmp(e->daddr, to, 16);
}

static bool is_answer(const struct rf_event *e)
{
	return e->class & (RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK |
			   RDMAFAULT_CLASS_RNR);
}

/*
 * Get the kind of dot for an event. Return: false if the event has no dot. Only events of this
 * flow have a dot: all hits, and other events if they were recorded at the data sender.
 */
static bool get_dot_kind(const struct rf_event *e, const struct ends *ends,
			 enum dot_kind *kind)
{
	bool data = rf_event_is_request(e) &&
		    goes(e, ends->from, ends->to, ends->to_qp);
	bool answer = is_answer(e) &&
		      goes(e, ends->to, ends->from, ends->from_qp);

	if (e->kind != RF_EVENT_HIT || (!data && !answer))
		return false;
	if (e->fault)
		*kind = HIT;
	else if (data)
		*kind = e->attempt > 1 ? AGAIN : FIRST;
	else
		*kind = e->class & RDMAFAULT_CLASS_ACK ? ACK :
			e->class & RDMAFAULT_CLASS_NAK ? NAK : RNR;
	return e->fault || rf_event_leaves(e) == data;
}

/* Return: the PSN of an event, relative to the first PSN of the flow. */
static double psn_of(const struct flow *fl, const struct rf_event *e)
{
	return (double)fl->base->psn_rel + rf_psn_diff(e->psn, fl->base->psn);
}

static void add_dot(struct flow *fl, const struct rf_event *e,
		    enum dot_kind kind)
{
	const struct rf_event *hit = fl->loss->hit;

	fl->dots[fl->n++] = (struct dot){
		.t_ns = (double)e->t_ns - hit->t_ns,
		.psn = psn_of(fl, e),
		.kind = kind,
		.e = e,
	};
}

static void set_psn_axes(struct flow *fl, double t0, double t1)
{
	const struct dot *d;

	fl->t0 = t0;
	fl->t1 = t1;
	fl->psn0 = fl->psn1 = psn_of(fl, fl->loss->hit);
	for (d = fl->dots; d < fl->dots + fl->n; d++) {
		if (d->t_ns < t0 || d->t_ns > t1)
			continue;
		fl->psn0 = fmin(fl->psn0, d->psn);
		fl->psn1 = fmax(fl->psn1, d->psn);
	}
}

/* Return: the time of hit number @n, counted from 0; INFINITY if there are fewer hits */
static double time_of_hit(const struct flow *fl, size_t n)
{
	size_t i;

	for (i = 0; i < fl->n; i++)
		if (fl->dots[i].kind == HIT && !n--)
			return fl->dots[i].t_ns;
	return INFINITY;
}

/* Choose the time range: around a single loss, or around the first of many losses. */
static void choose_span(struct flow *fl)
{
	const struct rf_loss *l = fl->loss;
	double t0 = 0, t1 = 0, length;
	size_t i;

	for (i = 0; i < fl->n; i++) {
		t0 = fmin(t0, fl->dots[i].t_ns);
		t1 = fmax(t1, fl->dots[i].t_ns);
	}
	if (fl->hits == 1 && l->last) {
		length = (double)l->last->t_ns - l->hit->t_ns;
		t0 = fmax(t0, -0.3 * length);
		t1 = fmin(t1, 1.4 * length);
	} else if (fl->hits > HITS_MANY) {
		t1 = fmin(t1, time_of_hit(fl, HITS_DRAWN));
		t0 = fmax(t0, -0.1 * t1);
	}
	set_psn_axes(fl, t0, t1);
}

/*
 * Remove dots if there are too many. Keep every n-th dot of the flow. Of the other dots, keep
 * up to DOTS_MAX in the time range of the figure.
 */
static void thin(struct flow *fl)
{
	size_t every = fl->n / DOTS_MAX + 1, i, n = 0, room = DOTS_MAX;
	const struct dot *d;

	fl->of = fl->n;
	for (i = 0; every > 1 && i < fl->of; i++) {
		d = &fl->dots[i];
		if (i % every && (d->t_ns < fl->t0 || d->t_ns > fl->t1 || !room))
			continue;
		room -= i % every ? 1 : 0;
		fl->dots[n++] = *d;
	}
	if (every > 1)
		fl->n = n;
}

static const struct rf_event *find_base(const struct flow *fl)
{
	const struct rf_events *ev = &fl->p->rec.ev;
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++)
		if (rf_event_is_request(e) &&
		    goes(e, fl->ends.from, fl->ends.to, fl->ends.to_qp))
			return e;
	return fl->loss->hit;
}

static int collect_dots(struct flow *fl)
{
	const struct rf_events *ev = &fl->p->rec.ev;
	enum dot_kind kind;
	size_t i;

	fl->base = rf_event_is_request(fl->loss->hit) ? fl->loss->hit :
							find_base(fl);
	fl->dots = calloc(ev->n, sizeof(*fl->dots));
	if (!fl->dots)
		return -1;
	for (i = 0; i < ev->n; i++) {
		if (!get_dot_kind(&ev->e[i], &fl->ends, &kind))
			continue;
		fl->hits += kind == HIT;
		add_dot(fl, &ev->e[i], kind);
	}
	choose_span(fl);
	thin(fl);
	return 0;
}

/*
 * Write the label of a loss. The label is drawn only if the flow has a single loss, because
 * there is no room for several labels.
 */
static void say_lost(const struct flow *fl, char *buf, size_t len)
{
	const struct rf_event *hit = fl->loss->hit;

	snprintf(buf, len, "%s%s, PSN +%.0f", rf_event_is_request(hit) ? "" :
		 "answer ", rf_hit_participle(hit), psn_of(fl, hit));
}

static void say_gap(const struct rf_loss *l, char *buf, size_t len)
{
	char after[RF_FMT_LEN];

	snprintf(buf, len, "%s until the retransmission",
		 rf_fmt_time(l->again->t_ns - l->hit->t_ns, after));
}

static void put_loss_words(struct json_object *o, const struct flow *fl)
{
	const struct rf_loss *l = fl->loss;
	char words[64];

	say_lost(fl, words, sizeof(words));
	rf_put_text(o, "lost", words);
	rf_number_put(o, "lost_psn", psn_of(fl, l->hit));
	if (!l->again)
		return;
	say_gap(l, words, sizeof(words));
	rf_put_text(o, "gap", words);
	rf_number_put(o, "gap_ns", (double)l->again->t_ns - l->hit->t_ns);
}

/* Add the first packets in the time range, in their order: time, kind, and what the packet was. */
static void put_rows(struct json_object *rows, const struct flow *fl)
{
	struct json_object *row;
	const struct dot *d;
	size_t n = 0;

	for (d = fl->dots; d < fl->dots + fl->n && n < ROWS; d++) {
		if (d->t_ns < fl->t0 || d->t_ns > fl->t1)
			continue;
		n++;
		row = json_object_new_array();
		rf_number_add(row, d->t_ns);
		json_object_array_add(row, json_object_new_string(d->kind == HIT ?
				      rf_hit_participle(d->e) : kinds[d->kind].words));
		json_object_array_add(row, json_object_new_int64(d->e->psn));
		rf_number_add(row, d->psn);
		json_object_array_add(row, json_object_new_string(rf_event_opcode(d->e)));
		json_object_array_add(row, json_object_new_int64(d->e->attempt));
		json_object_array_add(row, json_object_new_int64(d->e->step));
		json_object_array_add(row, json_object_new_int64(d->e->len));
		json_object_array_add(rows, row);
	}
}

/* Add a flow: times in nanoseconds and PSNs for each kind of dot */
static void put_flow_data(struct json_object *list, const struct flow *fl)
{
	const struct rf_loss *l = fl->loss;
	struct json_object *o = rf_list_object(list), *all, *one, *t, *psn;
	enum dot_kind kind;
	size_t i;

	if (l->qp) {
		rf_put_u64(o, "rank", l->qp->rank);
		rf_put_u64(o, "peer", l->qp->peer);
	}
	rf_put_text(o, "port", l->hit->dev);
	if (fl->hits == 1)
		put_loss_words(o, fl);
	rf_put_u64(o, "hits", fl->hits);
	if (fl->hits > HITS_MANY)
		rf_put_u64(o, "hits_drawn", HITS_DRAWN);
	json_object_object_add(o, "around_loss", json_object_new_boolean(fl->hits == 1 && l->last));
	rf_put_u64(o, "packets", fl->of);
	rf_put_u64(o, "packets_drawn", fl->n);
	rf_number_put(o, "from_ns", fl->t0);
	rf_number_put(o, "to_ns", fl->t1);
	put_rows(rf_put_list(o, "rows"), fl);
	all = rf_put_list(o, "dots");
	for (kind = 0; kind < DOT_KINDS; kind++) {
		one = rf_list_object(all);
		rf_put_text(one, "kind", kinds[kind].name);
		t = rf_put_list(one, "t_ns");
		psn = rf_put_list(one, "psn");
		for (i = 0; i < fl->n; i++) {
			if (fl->dots[i].kind != kind || fl->dots[i].t_ns < fl->t0 ||
			    fl->dots[i].t_ns > fl->t1)
				continue;
			rf_number_add(t, fl->dots[i].t_ns);
			rf_number_add(psn, fl->dots[i].psn);
		}
	}
}

/* The flows with hits, each with its first loss */
struct hit_flows {
	struct ends ends[FLOWS_KNOWN];
	const struct rf_loss *loss[FLOWS_KNOWN];
	size_t n;
};

static void find_flows(const struct rf_run_case *p, struct hit_flows *hit_flows)
{
	struct ends ends;
	size_t i, k;

	hit_flows->n = 0;
	for (i = 0; i < p->an->nhits && hit_flows->n < FLOWS_KNOWN; i++) {
		ends = ends_of(&p->rec.tl, &p->an->losses[i]);
		for (k = 0; k < hit_flows->n; k++)
			if (!memcmp(&ends, &hit_flows->ends[k], sizeof(ends)))
				break;
		if (k < hit_flows->n)
			continue;
		hit_flows->ends[k] = ends;
		hit_flows->loss[k] = &p->an->losses[i];
		hit_flows->n++;
	}
}

/**
 * rf_figure_flows - get the data of the figures of PSN over time
 * @figures: gets "flows", a list with one object per flow, and "more_flows" if faults hit
 *	packets of more flows
 * @p: the case
 */
void rf_figure_flows(struct json_object *figures, const struct rf_run_case *p)
{
	struct json_object *list = rf_put_list(figures, "flows");
	struct hit_flows hit_flows;
	struct flow fl;
	size_t i;

	find_flows(p, &hit_flows);
	for (i = 0; i < hit_flows.n && i < FLOWS_MAX; i++) {
		fl = (struct flow){ .p = p, .loss = hit_flows.loss[i], .ends = hit_flows.ends[i] };
		if (!collect_dots(&fl))
			put_flow_data(list, &fl);
		free(fl.dots);
	}
	if (hit_flows.n > FLOWS_MAX)
		rf_put_u64(figures, "more_flows", hit_flows.n - FLOWS_MAX);
	if (hit_flows.n == FLOWS_KNOWN)
		json_object_object_add(figures, "more_flows_at_least", json_object_new_boolean(true));
}
