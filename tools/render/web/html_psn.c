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

#include "html.h"
#include "json.h"
#include "summary.h"
#include "units.h"

#define HITS_MANY	8
#define HITS_DRAWN	5
#define FLOWS_MAX	3
#define FLOWS_KNOWN	128
#define DOTS_MAX	3000
#define ROWS		60

enum dot_kind { FIRST, ACK, AGAIN, NAK, RNR, HIT, DOT_KINDS };

static const struct {
	const char *look, *words;
} kinds[DOT_KINDS] = {
	[FIRST] = { "first", "first transmission" },
	[ACK] = { "ack", "ACK; acknowledges all packets up to this PSN" },
	[AGAIN] = { "again", "retransmitted" },
	[NAK] = { "nak", "NAK: the PSN that the receiver requests" },
	[RNR] = { "nak", "RNR NAK: the receiver is not ready for this PSN" },
	[HIT] = { "cross", "hit by a fault" },
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
	return e->fault || e->dir == (data ? RDMAFAULT_DIRECTION_TX :
					     RDMAFAULT_DIRECTION_RX);
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
	rf_number_put(o, "from_ns", fl->t0);
	rf_number_put(o, "to_ns", fl->t1);
	all = rf_put_list(o, "dots");
	for (kind = 0; kind < DOT_KINDS; kind++) {
		one = rf_list_object(all);
		rf_put_text(one, "kind", kinds[kind].look);
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

static void put_dot_row(FILE *f, const struct dot *d)
{
	char after[RF_FMT_LEN];

	rf_table_row(f);
	rf_table_cell(f, "%s%s", d->t_ns < 0 ? "-" : "",
		      rf_fmt_time((uint64_t)fabs(d->t_ns), after));
	rf_table_cell(f, "%s", d->kind == HIT ? rf_hit_participle(d->e) :
			       d->kind == NAK ? "NAK" : d->kind == RNR ?
			       "RNR NAK" : d->kind == ACK ? "ACK" :
			       kinds[d->kind].words);
	rf_table_cell(f, "0x%06x", d->e->psn);
	rf_table_cell(f, "+%.0f", d->psn);
	rf_table_cell(f, "%s", rf_event_opcode(d->e));
	rf_table_cell(f, "%u", d->e->attempt);
	rf_table_cell(f, "%u", d->e->step);
	rf_table_cell(f, "%u B", d->e->len);
	fputc('\n', f);
}

static void put_dot_table(struct rf_html *h, const struct flow *fl)
{
	static const char *const heads[] = {
		"after the first hit", "packet", "PSN", "from the flow's first",
		"opcode", "transmission", "step", "IP length", NULL
	};
	size_t i, rows = 0;

	rf_figure_table(h, heads);
	for (i = 0; i < fl->n && rows < ROWS; i++) {
		if (fl->dots[i].t_ns < fl->t0 || fl->dots[i].t_ns > fl->t1)
			continue;
		put_dot_row(h->f, &fl->dots[i]);
		rows++;
	}
	if (fl->of <= rows)
		return;
	rf_table_row(h->f);
	rf_table_cell(h->f, "events.jsonl has %zu more", fl->of - rows);
}

static void put_psn_legend(struct rf_html *h, const struct flow *fl)
{
	struct rf_key keys[DOT_KINDS + 1] = { };
	bool seen[DOT_KINDS] = { };
	enum dot_kind kind;
	size_t i, n = 0;

	for (i = 0; i < fl->n; i++)
		seen[fl->dots[i].kind] = true;
	for (kind = 0; kind < DOT_KINDS; kind++)
		if (seen[kind])
			keys[n++] = (struct rf_key){ kinds[kind].look,
						     kinds[kind].words };
	rf_figure_legend(h, keys);
}

static void say_psn_range(const struct flow *fl, char *buf, size_t len)
{
	buf[0] = '\0';
	if (fl->hits == 1 && fl->loss->last)
		snprintf(buf, len, " around the loss");
	else if (fl->hits > HITS_MANY)
		snprintf(buf, len, " around the first %u of %zu hits",
			 HITS_DRAWN, fl->hits);
}

static void put_psn_figure(struct rf_html *h, struct flow *fl)
{
	const struct rf_loss *l = fl->loss;
	char title[128], about[64], more[96] = "";

	snprintf(title, sizeof(title), "PSN over time, at port %s", l->hit->dev);
	if (l->qp)
		snprintf(title, sizeof(title), "PSN over time, rank %u to rank %u",
			 l->qp->rank, l->qp->peer);
	say_psn_range(fl, about, sizeof(about));
	if (fl->n < fl->of)
		snprintf(more, sizeof(more), " Of %zu packets, %zu are shown.",
			 fl->of, fl->n);
	rf_figure_begin(h, "flow", fl->p, title,
			"The figure shows the recorded packets of the flow%s. Packets that a fault hit and retransmitted packets are always recorded, other packets only in the steps that a fault of the scenario names.%s",
			about, more);
	put_psn_legend(h, fl);
	put_dot_table(h, fl);
	rf_figure_end(h);
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
 * @p: the case
 *
 * Return: a list with one object per flow.
 */
struct json_object *rf_figure_flows(const struct rf_run_case *p)
{
	struct json_object *list = json_object_new_array();
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
	return list;
}

/**
 * rf_html_psn - write the figures of PSN over time
 * @h: the page
 * @p: the case
 */
void rf_html_psn(struct rf_html *h, const struct rf_run_case *p)
{
	struct hit_flows hit_flows;
	struct flow fl;
	size_t i;

	find_flows(p, &hit_flows);
	for (i = 0; i < hit_flows.n && i < FLOWS_MAX; i++) {
		fl = (struct flow){
			.p = p,
			.loss = hit_flows.loss[i],
			.ends = hit_flows.ends[i],
		};
		if (!collect_dots(&fl))
			put_psn_figure(h, &fl);
		free(fl.dots);
	}
	if (hit_flows.n <= FLOWS_MAX)
		return;
	fputs("<p class=\"dim\">", h->f);
	rf_html_say(h->f, "Faults also hit packets of %s%zu more flows, which are in events.jsonl.",
		    hit_flows.n == FLOWS_KNOWN ? "at least " : "",
		    hit_flows.n - FLOWS_MAX);
	fputs("</p>\n", h->f);
}
