// SPDX-License-Identifier: GPL-2.0
/*
 * Follow packets through the places that have recorded them.
 *
 * The places on the way of a flow are sorted by the shortest time that a packet needs from its
 * first sighting to the place. If all packets of a flow are lost, it has no sightings behind
 * the loss. So a flow uses the longest way of all flows between the two addresses; that of the
 * opposite direction has the same ports in reverse.
 *
 * A retransmission looks like the packet that it repeats. A sighting at a later place therefore
 * belongs to the latest transmission before it that no later sighting at this place belongs to.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdmafault/rdmafault.h>

#include "transit.h"

#define TX RDMAFAULT_DIRECTION_TX
#define RX RDMAFAULT_DIRECTION_RX

/* A place with its shortest time from the first sighting of a packet */
struct offset {
	size_t place;
	uint64_t ns;
};

static bool same_addr(const struct rf_flight_addr *a, const struct rf_flight_addr *b)
{
	return a->len == b->len && !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

static bool is_of(const struct rf_transit_flow *flow, const struct rf_sighting *s)
{
	const struct rf_sighting *any = flow->any;

	return any->qp == s->qp && any->response == s->response &&
	       same_addr(&any->saddr, &s->saddr) && same_addr(&any->daddr, &s->daddr);
}

static int add_to_flow(struct rf_transit *t, struct rf_sighting *s)
{
	struct rf_transit_flow *more;
	size_t i;

	for (i = t->flows; i-- && !is_of(&t->flow[i], s);)
		;
	if (i == SIZE_MAX) {
		more = reallocarray(t->flow, t->flows + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->flow = more;
		i = t->flows++;
		t->flow[i] = (struct rf_transit_flow){ .any = s };
	}
	s->flow = i;
	t->flow[i].n++;
	return 0;
}

/* @arg: all sightings, sorted by time */
static int by_psn_and_time(const void *a, const void *b, void *arg)
{
	const struct rf_sighting *sighted = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;

	if (sighted[i].psn != sighted[j].psn)
		return sighted[i].psn < sighted[j].psn ? -1 : 1;
	return i < j ? -1 : i > j;
}

static int sort_flows(struct rf_transit *t)
{
	const struct rf_flight *f = t->f;
	struct rf_transit_flow *flow;
	size_t i;

	for (i = 0; i < t->flows; i++) {
		t->flow[i].at = calloc(t->flow[i].n, sizeof(*t->flow[i].at));
		t->flow[i].place = calloc(f->places + 1, sizeof(*t->flow[i].place));
		if (!t->flow[i].at || !t->flow[i].place)
			return -ENOMEM;
		t->flow[i].n = 0;
	}
	for (i = 0; i < f->n; i++) {
		flow = &t->flow[f->s[i].flow];
		flow->at[flow->n++] = i;
	}
	for (i = 0; i < t->flows; i++)
		qsort_r(t->flow[i].at, t->flow[i].n, sizeof(*t->flow[i].at),
			by_psn_and_time, f->s);
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct offset *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static int own_way(const struct rf_transit *t, struct rf_transit_flow *flow)
{
	const struct rf_flight *f = t->f;
	struct offset *offset = calloc(f->places, sizeof(*offset));
	const struct rf_sighting *s;
	uint64_t first = 0;
	size_t i;

	if (!offset)
		return -ENOMEM;
	for (i = 0; i < f->places; i++)
		offset[i] = (struct offset){ i, UINT64_MAX };
	for (i = 0; i < flow->n; i++) {
		s = &f->s[flow->at[i]];
		if (!i || s->psn != f->s[flow->at[i - 1]].psn)
			first = s->t_ns;
		if (s->t_ns - first < offset[s->place].ns)
			offset[s->place].ns = s->t_ns - first;
	}
	qsort(offset, f->places, sizeof(*offset), by_offset);
	while (flow->places < f->places && offset[flow->places].ns != UINT64_MAX) {
		flow->place[flow->places] = offset[flow->places].place;
		flow->places++;
	}
	free(offset);
	return 0;
}

static size_t find_place(const struct rf_flight *f, uint32_t ifindex, uint32_t dir)
{
	size_t i;

	for (i = 0; i < f->places; i++)
		if (f->place[i].ifindex == ifindex && f->place[i].dir == dir)
			break;
	return i;
}

static size_t other_direction(const struct rf_flight *f, size_t place)
{
	return find_place(f, f->place[place].ifindex, TX + RX - f->place[place].dir);
}

/* Take the way of another flow in reverse, if both directions of its ports were recorded. */
static void reverse_way(const struct rf_transit *t, struct rf_transit_flow *flow,
			const struct rf_transit_flow *from)
{
	size_t i;

	for (i = 0; i < from->places; i++)
		if (other_direction(t->f, from->place[i]) == t->f->places)
			return;
	for (i = 0; i < from->places; i++)
		flow->place[i] = other_direction(t->f, from->place[from->places - 1 - i]);
	flow->places = from->places;
}

static void copy_way(struct rf_transit_flow *flow, const struct rf_transit_flow *from)
{
	memcpy(flow->place, from->place, from->places * sizeof(*from->place));
	flow->places = from->places;
}

static void longest_way(const struct rf_transit *t, struct rf_transit_flow *flow)
{
	const struct rf_sighting *any = flow->any, *other;
	const struct rf_transit_flow *from;

	for (from = t->flow; from < t->flow + t->flows; from++) {
		other = from->any;
		if (from->places <= flow->places)
			continue;
		if (same_addr(&any->saddr, &other->saddr) && same_addr(&any->daddr, &other->daddr))
			copy_way(flow, from);
		else if (same_addr(&any->saddr, &other->daddr) &&
			 same_addr(&any->daddr, &other->saddr))
			reverse_way(t, flow, from);
	}
}

static bool has_addr(const struct rf_place *place, const struct rf_flight_addr *addr)
{
	size_t i;

	for (i = 0; i < place->addrs; i++)
		if (same_addr(&place->addr[i], addr))
			return true;
	return false;
}

/* The port that has the address of the receiver is the end of the way. */
static void add_last_place(const struct rf_transit *t, struct rf_transit_flow *flow)
{
	const struct rf_flight *f = t->f;
	size_t i, end;

	for (end = 0; end < f->places; end++)
		if (f->place[end].dir == RX && has_addr(&f->place[end], &flow->any->daddr))
			break;
	if (end == f->places)
		return;
	flow->final = true;
	for (i = 0; i < flow->places; i++)
		if (flow->place[i] == end)
			return;
	flow->place[flow->places++] = end;
}

/**
 * rf_transit_first - find the sightings of a PSN
 * @t: the flows
 * @flow: the flow
 * @psn: the PSN
 * @n: gets the number of sightings
 *
 * Return: the first one by time; NULL if there is none.
 */
const struct rf_sighting *rf_transit_first(const struct rf_transit *t,
					   const struct rf_transit_flow *flow, uint32_t psn,
					   size_t *n)
{
	size_t low = 0, high = flow->n, middle;
	const struct rf_sighting *s = t->f->s;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s[flow->at[middle]].psn < psn)
			low = middle + 1;
		else
			high = middle;
	}
	for (*n = 0; low + *n < flow->n && s[flow->at[low + *n]].psn == psn; (*n)++)
		;
	return *n ? &s[flow->at[low]] : NULL;
}

/* Count the responses of a flow that respond to a PSN of the requests. */
static size_t matching(const struct rf_transit *t, const struct rf_transit_flow *requests,
		       const struct rf_transit_flow *responses)
{
	const struct rf_sighting *s, *request;
	size_t i, n, found = 0;

	for (i = 0; i < responses->n; i++) {
		s = &t->f->s[responses->at[i]];
		request = rf_transit_first(t, requests, s->psn, &n);
		found += request && request->t_ns <= s->t_ns;
	}
	return found;
}

static bool is_pair(const struct rf_flight *f, uint32_t request_qp, uint32_t response_qp)
{
	size_t i;

	for (i = 0; i < f->qps; i++)
		if (f->qp[i].qp == response_qp && f->qp[i].peer == request_qp)
			return true;
	return false;
}

/*
 * A response names the queue pair of the requester, not that to which the request was sent. The
 * queue pairs of this machine are known in pairs. Otherwise the PSNs tell.
 */
static void find_peer(struct rf_transit *t, struct rf_transit_flow *flow)
{
	struct rf_transit_flow *r;
	size_t n, best = 0;

	for (r = t->flow; r < t->flow + t->flows; r++) {
		if (!r->any->response || !same_addr(&r->any->saddr, &flow->any->daddr) ||
		    !same_addr(&r->any->daddr, &flow->any->saddr))
			continue;
		n = is_pair(t->f, flow->any->qp, r->any->qp) ? SIZE_MAX : matching(t, flow, r);
		if (n > best) {
			best = n;
			flow->peer = r;
		}
	}
}

/**
 * rf_transit_find - find the flows of the sightings, and their ways
 * @f: the flight, sorted; must exist as long as @t
 * @t: gets the flows; the caller calls rf_transit_free() also after an error
 *
 * Return: 0 or -ENOMEM.
 */
int rf_transit_find(struct rf_flight *f, struct rf_transit *t)
{
	size_t i;
	int err = 0;

	*t = (struct rf_transit){ .f = f };
	for (i = 0; i < f->n && !err; i++)
		err = add_to_flow(t, &f->s[i]);
	if (!err)
		err = sort_flows(t);
	for (i = 0; i < t->flows && !err; i++)
		err = own_way(t, &t->flow[i]);
	for (i = 0; i < t->flows && !err; i++)
		longest_way(t, &t->flow[i]);
	for (i = 0; i < t->flows && !err; i++) {
		add_last_place(t, &t->flow[i]);
		if (!t->flow[i].any->response)
			find_peer(t, &t->flow[i]);
	}
	return err;
}

/** rf_transit_free - free the flows */
void rf_transit_free(struct rf_transit *t)
{
	size_t i;

	for (i = 0; i < t->flows; i++) {
		free(t->flow[i].at);
		free(t->flow[i].place);
	}
	free(t->flow);
	*t = (struct rf_transit){ };
}

/* Assign the sightings at a place to transmissions, the latest one first. */
static void reach(const struct rf_transit *t, const struct rf_transit_flow *flow, size_t step,
		  const size_t *at, size_t n, struct rf_attempt *attempt, size_t attempts)
{
	const struct rf_sighting *s;
	size_t left = attempts;

	while (n--) {
		s = &t->f->s[at[n]];
		if (s->place != flow->place[step])
			continue;
		while (left && attempt[left - 1].sent->t_ns > s->t_ns)
			left--;
		if (!left)
			return;
		left--;
		attempt[left].last = s;
		attempt[left].reached = step;
	}
}

/**
 * rf_attempts - follow the transmissions of a packet
 * @t: the flows
 * @flow: its flow
 * @psn: its PSN
 * @attempt: gets the last transmissions, in the order of time
 * @all: gets the number of all transmissions
 *
 * Return: the number of entries in @attempt.
 */
size_t rf_attempts(const struct rf_transit *t, const struct rf_transit_flow *flow, uint32_t psn,
		   struct rf_attempt attempt[RF_ATTEMPTS_MAX], size_t *all)
{
	const struct rf_sighting *first, *s;
	size_t i, n, kept = 0, step;
	const size_t *at;

	*all = 0;
	first = rf_transit_first(t, flow, psn, &n);
	if (!first)
		return 0;
	for (at = flow->at; &t->f->s[*at] != first; at++)
		;
	for (i = 0; i < n; i++) {
		s = &t->f->s[at[i]];
		if (s->place != flow->place[0])
			continue;
		if (kept == RF_ATTEMPTS_MAX) {
			memmove(attempt, attempt + 1, (kept - 1) * sizeof(*attempt));
			kept--;
		}
		attempt[kept++] = (struct rf_attempt){ .sent = s, .last = s };
		(*all)++;
	}
	for (step = 1; step < flow->places; step++)
		reach(t, flow, step, at, n, attempt, kept);
	return kept;
}
