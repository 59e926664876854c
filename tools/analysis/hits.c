// SPDX-License-Identifier: GPL-2.0
/*
 * Find out whether the receiver accepts a packet that a fault changed. With a wrong ICRC,
 * the receiver discards the packet, which counts as a loss. With the rule word valid-icrc,
 * the receiver accepts the packet: as the same packet if only the payload changed, as
 * another packet if the headers changed.
 *
 * The event of a hit contains the number of its rule, but the rules no longer exist after the
 * case. Therefore the rule is looked up in the scenario by port, direction and actions. If
 * several rules match and have different results, the result is RF_TAKEN_FORGED, so that the
 * flow of the packet is not judged.
 */
#include <string.h>

#include "analysis.h"
#include "kmod/rocev2/bth.h"

/* Offsets count from the first byte of the BTH, as in fault_corrupt.c. */
static bool is_in_headers(const struct rf_event *e, const struct rf_action *a,
			  uint64_t value)
{
	const struct rf_opcode *op = rf_opcode(e->opcode);
	uint32_t offset = value & UINT32_MAX;

	if (a->unit == RDMAFAULT_UNIT_PAYLOAD)
		return false;
	if (a->unit == RDMAFAULT_UNIT_BIT)
		offset /= 8;
	return !op || offset < op->hdrlen;
}

/* Find out whether the receiver accepts a packet after an action that does not drop it. */
static enum rf_taken by_action(const struct rf_event *e,
			       const struct rf_action *a, uint64_t value)
{
	bool valid = a->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC;

	switch (a->type) {
	case RDMAFAULT_ACTION_OBSERVE:
	case RDMAFAULT_ACTION_MARK:
	case RDMAFAULT_ACTION_DUPLICATE:
		return RF_TAKEN_DATA;
	case RDMAFAULT_ACTION_CORRUPT:
		if (valid && !is_in_headers(e, a, value))
			return RF_TAKEN_DATA;
		/* fall through */
	case RDMAFAULT_ACTION_TRUNCATE:
		return valid ? RF_TAKEN_FORGED : RF_TAKEN_NOT;
	}
	/* A trimmed packet is valid, with a wrong length. */
	return RF_TAKEN_FORGED;
}

/*
 * Check whether an action recomputes the ICRC. If so, the new ICRC also matches the changes
 * by earlier actions.
 */
static bool repairs_icrc(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_REWRITE || a->type == RDMAFAULT_ACTION_TRIM ||
	       a->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC;
}

static bool takes_away(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_DROP ||
	       a->type == RDMAFAULT_ACTION_BLACKHOLE;
}

/* Find the result of all actions of a rule, applied in the order of the rule. */
static enum rf_taken by_rule(const struct rf_event *e,
			     const struct rf_rule_spec *spec)
{
	enum rf_taken taken = RF_TAKEN_DATA, one;
	const struct rf_action *a = spec->action;
	uint32_t i;

	for (i = 0; i < spec->actions; i++, a++) {
		if (takes_away(a))
			return RF_TAKEN_NOT;
		if (!rf_event_changed(e, i))
			continue;
		one = by_action(e, a, e->values[i]);
		if (taken == RF_TAKEN_NOT && repairs_icrc(a))
			taken = RF_TAKEN_FORGED;
		else if (taken != RF_TAKEN_NOT && one != RF_TAKEN_DATA)
			taken = one;
	}
	return taken;
}

static bool is_hit_of(const struct rf_scenario *s, const struct rf_fault *f,
		      const struct rf_event *e)
{
	uint32_t i;

	if (f->kind != RF_FAULT_RULE || f->dir != e->dir ||
	    f->spec.actions != e->count ||
	    rf_port_number(s, f->port) != rf_port_number(s, e->dev))
		return false;
	for (i = 0; i < e->count; i++)
		if (f->spec.action[i].type != e->types[i])
			return false;
	return true;
}

static enum rf_taken by_case(const struct rf_scenario *s,
			     const struct rf_case *test_case,
			     const struct rf_event *e)
{
	enum rf_taken taken = RF_TAKEN_NOT, one;
	const struct rf_fault *f = test_case->faults;
	bool found = false;

	for (; f < test_case->faults + test_case->nfaults; f++) {
		if (!is_hit_of(s, f, e))
			continue;
		one = by_rule(e, &f->spec);
		if (found && one != taken)
			return RF_TAKEN_FORGED;
		found = true;
		taken = one;
	}
	return taken;
}

static bool is_change(const struct rf_event *e)
{
	return e->kind == RF_EVENT_HIT && e->fault &&
	       (e->action == RDMAFAULT_ACTION_CORRUPT ||
		e->action == RDMAFAULT_ACTION_TRUNCATE || e->action == RDMAFAULT_ACTION_TRIM);
}

/**
 * rf_hits_settle - find out which changed packets their receivers accepted, and which packets left
 *	a node
 * @s: the scenario
 * @test_case: the case
 * @ev: the events of the case; the results are stored in each event
 */
void rf_hits_settle(const struct rf_scenario *s, const struct rf_case *test_case,
		    struct rf_events *ev)
{
	struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		e->taken = is_change(e) ? by_case(s, test_case, e) : RF_TAKEN_NOT;
		e->mirrored = rf_fabric_is_remote(&s->fabric);
	}
}
