// SPDX-License-Identifier: GPL-2.0
/*
 * Attribute the lost time of a case to its faults. A step that took longer than the slowest
 * clean step has lost its time above the median of the clean steps.
 *
 * The evidence of a cause is a set of spans. A hit packet has a span from the hit to the last
 * packet of the retransmission that repaired it, or as long as the rule held it. A storm has
 * the time in which it paused a port with traffic in this priority, and a straggler the time
 * from the start of the first rank of a step to the start of the last rank. A link that goes down
 * has the time in which it is down, and the spans of packets that are lost in this time. A change
 * of a setting leaves no evidence in the record, so it has the time in which no other cause has a
 * span, from its begin to its end.
 *
 * In a step, causes share the time in which their spans overlap equally. If the spans cover
 * more than the lost time, because the step would have taken some of this time anyway, all
 * shares of the step are reduced by the same factor. If they cover less, the rest is unexplained.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "tools/scenario/scenario.h"

enum edge_kind { STEP_END, STEP_BEGIN, SPAN_END, SPAN_BEGIN };

struct edge {
	uint64_t t;
	enum edge_kind kind;
	uint32_t of;			/* the step, or the cause */
};

struct cause {
	uint32_t active;		/* spans of the cause that include the current time */
	bool change;			/* a change of a setting, see above */
	double covered;			/* in the current step */
};

struct sweep {
	const struct rf_run_case *p;
	struct edge *edge;
	size_t n, room;
	bool no_memory;
	struct cause *cause;		/* by fault, and behind them the straggler */
	uint32_t step;			/* the current step; 0: none */
	struct rf_lost_time *lost;
};

static void add_edge(struct sweep *s, uint64_t t, enum edge_kind kind, uint32_t of)
{
	struct edge *more;

	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		more = reallocarray(s->edge, s->room, sizeof(*more));
		if (!more) {
			s->no_memory = true;
			s->room = s->n;
			return;
		}
		s->edge = more;
	}
	s->edge[s->n++] = (struct edge){ t, kind, of };
}

static void add_span(struct sweep *s, uint64_t from, uint64_t to, uint32_t cause)
{
	if (to <= from)
		return;
	add_edge(s, from, SPAN_BEGIN, cause);
	add_edge(s, to, SPAN_END, cause);
}

/* ---- spans of packets ---- */

static void be_later(uint64_t *t, const struct rf_event *e)
{
	if (e && e->t_ns > *t)
		*t = e->t_ns;
}

/* Return: the time at which a hit packet was repaired, or released; UINT64_MAX: never repaired */
static uint64_t repaired(const struct rf_loss *l)
{
	uint64_t t = l->hit->t_ns;
	uint32_t i;

	for (i = 0; i < l->hit->count && i < RDMAFAULT_ACTIONS_MAX; i++)
		if (l->hit->types[i] == RDMAFAULT_ACTION_DELAY)
			t += l->hit->values[i];
	be_later(&t, l->again);
	be_later(&t, l->recovery);
	be_later(&t, l->covered);
	if (l->lost && t == l->hit->t_ns)
		return UINT64_MAX;
	be_later(&t, l->last);
	return t;
}

static void add_hits(struct sweep *s)
{
	const struct rf_analysis *an = s->p->an;
	const struct rf_rule_tally *rule;
	const struct rf_loss *l;

	for (l = an->losses; l < an->losses + an->nhits; l++) {
		rule = rf_record_rule_of(&s->p->rec, l->hit);
		if (rule)
			add_span(s, l->hit->t_ns, repaired(l), rule->fault);
	}
}

/* ---- spans of pauses ---- */

/* Get when a fault was active. */
static void active(const struct rf_run_case *p, uint32_t fault, uint64_t *from, uint64_t *to)
{
	const struct rf_done *d = p->rec.done;
	bool begun = p->test_case->faults[fault].when.clock == RF_CLOCK_NONE;

	*from = begun ? 0 : UINT64_MAX;
	*to = UINT64_MAX;
	for (; d < p->rec.done + p->rec.ndone; d++)
		if (d->fault == fault)
			*(d->undo ? to : from) = d->t_ns;
}

