// SPDX-License-Identifier: GPL-2.0
/*
 * Make packets of events, and connections of packets. Find out which transmissions arrived, and
 * when a requester went back to an earlier PSN, and why. wire_ports.c has the ports.
 *
 * A packet has an event for each rule that hit it at a port, and one if it was observed there. A
 * connection has the requests of one queue pair to another, and their responses. Responses have
 * the PSNs of the requests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"
#include "wire.h"

/* Number of earlier events that are searched for the same packet; its events are close together */
#define NEAR			64
/* A response belongs to a request with one of so many earlier PSNs */
#define RESPONSE_PSNS		1024

/** rf_event_has_action - check whether a rule applied an action to the packet that it hit */
bool rf_event_has_action(const struct rf_event *e, uint32_t action)
{
	uint32_t i;

	for (i = 0; i < e->count; i++)
		if (e->types[i] == action && rf_event_changed(e, i))
			return true;
	return e->action == action && rf_event_changed(e, 0);
}

/** rf_event_damages - check whether a fault changed a packet so that its receiver discards it */
bool rf_event_damages(const struct rf_event *e)
{
	return e->fault && e->taken == RF_TAKEN_NOT &&
	       (rf_event_has_action(e, RDMAFAULT_ACTION_CORRUPT) ||
		rf_event_has_action(e, RDMAFAULT_ACTION_TRUNCATE));
}

static bool forges(const struct rf_event *e)
{
	return e->fault && (rf_event_has_action(e, RDMAFAULT_ACTION_NAK) ||
			    rf_event_has_action(e, RDMAFAULT_ACTION_RNR));
}

/** rf_pass_is_removed_by - check whether a fault removed a packet from its way */
bool rf_pass_is_removed_by(const struct rf_wire *w, const struct rf_event *e)
{
	if (!e->fault)
		return false;
	if (rf_event_has_action(e, RDMAFAULT_ACTION_DROP) ||
	    rf_event_has_action(e, RDMAFAULT_ACTION_BLACKHOLE))
		return true;
	return forges(e) && !w->unanswered[e - w->rec->ev.e];
}

/** rf_pass_next_fault - get the next fault of the packet of a fault; NULL if there is none */
const struct rf_event *rf_pass_next_fault(const struct rf_wire *w, const struct rf_event *e)
{
	const struct rf_events *ev = &w->rec->ev;
	const struct rf_event *next;
	uint32_t of = w->of[e - ev->e];

	for (next = e + 1; next < ev->e + ev->n && next - e < NEAR; next++)
		if (next->fault && w->of[next - ev->e] == of)
			return next;
	return NULL;
}

/** rf_pass_is_accepted - check whether the receiver accepts a packet that arrived */
bool rf_pass_is_accepted(const struct rf_wire *w, const struct rf_pass *p)
{
	const struct rf_event *f;

	for (f = p->fault; f; f = rf_pass_next_fault(w, f))
		if (rf_event_damages(f) || rf_pass_is_removed_by(w, f))
			return false;
	return !p->damaged;
}

/** rf_wire_pass - get the packet of an event; NULL if it is not a packet of a connection */
const struct rf_pass *rf_wire_pass(const struct rf_wire *w, const struct rf_event *e)
{
	uint32_t of = w->of[e - w->rec->ev.e];

	return of ? &w->pass[of - 1] : NULL;
}

/* Add a packet to a list. Return: 0, or -ENOMEM */
static int add_pass(struct rf_passes *s, struct rf_pass *p)
{
	struct rf_pass **all;

	/* The list grows when its length is a power of two. */
	if (!(s->n & (s->n - 1))) {
		all = realloc(s->p, (s->n ? 2 * s->n : 1) * sizeof(*all));
		if (!all)
			return -ENOMEM;
		s->p = all;
	}
	s->p[s->n++] = p;
	return 0;
}

/** rf_passes_after - get the index of the first packet that is later than @t */
size_t rf_passes_after(const struct rf_passes *s, uint64_t t)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->p[mid]->t <= t)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* ---- packets ---- */

