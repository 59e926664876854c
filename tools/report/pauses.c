// SPDX-License-Identifier: GPL-2.0
/*
 * How long a priority was shut, by the trace.
 *
 * A storm that is without a gap keeps a priority shut from its first frame to
 * its last quantum; each gap lets packets through, and the watchdog sees it.
 */
#include <string.h>

#include "pauses.h"

static void shuts(struct rf_pauses *p, const struct rf_event *e)
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
 * rf_pauses_of - the pauses of a priority
 * @ev: the events, in the order of time
 * @dev: the port
 * @prio: the priority
 * @pauses: gets them
 *
 * One that is still shut at the end of the trace opens when its last pause
 * runs out.
 *
 * Return: false if it was never shut.
 */
bool rf_pauses_of(const struct rf_events *ev, const char *dev, uint32_t prio,
		  struct rf_pauses *pauses)
{
	uint64_t since = 0, until = 0;
	const struct rf_event *e;
	bool shut = false;

	*pauses = (struct rf_pauses){ };
	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (e->kind != RF_EVENT_PAUSE || e->prio != prio ||
		    strcmp(e->dev, dev))
			continue;
		if (e->paused && !shut) {
			shuts(pauses, e);
			since = e->t_ns;
		} else if (!e->paused && shut) {
			opens(pauses, since, e->t_ns);
		}
		shut = e->paused;
		until = e->until;
	}
	if (shut)
		opens(pauses, since, until);
	return pauses->count;
}