/* Add the pauses of a priority that have this source and are in effect while a fault is active. */
static void add_pauses(struct sweep *s, uint32_t fault, const char *dev, uint32_t prio,
		       uint32_t source)
{
	const struct rf_events *ev = &s->p->rec.ev;
	uint64_t begin, end, since = 0, until = 0;
	const struct rf_event *e;
	bool paused = false;

	active(s->p, fault, &begin, &end);
	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (e->kind != RF_EVENT_PAUSE || e->prio != prio || strcmp(e->dev, dev))
			continue;
		if (paused && !e->paused && e->until > begin && since < end)
			add_span(s, since, e->until, fault);
		if (e->paused && !paused)
			since = e->t_ns;
		paused = e->paused && (paused || e->source == source);
		until = e->until;
	}
	if (paused && until > begin && since < end)
		add_span(s, since, until, fault);
}

enum { BY_FRAME, BY_STORM };		/* sources of a pause, as in kmod/trace.h */

static void add_storm(struct sweep *s, uint32_t fault)
{
	const struct rf_fault *f = &s->p->test_case->faults[fault];
	bool frames = f->kind == RF_FAULT_PAUSE || f->storm.flags & RDMAFAULT_STORM_FLAG_FRAMES;
	uint32_t prios = f->kind == RF_FAULT_PAUSE ? f->prios : f->storm.prios, prio;
	char partner[16], own[16];
	const char *dev = frames ? partner : own;

	rf_fabric_partner(f->port, partner);
	/* The name of the netdev, also for an RDMA device */
	rf_fabric_partner(partner, own);
	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		if (prios & 1u << prio && rf_prio_has_traffic(&s->p->rec, dev, prio))
			add_pauses(s, fault, dev, prio, frames ? BY_FRAME : BY_STORM);
}

/* ---- all spans ---- */

/*
 * Add the packets that were lost without a hit while a link was down. The kernel drops the packets
 * towards the port.
 */
static void add_unhit_losses(struct sweep *s, uint32_t fault, uint64_t from, uint64_t to)
{
	const struct rf_analysis *an = s->p->an;
	const struct rf_loss *l;

	for (l = an->losses + an->nhits; l < an->losses + an->nlosses; l++)
		if (l->hit->t_ns >= from && l->hit->t_ns < to)
			add_span(s, l->hit->t_ns, repaired(l), fault);
}

static void add_fault_spans(struct sweep *s, uint32_t fault)
{
	const struct rf_fault *f = &s->p->test_case->faults[fault];
	uint64_t from, to;

	if (f->kind == RF_FAULT_STORM || f->kind == RF_FAULT_PAUSE)
		add_storm(s, fault);
	if (f->kind != RF_FAULT_CHANGE && f->kind != RF_FAULT_LINK_DOWN)
		return;
	s->cause[fault].change = f->kind == RF_FAULT_CHANGE;
	active(s->p, fault, &from, &to);
	add_span(s, from, to, fault);
	if (f->kind == RF_FAULT_LINK_DOWN)
		add_unhit_losses(s, fault, from, to);
}

static void add_steps(struct sweep *s)
{
	bool straggler = rf_options_have(&s->p->test_case->workload, "straggler");
	const struct rf_timeline *tl = &s->p->rec.tl;
	uint64_t from, to, last;
	const struct rf_step *one;
	uint32_t step, rank;

	for (step = 1; step <= tl->iters; step++) {
		if (!rf_timeline_span(tl, step, step, &from, &to))
			continue;
		add_edge(s, from, STEP_BEGIN, step);
		add_edge(s, to, STEP_END, step);
		for (last = from, rank = 0; straggler && rank < tl->ranks; rank++) {
			one = rf_timeline_step(tl, rank, step);
			last = one && one->start_ns > last ? one->start_ns : last;
		}
		add_span(s, from, last, s->p->test_case->nfaults);
	}
}

