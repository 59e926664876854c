// SPDX-License-Identifier: GPL-2.0
/*
 * The ranks over time around the worst step of a case.
 *
 * The timeline has the start of a step, the end of its collective and the end of its barrier for
 * each rank, and the longest waits between them. The figure shows only these recorded waits.
 * Waits that took longer than in clean steps are highlighted.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "tools/render/words/words.h"
#include "units.h"

typedef struct json_object *obj;

#define MARKS_MAX 200
#define PAUSED_MAX 4

static uint32_t worst_step(const struct rf_timeline *tl)
{
	uint32_t step, slowest = 1;

	for (step = 2; step <= tl->iters; step++)
		if (rf_timeline_whole_ns(tl, step) > rf_timeline_whole_ns(tl, slowest))
			slowest = step;
	return slowest;
}

/*
 * Choose the step that the main figure of a case shows. Return: the first of these that is known:
 * the step in which the job ended early, the worst step, the step of the first hit, the longest
 * step; 0 if the job has no steps.
 */
static uint32_t shown_step(const struct rf_run_case *p)
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
	return worst_step(tl);
}

static uint64_t until_repair(const struct rf_run_case *p, const struct rf_loss *l, bool ended)
{
	const struct rf_event *e = l->first ? l->first : l->covered;

	if (rf_loss_is_final(&p->rec, l))
		return UINT64_MAX;
	if (ended)
		return rf_case_ended_by(p, l);
	return e ? e->t_ns - l->hit->t_ns : 0;
}

/**
 * rf_shown_loss - choose the loss that the figures of a case show
 * @p: the case
 *
 * Return: of the losses in the shown step, or of all losses if this step has none, the one
 * that was never sent again, or the first that was not repaired before the job ended, or the
 * one with the longest time until its retransmission; NULL if no packet was hit.
 */
