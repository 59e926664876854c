// SPDX-License-Identifier: GPL-2.0
/*
 * How a loss was detected and repaired.
 *
 * Go-back-N: the receiver detects a missing packet by the PSN of a later packet and
 * sends a NAK with the expected PSN, or the sender's timer expires. In both cases the
 * sender goes back to the oldest unacknowledged packet and sends it and all later
 * packets again.
 *
 * Therefore a retransmission is a series of retransmitted packets with consecutive PSNs,
 * whether they are delivered or not. A new retransmission begins if a PSN does not follow the
 * previous one, or if the same packet has been sent in between. If a NAK that requests the
 * first packet of the retransmission arrived before the retransmission began, the NAK caused
 * it. Otherwise the timer caused the retransmission.
 *
 * If a response is lost, the receiver has the data, and only the sender of the data is
 * affected. The next ACK also acknowledges all earlier packets. If no ACK follows, the timer
 * of the sender expires, and the sender retransmits packets that the receiver already has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyse.h"
#include "units.h"

/*
 * Some events of a record, in its order. Most events are neither retransmissions nor NAKs, and
 * a search through all events for each of many hits would take too long.
 */
struct sparse {
	const struct rf_event **e;
	size_t n;
};

/* What a loss is traced in */
struct traced {
	const struct rf_record *rec;
	struct sparse again;		/* retransmissions */
	struct sparse nak;		/* NAKs and RNR NAKs */
	struct sparse arrived;		/* requests that reached a port of a receiver */
};

/* Return: the index of the first event that is not before @e */
static size_t at(const struct sparse *s, const struct rf_event *e)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->e[mid] < e)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Check whether @nak is a NAK or RNR NAK that requests @e and arrives at the sender of @e. */
static bool asks_for(const struct rf_event *nak, const struct rf_event *e)
{
	return nak->class & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR) &&
	       !nak->fault && nak->dir == RDMAFAULT_DIRECTION_RX &&
	       nak->psn == e->psn && !memcmp(nak->daddr, e->saddr, 16) &&
	       !memcmp(nak->saddr, e->daddr, 16);
}

/* Check whether @hit is a fault that forged a NAK or RNR NAK for the packet @e. */
static bool is_answered(const struct rf_event *hit, const struct rf_event *e)
{
	return hit->fault && hit->psn == e->psn &&
	       (hit->action == RDMAFAULT_ACTION_NAK ||
		hit->action == RDMAFAULT_ACTION_RNR) &&
	       rf_event_same_flow(hit, e);
}

/*
 * Check whether an event shows that a packet left its sender. Each retransmitted packet has an
 * event of its departure. If the packet was hit, the hit is another event. For a first
 * transmission, the hit can be the only event.
 */
static bool tells_of_leaving(const struct rf_event *p)
{
	return rf_event_is_retransmission(p) ||
	       (rf_event_is_request(p) && p->attempt < 2 &&
		p->dir == RDMAFAULT_DIRECTION_TX);
}

/*
 * Return: the last packet before @p that left the same port as the retransmitted packet @e and
 * belongs to the same flow; NULL if there was none. Skip other events of the transmission @e,
 * and events of other ports, such as switch ports.
 */
static const struct rf_event *left_before(const struct rf_events *ev,
					  const struct rf_event *p,
					  const struct rf_event *e)
{
	while (p-- > ev->e)
		if (tells_of_leaving(p) && rf_event_same_flow(p, e) &&
		    !strcmp(p->dev, e->dev) &&
		    (p->psn != e->psn || p->attempt != e->attempt))
			return p;
	return NULL;
}

/* Return: the last retransmitted packet of the flow that left before @e; NULL: none */
static const struct rf_event *resend_before(const struct rf_events *ev,
					    const struct rf_event *e)
{
	const struct rf_event *p = left_before(ev, e, e);

	while (p && p->attempt < 2)
		p = left_before(ev, p, e);
	return p;
}

static bool begins_run(const struct rf_events *ev, const struct rf_event *e)
{
	const struct rf_event *p = left_before(ev, e, e);

	while (p && p->attempt < 2 && p->psn != e->psn)
		p = left_before(ev, p, e);
	return !p || rf_psn_diff(e->psn, p->psn) != 1;
}

/*
 * @e is the first packet of a retransmission. Return: the event from which to search for the
 * NAK that requested @e. This NAK arrived after the previous transmission of @e, and after
 * the previous retransmission began. It can have arrived before the previous retransmission
 * ended, because the sender still sends the packets that are already queued.
 */
