// SPDX-License-Identifier: GPL-2.0
/*
 * Make a rule from an event.
 *
 * The rule matches the packet by values that stay the same if the traffic is repeated:
 * addresses, flow number, opcode, relative PSN and attempt. QP numbers and absolute PSNs
 * differ between runs.
 *
 * rf_event_line() also prints QP number and PSN, so that a user can find the packet in a
 * capture.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "capture.h"
#include "units.h"
#include "words.h"

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
 * Replace the random choices of a corruption by the choices that the event recorded. The lower
 * half of @drawn is the offset. The upper half is the value that the byte was XORed with; 0 if
 * no byte was changed.
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

/* Replace the absolute PSN, which differs between runs, by the relative PSN. */
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

/*
 * Get the actions that were applied to a packet. If @by, the rule that hit it, is NULL, they
 * have only the values that the event contains.
 */
static void get_actions(const struct rf_event *e, const struct rf_rule_spec *by,
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
		if (rf_event_changed(e, i))
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

/*
 * Check whether an event is enough to know the values of its actions, without the rule. This
 * is true if all actions are "drop" or "observe", which have no values.
 */
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
 * rf_event_repeat - make a rule that applies the same actions to the same packet
 * @e: the hit
 * @by: the rule that hit it, or NULL
 * @spec: the rule; overwritten
 *
 * Return: 0; -ENODATA if the flow number or the attempt of the packet is unknown, so that
 * no rule can match it; -ENOENT if @by is NULL, but an action has values that only the rule
 * contains.
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
	get_actions(e, by, spec);
	return 0;
}

/**
 * rf_event_deed - format the actions of a hit, and conditions that match its packet
 * @e: the hit
 * @by: the rule, or NULL
 * @buf: output buffer
 *
 * Return: @buf.
 */
char *rf_event_deed(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN])
{
	struct rf_rule_spec what = { }, which = { };
	size_t n;

	get_actions(e, by, &what);
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

/* Match the known values of a packet. Events of the delay queue do not have all values. */
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

/* Format the kind of an event: "hit rule 3", "retransmit", "hold rule 3 for 10.0 ms" */
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
 * rf_event_line - format an event as a line
 * @e: the event
 * @by: the rule that hit, or NULL
 * @buf: the line
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
	if (rf_event_is_flow(e)) {
		rf_event_flow_line(e, buf, RF_EVENT_LINE_LEN);
		return buf;
	}
	ask_seen(e, &spec.match);
	if (e->kind == RF_EVENT_HIT)
		get_actions(e, by, &spec);
	n = snprintf(buf, RF_EVENT_LINE_LEN,
		     RF_EVENT_TIME " %s %s #%" PRIu64 " ",
		     RF_EVENT_TIME_ARGS(e->t_ns), e->dev, rf_dir_name(e->dir),
		     e->seq);
	n += put_kind(e, buf + n, RF_EVENT_LINE_LEN - n);
	n += snprintf(buf + n, RF_EVENT_LINE_LEN - n, ": ");
	rf_rule_format(&spec, buf + n, RF_EVENT_LINE_LEN - n);
	n = strlen(buf);
	if (e->unchanged)
		snprintf(buf + n, RF_EVENT_LINE_LEN - n, " (packet unchanged)");
	return buf;
}