/* ---- the shares ---- */

/* Distribute the lost time of the current step. */
static void settle(struct sweep *s)
{
	const struct rf_analysis *an = s->p->an;
	size_t n = s->p->test_case->nfaults + 1, i;
	uint64_t ns = s->step ? rf_timeline_whole_ns(&s->p->rec.tl, s->step) : 0;
	double lost = 0, covered[2] = { }, share[2];
	bool change;

	if (ns > an->clean_max_ns)
		lost = ns - an->clean_ns;
	for (i = 0; i < n; i++)
		covered[s->cause[i].change] += s->cause[i].covered;
	share[false] = covered[false] < lost ? covered[false] : lost;
	share[true] = covered[true] < lost - share[false] ? covered[true] : lost - share[false];
	for (i = 0; i < n; i++) {
		change = s->cause[i].change;
		if (s->cause[i].covered)
			s->lost->cause_ns[i] += share[change] * s->cause[i].covered /
						covered[change];
		s->cause[i].covered = 0;
	}
	s->lost->total_ns += lost;
	s->lost->unexplained_ns += lost - share[false] - share[true];
	s->lost->steps += lost > 0;
	s->step = 0;
}

/* Share a time of the current step among the active causes. */
static void cover(struct sweep *s, uint64_t ns)
{
	size_t n = s->p->test_case->nfaults + 1, active[2] = { }, i;
	bool change;

	for (i = 0; i < n; i++)
		active[s->cause[i].change] += s->cause[i].active > 0;
	change = !active[false];
	for (i = 0; s->step && i < n; i++)
		if (s->cause[i].active && s->cause[i].change == change)
			s->cause[i].covered += (double)ns / active[change];
}

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static void go_over(struct sweep *s)
{
	const struct edge *e;
	uint64_t t = 0;

	qsort(s->edge, s->n, sizeof(*s->edge), by_time);
	for (e = s->edge; e < s->edge + s->n; e++) {
		cover(s, e->t - t);
		t = e->t;
		if (e->kind == SPAN_BEGIN)
			s->cause[e->of].active++;
		else if (e->kind == SPAN_END)
			s->cause[e->of].active--;
		else if (e->kind == STEP_BEGIN || s->step == e->of)
			settle(s);
		if (e->kind == STEP_BEGIN)
			s->step = e->of;
	}
}

/**
 * rf_lost_time - attribute the lost time of a case to its faults
 * @p: the case
 * @lost: filled in; rf_lost_time_free() frees it, also after an error
 *
 * Return: NULL, or the reason why the lost time is not known.
 */
const char *rf_lost_time(const struct rf_run_case *p, struct rf_lost_time *lost)
{
	size_t n = p->test_case->nfaults + 1;
	struct sweep s = { .p = p, .lost = lost };
	uint32_t fault;

	*lost = (struct rf_lost_time){ };
	if (!p->an->clean_ns)
		return "no case without faults has steps to compare with";
	if (!rf_case_is_whole(p))
		return "the job ended before its last step was complete";
	s.cause = calloc(n, sizeof(*s.cause));
	lost->cause_ns = calloc(n, sizeof(*lost->cause_ns));
	if (s.cause && lost->cause_ns) {
		add_hits(&s);
		for (fault = 0; fault < n - 1; fault++)
			add_fault_spans(&s, fault);
		add_steps(&s);
		if (!s.no_memory)
			go_over(&s);
	}
	s.no_memory |= !s.cause || !lost->cause_ns;
	free(s.cause);
	free(s.edge);
	return s.no_memory ? "no memory" : NULL;
}

/** rf_lost_time_free - free the memory of a lost time */
void rf_lost_time_free(struct rf_lost_time *lost)
{
	free(lost->cause_ns);
	lost->cause_ns = NULL;
}
