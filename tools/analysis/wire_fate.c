// SPDX-License-Identifier: GPL-2.0
/*
 * Find out which transmissions arrived, and which were lost, and where.
 *
 * The transmissions of one PSN, and their copies, are tokens that move from port to port. Packets
 * stay in order between two ports unless a fault holds them, so the oldest token passes a port
 * first. If fewer packets arrive than are on their way, the arrivals are those of the latest
 * transmissions that are possible.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

#define HOPS	24		/* most ports and directions on a path */
#define COPIES	16		/* most copies of one packet; their number is not recorded */

struct token {
	struct rf_pass *sent;	/* NULL: the transmission was not recorded */
	uint64_t ready;		/* it passes no port before */
	bool held, damaged, copy;
	uint32_t been[HOPS];
	uint32_t hops;
};

/* The packets of one PSN, and its tokens */
struct psn {
	struct rf_wire *w;
	struct rf_pass **p;
	size_t n;
	struct token *token;
	size_t ntokens, room;
	bool mixed;		/* the tokens are not in the order of their time */
	bool blind;		/* packets can be lost without a record */
	bool damaged;		/* a header of the case was damaged */
};

static bool same_psn(const struct rf_pass *a, const struct rf_pass *b)
{
	return a->e->psn == b->e->psn && a->kind == b->kind && a->forged == b->forged &&
	       rf_event_same_flow(a->e, b->e);
}

static int order(const void *a, const void *b)
{
	const struct rf_pass *x = *(struct rf_pass *const *)a, *y = *(struct rf_pass *const *)b;
	int cmp;

	if (x->e->psn != y->e->psn)
		return x->e->psn < y->e->psn ? -1 : 1;
	if (x->e->qp != y->e->qp)
		return x->e->qp < y->e->qp ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->forged != y->forged)
		return x->forged - y->forged;
	cmp = memcmp(x->e->saddr, y->e->saddr, 16);
	cmp = cmp ? cmp : memcmp(x->e->daddr, y->e->daddr, 16);
	return cmp ? cmp : (x > y) - (x < y);
}

static int add_token(struct psn *s, const struct token *t)
{
	size_t room = s->room ? 2 * s->room : 32;
	struct token *all;

	if (s->ntokens == s->room) {
		all = realloc(s->token, room * sizeof(*all));
		if (!all)
			return -ENOMEM;
		s->token = all;
		s->room = room;
	}
	s->token[s->ntokens++] = *t;
	return 0;
}

static void take_token(struct psn *s, size_t i)
{
	memmove(&s->token[i], &s->token[i + 1], (s->ntokens - i - 1) * sizeof(*s->token));
	s->ntokens--;
}

static uint64_t delay_of(const struct rf_event *e)
{
	uint64_t ns = 0;
	uint32_t i;

	for (i = 0; i < e->count; i++)
		if (e->types[i] == RDMAFAULT_ACTION_DELAY)
			ns += e->values[i];
	return ns;
}

static void is_lost(struct token *t, const struct rf_event *fault)
{
	if (!t->sent->lost) {
		t->sent->lost = true;
		t->sent->lost_by = fault;
	}
	t->damaged = true;
}

/* Apply the faults of one port to a token. Return: false if a fault removed it */
static bool passes(const struct rf_wire *w, const struct rf_pass *p, struct token *t, bool *copied)
{
	const struct rf_event *f;

	for (f = p->fault; f; f = rf_pass_next_fault(w, f)) {
		if (rf_pass_is_removed_by(w, f)) {
			is_lost(t, f);
			return false;
		}
		if (rf_event_damages(f) && !t->damaged)
			is_lost(t, f);
		if (rf_event_has_action(f, RDMAFAULT_ACTION_DELAY) ||
		    rf_event_has_action(f, RDMAFAULT_ACTION_REORDER)) {
			t->held = true;
			if (f->t_ns + delay_of(f) > t->ready)
				t->ready = f->t_ns + delay_of(f);
		}
		*copied |= rf_event_has_action(f, RDMAFAULT_ACTION_DUPLICATE);
	}
	return true;
}

/* Move a token through a port, and add what leaves it: the token and its copies. */
static int pass_port(struct psn *s, const struct rf_pass *p, struct token t)
{
	bool copied = false;
	int i, err;

	if (!passes(s->w, p, &t, &copied))
		return 0;
	s->mixed |= t.held || copied;
	err = add_token(s, &t);
	t.held = true;
	t.copy = true;
	for (i = 0; !err && copied && i < COPIES; i++)
		err = add_token(s, &t);
	return err;
}

