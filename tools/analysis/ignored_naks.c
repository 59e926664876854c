// SPDX-License-Identifier: GPL-2.0
/*
 * Ignored NAKs.
 *
 * Once a retransmission has started, rxe ignores NAKs until an ACK arrives (started_retry
 * in rxe_comp.c). If a packet of a retransmission is lost, the NAK arrives, but the sender
 * retransmits only when its timer expires. In the trace, a NAK counts as ignored if the
 * packet that it requests is retransmitted so late that the timer caused it.
 */
#include <string.h>

#include "analysis.h"

/* Check whether @e retransmits the packet that @nak requests. */
static bool obeys(const struct rf_event *e, const struct rf_event *nak)
{
	return rf_event_is_retransmission(e) && e->psn == nak->psn &&
	       !memcmp(e->saddr, nak->daddr, 16) &&
	       !memcmp(e->daddr, nak->saddr, 16);
}

static bool is_received_nak(const struct rf_event *e)
{
	return e->class & RDMAFAULT_CLASS_NAK && !e->fault && !rf_event_leaves(e);
}

/**
 * rf_count_ignored_naks - count ignored NAKs
 * @ev: the events
 * @timer_ns: timeout of the queue pairs; a NAK counts as ignored if the retransmission
 *	comes more than half of this time later
 *
 * Return: the number in all flows.
 */
uint64_t rf_count_ignored_naks(const struct rf_events *ev, uint64_t timer_ns)
{
	const struct rf_event *nak, *e, *end = ev->e + ev->n;
	uint64_t n = 0;

	for (nak = ev->e; nak < end; nak++) {
		if (!is_received_nak(nak))
			continue;
		for (e = nak; e < end && !obeys(e, nak); e++)
			;
		n += e < end && e->t_ns - nak->t_ns >= timer_ns / 2;
	}
	return n;
}