static enum rf_pass_kind pass_kind(const struct rf_event *e)
{
	if (!rf_opcode_is_response(e->opcode))
		return RF_PASS_REQUEST;
	if (e->opcode != RF_OPCODE_ACK)
		return RF_PASS_RESPONSE;
	if (e->class & RDMAFAULT_CLASS_RNR)
		return RF_PASS_RNR;
	return e->class & RDMAFAULT_CLASS_NAK ? RF_PASS_NAK : RF_PASS_ACK;
}

static bool is_same(const struct rf_event *a, const struct rf_event *b)
{
	if (a->dir != b->dir || strcmp(a->dev, b->dev))
		return false;
	if (a->seq || b->seq)
		return a->seq == b->seq;
	return b->fault && a->psn == b->psn && a->attempt == b->attempt &&
	       a->opcode == b->opcode && rf_event_same_flow(a, b);
}

static uint32_t earlier_pass(const struct rf_wire *w, size_t i)
{
	const struct rf_event *e = w->rec->ev.e;
	size_t k;

	for (k = i; k > 0 && i - k < NEAR; k--)
		if (w->of[k - 1] && is_same(&e[k - 1], &e[i]))
			return w->of[k - 1];
	return 0;
}

static void add_to_pass(struct rf_wire *w, size_t i)
{
	const struct rf_event *e = &w->rec->ev.e[i];
	struct rf_pass *p;

	if (e->kind != RF_EVENT_HIT || e->opcode > RF_OPCODE_RC_LAST)
		return;
	w->of[i] = earlier_pass(w, i);
	if (!w->of[i]) {
		w->pass[w->n] = (struct rf_pass){
			.e = e, .t = e->t_ns, .kind = pass_kind(e), .conn = RF_NO_CONN,
		};
		w->of[i] = ++w->n;
	}
	p = &w->pass[w->of[i] - 1];
	p->last = e->t_ns;
	if (e->fault && !p->fault)
		p->fault = e;
}

/* ---- connections ---- */

static bool same_way(const struct rf_event *a, const struct rf_event *b)
{
	return !memcmp(a->saddr, b->saddr, 16) && !memcmp(a->daddr, b->daddr, 16);
}

static bool is_way_back(const struct rf_event *a, const struct rf_event *b)
{
	return !memcmp(a->saddr, b->daddr, 16) && !memcmp(a->daddr, b->saddr, 16);
}

static uint32_t conn_of_request(const struct rf_wire *w, const struct rf_event *e)
{
	const struct rf_conn *conn;

	for (conn = w->conn; conn < w->conn + w->nconns; conn++)
		if (conn->first->qp == e->qp && !rf_opcode_is_response(conn->first->opcode) &&
		    same_way(conn->first, e))
			return conn - w->conn;
	return RF_NO_CONN;
}