static const struct rf_event *asked_from(const struct rf_events *ev,
					 const struct rf_event *e)
{
	const struct rf_event *p = left_before(ev, e, e), *from;

	while (p && p->psn != e->psn && (p->attempt < 2 || !begins_run(ev, p)))
		p = left_before(ev, p, e);
	/* A transmission can have several events: start at the first event. */
	for (from = p; p && p->psn == from->psn && p->attempt == from->attempt;
	     p = left_before(ev, p, e))
		from = p;
	return from ? from : ev->e;
}

/*
 * Return: the packet that a NAK for this loss requests: the first packet of the retransmission
 * or, if there was no retransmission, the lost packet.
 */
static const struct rf_event *asked(const struct rf_loss *loss)
{
	return loss->run ? loss->run : loss->hit;
}

/* Check whether @e is a response of @class to asked(@loss), recorded in direction @dir. */
static bool answers(const struct rf_event *e, const struct rf_loss *loss,
		    uint32_t class, uint32_t dir)
{
	return e->class & class && e->dir == dir && !e->fault &&
	       e->psn == asked(loss)->psn &&
	       (!loss->qp || e->qp == loss->qp->qpn) &&
	       !memcmp(e->daddr, loss->hit->saddr, 16) &&
	       !memcmp(e->saddr, loss->hit->daddr, 16);
}

/* Find a response as in answers(), from the event @e up to the first retransmitted packet. */
static const struct rf_event *find_answer(const struct sparse *naks, const struct rf_event *from,
					  const struct rf_loss *loss,
					  uint32_t class, uint32_t dir)
{
	size_t i;

	for (i = at(naks, from); i < naks->n; i++) {
		if (loss->first && naks->e[i]->t_ns > loss->first->t_ns)
			return NULL;
		if (answers(naks->e[i], loss, class, dir))
			return naks->e[i];
	}
	return NULL;
}

/** rf_loss_of_answer - check whether a response (ACK, NAK, RNR NAK) was hit, not data */
bool rf_loss_of_answer(const struct rf_loss *loss)
{
	return loss->hit->class & (RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK |
				   RDMAFAULT_CLASS_RNR);
}

/* Find the first packet with a later PSN that arrived at the receiver. It reveals the loss. */
static const struct rf_event *find_revealing(const struct sparse *arrived,
					     const struct rf_loss *loss)
{
	const struct rf_event *e;
	size_t i;

	for (i = at(arrived, loss->hit); i < arrived->n; i++) {
		e = arrived->e[i];
		if (loss->first && e >= loss->first)
			break;
		if (rf_event_same_flow(e, loss->hit) && rf_psn_diff(e->psn, loss->hit->psn) > 0)
			return e;
	}
	return NULL;
}

/* Return: the first ACK after the lost ACK that reached the data sender and was not hit; or NULL */
static const struct rf_event *find_cover(const struct rf_events *ev,
					 const struct rf_loss *loss)
{
	const struct rf_event *e;

	for (e = loss->hit + 1; e < ev->e + ev->n && e != loss->first; e++)
		if (e->class & RDMAFAULT_CLASS_ACK && !e->fault &&
		    e->dir == RDMAFAULT_DIRECTION_RX &&
		    rf_event_same_flow(e, loss->hit) &&
		    rf_psn_diff(e->psn, loss->hit->psn) > 0)
			return e;
	return NULL;
}

static void find_cause_of_answer(const struct rf_events *ev,
				 struct rf_loss *loss)
{
	if (loss->hit->class & RDMAFAULT_CLASS_ACK)
		loss->covered = find_cover(ev, loss);
	if (loss->first && !loss->covered)
		loss->found = RF_DETECTED_TIMEOUT;
}

/*
 * Check whether the RNR NAK came before the NAK. After an RNR NAK, the next packets of the
 * sender are out of sequence, so the receiver also sends a NAK.
 */
static bool comes_first(const struct rf_event *rnr, const struct rf_event *nak)
{
	return rnr && (!nak || rnr->t_ns <= nak->t_ns);
}

/*
 * Find the action that forged a NAK or RNR NAK for the first packet of the retransmission,
 * from the event @e on. Return: this action; the action of the hit if no NAK was forged;
 * RDMAFAULT_ACTION_OBSERVE if there was no retransmission
 */
static uint32_t forged_answer(const struct rf_event *e, const struct rf_loss *loss)
{
	for (; loss->run && e < loss->run; e++)
		if (is_answered(e, loss->run))
			return e->action;
	return loss->run ? loss->hit->action : RDMAFAULT_ACTION_OBSERVE;
}

const struct rf_name rf_detected_names[] = {
	{ "nothing", RF_DETECTED_NOT }, { "nak", RF_DETECTED_NAK },
	{ "timeout", RF_DETECTED_TIMEOUT }, { "rnr", RF_DETECTED_RNR }, { }
};

/*
 * A NAK "PSN sequence error" detects a loss only if the sender retransmits the packet: rxe ignores
 * such a NAK while it still retransmits for an earlier one. Any other NAK rejects the packet.
 */
