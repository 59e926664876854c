// SPDX-License-Identifier: GPL-2.0
/*
 * Find out when a requester went back to an earlier PSN, and why.
 *
 * A retransmission goes back to a PSN and continues from there without a gap. A NAK, an RNR NAK
 * or a response that skips an earlier one can request it. Otherwise the timer expired. A response
 * that arrives after the requester went back is no reason for it.
 */
#include <errno.h>
#include <stdlib.h>

#include "units.h"
#include "wire.h"

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

/*
 * A READ and an atomic need their own response. A response with a later PSN implies a NAK (IBTA
 * vol. 1, 9.7.5.1.4).
 */
static const struct rf_pass *find_implied(const struct search *s)
{
	const struct rf_passes *all = &s->conn->answered;
	const struct rf_pass *a;
	size_t i = rf_passes_after(all, s->p->t);

	if (!(s->p->e->class & (RDMAFAULT_CLASS_READ_REQUEST | RDMAFAULT_CLASS_ATOMIC)))
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
	if (r->by)
		r->cause = RF_CAUSE_IMPLIED;
	else
		r->cause = can_expire(s) ? RF_CAUSE_TIMEOUT : RF_CAUSE_NONE;
}

/* ---- retransmissions ---- */

static struct rf_restart *add_restart(struct rf_conn *conn)
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

static struct rf_restart *begin(const struct rf_wire *w, struct rf_conn *conn, struct rf_pass *p)
{
	struct search s = { .w = w, .conn = conn, .p = p, .timer = timer_of(w) };
	struct rf_restart *r;

	if (conn->restarts.n)
		s.since = conn->restarts.r[conn->restarts.n - 1]->sent.p[0]->t;
	r = add_restart(conn);
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
			now = begin(w, conn, p);
		if (!now || rf_passes_add(&now->sent, p))
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

/**
 * rf_wire_find_restarts - find the retransmissions of each connection, and their causes
 * @w: the packets, with their fates
 *
 * Return: 0, or -ENOMEM.
 */
int rf_wire_find_restarts(struct rf_wire *w)
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