static int add_conn(struct rf_wire *w, struct rf_pass *p, const struct rf_qp *qp)
{
	struct rf_conn *all;

	all = reallocarray(w->conn, w->nconns + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	w->conn = all;
	p->conn = w->nconns++;
	all[p->conn] = (struct rf_conn){ .first = p->e, .qp = qp };
	return 0;
}

/* Return: the queue pair of the job to which a response goes; NULL: unknown */
static const struct rf_qp *requester(const struct rf_timeline *tl, const struct rf_event *e)
{
	char saddr[48], daddr[48];
	const struct rf_qp *qp;

	rf_event_addr(e, e->saddr, saddr, sizeof(saddr));
	rf_event_addr(e, e->daddr, daddr, sizeof(daddr));
	for (qp = tl->qps; qp < tl->qps + tl->nqps; qp++)
		if (qp->qpn == e->qp && !strcmp(qp->addr, daddr) && !strcmp(qp->peer_addr, saddr))
			return qp;
	return NULL;
}

static bool can_answer(const struct rf_pass *response, const struct rf_pass *p)
{
	return p->kind == RF_PASS_REQUEST && is_way_back(p->e, response->e) &&
	       ((response->e->psn - p->e->psn) & 0xffffff) < RESPONSE_PSNS;
}

/*
 * Find the connection of a response whose queue pair is not known: that of the last request
 * between the same addresses that has this PSN. If requests are recorded only when they are
 * repeated, it is the next one.
 */
static uint32_t guess_conn(const struct rf_wire *w, const struct rf_pass *response)
{
	const struct rf_pass *p;

	for (p = response; p-- > w->pass;)
		if (can_answer(response, p))
			return p->conn;
	for (p = response + 1; p < w->pass + w->n; p++)
		if (can_answer(response, p) && p->e->attempt > 1)
			return p->conn;
	return RF_NO_CONN;
}

/* Find the connection of a response. It can have no recorded requests. */
static int find_conn(struct rf_wire *w, struct rf_pass *response, struct rf_passes *first)
{
	const struct rf_event *e = response->e;
	const struct rf_qp *qp;
	size_t i;
	int err;

	for (i = 0; i < first->n; i++)
		if (rf_event_same_flow(first->p[i]->e, e)) {
			response->conn = first->p[i]->conn;
			return 0;
		}
	err = add_pass(first, response);
	if (err)
		return err;
	qp = requester(&w->rec->tl, e);
	for (i = 0; qp && i < w->nconns; i++)
		if (w->conn[i].qp == qp) {
			response->conn = i;
			return 0;
		}
	if (!qp)
		response->conn = guess_conn(w, response);
	return response->conn == RF_NO_CONN ? add_conn(w, response, qp) : 0;
}

/* Find the connection of each packet. */
static int connect_passes(struct rf_wire *w)
{
	struct rf_passes first = { };
	struct rf_pass *p;
	int err = 0;

	for (p = w->pass; !err && p < w->pass + w->n; p++) {
		if (p->kind != RF_PASS_REQUEST)
			continue;
		p->conn = conn_of_request(w, p->e);
		if (p->conn == RF_NO_CONN)
			err = add_conn(w, p, rf_timeline_sender(&w->rec->tl, p->e));
	}
	for (p = w->pass; !err && p < w->pass + w->n; p++)
		if (p->kind != RF_PASS_REQUEST)
			err = find_conn(w, p, &first);
	for (p = w->pass; !err && p < w->pass + w->n; p++) {
		p->lin = (int64_t)w->conn[p->conn].first->psn +
			 rf_psn_diff(p->e->psn, w->conn[p->conn].first->psn);
		p->end = p->lin + 1;
	}
	free(first.p);
	return err;
}

/* Sort the packets at the ports of nodes into the lists of their connections. */
static int list_all(struct rf_wire *w)
{
	struct rf_conn *conn;
	struct rf_pass *p;
	bool request;
	int err = 0;

	for (p = w->pass; !err && p < w->pass + w->n; p++) {
		conn = &w->conn[p->conn];
		request = p->kind == RF_PASS_REQUEST;
		if (p->place == RF_AT_SENDER)
			err = add_pass(request ? &conn->requests : &conn->responses, p);
		else if (p->place == RF_AT_RECEIVER)
			err = add_pass(request ? &conn->arrived : &conn->answered, p);
		if (!err && p->place == RF_AT_SENDER)
			err = add_pass(&conn->by_psn, p);
		if (!err && p->place == RF_AT_SENDER &&
		    p->e->class & RDMAFAULT_CLASS_READ_REQUEST)
			err = add_pass(&conn->reads, p);
	}
	return err;
}

/* ---- forged NAKs ---- */

/* Check whether @p can be the NAK that a fault sent after it had removed the request of @hit. */
static bool is_forged_for(const struct rf_event *hit, const struct rf_pass *p)
{
	return (p->kind == RF_PASS_NAK || p->kind == RF_PASS_RNR) && !p->forged &&
	       p->e->psn == hit->psn && is_way_back(p->e, hit);
}

/*
 * Find the NAKs that a fault sent on behalf of a responder. Such a NAK leaves at once, and appears
 * only behind the port of the fault. If there is none, the fault did not know the queue pair of
 * the requester, and let the request pass.
 */
static void find_forged(struct rf_wire *w, const struct rf_event *hit)
{
	struct rf_pass *p = &w->pass[w->of[hit - w->rec->ev.e] - 1];
	bool answered = false;

	for (; p < w->pass + w->n; p++) {
		if (p->t < hit->t_ns || !is_forged_for(hit, p) ||
		    (p->place == RF_AT_SENDER && strcmp(p->e->dev, hit->dev)))
			continue;
		p->forged = true;
		answered = true;
		if (p->place != RF_AT_SENDER)
			break;
	}
	w->unanswered[hit - w->rec->ev.e] = !answered;
}

/* ---- which transmissions arrived, and which were lost, and where ---- */

/*
 * The transmissions of one PSN, and their copies, are tokens that move from port to port. Packets
 * stay in order between two ports unless a fault holds them, so the oldest token passes a port
 * first. If fewer packets arrive than are on their way, the arrivals are those of the latest
 * transmissions that are possible.
 */

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

static void mark_lost(struct token *t, const struct rf_event *fault)
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
			mark_lost(t, f);
			return false;
		}
		if (rf_event_damages(f) && !t->damaged)
			mark_lost(t, f);
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
	uint32_t receiver = rf_wire_nic(s->w, s->p[0]->e->daddr, false);
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

