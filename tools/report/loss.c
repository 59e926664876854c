// SPDX-License-Identifier: GPL-2.0
/*
 * How a loss was found and made good.
 *
 * Go-back-N: whoever finds that a packet is missing, the receiver by the PSN
 * of a later packet (it sends a NAK with the PSN that it wants) or the sender
 * by its timer, the sender goes back to the oldest packet that isn't
 * acknowledged and sends it and all behind it again.
 *
 * So packets that leave a second time with consecutive PSNs are one
 * retransmission; a PSN that doesn't follow its forerunner begins another. It
 * was asked for if a NAK with its first PSN came in before. If none did, it
 * was the timer.
 */
#include <stdlib.h>
#include <string.h>

#include "analyse.h"

/* Does @nak answer a packet of the flow of @e? Needs the sender's QP number. */
static bool nak_is_for(const struct rf_event *nak, const struct rf_event *e,
		       const struct rf_qp *qp)
{
	return rf_event_is_nak(nak) && (!qp || nak->qp == qp->qpn) &&
	       !memcmp(nak->daddr, e->saddr, 16) &&
	       !memcmp(nak->saddr, e->daddr, 16);
}

static const struct rf_event *find_nak(const struct rf_events *ev,
				       const struct rf_loss *loss)
{
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (loss->first && e->t_ns > loss->first->t_ns)
			return NULL;
		if (e->t_ns >= loss->hit->t_ns && e->psn == loss->hit->psn &&
		    nak_is_for(e, loss->hit, loss->qp))
			return e;
	}
	return NULL;
}

/*
 * The repair is over when the lost packet has been sent again and the next
 * retransmission begins, which has a cause of its own.
 */
static bool is_repaired(const struct rf_loss *loss, const struct rf_event *e)
{
	return loss->again && rf_psn_diff(e->psn, loss->last->psn) != 1;
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
 * @rec: what the play left
 * @hit: the packet, one of the record's events
 * @loss: filled in
 */
void rf_loss_trace(const struct rf_record *rec, const struct rf_event *hit,
		   struct rf_loss *loss)
{
	const struct rf_events *ev = &rec->ev;
	const struct rf_event *e;

	*loss = (struct rf_loss){
		.hit = hit,
		.qp = rf_timeline_sender(&rec->tl, hit),
	};
	for (e = hit; e < ev->e + ev->n; e++) {
		if (!rf_event_is_resend(e) || !rf_event_same_flow(e, hit))
			continue;
		if (is_repaired(loss, e))
			break;
		add_resend(loss, e);
	}
	loss->nak = find_nak(ev, loss);
	if (loss->nak)
		loss->found = RF_FOUND_NAK;
	else if (loss->again)
		loss->found = RF_FOUND_TIMEOUT;
}

/* The packet of the same flow that was sent again before this one, if any. */
static const struct rf_event *resend_before(const struct rf_events *ev,
					    const struct rf_event *e)
{
	const struct rf_event *p;

	for (p = e; p-- > ev->e;)
		if (rf_event_is_resend(p) && rf_event_same_flow(p, e))
			return p;
	return NULL;
}

static bool was_asked_for(const struct rf_events *ev, const struct rf_event *e,
			  const struct rf_event *before)
{
	const struct rf_event *p;

	for (p = e; p-- > ev->e && p != before;)
		if (p->psn == e->psn && nak_is_for(p, e, NULL))
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
	const struct rf_event *e, *before;
	uint64_t n = 0;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (!rf_event_is_resend(e))
			continue;
		before = resend_before(ev, e);
		if (before && rf_psn_diff(e->psn, before->psn) == 1)
			continue;
		n += !was_asked_for(ev, e, before);
	}
	return n;
}