static bool has_left(const struct token *t, const struct rf_pass *p)
{
	return !t->sent || t->sent->t <= p->t;
}

static bool has_been(const struct token *t, uint32_t port)
{
	uint32_t i;

	for (i = 0; i < t->hops; i++)
		if (t->been[i] == port)
			return true;
	return false;
}

/* Check whether the token @a passes a port before @b, at the time @t. */
static bool is_before(const struct token *a, const struct token *b, uint64_t t)
{
	bool a_later = a->ready > t, b_later = b->ready > t;

	if (a_later != b_later)
		return b_later;
	if (a->copy != b->copy)
		return b->copy;
	return a->ready < b->ready;
}

/* Return: the token that passes a switch port with the packet @p; ntokens: none */
static size_t find_passing(const struct psn *s, const struct rf_pass *p)
{
	size_t i, best = s->ntokens;

	for (i = 0; i < s->ntokens; i++)
		if (has_left(&s->token[i], p) && !has_been(&s->token[i], p->port) &&
		    (best == s->ntokens || is_before(&s->token[i], &s->token[best], p->t)))
			best = i;
	return best;
}

/* Check whether the token @a is rather the one that arrives at the time @t than @b. */
static bool arrives_rather(const struct token *a, const struct token *b, uint64_t t)
{
	bool a_later = a->ready > t, b_later = b->ready > t;

	if (a_later != b_later)
		return b_later;
	if (a->ready != b->ready)
		return a->ready > b->ready;
	return !a->copy && b->copy;
}

static size_t find_arriving(const struct psn *s, const struct rf_pass *p)
{
	size_t i, best = s->ntokens;

	/* Most packets pass no fault. The same PSN can be acknowledged many times. */
	for (i = s->ntokens; !s->mixed && i-- > 0;) {
		if (s->token[i].ready <= p->t)
			return i;
		if (best == s->ntokens && has_left(&s->token[i], p))
			best = i;
	}
	for (i = 0; s->mixed && i < s->ntokens; i++)
		if (has_left(&s->token[i], p) &&
		    (best == s->ntokens || arrives_rather(&s->token[i], &s->token[best], p->t)))
			best = i;
	return best;
}

static bool has_loss(const struct rf_wire *w, const struct rf_pass *p)
{
	const struct rf_event *f;

	for (f = p->fault; f; f = rf_pass_next_fault(w, f))
		if (rf_pass_is_removed_by(w, f) || rf_event_damages(f))
			return true;
	return false;
}

/* Return: the first packet at the port of the sender; NULL: none was recorded */
static const struct rf_pass *first_sent(const struct psn *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->p[i]->place == RF_AT_SENDER)
			return s->p[i];
	return NULL;
}

/* Let a packet stand for its transmission, which left before those that were recorded. */
static struct rf_pass *stand_in(const struct psn *s, struct rf_pass *p)
{
	const struct rf_pass *first = first_sent(s);

	if (first && first->t <= p->t)
		p->t = first->t ? first->t - 1 : 0;
	return p;
}

/* Check whether a fault at another port damaged a packet before the event @e. */
static bool damaged_elsewhere(const struct rf_wire *w, const struct rf_event *e)
{
	const struct rf_event *f;

	for (f = w->rec->ev.e; f < e; f++)
		if (rf_event_damages(f) && (f->dir != e->dir || strcmp(f->dev, e->dev)))
			return true;
	return false;
}

/*
 * A packet without a transmission that was recorded. A fault that removes it is a loss. A packet
 * with a damaged header can have any PSN; it was lost before.
 */
static int take_orphan(struct psn *s, struct rf_pass *p)
{
	struct token t = { .sent = p, .ready = p->last, .been = { p->port }, .hops = 1 };

	if (p->forged || !has_loss(s->w, p) || (s->damaged && damaged_elsewhere(s->w, p->e)))
		return 0;
	p->sent = stand_in(s, p);
	s->mixed = true;
	return pass_port(s, p, t);
}

/* Find the transmissions of arrivals, the latest first. */
static int arrive(struct psn *s, struct rf_pass **from, struct rf_pass **to)
{
	struct rf_pass *p;
	struct token t;
	bool copied;
	size_t i;
	int err;

	while (to-- > from) {
		p = *to;
		if (p->place != RF_AT_RECEIVER)
			continue;
		i = find_arriving(s, p);
		if (i == s->ntokens) {
			p->damaged = s->damaged && !p->forged;
			err = take_orphan(s, p);
			if (err)
				return err;
			continue;
		}
		t = s->token[i];
		take_token(s, i);
		t.sent = t.sent ? t.sent : stand_in(s, p);
		p->sent = t.sent;
		p->damaged = t.damaged;
		passes(s->w, p, &t, &copied);
		if (rf_pass_is_accepted(s->w, p))
			p->sent->arrived = p;
	}
	return 0;
}

