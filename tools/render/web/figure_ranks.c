// SPDX-License-Identifier: GPL-2.0
/*
 * The ranks over time around the worst step of a case.
 *
 * The timeline has the start of a step, the end of its collective and the end of its barrier
 * for each rank. Waits for data and ACKs are recorded as durations only. The figure shows
 * how much longer than in clean steps a rank waited. In a step with a loss, this wait is
 * placed so that it ends when the retransmission begins. In other steps, it is in the middle
 * of the transfer. The times within a transfer are therefore approximate; all durations are
 * exact.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "jsonput.h"
#include "tools/render/words/words.h"
#include "units.h"

typedef struct json_object *obj;

#define MARKS_MAX 200

static uint32_t slowest_step(const struct rf_timeline *tl)
{
	uint32_t step, slowest = 1;

	for (step = 2; step <= tl->iters; step++)
		if (rf_timeline_whole_ns(tl, step) > rf_timeline_whole_ns(tl, slowest))
			slowest = step;
	return slowest;
}

/**
 * rf_shown_step - choose the step that the main figure of a case shows
 * @p: the case
 *
 * Return: the first of these that is known: the step in which the job ended early, the worst
 * step, the step of the first hit, the longest step; 0 if the job has no steps.
 */
uint32_t rf_shown_step(const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	struct rf_worst_step w;
	uint32_t step;

	if (!tl->iters || !tl->ranks)
		return 0;
	if (rf_timeline_ended(tl, &step) && step)
		return step;
	if (rf_case_worst_step(p, &w))
		return w.step;
	if (p->an->step && p->an->step <= tl->iters)
		return p->an->step;
	return slowest_step(tl);
}

static uint64_t until_repair(const struct rf_loss *l)
{
	const struct rf_event *e = l->first ? l->first : l->covered;

	return e ? e->t_ns - l->hit->t_ns : 0;
}

/**
 * rf_shown_loss - choose the loss that the figures of a case show
 * @p: the case
 *
 * Return: of the losses in the shown step, or of all losses if this step has none, the one
 * with the longest time until its retransmission; NULL if no packet was hit.
 */
const struct rf_loss *rf_shown_loss(const struct rf_run_case *p)
{
	const struct rf_loss *l, *longest = NULL;
	uint32_t step = rf_shown_step(p);
	bool here, had = false;

	for (l = p->an->losses; l < p->an->losses + p->an->nlosses; l++) {
		here = l->hit->step == step;
		if (!longest || here > had ||
		    (here == had && until_repair(l) > until_repair(longest))) {
			longest = l;
			had = here;
		}
	}
	return longest;
}

/* One rank in one step, in ns */
struct parts {
	uint64_t start, end;		/* the collective */
	uint64_t wait;			/* waits for data and ACKs, beyond those of clean steps */
	uint64_t barrier;		/* start of the barrier */
	uint64_t late;			/* time at the barrier, beyond that of clean steps */
	uint64_t sync;
};