const struct rf_loss *rf_shown_loss(const struct rf_run_case *p)
{
	const struct rf_loss *l, *longest = NULL;
	uint32_t step = shown_step(p);
	bool here, had = false, ended = rf_case_has_ended(p);

	for (l = p->an->losses; l < p->an->losses + p->an->nhits; l++) {
		here = l->hit->step == step;
		if (!longest || here > had ||
		    (here == had && until_repair(p, l, ended) > until_repair(p, longest, ended))) {
			longest = l;
			had = here;
		}
	}
	return longest;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void add_stretch(obj spans, const char *kind, uint64_t from, uint64_t to, uint64_t zero)
{
	obj span;

	if (to / 1000 <= from / 1000)
		return;
	span = json_object_new_array();
	json_object_array_add(span, json_object_new_string(kind));
	rf_number_add(span, ((double)from - zero) / 1000.0);
	rf_number_add(span, ((double)to - zero) / 1000.0);
	json_object_array_add(spans, span);
}

/* Add a wait, with what the rank waited for. Return: its duration if it is long, otherwise 0 */
static uint64_t add_wait(obj spans, const struct rf_run_case *p, uint32_t rank,
			 const struct rf_wait_span *w, uint64_t zero)
{
	bool is_long = rf_wait_is_long(p->an, rank, w);
	size_t n = json_object_array_length(spans);
	obj span;

	add_stretch(spans, is_long ? "waiting" : w->kind == RF_WAIT_SYNC ? "barrier" : "wait",
		    w->start_ns, w->end_ns, zero);
	if (json_object_array_length(spans) > n) {
		span = json_object_array_get_idx(spans, n);
		json_object_array_add(span, json_object_new_string(rf_wait_kind_names[w->kind]));
		if (w->peer != UINT32_MAX)
			json_object_array_add(span, json_object_new_int64(w->peer));
	}
	return is_long ? w->end_ns - w->start_ns : 0;
}

/*
 * Add the collective of a command, whose waits are not known. What is longer than in clean steps,
 * by more than the noise, counts as a long wait. Return: the duration of this part
 */
static uint64_t add_collective(obj spans, const struct rf_run_case *p, uint32_t rank,
			       const struct rf_step *s, uint64_t zero)
{
	const struct rf_analysis *an = p->an;
	uint64_t usual = an->rank[rank].clean.step, at = s->end_ns;

	if (an->clean_ns && at - s->start_ns > usual + an->clean_max_ns - an->clean_ns)
		at = s->start_ns + usual;
	add_stretch(spans, "transfer", s->start_ns, at, zero);
	add_stretch(spans, "waiting", at, s->end_ns, zero);
	return s->end_ns - at;
}

/*
 * Add the parts of a step: the recorded waits, and what the rank did between them. A training
 * computes between waits. After the collective and between two steps, all jobs compute.
 */
static void put_step_parts(obj o, const struct rf_run_case *p, uint32_t rank, uint32_t step,
			   uint64_t before, uint64_t zero)
{
	bool trains = p->test_case->workload.kind == RF_WORK_TRAIN;
	const char *work = trains ? "compute" : "transfer";
	const struct rf_step *s = rf_timeline_step(&p->rec.tl, rank, step);
	struct rf_wait_span w[RF_STEP_WAITS_MAX + 1];
	size_t n = rf_timeline_waits(&p->rec.tl, rank, step, w), i;
	uint64_t at = s->start_ns, waited = 0;
	obj spans = rf_put_list(o, "spans");

	if (before)
		add_stretch(spans, "compute", before, at, zero);
	if (p->rec.tl.of_command) {
		rf_number_put(o, "wait_us", add_collective(spans, p, rank, s, zero) / 1000.0);
		return;
	}
	for (i = 0; i < n && w[i].kind != RF_WAIT_SYNC; i++) {
		add_stretch(spans, work, at, w[i].start_ns, zero);
		waited += add_wait(spans, p, rank, &w[i], zero);
		at = w[i].end_ns;
	}
	add_stretch(spans, work, at, s->end_ns, zero);
	add_stretch(spans, "compute", s->end_ns, i < n ? w[i].start_ns : s->sync_ns, zero);
	if (i < n)
		waited += add_wait(spans, p, rank, &w[i], zero);
	rf_number_put(o, "wait_us", waited / 1000.0);
	rf_put_nonzero(o, "waits_omitted", s->waits_omitted);
}

static void put_rank(obj o, const struct rf_run_case *p, uint32_t rank, uint32_t first,
		     uint32_t last, uint64_t zero)
{
	obj steps = rf_put_list(o, "steps"), one;
	const struct rf_step *s;
	uint64_t before = 0;
	uint32_t step;

	rf_put_u64(o, "rank", rank);
	for (step = first; step <= last; step++) {
		s = rf_timeline_step(&p->rec.tl, rank, step);
		if (!s)
			continue;
		one = rf_list_object(steps);
		rf_put_u64(one, "step", step);
		put_step_parts(one, p, rank, step, before, zero);
		before = s->sync_ns;
	}
}

/* Add the packets that were hit in the shown time, at most MARKS_MAX. */
static void put_marks(obj marks, const struct rf_run_case *p, uint64_t from, uint64_t to,
		      uint64_t zero)
{
	const struct rf_loss *l;
	size_t n = 0;
	obj one;

	for (l = p->an->losses; l < p->an->losses + p->an->nhits && n < MARKS_MAX; l++) {
		if (l->hit->t_ns < from || l->hit->t_ns > to)
			continue;
		n++;
		one = rf_list_object(marks);
		rf_number_put(one, "t_us", ((double)l->hit->t_ns - zero) / 1000.0);
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

	rf_number_put(silence, "from_us", ((double)from - zero) / 1000.0);
	rf_number_put(silence, "to_us", ((double)to - zero) / 1000.0);
	rf_put_text(silence, "why", why);
}

/* Explain the time from a hit to its retransmission. */
static void say_why(const struct rf_run_case *p, const struct rf_loss *l, char *buf, size_t len)
{
	char timer[128];

	switch (l->found) {
	case RF_DETECTED_TIMEOUT:
		snprintf(buf, len, "until %s: %s", rf_timer_expires(p, l, timer, sizeof(timer)),
			 rf_loss_of_response(l) ? "there is no NAK for a lost response" :
			 l->hit->attempt > 1 ? "the retransmission was lost, too, and a receiver sends one NAK per gap" :
			 l->revealed ? "no NAK caused a retransmission" :
			 rf_loss_of_answer(l) ? "no later ACK arrives" :
			 "no packet follows that could reveal the loss");
		break;
	case RF_DETECTED_NAK:
		snprintf(buf, len, "until the receiver's NAK causes the retransmission");
		break;
	case RF_DETECTED_IMPLIED:
		snprintf(buf, len, "until a response to a later request shows that one is missing");
		break;
	case RF_DETECTED_RNR:
		snprintf(buf, len, "until the sender retransmits after the RNR NAK");
		break;
	default:
		snprintf(buf, len, "until the retransmission");
	}
}

/* One priority of a port, and how long it was paused in the shown time */
struct paused {
	const struct rf_event *e;	/* the end of its longest pause */
	uint64_t ns;
};

static bool same_prio(const struct rf_event *a, const struct rf_event *b)
{
	return a->prio == b->prio && !strcmp(a->dev, b->dev);
}

/*
 * Find the priorities that were paused from @from to @to. Return: how many there are, at most
 * PAUSED_MAX; the one that was paused longest is the first.
 */
static size_t find_pauses(const struct rf_run_case *p, uint64_t from, uint64_t to,
			  struct paused *all)
{
	const struct rf_events *ev = &p->rec.ev;
	const struct rf_event *e;
	struct paused first;
	uint64_t ns;
	size_t n = 0, i;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		ns = rf_pause_overlap(e, from, to);
		if (!ns)
			continue;
		for (i = 0; i < n && !same_prio(all[i].e, e); i++)
			;
		if (i == PAUSED_MAX)
			continue;
		if (i == n)
			all[n++] = (struct paused){ .e = e };
		if (ns > rf_pause_overlap(all[i].e, from, to))
			all[i].e = e;
		all[i].ns += ns;
	}
	for (i = 1; i < n; i++)
		if (all[i].ns > all[0].ns) {
			first = all[0];
			all[0] = all[i];
			all[i] = first;
		}
	return n;
}

/* Add the pauses of the priority of @like. Pauses with gaps too small to be seen are joined. */
static void put_pauses(obj spans, const struct rf_run_case *p, const struct rf_event *like,
		       uint64_t from, uint64_t to, uint64_t zero)
{
	const struct rf_events *ev = &p->rec.ev;
	uint64_t start = 0, end = 0, gap = (to - from) / 1000;
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (!rf_pause_overlap(e, from, to) || !same_prio(e, like))
			continue;
		if (end && e->until - e->ns > end + gap) {
			add_stretch(spans, "paused", start, end, zero);
			end = 0;
		}
		if (!end)
			start = e->until - e->ns > from ? e->until - e->ns : from;
		end = least(e->until, to);
	}
	if (end)
		add_stretch(spans, "paused", start, end, zero);
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

/* Explain the wait by a loss. Return: false if the loss does not explain it. */
static bool put_loss_cause(obj o, const struct rf_run_case *p, const struct rf_loss *l,
			   uint64_t from, uint64_t to, uint64_t zero)
{
	uint64_t failed = rf_timeline_failed_ns(&p->rec.tl, l ? l->hit->step : 0);
	uint64_t timer = rf_case_timer_ns(p->test_case);
	const struct rf_rank_end *end;
	char why[192], reason[96], time[RF_FMT_LEN];
	uint32_t step;
	size_t n;

	if (!l || l->hit->t_ns < from || l->hit->t_ns > to)
		return false;
	end = rf_timeline_ended(&p->rec.tl, &step);
	if (l->first && rf_case_ended_by(p, l)) {
		rf_end_reason(end, ":;", reason, sizeof(reason));
		snprintf(why, sizeof(why), "until rank %td gives up and the job fails: %s",
			 end - p->rec.tl.end, reason);
		put_silence(o, l->hit->t_ns, failed, zero, why);
		return true;
	}
	if (l->first) {
		say_why(p, l, why, sizeof(why));
		put_silence(o, l->hit->t_ns, l->first->t_ns, zero, why);
		return true;
	}
	if (!end || !rf_loss_is_final(&p->rec, l) || failed <= l->hit->t_ns)
		return false;
	n = snprintf(why, sizeof(why), "until rank %td gives up and the job fails: %s",
		     end - p->rec.tl.end, rf_loss_in_blackhole(l->hit) ? "no retransmission passes the blackhole" :
		     l->revealed ? "no NAK causes a retransmission" :
		     "no packet follows that could reveal the loss");
	if (timer > failed - l->hit->t_ns)
		snprintf(why + n, sizeof(why) - n, ", and the sender's timer (%s) does not expire",
			 rf_fmt_time(timer, time));
	put_silence(o, l->hit->t_ns, failed, zero, why);
	return true;
}

/* Explain the wait in the shown step by pauses. */
static void put_pause_cause(obj o, const struct rf_run_case *p, uint64_t zero)
{
	const struct rf_event *again, *pause;
	struct paused all[PAUSED_MAX];
	uint32_t step = shown_step(p);
	char why[192], time[RF_FMT_LEN];
	uint64_t from, to;

	if (!rf_timeline_span(&p->rec.tl, step, step, &from, &to) ||
	    !find_pauses(p, from, to, all))
		return;
	pause = all[0].e;
	again = retransmission(p, pause->until, to);
	if (again && again->t_ns - pause->until > pause->ns) {
		snprintf(why, sizeof(why), "until a sender's timer expires: packets were lost while priority %u of port %s was paused (%s)",
			 pause->prio, pause->dev, rf_fmt_time(pause->ns, time));
		put_silence(o, pause->until - pause->ns, again->t_ns, zero, why);
	} else if (pause->ns >= all[0].ns - all[0].ns / 10) {
		snprintf(why, sizeof(why), "priority %u of port %s is paused", pause->prio, pause->dev);
		put_silence(o, pause->until - pause->ns, pause->until, zero, why);
	} else {
		snprintf(why, sizeof(why), "step %u, in which priority %u of port %s is paused for %s in total",
			 step, pause->prio, pause->dev, rf_fmt_time(all[0].ns, time));
		put_silence(o, from, to, zero, why);
	}
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
	uint32_t step = shown_step(p), first, last, rank, i;
	const struct rf_loss *l = rf_shown_loss(p);
	struct paused paused[PAUSED_MAX];
	uint64_t from, to, zero;
	obj o, rows, pauses, row;
	size_t n;

	if (!step)
		return NULL;
	first = step > 1 ? step - 1 : 1;
	last = step < tl->iters && !rf_case_has_ended(p) ? step + 1 : step;
	if (!rf_timeline_span(tl, first, last, &from, &to))
		return NULL;
	if (l && (l->hit->t_ns < from || l->hit->t_ns > to))
		l = NULL;
	zero = l ? l->hit->t_ns : from;
	o = json_object_new_object();
	rf_put_u64(o, "step", step);
	rf_put_u64(o, "first_step", first);
	rf_put_u64(o, "last_step", last);
	if (tl->of_command)
		json_object_object_add(o, "of_command", json_object_new_boolean(true));
	rf_put_text(o, "zero", l ? "hit" : "first step");
	rf_put_u64(o, "zero_ns", zero);
	rf_number_put(o, "from_us", ((double)from - zero) / 1000.0);
	rf_number_put(o, "to_us", ((double)to - zero) / 1000.0);
	rows = rf_put_list(o, "ranks");
	for (rank = 0; rank < tl->ranks; rank++)
		put_rank(rf_list_object(rows), p, rank, first, last, zero);
	put_marks(rf_put_list(o, "hits"), p, from, to, zero);
	n = find_pauses(p, from, to, paused);
	pauses = rf_put_list(o, "pauses");
	for (i = 0; i < n; i++) {
		row = rf_list_object(pauses);
		rf_put_text(row, "port", paused[i].e->dev);
		rf_put_u64(row, "prio", paused[i].e->prio);
		put_pauses(rf_put_list(row, "spans"), p, paused[i].e, from, to, zero);
	}
	if (!put_loss_cause(o, p, l, from, to, zero))
		put_pause_cause(o, p, zero);
	return o;
}