static int take_at_switch(struct psn *s, struct rf_pass *p)
{
	size_t i = find_passing(s, p);
	struct token t;

	s->mixed = true;
	if (i == s->ntokens)
		return take_orphan(s, p);
	t = s->token[i];
	take_token(s, i);
	t.sent = t.sent ? t.sent : stand_in(s, p);
	p->sent = t.sent;
	if (t.hops < HOPS)
		t.been[t.hops++] = p->port;
	return pass_port(s, p, t);
}

/*
 * Decide the fate of the transmissions that did not arrive. A transmission without a fault is
 * lost if its arrival would have been recorded, and something loses packets without a record.
 */
static void decide(const struct psn *s)
{
	uint32_t receiver = rf_wire_nic(s->w, s->p[0]->e->daddr, RDMAFAULT_DIRECTION_RX);
	struct rf_pass *p;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->p[i]->arrived) {
			s->p[i]->lost = false;
			s->p[i]->lost_by = NULL;
		}
	for (i = 0; s->blind && i < s->ntokens; i++) {
		p = s->token[i].sent;
		if (p && !p->arrived && !p->lost && !s->token[i].copy && !s->token[i].held &&
		    p->place == RF_AT_SENDER && rf_wire_covers(s->w, receiver, p->e))
			p->lost = true;
	}
}

/*
 * Add the transmissions that left before the first recorded one: its attempt gives their number.
 * The attempt of a response also counts RNR NAKs, and that of a READ the requests that contain it.
 */
static int add_earlier(struct psn *s)
{
	const struct rf_pass *first = first_sent(s);
	uint32_t i;
	int err = 0;

	if (!first || first->kind != RF_PASS_REQUEST ||
	    first->e->class & RDMAFAULT_CLASS_READ_REQUEST)
		return 0;
	for (i = 1; !err && i < first->e->attempt && i <= COPIES; i++)
		err = add_token(s, &(struct token){ });
	return err;
}

static int deliver(struct psn *s)
{
	struct rf_pass **from = s->p, **p;
	int err;

	s->ntokens = 0;
	s->mixed = false;
	err = add_earlier(s);
	for (p = s->p; !err && p < s->p + s->n; p++) {
		if ((*p)->place == RF_AT_SENDER) {
			(*p)->sent = *p;
			err = pass_port(s, *p, (struct token){ .sent = *p, .ready = (*p)->last });
		} else if ((*p)->place == RF_AT_SWITCH) {
			err = arrive(s, from, p);
			from = p + 1;
			if (!err)
				err = take_at_switch(s, *p);
		}
	}
	if (!err)
		err = arrive(s, from, s->p + s->n);
	if (!err)
		decide(s);
	return err;
}

/* Check whether packets can be lost without a record: in a blackhole, or in a full queue. */
static bool is_blind(const struct rf_record *rec)
{
	uint64_t dropped = 0;
	size_t i;
	int prio;

	for (i = 0; i < rec->ev.n; i++)
		if (rec->ev.e[i].fault &&
		    rf_event_has_action(&rec->ev.e[i], RDMAFAULT_ACTION_BLACKHOLE))
			return true;
	for (i = 0; i < rec->nports; i++)
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
			dropped += rec->ports[i].prio[prio].dropped;
	return dropped;
}

static bool damages_headers(const struct rf_events *ev)
{
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (rf_event_damages(&ev->e[i]))
			return true;
	return false;
}

/**
 * rf_wire_deliver - find the fate of each transmission
 * @w: the packets, with their connections
 *
 * Return: 0, or -ENOMEM.
 */
int rf_wire_deliver(struct rf_wire *w)
{
	struct rf_pass **all = calloc(w->n + 1, sizeof(*all));
	struct psn s = {
		.w = w, .blind = is_blind(w->rec), .damaged = damages_headers(&w->rec->ev),
	};
	size_t i;
	int err = all ? 0 : -ENOMEM;

	for (i = 0; !err && i < w->n; i++)
		all[i] = &w->pass[i];
	if (!err && w->n)
		qsort(all, w->n, sizeof(*all), order);
	for (i = 0; !err && i < w->n; i += s.n) {
		s.p = &all[i];
		for (s.n = 1; i + s.n < w->n && same_psn(s.p[0], s.p[s.n]); s.n++)
			;
		err = deliver(&s);
	}
	free(s.token);
	free(all);
	return err;
}