/*
 * Check whether packets can be lost without a record: in a blackhole, in a full queue, or on a link
 * that is down.
 */
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
	return dropped || rec->link_down;
}

static bool damages_headers(const struct rf_events *ev)
{
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (rf_event_damages(&ev->e[i]))
			return true;
	return false;
}

/* Find the fate of each transmission. */
static int deliver_all(struct rf_wire *w)
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

/* ---- when a requester went back to an earlier PSN, and why ---- */

/*
 * A retransmission goes back to a PSN and continues from there without a gap. A NAK, an RNR NAK
 * or a response that skips an earlier one can request it. Otherwise the timer expired. A response
 * that arrives after the requester went back is no reason for it.
 */

/* rxe's timers have the resolution of a clock tick of 4 ms, and a worker sends the packet. */
#define TICKS_NS	12000000

/* What the timer of a queue pair is if it is not known: that of timeout 14 */
#define TIMER_NS	(4096ull << 14)

static uint64_t timer_of(const struct rf_wire *w)
{
	return w->rec->timer_ns ? w->rec->timer_ns : TIMER_NS;
}

static bool is_read(const struct rf_pass *p)
{
	return p->e->class & RDMAFAULT_CLASS_READ_REQUEST;
}

/* ---- the PSNs of READs ---- */

static bool ends_read(const struct rf_pass *p)
{
	return p->e->class & RDMAFAULT_CLASS_READ_RESPONSE &&
	       p->e->position & (RDMAFAULT_POSITION_LAST | RDMAFAULT_POSITION_ONLY);
}

