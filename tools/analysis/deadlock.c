// SPDX-License-Identifier: GPL-2.0
/*
 * The PFC deadlock of a case that lasted longest, found in the recorded pauses: ports of fabric
 * links that wait for each other in a cycle, all of them paused.
 *
 * The pauses of a cycle can also overlap for a short time if a port outside of it causes them. A
 * deadlock therefore lasts for at least RF_DEADLOCK_NS. Pauses by a storm do not count.
 */
#include <string.h>

#include "analysis.h"

#define PORTS_MAX (2 * RF_FABRIC_LINKS_MAX)
#define STORM 1			/* rf_event.source, as in the tracepoint rf_pause */

struct search {
	const struct rf_fabric *f;
	uint32_t prio;
	uint32_t ports;
	char name[PORTS_MAX][16];
	uint64_t since[PORTS_MAX];	/* start of the pause; UINT64_MAX: not paused */
	struct rf_deadlock *longest;
};

static uint32_t port_of(const struct search *s, const char *dev)
{
	uint32_t i;

	for (i = 0; i < s->ports && strcmp(s->name[i], dev); i++)
		;
	return i;
}

/* Remember the cycle of the ports that are paused until @now, if it lasted longer than others. */
static void look(struct search *s, uint64_t now)
{
	uint32_t cycle[PORTS_MAX], n;
	uint64_t begin;

	n = rf_fabric_deadlock(s->f, s->since, cycle, &begin);
	if (!n || now - begin < RF_DEADLOCK_NS || now - begin <= s->longest->ns)
		return;
	s->longest->ns = now - begin;
	s->longest->prio = s->prio;
	s->longest->ports = n;
	memcpy(s->longest->port, cycle, n * sizeof(*cycle));
}

static void take(struct search *s, const struct rf_event *e)
{
	uint32_t i = port_of(s, e->dev);

	if (i == s->ports)
		return;
	if (e->paused) {
		if (e->source == STORM)
			s->since[i] = UINT64_MAX;
		else if (s->since[i] == UINT64_MAX)
			s->since[i] = e->t_ns;
		return;
	}
	if (s->since[i] != UINT64_MAX && e->t_ns - s->since[i] >= RF_DEADLOCK_NS)
		look(s, e->t_ns);
	s->since[i] = UINT64_MAX;
}

static void search_prio(struct search *s, const struct rf_events *ev)
{
	const struct rf_event *e;

	memset(s->since, 0xff, sizeof(s->since));
	for (e = ev->e; e < ev->e + ev->n; e++)
		if (e->kind == RF_EVENT_PAUSE && e->prio == s->prio)
			take(s, e);
	if (ev->n)
		look(s, ev->e[ev->n - 1].t_ns);
}

/**
 * rf_deadlock_of - find the deadlock of a case that lasted longest
 * @f: the fabric
 * @ev: the events of the case, sorted by time
 * @longest: gets the deadlock
 *
 * A deadlock at the end of the record lasts until its last event.
 *
 * Return: false if there was none.
 */
bool rf_deadlock_of(const struct rf_fabric *f, const struct rf_events *ev,
		    struct rf_deadlock *longest)
{
	struct search s = { .f = f, .ports = 2 * rf_fabric_links(f), .longest = longest };
	uint32_t i;

	*longest = (struct rf_deadlock){ };
	for (i = 0; i < s.ports; i++)
		rf_fabric_port(f, f->nodes + i, s.name[i]);
	for (s.prio = 0; s.ports && s.prio < RDMAFAULT_PRIOS; s.prio++)
		search_prio(&s, ev);
	return longest->ports;
}
