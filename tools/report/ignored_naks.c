// SPDX-License-Identifier: GPL-2.0
/*
 * NAKs that came in and moved nothing.
 *
 * A sender may be deaf to a NAK while it still repairs the loss before: rxe
 * begins no second retransmission by a NAK before an ACK has come for
 * the first (started_retry in rxe_comp.c). What is lost in a retransmission is
 * then known to both sides, and detected by the sender's timer all the same. In the
 * trace such a NAK is one that is followed by what it asks for, but as late as
 * only a timer is.
 */
#include <string.h>

#include "analyse.h"

/* Does @e send again what @nak, as it came in, asks for? */
static bool obeys(const struct rf_event *e, const struct rf_event *nak)
{
	return rf_event_is_retransmission(e) && e->psn == nak->psn &&
	       !memcmp(e->saddr, nak->daddr, 16) &&
	       !memcmp(e->daddr, nak->saddr, 16);
}

static bool is_nak(const struct rf_event *e)
{
	return e->class & RDMAFAULT_CLASS_NAK && !e->fault &&
	       e->dir == RDMAFAULT_DIRECTION_RX;
}

/**
 * rf_count_ignored_naks - NAKs that the sender left to its timer
 * @ev: the events
 * @timer_ns: the queue pairs' timer; half of it is taken for waiting
 *
 * Return: how many, over all flows.
 */
uint64_t rf_count_ignored_naks(const struct rf_events *ev, uint64_t timer_ns)
{
	const struct rf_event *nak, *e, *end = ev->e + ev->n;
	uint64_t n = 0;

	for (nak = ev->e; nak < end; nak++) {
		if (!is_nak(nak))
			continue;
		for (e = nak; e < end && !obeys(e, nak); e++)
			;
		n += e < end && e->t_ns - nak->t_ns >= timer_ns / 2;
	}
	return n;
}