static int by_lin(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Set @lasts to the PSNs of the last responses to READs, sorted. Return: false without memory */
static bool find_lasts(const struct rf_conn *conn, int64_t **lasts, size_t *n)
{
	size_t i;

	*n = 0;
	*lasts = calloc(conn->responses.n + conn->answered.n + 1, sizeof(**lasts));
	if (!*lasts)
		return false;
	for (i = 0; i < conn->responses.n; i++)
		if (ends_read(conn->responses.p[i]))
			(*lasts)[(*n)++] = conn->responses.p[i]->lin;
	for (i = 0; i < conn->answered.n; i++)
		if (ends_read(conn->answered.p[i]))
			(*lasts)[(*n)++] = conn->answered.p[i]->lin;
	qsort(*lasts, *n, sizeof(**lasts), by_lin);
	return true;
}

/* Return: the first of the sorted numbers that is at least @lin; @n if there is none */
static size_t at_least(const int64_t *v, size_t n, int64_t lin)
{
	size_t low = 0, high = n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (v[mid] < lin)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Find how many PSNs each READ takes: one for each of its responses (IBTA vol. 1, 9.7.3.1). If its
 * last response was not recorded, the next request follows its PSNs.
 */
static int find_ranges(struct rf_conn *conn)
{
	const struct rf_passes *s = &conn->requests;
	int64_t *lasts;
	size_t n, i, k;

	if (!conn->reads.n)
		return 0;
	if (!find_lasts(conn, &lasts, &n))
		return -ENOMEM;
	for (i = 0; i < s->n; i++) {
		if (!is_read(s->p[i]))
			continue;
		k = at_least(lasts, n, s->p[i]->lin);
		if (k < n) {
			s->p[i]->end = lasts[k] + 1;
			continue;
		}
		for (k = i + 1; k < s->n && s->p[k]->lin <= s->p[i]->lin; k++)
			;
		if (k < s->n)
			s->p[i]->end = s->p[k]->lin;
	}
	free(lasts);
	return 0;
}

/* ---- causes ---- */

/* What the cause of a retransmission is searched in */
struct search {
	const struct rf_wire *w;
	const struct rf_conn *conn;
	const struct rf_pass *p;	/* the first packet of the retransmission */
	uint64_t since;			/* the start of the retransmission before it; 0: none */
	uint64_t timer;
};

static bool is_late(const struct search *s, const struct rf_pass *a)
{
	return s->p->t - a->t >= s->timer / 2;
}

static bool requests(const struct search *s, const struct rf_pass *a)
{
	if (!rf_pass_is_accepted(s->w, a) || a->answered)
		return false;
	if (is_late(s, a) && a->t <= s->since)
		return false;
	return (a->kind == RF_PASS_NAK && a->lin == s->p->lin) ||
	       (a->kind == RF_PASS_RNR && a->lin >= s->p->lin);
}

/* The kernel's timers round up by at most an eighth. */
static bool is_in_time(const struct search *s, const struct rf_pass *rnr)
{
	uint64_t ns = rf_rnr_ns(rnr->e->syndrome);

	return s->p->t - rnr->t <= ns + ns / 8 + TICKS_NS;
}

/* Return: the index of the first response that can be the reason */
static size_t first_response(const struct search *s)
{
	uint64_t from = s->p->t > s->timer / 2 ? s->p->t - s->timer / 2 : 0;

	return rf_passes_after(&s->conn->answered, from < s->since ? from : s->since);
}

/*
 * Find the NAK or RNR NAK that requested the packet. The requester can process a NAK after it went
 * back because of an earlier one. A retransmission answers all NAKs for its first packet.
 */
static const struct rf_pass *find_nak(const struct search *s)
{
	const struct rf_passes *all = &s->conn->answered;
	const struct rf_pass *found = NULL;
	bool rnr = false;
	size_t i, from = first_response(s);

	for (i = from; i < all->n && all->p[i]->t < s->p->t; i++)
		rnr |= requests(s, all->p[i]) && all->p[i]->kind == RF_PASS_RNR;
	for (i = from; i < all->n && all->p[i]->t < s->p->t; i++) {
		if (!requests(s, all->p[i]))
			continue;
		all->p[i]->answered = true;
		if (!found && (all->p[i]->kind == RF_PASS_RNR ? is_in_time(s, all->p[i]) :
							     rnr || !is_late(s, all->p[i])))
			found = all->p[i];
	}
	return found;
}

/* A READ and an atomic need their own response. */
static bool needs_response(const struct rf_pass *p)
{
	return p->e->class & (RDMAFAULT_CLASS_READ_REQUEST | RDMAFAULT_CLASS_ATOMIC);
}

/* A response with a later PSN implies a NAK (IBTA vol. 1, 9.7.5.1.4). */
static const struct rf_pass *find_implied(const struct search *s)
{
	const struct rf_passes *all = &s->conn->answered;
	const struct rf_pass *a;
	size_t i = rf_passes_after(all, s->p->t);

	if (!needs_response(s->p))
		return NULL;
	while (i-- > 0 && all->p[i]->t > s->since) {
		a = all->p[i];
		if (a->t < s->p->t && a->lin > s->p->lin && rf_pass_is_accepted(s->w, a))
			return is_late(s, a) ? NULL : a;
	}
	return NULL;
}

/* Return: the last transmission of the PSN before the packet; NULL: none */
static const struct rf_pass *last_sent(const struct search *s)
{
	const struct rf_passes *all = &s->conn->requests;
	size_t i = rf_passes_after(all, s->p->t);

	while (i-- > 0)
		if (all->p[i]->lin <= s->p->lin && s->p->lin < all->p[i]->end &&
		    all->p[i]->t < s->p->t)
			return all->p[i];
	return NULL;
}

/*
 * Check whether a response that was not recorded implied a NAK. Where only hits and
 * retransmissions are recorded, the time decides: a request that is repeated less than half a
 * timer after the loss of its response does not wait for the timer.
 */
static bool is_implied(const struct search *s)
{
	const struct rf_pass *a = s->p;

	if (!needs_response(s->p) || last_sent(s))
		return false;
	while (a-- > s->w->pass && !is_late(s, a))
		if (a->conn == s->p->conn && a->kind == RF_PASS_RESPONSE &&
		    !rf_pass_is_accepted(s->w, a) && s->p->lin <= a->lin && a->lin < s->p->end)
			return true;
	return false;
}

/*
 * Check whether the timer can have expired. rxe starts it with a packet if it is not running, and
 * does not stop it when everything is acknowledged (update_state() in rxe_req.c, rxe_completer()
 * in rxe_comp.c), so an earlier packet can have started it. The first packets of a recorded step
 * can follow packets that were not recorded.
 */
static bool can_expire(const struct search *s)
{
	const struct rf_passes *all = &s->conn->requests;
	const struct rf_pass *sent = last_sent(s);
	uint64_t from = s->timer + TICKS_NS;
	size_t i;

	if (!sent || is_late(s, sent) || s->p->t <= from ||
	    s->p->t - from <= s->w->port[s->p->port].from)
		return true;
	i = rf_passes_after(all, s->p->t - from);
	return i < all->n && all->p[i]->t < s->p->t - s->timer * 4 / 5;
}

static void find_cause(const struct search *s, struct rf_restart *r)
{
	r->by = find_nak(s);
	if (r->by) {
		r->cause = r->by->kind == RF_PASS_RNR ? RF_CAUSE_RNR : RF_CAUSE_NAK;
		return;
	}
	r->by = find_implied(s);
	if (r->by || is_implied(s))
		r->cause = RF_CAUSE_IMPLIED;
	else
		r->cause = can_expire(s) ? RF_CAUSE_TIMEOUT : RF_CAUSE_NONE;
}

/* ---- retransmissions ---- */

static struct rf_restart *new_restart(struct rf_conn *conn)
{
	struct rf_restarts *all = &conn->restarts;
	struct rf_restart **r;

	r = reallocarray(all->r, all->n + 1, sizeof(*r));
	if (!r)
		return NULL;
	all->r = r;
	r[all->n] = calloc(1, sizeof(**r));
	return r[all->n] ? r[all->n++] : NULL;
}

static struct rf_restart *begin_restart(const struct rf_wire *w, struct rf_conn *conn,
					struct rf_pass *p)
{
	struct search s = { .w = w, .conn = conn, .p = p, .timer = timer_of(w) };
	struct rf_restart *r;

	if (conn->restarts.n)
		s.since = conn->restarts.r[conn->restarts.n - 1]->sent.p[0]->t;
	r = new_restart(conn);
	if (r)
		find_cause(&s, r);
	return r;
}

/*
 * A request is sent again if it has a PSN that was sent before. In steps that were not recorded,
 * only the attempt shows it.
 */
static int find_restarts_of(const struct rf_wire *w, struct rf_conn *conn)
{
	struct rf_restart *now = NULL;
	struct rf_pass *p, *before = NULL;
	int64_t high = INT64_MIN;
	size_t i;

	for (i = 0; i < conn->requests.n; i++, before = p) {
		p = conn->requests.p[i];
		p->again = p->e->attempt > 1 || p->lin < high;
		high = p->end > high ? p->end : high;
		if (!p->again) {
			now = NULL;
			continue;
		}
		if (!now || p->lin != before->end || p->t - before->t >= timer_of(w) * 4 / 5)
			now = begin_restart(w, conn, p);
		if (!now || add_pass(&now->sent, p))
			return -ENOMEM;
		p->restart = now;
	}
	return 0;
}

/*
 * Find the responses to READs and atomics that were sent again. In steps that were not recorded,
 * only the attempt shows it.
 */
static void find_responses_again(struct rf_conn *conn)
{
	const struct rf_passes *s = &conn->by_psn;
	const struct rf_pass *before = NULL;
	struct rf_pass *p;
	size_t i;

	for (i = 0; i < s->n; i++) {
		p = s->p[i];
		if (!i || s->p[i - 1]->lin != p->lin)
			before = NULL;
		if (p->kind != RF_PASS_RESPONSE)
			continue;
		p->again = before || p->e->attempt > 1;
		before = p;
	}
}

static int by_psn(const void *a, const void *b)
{
	const struct rf_pass *x = *(struct rf_pass *const *)a, *y = *(struct rf_pass *const *)b;

	if (x->lin != y->lin)
		return x->lin < y->lin ? -1 : 1;
	return (x > y) - (x < y);
}

/* Find the retransmissions of each connection, and their causes. */
static int find_restarts(struct rf_wire *w)
{
	struct rf_conn *conn;
	int err = 0;

	for (conn = w->conn; !err && conn < w->conn + w->nconns; conn++) {
		err = find_ranges(conn);
		if (!err)
			err = find_restarts_of(w, conn);
		if (conn->by_psn.n)
			qsort(conn->by_psn.p, conn->by_psn.n, sizeof(*conn->by_psn.p), by_psn);
		find_responses_again(conn);
	}
	return err;
}

/* ---- all steps ---- */

/**
 * rf_wire_read - find the packets of a case and their fates
 * @rec: the record of the case; must outlive @w
 * @w: filled in; the caller frees it, also after an error
 *
 * Return: 0, or -ENOMEM.
 */
int rf_wire_read(const struct rf_record *rec, struct rf_wire *w)
{
	const struct rf_events *ev = &rec->ev;
	size_t i;
	int err;

	*w = (struct rf_wire){
		.rec = rec,
		.pass = calloc(ev->n + 1, sizeof(*w->pass)),
		.of = calloc(ev->n + 1, sizeof(*w->of)),
		.unanswered = calloc(ev->n + 1, sizeof(*w->unanswered)),
	};
	if (!w->pass || !w->of || !w->unanswered)
		return -ENOMEM;
	for (i = 0; i < ev->n; i++)
		add_to_pass(w, i);
	err = rf_wire_find_ports(w);
	for (i = 0; !err && i < ev->n; i++)
		if (w->of[i] && forges(&ev->e[i]))
			find_forged(w, &ev->e[i]);
	if (!err)
		err = connect_passes(w);
	if (!err)
		err = list_all(w);
	if (!err)
		err = deliver_all(w);
	if (!err)
		err = find_restarts(w);
	return err;
}

/** rf_wire_free - free the packets of a case */
void rf_wire_free(struct rf_wire *w)
{
	struct rf_conn *conn;
	size_t i;

	for (conn = w->conn; conn < w->conn + w->nconns; conn++) {
		free(conn->requests.p);
		free(conn->arrived.p);
		free(conn->responses.p);
		free(conn->answered.p);
		free(conn->by_psn.p);
		free(conn->reads.p);
		for (i = 0; i < conn->restarts.n; i++) {
			free(conn->restarts.r[i]->sent.p);
			free(conn->restarts.r[i]);
		}
		free(conn->restarts.r);
	}
	for (i = 0; i < w->nports; i++)
		free(w->port[i].step);
	free(w->port);
	free(w->nic);
	free(w->conn);
	free(w->pass);
	free(w->of);
	free(w->unanswered);
	*w = (struct rf_wire){ };
}
