// SPDX-License-Identifier: GPL-2.0
/*
 * An event as a rule.
 *
 * To repeat a hit, its packet is named by what is the same in another run of
 * the same traffic: addresses, the ordinal of the flow between them, opcode,
 * PSN from the flow's first, and attempt. QP numbers and absolute PSNs are not.
 *
 * For people, the packet is named by what they see in a capture as well.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "repeat.h"
#include "rulewords.h"
#include "units.h"

#define QP_GSI		1		/* connection management */
#define PSN_MASK	RDMAFAULT_PSN_MAX
#define ASK(match, FIELD) ((match)->set |= RF_MATCH_BIT(FIELD))

static void pin_delay(struct rf_action *a, uint64_t ns)
{
	a->set &= ~(RF_ACTION_BIT(JITTER) | RF_ACTION_BIT(DISTRIBUTION) |
		    RF_ACTION_BIT(JITTER_CORRELATION));
	a->set |= RF_ACTION_BIT(DELAY);
	a->delay = ns;
}

/*
 * The offset in the lower half, the value of a byte in the upper. Without one
 * no byte was changed, for there was none: nothing was drawn.
 */
static void pin_corrupt(struct rf_action *a, uint64_t drawn)
{
	bool is_byte = a->unit == RDMAFAULT_UNIT_BYTE ||
		       a->unit == RDMAFAULT_UNIT_PAYLOAD;

	if (is_byte && !(drawn >> 32))
		return;
	a->set |= RF_ACTION_BIT(OFFSET);
	a->offset = drawn & UINT32_MAX;
	if (!(drawn >> 32))
		return;
	a->set |= RF_ACTION_BIT(VALUE);
	a->value = drawn >> 32;
}

/* A packet that is named by its PSN has another one in another run. */
static void pin_reorder(struct rf_action *a, const struct rf_event *e)
{
	if (!RF_ACTION_HAS(a, BEHIND_PSN))
		return;
	a->set &= ~RF_ACTION_BIT(BEHIND_PSN);
	a->set |= RF_ACTION_BIT(BEHIND_PSN_REL);
	a->behind_psn_rel = (a->behind_psn - e->psn + e->psn_rel) & PSN_MASK;
}

static void pin(struct rf_action *a, const struct rf_event *e, uint64_t drawn)
{
	switch (a->type) {
	case RDMAFAULT_ACTION_DELAY:
		return pin_delay(a, drawn);
	case RDMAFAULT_ACTION_CORRUPT:
		return pin_corrupt(a, drawn);
	case RDMAFAULT_ACTION_REORDER:
		return pin_reorder(a, e);
	}
}

/**
 * rf_event_actions - what was done to a packet
 * @e: the hit
 * @by: the rule that hit it; NULL if it isn't known: then the actions have
 *	nothing but what the event tells
 * @spec: gets the actions; the rest is left alone
 */
void rf_event_actions(const struct rf_event *e, const struct rf_rule_spec *by,
		      struct rf_rule_spec *spec)
{
	struct rf_action *a;
	uint32_t i;

	spec->actions = e->count;
	for (i = 0; i < e->count; i++) {
		a = &spec->action[i];
		*a = (struct rf_action){ .set = RF_ACTION_BIT(TYPE) };
		if (by && i < by->actions && by->action[i].type == e->types[i])
			*a = by->action[i];
		a->type = e->types[i];
		pin(a, e, e->values[i]);
	}
}

static void ask_addresses(const struct rf_event *e, struct rf_match *m)
{
	m->saddr_len = e->family == AF_INET ? 4 : 16;
	m->daddr_len = m->saddr_len;
	memcpy(m->saddr, e->saddr, sizeof(m->saddr));
	memcpy(m->daddr, e->daddr, sizeof(m->daddr));
	ASK(m, SADDR);
	ASK(m, DADDR);
}

static void ask_qp(const struct rf_event *e, struct rf_match *m)
{
	m->qps = 1;
	m->qp[0] = e->qp;
	ASK(m, QP);
}

static void ask_opcode(const struct rf_event *e, struct rf_match *m)
{
	m->opcode = e->opcode;
	ASK(m, OPCODE);
}

static void ask_attempt(const struct rf_event *e, struct rf_match *m)
{
	m->attempt_min = e->attempt;
	m->attempt_max = e->attempt;
	ASK(m, ATTEMPT_MIN);
	ASK(m, ATTEMPT_MAX);
}

static void ask_flow(const struct rf_event *e, struct rf_match *m)
{
	m->flow = e->flow;
	ASK(m, FLOW);
}

static void ask_psn_rel(const struct rf_event *e, struct rf_match *m)
{
	m->psn_rel = e->psn_rel;
	m->psn_rel_max = e->psn_rel;
	ASK(m, PSN_REL);
}

/* Some actions are described by their type alone. */
static bool tells_all(const struct rf_event *e)
{
	uint32_t i;

	for (i = 0; i < e->count; i++)
		if (e->types[i] != RDMAFAULT_ACTION_DROP &&
		    e->types[i] != RDMAFAULT_ACTION_OBSERVE)
			return false;
	return true;
}

