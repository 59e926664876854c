// SPDX-License-Identifier: GPL-2.0
/*
 * How a loss was detected and made good.
 *
 * Go-back-N: the side that detects a missing packet, the receiver by the PSN
 * of a later packet (it sends a NAK with the PSN that it wants) or the sender
 * by its timer, the sender goes back to the oldest packet that isn't
 * acknowledged and sends it and all behind it again.
 *
 * So packets that leave a second time with consecutive PSNs are one
 * retransmission, whether or not each of them gets through; a PSN that doesn't
 * follow its forerunner begins another, and so does one that left in between. It
 * was asked for if a NAK with its first PSN came in before. If none did, it
 * was the timer.
 *
 * A lost answer is missed by the sender of the data alone. The next ACK
 * speaks for all before it; if none comes, the timer goes off, and what had
 * arrived is retransmitted.
 */
#include <stdlib.h>
#include <string.h>

#include "analyse.h"

/* Does a NAK or RNR NAK answer a packet of the flow of @e? */
static bool asks_for(const struct rf_event *nak, const struct rf_event *e)
{
	return nak->class & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR) &&
	       !nak->fault && nak->dir == RDMAFAULT_DIRECTION_RX &&
	       nak->psn == e->psn && !memcmp(nak->daddr, e->saddr, 16) &&
	       !memcmp(nak->saddr, e->daddr, 16);
}

/* Or a fault of ours that answers in the receiver's place? */
static bool is_answered(const struct rf_event *hit, const struct rf_event *e)
{
	return hit->fault && hit->psn == e->psn &&
	       (hit->action == RDMAFAULT_ACTION_NAK ||
		hit->action == RDMAFAULT_ACTION_RNR) &&
	       rf_event_same_flow(hit, e);
}

/*
 * Whatever leaves once more is observed as it does, and if it is hit, that is a
 * second record of it; what leaves for the first time may have no other.
 */
static bool tells_of_leaving(const struct rf_event *p)
{
	return rf_event_is_retransmission(p) ||
	       (rf_event_is_request(p) && p->attempt < 2 &&
		p->dir == RDMAFAULT_DIRECTION_TX);
}

/*
 * What left the port of @e, a resend, on its flow last, before @e did. A record more
 * of the same transmission isn't meant, nor one of a switch. NULL: nothing did.
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

/* Of these the last one that had left before. */
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
 * What asked for @e, with which a retransmission begins, came in behind the last
 * leaving of its PSN and the begin of the retransmission before. Not behind the
 * end of that one: packets that were on their way out leave all the same.
 */
static const struct rf_event *asked_from(const struct rf_events *ev,
					 const struct rf_event *e)
{
	const struct rf_event *p = left_before(ev, e, e), *from;

	while (p && p->psn != e->psn && (p->attempt < 2 || !begins_run(ev, p)))
		p = left_before(ev, p, e);
	/* Of a leaving there may be several records. */
	for (from = p; p && p->psn == from->psn && p->attempt == from->attempt;
	     p = left_before(ev, p, e))
		from = p;
	return from ? from : ev->e;
}

/*
 * The packet that a NAK asked for, if one did: the retransmission's first, of one
 * that never came the lost one.
 */
static const struct rf_event *asked(const struct rf_loss *loss)
{
	return loss->run ? loss->run : loss->hit;
}

/* Is it the answer @class to the packet asked for, seen in direction @dir? */
static bool answers(const struct rf_event *e, const struct rf_loss *loss,
		    uint32_t class, uint32_t dir)
{
	return e->class & class && e->dir == dir && !e->fault &&
	       e->psn == asked(loss)->psn &&
	       (!loss->qp || e->qp == loss->qp->qpn) &&
	       !memcmp(e->daddr, loss->hit->saddr, 16) &&
	       !memcmp(e->saddr, loss->hit->daddr, 16);
}