static enum rf_detected cause_of(const struct rf_loss *loss, uint32_t forged)
{
	if (comes_first(loss->rnr, loss->nak) || forged == RDMAFAULT_ACTION_RNR)
		return RF_DETECTED_RNR;
	if (!loss->again && loss->nak && loss->nak->syndrome == RF_NAK_SEQUENCE)
		return RF_DETECTED_NOT;
	if (loss->nak || forged == RDMAFAULT_ACTION_NAK)
		return RF_DETECTED_NAK;
	return loss->again ? RF_DETECTED_TIMEOUT : RF_DETECTED_NOT;
}

/* Return: @e, or NULL if @e is before the hit: the times of a loss count from its hit. */
static const struct rf_event *if_later(const struct rf_event *e,
				       const struct rf_loss *loss)
{
	return e && e->t_ns >= loss->hit->t_ns ? e : NULL;
}

static void find_cause(const struct traced *in, struct rf_loss *loss)
{
	const uint32_t nak = RDMAFAULT_CLASS_NAK, rnr = RDMAFAULT_CLASS_RNR;
	/*
	 * The NAK that caused the retransmission can arrive before the packet was hit. In
	 * this case, the NAK requested another packet, which was lost earlier.
	 */
	const struct rf_event *from = loss->run ? asked_from(&in->rec->ev, loss->run) :
						  loss->hit;

	loss->revealed = find_revealing(&in->arrived, loss);
	loss->nak_sent = find_answer(&in->nak, from, loss, nak, RDMAFAULT_DIRECTION_TX);
	loss->nak = find_answer(&in->nak, from, loss, nak, RDMAFAULT_DIRECTION_RX);
	loss->rnr = find_answer(&in->nak, from, loss, rnr, RDMAFAULT_DIRECTION_RX);
	loss->found = cause_of(loss, forged_answer(from, loss));
	loss->nak_sent = if_later(loss->nak_sent, loss);
	loss->nak = if_later(loss->nak, loss);
	loss->rnr = if_later(loss->rnr, loss);
}

/* Get the time between two events. Return: false if one is missing */
static bool between(const struct rf_event *from, const struct rf_event *to,
		    uint64_t *ns)
{
	if (!from || !to || to->t_ns < from->t_ns)
		return false;
	*ns = to->t_ns - from->t_ns;
	return true;
}

/**
 * rf_loss_timers - estimate how many timers expired before the retransmission
 * @loss: the loss of a packet that was retransmitted
 * @timeout: QP attribute timeout (local ACK timeout)
 *
 * The number is estimated from the elapsed time, because packets that are lost outside of
 * ports are not recorded.
 *
 * Return: the number, rounded to the nearest whole number; at least 1.
 */
uint32_t rf_loss_timers(const struct rf_loss *loss, uint32_t timeout)
{
	uint64_t timer = rf_qp_timeout_ns(timeout), ns;

	if (!loss->first)
		return 1;
	ns = loss->first->t_ns - loss->hit->t_ns;
	return ns < timer ? 1 : (ns + timer / 2) / timer;
}

/**
 * rf_loss_nak_generation - get the time until the receiver sent the NAK
 * @loss: the loss
 * @ns: set to the time from the packet that revealed the loss to the sending of the NAK
 *
 * Return: false if these packets were not recorded.
 */
bool rf_loss_nak_generation(const struct rf_loss *loss, uint64_t *ns)
{
	return between(loss->revealed, loss->nak_sent, ns);
}

/**
 * rf_loss_nak_reaction - get the time from the NAK to the retransmission
 * @loss: the loss
 * @ns: set to the time from the arrival of the NAK to the first retransmitted packet
 *
 * Return: false if these packets were not recorded.
 */
bool rf_loss_nak_reaction(const struct rf_loss *loss, uint64_t *ns)
{
	return between(loss->nak, loss->first, ns);
}

/*
 * The repair ends when the lost packet has been retransmitted and a new retransmission
 * begins, because the new retransmission has another cause.
 */
static bool is_repaired(const struct rf_events *ev, const struct rf_loss *loss,
			const struct rf_event *e)
{
	return loss->again && begins_run(ev, e);
}

/*
 * Check whether the retransmitted packet @e belongs to the repair of a loss. If data was
 * hit, @e must be in the flow of the data. If a response was hit, @e must be in the flow of
 * the data that the response acknowledges or requests. In this case, the first retransmitted
 * packet must also have the PSN of the response or an earlier PSN.
 */
static bool repairs(const struct rf_loss *loss, const struct rf_event *e)
{
	if (!rf_loss_of_answer(loss))
		return rf_event_same_flow(e, loss->hit);
	return loss->qp && e->qp == loss->qp->qpn &&
	       !memcmp(e->daddr, loss->hit->saddr, 16) &&
	       !memcmp(e->saddr, loss->hit->daddr, 16) &&
	       (loss->first || rf_psn_diff(e->psn, loss->hit->psn) <= 0);
}

