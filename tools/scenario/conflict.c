// SPDX-License-Identifier: GPL-2.0
/*
 * Refuse faults of a case that contradict each other on the same port at the same time: two
 * values for one setting, two storms on one priority, the same link down twice, or two rules for
 * the same packets. Two rules contradict each other if one of them drops the packets, or if both
 * have the same action.
 */
#include <stdio.h>
#include <string.h>

#include "load.h"

static bool overlap(const struct rf_when *a, const struct rf_when *b)
{
	if (a->clock == RF_CLOCK_NONE || b->clock == RF_CLOCK_NONE)
		return true;
	if (a->clock != b->clock)
		return false;		/* not known */
	return (!a->end || b->begin < a->end) && (!b->end || a->begin < b->end);
}

static bool has_action(const struct rf_rule_spec *spec, uint32_t type)
{
	uint32_t i;

	for (i = 0; i < spec->actions; i++)
		if (spec->action[i].type == type)
			return true;
	return false;
}

/* Check whether two rules match the same packets. */
static bool same_packets(const struct rf_rule_spec *a,
			 const struct rf_rule_spec *b)
{
	return !memcmp(&a->match, &b->match, sizeof(a->match)) &&
	       !memcmp(&a->trigger, &b->trigger, sizeof(a->trigger));
}

static bool rules_fight(const struct rf_fault *a, const struct rf_fault *b)
{
	uint32_t i;

	if (a->dir != b->dir || !same_packets(&a->spec, &b->spec))
		return false;
	if (has_action(&a->spec, RDMAFAULT_ACTION_DROP) ||
	    has_action(&b->spec, RDMAFAULT_ACTION_DROP))
		return true;
	for (i = 0; i < a->spec.actions; i++)
		if (has_action(&b->spec, a->spec.action[i].type))
			return true;
	return false;
}

static bool changes_fight(const struct rf_queue_change *a,
			  const struct rf_queue_change *b)
{
	unsigned int i;

	if (a->link & b->link || a->watchdog & b->watchdog || a->dcqcn & b->dcqcn ||
	    a->dscp & b->dscp || (a->buffer && b->buffer))
		return true;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (a->prio[i] & b->prio[i] || a->ecn[i] & b->ecn[i])
			return true;
	return false;
}

/**
 * rf_when_may_overlap - check whether two faults can be active at the same time
 * @a: when the first fault is active
 * @b: when the second fault is active
 *
 * When a fault is undone, the value that the setting had before the fault is restored. This
 * must not be a value that another fault has set.
 *
 * Return: true if they can be active at the same time, or if this is unknown.
 */
bool rf_when_may_overlap(const struct rf_when *a, const struct rf_when *b)
{
	return a->clock != b->clock || overlap(a, b);
}

/* If a link goes down in two steps, it is not known whether it is up again in between. */
static bool links_fight(const struct rf_fault *a, const struct rf_fault *b)
{
	const struct rf_when *x = &a->when, *y = &b->when;

	if (x->clock != y->clock || x->clock == RF_CLOCK_STEP)
		return x->clock == y->clock && x->begin == y->begin;
	return x->begin < y->begin + b->down_ns && y->begin < x->begin + a->down_ns;
}

static bool fight(const struct rf_fault *a, const struct rf_fault *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == RF_FAULT_LINK_DOWN)
		return links_fight(a, b);
	if (a->kind == RF_FAULT_CHANGE)
		return rf_when_may_overlap(&a->when, &b->when) &&
		       changes_fight(&a->change, &b->change);
	if (!overlap(&a->when, &b->when))
		return false;
	switch (a->kind) {
	case RF_FAULT_RULE:
		return rules_fight(a, b);
	case RF_FAULT_STORM:
		return a->storm.prios & b->storm.prios;
	case RF_FAULT_PAUSE:
		return a->when.clock == b->when.clock &&
		       a->when.begin == b->when.begin && a->prios & b->prios;
	default:
		return false;
	}
}

/**
 * rf_faults_share_port - check whether two faults concern the same port
 * @s: the scenario
 * @a: a fault
 * @b: another fault
 *
 * Return: true if they do. v2 and rxe2 are names of the same port; p2 is another port.
 */
bool rf_faults_share_port(const struct rf_scenario *s, const struct rf_fault *a,
			  const struct rf_fault *b)
{
	return rf_port_number(s, a->port) == rf_port_number(s, b->port);
}

/* v2 and p2 are the ends of one link. */
static bool concern_one_link(const struct rf_scenario *s, const struct rf_fault *a,
			     const struct rf_fault *b)
{
	char partner[16];

	rf_fabric_partner(b->port, partner);
	return a->kind == RF_FAULT_LINK_DOWN && b->kind == RF_FAULT_LINK_DOWN &&
	       rf_port_number(s, a->port) == rf_port_number(s, partner);
}

/**
 * rf_faults_agree - refuse faults of a case that contradict each other
 * @doc: the document
 * @faults: the list of faults in the file
 * @test_case: the case
 * @s: its scenario
 *
 * Return: 0, or -EINVAL after rf_err().
 */
int rf_faults_agree(struct rf_doc *doc, struct rf_node *faults,
		    const struct rf_case *test_case, const struct rf_scenario *s)
{
	const struct rf_fault *a, *b;
	size_t i, j;

	for (i = 1; i < test_case->nfaults; i++)
		for (j = 0; j < i; j++) {
			a = &test_case->faults[j];
			b = &test_case->faults[i];
			if ((!rf_faults_share_port(s, a, b) && !concern_one_link(s, a, b)) ||
			    !fight(a, b))
				continue;
			return rf_doc_refuse(doc, faults->kids[i], "do: \"%.80s\" contradicts \"%.80s\" (line %u) on the same %s at the same time",
					     b->words, a->words, faults->kids[j]->line,
					     a->kind == RF_FAULT_LINK_DOWN ? "link" : "port");
		}
	return 0;
}
