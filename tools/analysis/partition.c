// SPDX-License-Identifier: GPL-2.0
/*
 * When a fabric was partitioned: links between switches were down, so that no path was left
 * between two nodes. Links of nodes do not count: a node whose only link is down is not a part of
 * a fabric.
 */
#include "analysis.h"
#include "fabric.h"

/* State of the fabric while the faults of a case begin and end */
struct state {
	const struct rf_fabric *f;
	/* By switch, and switch at the other end: number of faults that keep the link down */
	uint32_t down[RF_FABRIC_ALL_SWITCHES_MAX][RF_FABRIC_ALL_SWITCHES_MAX];
};

/* Count a fault that takes a link between switches down, or brings it up. */
static void mark(struct state *s, const struct rf_scenario *scenario, const struct rf_fault *fault,
		 bool undo)
{
	struct rf_fabric_link l;

	if (fault->kind != RF_FAULT_LINK_DOWN ||
	    !rf_port_link(scenario, rf_port_number(scenario, fault->port), &l))
		return;
	s->down[l.a][l.b] += undo ? -1 : 1;
	s->down[l.b][l.a] = s->down[l.a][l.b];
}

/* Get the switches that can be reached from one, as bits. */
static uint64_t reach(const struct state *s, uint32_t from)
{
	uint64_t reached = 1ull << from, before = 0;
	struct rf_fabric_link l;
	uint32_t i;

	while (reached != before) {
		before = reached;
		for (i = 0; i < rf_fabric_links(s->f); i++) {
			l = rf_fabric_link(s->f, i);
			if (!s->down[l.a][l.b] && (reached >> l.a & 1 || reached >> l.b & 1))
				reached |= 1ull << l.a | 1ull << l.b;
		}
	}
	return reached;
}

/* Return: the first node that node 1 cannot reach, or 0 */
static uint32_t cut_off(const struct state *s)
{
	uint64_t reached = reach(s, rf_fabric_home(s->f, 1));
	uint32_t node;

	for (node = 2; node <= s->f->nodes; node++)
		if (!(reached >> rf_fabric_home(s->f, node) & 1))
			return node;
	return 0;
}

/**
 * rf_partition - get how long the fabric of a case was partitioned
 * @scenario: the scenario
 * @p: the case
 *
 * Return: the first node that node 1 had no path to, or 0, and the time.
 */
struct rf_partition rf_partition(const struct rf_scenario *scenario, const struct rf_run_case *p)
{
	struct rf_partition part = { };
	struct state s = { .f = &scenario->fabric };
	const struct rf_done *d;
	uint64_t since = 0;
	uint32_t node = 0;

	for (d = p->rec.done; d < p->rec.done + p->rec.ndone; d++) {
		if (node)
			part.ns += d->t_ns - since;
		mark(&s, scenario, &p->test_case->faults[d->fault], d->undo);
		node = cut_off(&s);
		part.node = part.node ?: node;
		since = d->t_ns;
	}
	if (node)
		part.ns = 0;
	return part;
}
