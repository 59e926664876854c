// SPDX-License-Identifier: GPL-2.0
/*
 * Completion times: how long a message takes from its first packet to the response that completes
 * it at the requester (an ACK of its last packet, or the last response of a READ), and how long
 * all messages of a queue pair in a step take. Only steps of which all packets were recorded at
 * the requester count. A message that was not completed has no time.
 */
#include <errno.h>
#include <stdlib.h>

#include "analysis.h"
#include "wire.h"

#define FIRST	(RDMAFAULT_POSITION_FIRST | RDMAFAULT_POSITION_ONLY)
#define LAST	(RDMAFAULT_POSITION_LAST | RDMAFAULT_POSITION_ONLY)

static int add_time(struct rf_times *t, uint64_t ns)
{
	uint64_t *all = reallocarray(t->ns, t->n + 1, sizeof(*all));

	if (!all)
		return -ENOMEM;
	t->ns = all;
	all[t->n++] = ns;
	return 0;
}

static bool has_step(const struct rf_wire *w, uint32_t port, uint32_t step)
{
	return port != RF_NO_PORT && step < w->steps && w->port[port].step[step];
}

/* Check whether all packets of a request's step were recorded at its requester. */
static bool is_recorded(const struct rf_wire *w, const struct rf_pass *p)
{
	return p->e->step && has_step(w, p->port, p->e->step) &&
	       has_step(w, rf_wire_nic(w, p->e->saddr, false), p->e->step);
}

/* Find the last packet of the message that begins with the @i-th request; NULL: not recorded. */
static const struct rf_pass *last_packet(const struct rf_conn *conn, size_t i)
{
	const struct rf_pass *first = conn->requests.p[i], *p;

	for (; i < conn->requests.n; i++) {
		p = conn->requests.p[i];
		if (p->lin >= first->lin && p->e->position & LAST)
			return p;
		if (p != first && p->lin > first->lin && p->e->position & FIRST)
			return NULL;
	}
	return NULL;
}

/* Find the response that completes the message whose last packet is @last; NULL: none */
static const struct rf_pass *completion(const struct rf_wire *w, const struct rf_conn *conn,
					const struct rf_pass *last)
{
	const struct rf_pass *a;
	size_t i;

	for (i = rf_passes_after(&conn->answered, last->t); i < conn->answered.n; i++) {
		a = conn->answered.p[i];
		if (!has_step(w, a->port, a->e->step))
			return NULL;
		if (!rf_pass_is_accepted(w, a))
			continue;
		if ((a->kind == RF_PASS_ACK || a->kind == RF_PASS_RESPONSE) &&
		    a->lin >= last->end - 1)
			return a;
		if (a->kind == RF_PASS_NAK && a->lin >= last->end)
			return a;
	}
	return NULL;
}

static int measure_conn(const struct rf_wire *w, const struct rf_conn *conn,
			struct rf_analysis *an)
{
	const struct rf_pass *p, *last, *done;
	uint64_t from = 0, to = 0;
	uint32_t step = 0;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < conn->requests.n; i++) {
		p = conn->requests.p[i];
		if (p->again || !(p->e->position & FIRST) || !is_recorded(w, p))
			continue;
		last = last_packet(conn, i);
		done = last ? completion(w, conn, last) : NULL;
		if (!done)
			continue;
		err = add_time(&an->messages, done->t - p->t);
		if (!err && step && p->e->step != step)
			err = add_time(&an->flows, to - from);
		if (p->e->step != step)
			from = p->t;
		step = p->e->step;
		to = done->t;
	}
	return !err && step ? add_time(&an->flows, to - from) : err;
}

/**
 * rf_message_times - measure the completion times of messages and of queue pairs
 * @w: the packets of the case
 * @an: gets the times, sorted
 *
 * Return: 0, or -ENOMEM.
 */
int rf_message_times(const struct rf_wire *w, struct rf_analysis *an)
{
	const struct rf_conn *conn;
	int err = 0;

	for (conn = w->conn; !err && conn < w->conn + w->nconns; conn++)
		err = measure_conn(w, conn, an);
	rf_median(an->messages.ns, an->messages.n);
	rf_median(an->flows.ns, an->flows.n);
	return err;
}