/* From @e on, up to the retransmission. */
static const struct rf_event *find_answer(const struct rf_events *ev,
					  const struct rf_event *e,
					  const struct rf_loss *loss,
					  uint32_t class, uint32_t dir)
{
	for (; e < ev->e + ev->n; e++) {
		if (loss->first && e->t_ns > loss->first->t_ns)
			return NULL;
		if (answers(e, loss, class, dir))
			return e;
	}
	return NULL;
}

/** rf_loss_of_answer - was an ACK or a NAK hit, not data? */
bool rf_loss_of_answer(const struct rf_loss *loss)
{
	return loss->hit->class & (RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK |
				   RDMAFAULT_CLASS_RNR);
}

/* The packet behind it that came to the receiver, which then knew. */
static const struct rf_event *find_revealing(const struct rf_events *ev,
					     const struct rf_loss *loss)
{
	const struct rf_event *e;

	for (e = loss->hit; e < ev->e + ev->n && e != loss->first; e++)
		if (rf_event_is_request(e) && !e->fault &&
		    e->dir == RDMAFAULT_DIRECTION_RX &&
		    rf_event_same_flow(e, loss->hit) &&
		    rf_psn_diff(e->psn, loss->hit->psn) > 0)
			return e;
	return NULL;
}

/* The next ACK of the flow that left and wasn't hit, too. */
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

/* Packets behind one that is refused are out of sequence, and a NAK says so. */
static bool comes_first(const struct rf_event *rnr, const struct rf_event *nak)
{
	return rnr && (!nak || rnr->t_ns <= nak->t_ns);
}

/* What a fault of ours answered for the retransmission's first packet. */
static uint32_t forged_answer(const struct rf_event *e, const struct rf_loss *loss)
{
	for (; loss->run && e < loss->run; e++)
		if (is_answered(e, loss->run))
			return e->action;
	return loss->run ? loss->hit->action : RDMAFAULT_ACTION_OBSERVE;
}

static enum rf_detected cause_of(const struct rf_loss *loss, uint32_t forged)
{
	if (comes_first(loss->rnr, loss->nak) || forged == RDMAFAULT_ACTION_RNR)
		return RF_DETECTED_RNR;
	if (loss->nak || forged == RDMAFAULT_ACTION_NAK)
		return RF_DETECTED_NAK;
	return loss->again ? RF_DETECTED_TIMEOUT : RF_DETECTED_NOT;
}

/* Times count from the hit, so they leave out what was there before it. */
static const struct rf_event *if_later(const struct rf_event *e,
				       const struct rf_loss *loss)
{
	return e && e->t_ns >= loss->hit->t_ns ? e : NULL;
}

static void find_cause(const struct rf_events *ev, struct rf_loss *loss)
{
	const uint32_t nak = RDMAFAULT_CLASS_NAK, rnr = RDMAFAULT_CLASS_RNR;
	/* Before the hit it may have asked for a packet that was lost earlier. */
	const struct rf_event *from = loss->run ? asked_from(ev, loss->run) :
						  loss->hit;

	loss->revealed = find_revealing(ev, loss);
	loss->nak_sent = find_answer(ev, from, loss, nak, RDMAFAULT_DIRECTION_TX);
	loss->nak = find_answer(ev, from, loss, nak, RDMAFAULT_DIRECTION_RX);
	loss->rnr = find_answer(ev, from, loss, rnr, RDMAFAULT_DIRECTION_RX);
	loss->found = cause_of(loss, forged_answer(from, loss));
	loss->nak_sent = if_later(loss->nak_sent, loss);
	loss->nak = if_later(loss->nak, loss);
	loss->rnr = if_later(loss->rnr, loss);
}

/* Of two moments, the time between them. */
static bool between(const struct rf_event *from, const struct rf_event *to,
		    uint64_t *ns)
{
	if (!from || !to || to->t_ns < from->t_ns)
		return false;
	*ns = to->t_ns - from->t_ns;
	return true;
}

