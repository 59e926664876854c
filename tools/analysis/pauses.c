// SPDX-License-Identifier: GPL-2.0
/*
 * Total pause time of a priority, computed from the trace.
 *
 * A storm without gaps keeps a priority paused from the first PFC frame until the last
 * pause expires. If a pause expires before the next PFC frame, there is a gap: the port
 * sends packets, and the PFC watchdog of the port does not detect the storm.
 */
#include <string.h>

#include "analysis.h"

static void begins(struct rf_pauses *p, const struct rf_event *e)
{
	if (!p->count++)
		p->first = e->t_ns;
}

static void opens(struct rf_pauses *p, uint64_t since, uint64_t t_ns)
{
	if (t_ns < since)
		return;
	p->ns += t_ns - since;
	p->last = t_ns;
}

/**
 * rf_pauses_of - get the pause time of a priority
 * @ev: the events, sorted by time
 * @dev: netdev of the port
 * @prio: the priority
 * @pauses: filled in
 *
 * A priority that is still paused at the end of the trace counts as paused until its last
 * pause expires.
 *
 * Return: false if the priority was never paused.
 */
bool rf_pauses_of(const struct rf_events *ev, const char *dev, uint32_t prio,
		  struct rf_pauses *pauses)
{
	uint64_t since = 0, until = 0;
	const struct rf_event *e;
	bool paused = false;

	*pauses = (struct rf_pauses){ };
	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (e->kind != RF_EVENT_PAUSE || e->prio != prio ||
		    strcmp(e->dev, dev))
			continue;
		if (e->paused && !paused) {
			begins(pauses, e);
			since = e->t_ns;
		} else if (!e->paused && paused) {
			opens(pauses, since, e->t_ns);
		}
		paused = e->paused;
		until = e->until;
	}
	if (paused)
		opens(pauses, since, until);
	return pauses->count;
}

/**
 * rf_pause_overlap - get how much of a pause is in an interval
 * @e: the event at the end of the pause; other events count as no pause
 * @from: start of the interval
 * @to: end of the interval
 *
 * Return: the time in ns.
 */
uint64_t rf_pause_overlap(const struct rf_event *e, uint64_t from, uint64_t to)
{
	uint64_t start, end;

	if (e->kind != RF_EVENT_PAUSE || e->paused)
		return 0;
	start = e->until - e->ns > from ? e->until - e->ns : from;
	end = e->until < to ? e->until : to;
	return end > start ? end - start : 0;
}

/**
 * rf_prio_has_traffic - check whether packets left the queue of a priority in a case
 * @rec: the record of the case
 * @dev: netdev of the port
 * @prio: the priority
 *
 * Return: true if so, or if the counters of the port were not read. A pause of a priority
 * without traffic holds no packet.
 */
bool rf_prio_has_traffic(const struct rf_record *rec, const char *dev, uint32_t prio)
{
	size_t i;

	for (i = 0; i < rec->nports; i++)
		if (!strcmp(rec->ports[i].netdev, dev))
			return rec->ports[i].prio[prio].packets;
	return true;
}