/* Return: the first retransmission of the packet after @hit; NULL if there was none */
static const struct rf_event *find_again(const struct sparse *again, const struct rf_event *hit)
{
	size_t i;

	for (i = at(again, hit + 1); i < again->n; i++)
		if (again->e[i]->psn == hit->psn && rf_event_same_flow(again->e[i], hit))
			return again->e[i];
	return NULL;
}

/*
 * A retransmission is a series of packets with consecutive PSNs. Find the retransmission after
 * @hit that contains the lost packet. Return: the first packet of this retransmission, but no
 * packet before @hit, because the series can have been in progress when the packet was hit.
 * NULL if the packet was not retransmitted, as is usual for marked packets.
 */
static const struct rf_event *find_run(const struct traced *in, const struct rf_event *hit)
{
	const struct rf_event *run = find_again(&in->again, hit), *before;
	const struct rf_events *ev = &in->rec->ev;

	while (run && !begins_run(ev, run)) {
		before = resend_before(ev, run);
		if (!before || before < hit)
			break;
		run = before;
	}
	return run;
}

static void add_resend(struct rf_loss *loss, const struct rf_event *e)
{
	if (!loss->first)
		loss->first = e;
	if (!loss->again && e->psn == loss->hit->psn)
		loss->again = e;
	loss->last = e;
	loss->packets++;
	loss->bytes += e->len;
}

/* Trace a loss from the hit to its repair. */
static void trace_loss(const struct traced *in, const struct rf_event *hit, struct rf_loss *loss)
{
	const struct rf_events *ev = &in->rec->ev;
	const struct rf_event *e = hit;
	size_t i;

	*loss = (struct rf_loss){
		.hit = hit,
		.qp = rf_timeline_sender(&in->rec->tl, hit),
	};
	if (!rf_loss_of_answer(loss)) {
		loss->run = find_run(in, hit);
		e = loss->run;
	}
	for (i = e ? at(&in->again, e) : in->again.n; i < in->again.n; i++) {
		if (!repairs(loss, in->again.e[i]))
			continue;
		if (is_repaired(ev, loss, in->again.e[i]))
			break;
		add_resend(loss, in->again.e[i]);
	}
	if (rf_loss_of_answer(loss))
		find_cause_of_answer(ev, loss);
	else
		find_cause(in, loss);
	loss->recovery = rf_loss_find_recovery(ev, loss);
}

/**
 * rf_losses_trace - trace each packet that was hit from the hit to its repair
 * @rec: the record of the case
 * @losses: set to the losses, in the order of the hits; the caller frees them
 * @n: set to their number
 *
 * Return: 0, or -ENOMEM.
 */
int rf_losses_trace(const struct rf_record *rec, struct rf_loss **losses, size_t *n)
{
	const struct rf_events *ev = &rec->ev;
	const struct rf_event *e, **lists = malloc((3 * ev->n + 1) * sizeof(*lists));
	struct traced in = { .rec = rec };

	*n = 0;
	*losses = calloc(ev->n + 1, sizeof(**losses));
	if (!lists || !*losses) {
		free(lists);
		return -ENOMEM;
	}
	in.again.e = lists;
	in.nak.e = lists + ev->n;
	in.arrived.e = lists + 2 * ev->n;
	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (rf_event_is_retransmission(e))
			in.again.e[in.again.n++] = e;
		if (e->class & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR))
			in.nak.e[in.nak.n++] = e;
		if (rf_event_is_request(e) && !e->fault && e->dir == RDMAFAULT_DIRECTION_RX)
			in.arrived.e[in.arrived.n++] = e;
	}
	for (e = ev->e; e < ev->e + ev->n; e++)
		if (e->fault)
			trace_loss(&in, e, &(*losses)[(*n)++]);
	free(lists);
	return 0;
}

static bool was_asked_for(const struct rf_events *ev, const struct rf_event *e)
{
	const struct rf_event *p;

	for (p = asked_from(ev, e); p < e; p++)
		if (asks_for(p, e) || is_answered(p, e))
			return true;
	return false;
}

/**
 * rf_count_timeouts - count retransmissions that no NAK requested
 * @ev: the events
 *
 * Return: the number in all flows.
 */
uint64_t rf_count_timeouts(const struct rf_events *ev)
{
	const struct rf_event *e;
	uint64_t n = 0;

	for (e = ev->e; e < ev->e + ev->n; e++)
		if (rf_event_is_retransmission(e) && begins_run(ev, e))
			n += !was_asked_for(ev, e);
	return n;
}