/**
 * rf_loss_timers - how many timers a loss took that a timer found
 * @loss: the loss, retransmitted
 * @timeout: the QPs' attribute of that name
 *
 * What leaves while all is swallowed is recorded nowhere, so they are counted
 * by their length.
 *
 * Return: the nearest number; at least 1.
 */
uint32_t rf_loss_timers(const struct rf_loss *loss, uint32_t timeout)
{
	uint64_t timer = 4096ull << timeout, ns;

	if (!loss->first)
		return 1;
	ns = loss->first->t_ns - loss->hit->t_ns;
	return ns < timer ? 1 : (ns + timer / 2) / timer;
}

/**
 * rf_loss_nak_generation - how long the receiver took to ask
 * @loss: the loss
 * @ns: gets the time from the packet that revealed it to the NAK's leaving
 *
 * Return: false if these weren't seen.
 */
bool rf_loss_nak_generation(const struct rf_loss *loss, uint64_t *ns)
{
	return between(loss->revealed, loss->nak_sent, ns);
}

/**
 * rf_loss_nak_reaction - how long the sender took to go back
 * @loss: the loss
 * @ns: gets the time from the NAK's coming in to the first retransmitted packet
 *
 * Return: false if these weren't seen.
 */
bool rf_loss_nak_reaction(const struct rf_loss *loss, uint64_t *ns)
{
	return between(loss->nak, loss->first, ns);
}

/*
 * The repair is over when the lost packet has been retransmitted and the next
 * retransmission begins, which has another cause.
 */
static bool is_repaired(const struct rf_events *ev, const struct rf_loss *loss,
			const struct rf_event *e)
{
	return loss->again && begins_run(ev, e);
}

/*
 * Is it a packet of the flow that was hit or, of an answer, of the one that it
 * answers, from what it was about on backwards?
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

/* The packet's next leaving; NULL: it never came. */
static const struct rf_event *find_again(const struct rf_events *ev,
					 const struct rf_event *hit)
{
	const struct rf_event *e;

	for (e = hit + 1; e < ev->e + ev->n; e++)
		if (e->psn == hit->psn && rf_event_is_retransmission(e) &&
		    rf_event_same_flow(e, hit))
			return e;
	return NULL;
}

/*
 * Where the retransmission begins that brings the lost packet again: packets that
 * leave before it may belong to one that went on when the packet was hit. NULL:
 * the packet never came. Most that are marked never do, and there may be many.
 */
static const struct rf_event *find_run(const struct rf_events *ev,
				       const struct rf_event *hit)
{
	const struct rf_event *run = find_again(ev, hit), *before;

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

/**
 * rf_loss_trace - follow a loss from the hit to its repair
 * @rec: what the case left
 * @hit: the packet, one of the record's events
 * @loss: filled in
 */
void rf_loss_trace(const struct rf_record *rec, const struct rf_event *hit,
		   struct rf_loss *loss)
{
	const struct rf_events *ev = &rec->ev;
	const struct rf_event *e = hit;

	*loss = (struct rf_loss){
		.hit = hit,
		.qp = rf_timeline_sender(&rec->tl, hit),
	};
	if (!rf_loss_of_answer(loss)) {
		loss->run = find_run(ev, hit);
		e = loss->run;
	}
	for (; e && e < ev->e + ev->n; e++) {
		if (!rf_event_is_retransmission(e) || !repairs(loss, e))
			continue;
		if (is_repaired(ev, loss, e))
			break;
		add_resend(loss, e);
	}
	if (rf_loss_of_answer(loss))
		find_cause_of_answer(ev, loss);
	else
		find_cause(ev, loss);
	loss->recovery = rf_loss_find_recovery(ev, loss);
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
 * rf_count_timeouts - retransmissions that no NAK asked for
 * @ev: the events
 *
 * Return: how many, over all flows.
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
