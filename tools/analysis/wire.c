// SPDX-License-Identifier: GPL-2.0
/*
 * Make packets of events, and connections of packets.
 *
 * A packet has an event for each rule that hit it at a port, and one if it was observed there. A
 * connection has the requests of one queue pair to another, and their responses. Responses have
 * the PSNs of the requests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

/* Opcodes of reliable connections (IBTA vol. 1, table 38) */
#define RC_RESPONSE_FIRST	0x0d
#define RC_RESPONSE_LAST	0x12
#define RC_LAST			0x17

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

/** rf_passes_add - add a packet to a list; return 0, or -ENOMEM */
int rf_passes_add(struct rf_passes *s, struct rf_pass *p)
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

static bool is_response(const struct rf_event *e)
{
	return e->opcode >= RC_RESPONSE_FIRST && e->opcode <= RC_RESPONSE_LAST;
}

static enum rf_pass_kind kind_of(const struct rf_event *e)
{
	if (!is_response(e))
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

static uint32_t earlier(const struct rf_wire *w, size_t i)
{
	const struct rf_event *e = w->rec->ev.e;
	size_t k;

	for (k = i; k > 0 && i - k < NEAR; k--)
		if (w->of[k - 1] && is_same(&e[k - 1], &e[i]))
			return w->of[k - 1];
	return 0;
}

static void add_event(struct rf_wire *w, size_t i)
{
	const struct rf_event *e = &w->rec->ev.e[i];
	struct rf_pass *p;

	if (e->kind != RF_EVENT_HIT || e->opcode > RC_LAST)
		return;
	w->of[i] = earlier(w, i);
	if (!w->of[i]) {
		w->pass[w->n] = (struct rf_pass){
			.e = e, .t = e->t_ns, .kind = kind_of(e), .conn = RF_NO_CONN,
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
		if (conn->first->qp == e->qp && !is_response(conn->first) &&
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

/*
 * Find the connection of a response whose queue pair is not known: that of the last request
 * between the same addresses that has this PSN.
 */
static uint32_t guess_conn(const struct rf_wire *w, const struct rf_pass *response)
{
	const struct rf_pass *p;

	for (p = response; p-- > w->pass;)
		if (p->kind == RF_PASS_REQUEST && is_way_back(p->e, response->e) &&
		    ((response->e->psn - p->e->psn) & 0xffffff) < RESPONSE_PSNS)
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
	err = rf_passes_add(first, response);
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
static int connect_all(struct rf_wire *w)
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
			err = rf_passes_add(request ? &conn->requests : &conn->responses, p);
		else if (p->place == RF_AT_RECEIVER)
			err = rf_passes_add(request ? &conn->arrived : &conn->answered, p);
		if (!err && p->place == RF_AT_SENDER)
			err = rf_passes_add(&conn->by_psn, p);
		if (!err && p->place == RF_AT_SENDER &&
		    p->e->class & RDMAFAULT_CLASS_READ_REQUEST)
			err = rf_passes_add(&conn->reads, p);
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
		add_event(w, i);
	err = rf_wire_find_ports(w);
	for (i = 0; !err && i < ev->n; i++)
		if (w->of[i] && forges(&ev->e[i]))
			find_forged(w, &ev->e[i]);
	if (!err)
		err = connect_all(w);
	if (!err)
		err = list_all(w);
	if (!err)
		err = rf_wire_deliver(w);
	if (!err)
		err = rf_wire_find_restarts(w);
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