/**
 * rf_event_repeat - the rule that does the same to the same packet
 * @e: the hit
 * @by: the rule that hit it, or NULL
 * @spec: the rule; overwritten
 *
 * Return: 0; -ENODATA if the packet has no place in a flow, so that nothing names
 * it; -ENOENT if @by would be needed to know what was done.
 */
int rf_event_repeat(const struct rf_event *e, const struct rf_rule_spec *by,
		    struct rf_rule_spec *spec)
{
	struct rf_match *m = &spec->match;

	if (!by && !tells_all(e))
		return -ENOENT;
	if (!e->flow || !e->attempt)
		return -ENODATA;
	memset(spec, 0, sizeof(*spec));
	ask_addresses(e, m);
	if (e->qp == QP_GSI)
		ask_qp(e, m);
	ask_flow(e, m);
	ask_opcode(e, m);
	ask_psn_rel(e, m);
	ask_attempt(e, m);
	spec->trigger.set = RF_TRIGGER_BIT(COUNT);
	spec->trigger.count = 1;
	rf_event_actions(e, by, spec);
	return 0;
}

/**
 * rf_event_deed - what a hit did, and how a rule would name the packet
 * @e: the hit
 * @by: the rule, or NULL
 * @buf: where to write
 *
 * Return: @buf.
 */
char *rf_event_deed(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN])
{
	struct rf_rule_spec what = { }, which = { };
	size_t n;

	rf_event_actions(e, by, &what);
	rf_rule_format(&what, buf, RF_EVENT_LINE_LEN);
	if (!e->flow || !e->attempt)
		return buf;
	ask_flow(e, &which.match);
	ask_psn_rel(e, &which.match);
	ask_attempt(e, &which.match);
	n = strlen(buf);
	n += snprintf(buf + n, RF_EVENT_LINE_LEN - n, "; ");
	if (n < RF_EVENT_LINE_LEN)
		rf_rule_format(&which, buf + n, RF_EVENT_LINE_LEN - n);
	return buf;
}

/* What a packet in the hold is not told to have, stays out. */
static void ask_seen(const struct rf_event *e, struct rf_match *m)
{
	ask_qp(e, m);
	m->psn = e->psn;
	m->psn_max = e->psn;
	ASK(m, PSN);
	if (e->family)
		ask_psn_rel(e, m);
	ask_opcode(e, m);
	if (e->kind == RF_EVENT_NAK) {
		m->syndrome = e->syndrome;
		ASK(m, SYNDROME);
	}
	if (e->attempt)
		ask_attempt(e, m);
	if (e->flow)
		ask_flow(e, m);
	if (e->message) {
		m->message = e->message;
		m->message_max = e->message;
		ASK(m, MESSAGE);
		ASK(m, MESSAGE_MAX);
	}
	if (e->step) {
		m->step_min = e->step;
		m->step_max = e->step;
		ASK(m, STEP_MIN);
		ASK(m, STEP_MAX);
	}
}

/* "hit rule 3", "retransmit", "hold rule 3, for 10.0 ms" */
static int put_kind(const struct rf_event *e, char *buf, size_t len)
{
	const char *kind = rf_event_kind_name(e->kind);
	char time[RF_FMT_LEN];

	if (e->kind == RF_EVENT_HOLD || e->kind == RF_EVENT_RELEASE)
		return snprintf(buf, len, "%s rule %u %s %s", kind, e->rule,
				e->kind == RF_EVENT_HOLD ? "for" : "after",
				rf_fmt_time(e->ns, time));
	if (e->kind == RF_EVENT_HIT)
		return snprintf(buf, len, "%s rule %u", kind, e->rule);
	return snprintf(buf, len, "%s", kind);
}

/**
 * rf_event_line - an event as a line for people
 * @e: the event
 * @by: the rule that hit, or NULL
 * @buf: where to write
 *
 * Return: @buf.
 */
char *rf_event_line(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN])
{
	struct rf_rule_spec spec = { };
	int n;

	if (rf_event_is_prio(e)) {
		rf_event_prio_line(e, buf, RF_EVENT_LINE_LEN);
		return buf;
	}
	ask_seen(e, &spec.match);
	if (e->kind == RF_EVENT_HIT)
		rf_event_actions(e, by, &spec);
	n = snprintf(buf, RF_EVENT_LINE_LEN,
		     RF_EVENT_TIME " %s %s #%" PRIu64 " ",
		     RF_EVENT_TIME_ARGS(e->t_ns), e->dev, rf_dir_name(e->dir),
		     e->seq);
	n += put_kind(e, buf + n, RF_EVENT_LINE_LEN - n);
	n += snprintf(buf + n, RF_EVENT_LINE_LEN - n, ": ");
	rf_rule_format(&spec, buf + n, RF_EVENT_LINE_LEN - n);
	return buf;
}