static uint64_t beyond(uint64_t now, uint64_t usual)
{
	return now > usual ? now - usual : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct parts parts_of(const struct rf_step *s, const struct rf_wait *clean)
{
	struct parts a = { .start = s->start_ns, .end = s->end_ns, .sync = s->sync_ns };

	if (a.end < a.start)
		a.end = a.start;
	if (a.sync < a.end)
		a.sync = a.end;
	a.wait = least(beyond(s->wait_recv_ns + s->wait_send_ns, clean->recv + clean->send),
		       a.end - a.start);
	a.barrier = a.sync - least(s->wait_sync_ns, a.sync - a.end);
	a.late = least(beyond(s->wait_sync_ns, clean->sync), a.sync - a.barrier);
	return a;
}

static void add_span(obj spans, const char *kind, uint64_t from, uint64_t to, uint64_t zero)
{
	obj span;

	if (to / 1000 <= from / 1000)
		return;
	span = json_object_new_array();
	json_object_array_add(span, json_object_new_string(kind));
	rf_number_add(span, ((double)from - zero) / 1000);
	rf_number_add(span, ((double)to - zero) / 1000);
	json_object_array_add(spans, span);
}

/* Place the wait of a transfer: it ends when the retransmission of @l begins. */
static uint64_t end_of_wait(const struct parts *a, const struct rf_loss *l)
{
	uint64_t at = a->start + (a->end - a->start + a->wait) / 2;

	if (l && l->first && l->hit->t_ns < a->end && l->first->t_ns > a->start)
		at = l->first->t_ns;
	if (at > a->end)
		at = a->end;
	return at < a->start + a->wait ? a->start + a->wait : at;
}

static void put_rank(obj o, const struct rf_run_case *p, uint32_t rank, uint32_t first,
		     uint32_t last, const struct rf_loss *l, uint64_t zero)
{
	obj steps = rf_put_list(o, "steps"), one, spans;
	const struct rf_step *s;
	uint64_t waited, before = 0;
	struct parts a;
	uint32_t step;

	rf_put_u64(o, "rank", rank);
	for (step = first; step <= last; step++) {
		s = rf_timeline_step(&p->rec.tl, rank, step);
		if (!s)
			continue;
		a = parts_of(s, &p->an->rank[rank].clean);
		one = rf_list_object(steps);
		rf_put_u64(one, "step", step);
		spans = rf_put_list(one, "spans");
		if (before)
			add_span(spans, "compute", before, a.start, zero);
		waited = end_of_wait(&a, l);
		add_span(spans, "transfer", a.start, waited - a.wait, zero);
		add_span(spans, "waiting", waited - a.wait, waited, zero);
		add_span(spans, "transfer", waited, a.end, zero);
		add_span(spans, "compute", a.end, a.barrier, zero);
		add_span(spans, "barrier", a.barrier, a.sync - a.late, zero);
		add_span(spans, "waiting", a.sync - a.late, a.sync, zero);
		rf_number_put(one, "wait_us", (a.wait + a.late) / 1000);
		before = a.sync;
	}
}

/* Add the packets that were hit in the shown time, at most MARKS_MAX. */
static void put_marks(obj marks, const struct rf_run_case *p, uint64_t from, uint64_t to,
		      uint64_t zero)
{
	const struct rf_loss *l;
	size_t n = 0;
	obj one;

	for (l = p->an->losses; l < p->an->losses + p->an->nlosses && n < MARKS_MAX; l++) {
		if (l->hit->t_ns < from || l->hit->t_ns > to)
			continue;
		n++;
		one = rf_list_object(marks);
		rf_number_put(one, "t_us", ((double)l->hit->t_ns - zero) / 1000);
		rf_put_text(one, "what", rf_hit_participle(l->hit));
		rf_put_text(one, "port", l->hit->dev);
		rf_put_u64(one, "psn", l->hit->psn_rel);
		if (!l->qp)
			continue;
		rf_put_u64(one, "rank", l->qp->rank);
		rf_put_u64(one, "peer", l->qp->peer);
	}
}

static void put_silence(obj o, uint64_t from, uint64_t to, uint64_t zero, const char *why)
{
	obj silence = rf_put_object(o, "silence");

	rf_number_put(silence, "from_us", ((double)from - zero) / 1000);
	rf_number_put(silence, "to_us", ((double)to - zero) / 1000);
	rf_put_text(silence, "why", why);
}

/* Explain the time from a hit to its retransmission. */
static void say_why(const struct rf_run_case *p, const struct rf_loss *l, char *buf, size_t len)
{
	char timer[RF_FMT_LEN];

	switch (l->found) {
	case RF_DETECTED_TIMEOUT:
		rf_fmt_time(4096ull << p->kase->qp.timeout, timer);
		if (l->revealed)
			snprintf(buf, len, "until the sender's timer expires (nominally %s): no NAK caused a retransmission", timer);
		else if (rf_loss_of_answer(l))
			snprintf(buf, len, "until the sender's timer expires (nominally %s): no later ACK arrives", timer);
		else
			snprintf(buf, len, "until the sender's timer expires (nominally %s): no packet follows that could reveal the loss", timer);
		break;
	case RF_DETECTED_NAK:
		snprintf(buf, len, "until the receiver's NAK causes the retransmission");
		break;
	case RF_DETECTED_RNR:
		snprintf(buf, len, "until the sender retransmits after the RNR NAK");
		break;
	default:
		snprintf(buf, len, "until the retransmission");
	}
}

/* Find the longest pause that overlaps the time from @from to @to. */
static const struct rf_event *longest_pause(const struct rf_run_case *p, uint64_t from,
					    uint64_t to)
{
	const struct rf_events *ev = &p->rec.ev;
	const struct rf_event *e, *longest = NULL;

	for (e = ev->e; e < ev->e + ev->n; e++)
		if (e->kind == RF_EVENT_PAUSE && !e->paused && e->until > from &&
		    e->until - e->ns < to && (!longest || e->ns > longest->ns))
			longest = e;
	return longest;
}

/* Return: the first retransmitted packet from @from to @to; NULL: none */
static const struct rf_event *retransmission(const struct rf_run_case *p, uint64_t from,
					     uint64_t to)
{
	const struct rf_events *ev = &p->rec.ev;
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++)
		if (rf_event_is_retransmission(e) && e->t_ns >= from && e->t_ns <= to)
			return e;
	return NULL;
}

static void put_cause(obj o, const struct rf_run_case *p, const struct rf_loss *l, uint64_t from,
		      uint64_t to, uint64_t zero)
{
	const struct rf_event *pause, *again;
	char why[192], time[RF_FMT_LEN];

	if (l && l->first && l->hit->t_ns >= from && l->hit->t_ns <= to) {
		say_why(p, l, why, sizeof(why));
		put_silence(o, l->hit->t_ns, l->first->t_ns, zero, why);
		return;
	}
	pause = longest_pause(p, from, to);
	if (!pause)
		return;
	again = retransmission(p, pause->until, to);
	if (again && again->t_ns - pause->until > pause->ns) {
		snprintf(why, sizeof(why), "until a sender's timer expires: packets were lost while priority %u of port %s was paused (%s)",
			 pause->prio, pause->dev, rf_fmt_time(pause->ns, time));
		put_silence(o, pause->until - pause->ns, again->t_ns, zero, why);
		return;
	}
	snprintf(why, sizeof(why), "priority %u of port %s is paused", pause->prio, pause->dev);
	put_silence(o, pause->until - pause->ns, pause->until, zero, why);
}

/**
 * rf_figure_ranks - get the data of the figure of ranks over time
 * @p: the case
 *
 * Return: the object; NULL if the job has no steps.
 */
obj rf_figure_ranks(const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	uint32_t step = rf_shown_step(p), first, last, rank, i;
	const struct rf_loss *l = rf_shown_loss(p);
	uint64_t from = UINT64_MAX, to = 0, zero;
	const struct rf_step *s;
	obj o, rows;

	if (!step)
		return NULL;
	first = step > 1 ? step - 1 : 1;
	last = step < tl->iters ? step + 1 : tl->iters;
	for (i = first; i <= last; i++)
		for (rank = 0; rank < tl->ranks; rank++) {
			s = rf_timeline_step(tl, rank, i);
			if (!s)
				continue;
			from = least(from, s->start_ns);
			to = s->sync_ns > to ? s->sync_ns : to;
		}
	if (to <= from)
		return NULL;
	if (l && (l->hit->t_ns < from || l->hit->t_ns > to))
		l = NULL;
	zero = l ? l->hit->t_ns : from;
	o = json_object_new_object();
	rf_put_u64(o, "step", step);
	rf_put_u64(o, "first_step", first);
	rf_put_u64(o, "last_step", last);
	rf_put_text(o, "zero", l ? "hit" : "first step");
	rf_put_u64(o, "zero_ns", zero);
	rf_number_put(o, "from_us", ((double)from - zero) / 1000);
	rf_number_put(o, "to_us", ((double)to - zero) / 1000);
	rows = rf_put_list(o, "ranks");
	for (rank = 0; rank < tl->ranks; rank++)
		put_rank(rf_list_object(rows), p, rank, first, last, l, zero);
	put_marks(rf_put_list(o, "hits"), p, from, to, zero);
	put_cause(o, p, l, from, to, zero);
	return o;
}
