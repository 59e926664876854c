// SPDX-License-Identifier: GPL-2.0
/*
 * The validation of rules: attributes that contradict each other, that lack another
 * one, or that the type of the action does not have. The tools compile this file, too,
 * so they refuse a rule with the same words.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/stddef.h>

#include "params.h"

#define ACKS	(RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)
/* Packets of these classes are not part of a message. */
#define ALONE	(ACKS | RDMAFAULT_CLASS_CNP)
/* Each packet of these classes is a message. */
#define SINGLE	(RDMAFAULT_CLASS_READ_REQUEST | RDMAFAULT_CLASS_ATOMIC)
#define WITH_AETH (ACKS | RDMAFAULT_CLASS_READ_RESPONSE)

#define FIRST	RDMAFAULT_POSITION_FIRST
#define ONLY	RDMAFAULT_POSITION_ONLY

/* The bits of the AETH syndrome that distinguish ACK, RNR NAK and NAK (table 49) */
#define KIND_SHIFT	5
#define KIND_MASK	0x60

static bool asks(const struct rf_match *m, u32 attr)
{
	return m->set & BIT_ULL(attr);
}

/* Are classes given, and only classes of @classes? */
static bool only_classes(const struct rf_match *m, u32 classes)
{
	return RF_ASKS(m, CLASS) && !(m->classes & ~classes);
}

static bool opcode_unknown(const struct rf_match *m)
{
	return RF_ASKS(m, OPCODE) && !rf_opcode(m->opcode);
}

static bool class_empty(const struct rf_match *m)
{
	return RF_ASKS(m, CLASS) && !m->classes;
}

static bool position_empty(const struct rf_match *m)
{
	return RF_ASKS(m, POSITION) && !m->positions;
}

static bool cm_empty(const struct rf_match *m)
{
	return RF_ASKS(m, CM) && !m->cms;
}

static bool ecn_empty(const struct rf_match *m)
{
	return RF_ASKS(m, ECN) && !m->ecn;
}

static bool attempt_empty(const struct rf_match *m)
{
	return RF_ASKS(m, ATTEMPT_MIN) && RF_ASKS(m, ATTEMPT_MAX) &&
	       m->attempt_min > m->attempt_max;
}

static bool step_empty(const struct rf_match *m)
{
	return RF_ASKS(m, STEP_MIN) && RF_ASKS(m, STEP_MAX) &&
	       m->step_min > m->step_max;
}

static bool message_empty(const struct rf_match *m)
{
	return m->message > m->message_max;
}

static bool step_message_empty(const struct rf_match *m)
{
	return m->step_message > m->step_message_max;
}

static bool packet_empty(const struct rf_match *m)
{
	return m->packet > m->packet_max;
}

static bool payload_empty(const struct rf_match *m)
{
	return m->payload > m->payload_max;
}

/* Packets to QP 1 have class cm with any opcode. */
static bool class_not_of_opcode(const struct rf_match *m)
{
	return RF_ASKS(m, OPCODE) && RF_ASKS(m, CLASS) &&
	       !((rf_opcode(m->opcode)->classes | RDMAFAULT_CLASS_CM) &
		 m->classes);
}

static bool position_not_of_opcode(const struct rf_match *m)
{
	return RF_ASKS(m, OPCODE) && RF_ASKS(m, POSITION) &&
	       !(rf_opcode(m->opcode)->position & m->positions);
}

static bool position_not_of_class(const struct rf_match *m)
{
	return RF_ASKS(m, POSITION) &&
	       (only_classes(m, ALONE) ||
		(only_classes(m, ALONE | SINGLE) && !(m->positions & ONLY)));
}

static bool class_cm_elsewhere(const struct rf_match *m)
{
	return m->qps && !rf_match_names_qp(m, RF_QP_GSI) && only_classes(m, RDMAFAULT_CLASS_CM);
}

static bool class_not_of_qp1(const struct rf_match *m)
{
	return m->qps == 1 && rf_match_names_qp(m, RF_QP_GSI) && RF_ASKS(m, CLASS) &&
	       !(m->classes & RDMAFAULT_CLASS_CM);
}

/* The messages of connection management are in datagrams to QP 1. */
static bool cm_elsewhere(const struct rf_match *m)
{
	return RF_ASKS(m, CM) &&
	       ((m->qps && !rf_match_names_qp(m, RF_QP_GSI)) ||
		(RF_ASKS(m, CLASS) && !(m->classes & RDMAFAULT_CLASS_CM)) ||
		(RF_ASKS(m, OPCODE) && !rf_opcode_is_ud(m->opcode)));
}

static bool syndrome_not_of_opcode(const struct rf_match *m)
{
	return RF_ASKS(m, SYNDROME) && RF_ASKS(m, OPCODE) &&
	       !rf_opcode(m->opcode)->aeth;
}

static bool syndrome_not_of_class(const struct rf_match *m)
{
	static const u32 kind[] = {
		RDMAFAULT_CLASS_ACK, RDMAFAULT_CLASS_RNR,
		RDMAFAULT_CLASS_NAK, RDMAFAULT_CLASS_NAK,
	};

	if (!RF_ASKS(m, SYNDROME) || !RF_ASKS(m, CLASS))
		return false;
	if (!(m->classes & WITH_AETH))
		return true;
	return only_classes(m, ACKS) &&
	       (m->syndrome_mask & KIND_MASK) == KIND_MASK &&
	       !(m->classes & kind[m->syndrome >> KIND_SHIFT & 3]);
}

static bool message_of_class(const struct rf_match *m)
{
	return (RF_ASKS(m, MESSAGE) || RF_ASKS(m, MESSAGE_END)) &&
	       only_classes(m, ALONE);
}

static bool step_message_of_class(const struct rf_match *m)
{
	return (RF_ASKS(m, STEP_MESSAGE) || RF_ASKS(m, STEP_MESSAGE_END)) &&
	       only_classes(m, ALONE);
}

/* The packet with number 1 is the first or only one of its message. */
static bool packet_not_of_position(const struct rf_match *m)
{
	if (!RF_ASKS(m, PACKET))
		return false;
	if (only_classes(m, ALONE))
		return true;
	if (!RF_ASKS(m, POSITION))
		return false;
	return m->packet > 1 ? !(m->positions & ~(FIRST | ONLY)) :
	       m->packet_max == 1 && !(m->positions & (FIRST | ONLY));
}

static bool families_differ(const struct rf_match *m)
{
	return RF_ASKS(m, SADDR) && RF_ASKS(m, DADDR) &&
	       m->saddr_len != m->daddr_len;
}

static bool saddr_prefix_long(const struct rf_match *m)
{
	return RF_ASKS(m, SADDR) && m->saddr_prefix > m->saddr_len * 8;
}

static bool daddr_prefix_long(const struct rf_match *m)
{
	return RF_ASKS(m, DADDR) && m->daddr_prefix > m->daddr_len * 8;
}

/* Attributes that require another one */
static const struct {
	u32 base;
	struct rf_invalid invalid;
} halves[] = {
#define HALF(part, of, text)						\
	{ RDMAFAULT_A_MATCH_ ## of,					\
	  { .attr = RDMAFAULT_A_MATCH_ ## part, .words = text } }
	HALF(PSN_MAX, PSN, "psn-max: requires psn"),
	HALF(PSN_REL_MAX, PSN_REL, "psn-rel-max: requires psn-rel"),
	HALF(SYNDROME_MASK, SYNDROME, "syndrome-mask: requires syndrome"),
	HALF(MESSAGE_MAX, MESSAGE, "message-max: requires message"),
	HALF(STEP_MESSAGE_MAX, STEP_MESSAGE,
	     "step-message-max: requires step-message"),
	HALF(PACKET_MAX, PACKET, "packet-max: requires packet"),
	HALF(PAYLOAD_MAX, PAYLOAD, "payload-max: requires payload"),
	HALF(SADDR_PREFIX, SADDR, "saddr-prefix: requires saddr"),
	HALF(DADDR_PREFIX, DADDR, "daddr-prefix: requires daddr"),
};

/* The checks after the first one rely on a known opcode. */
static const struct {
	bool (*is_invalid)(const struct rf_match *m);
	struct rf_invalid invalid;
} match_checks[] = {
#define INVALID(test, name, text) \
	{ test, { .attr = RDMAFAULT_A_MATCH_ ## name, .words = text } }
	INVALID(opcode_unknown, OPCODE, "opcode: not defined by the IBTA"),
	INVALID(class_empty, CLASS, "class: empty; at least one class"),
	INVALID(position_empty, POSITION, "position: empty; at least one position"),
	INVALID(cm_empty, CM, "cm: empty; at least one message"),
	INVALID(ecn_empty, ECN, "ecn: empty; at least one codepoint"),
	INVALID(attempt_empty, ATTEMPT_MIN, "attempt: minimum is greater than maximum"),
	INVALID(step_empty, STEP_MIN, "step: minimum is greater than maximum"),
	INVALID(message_empty, MESSAGE_MAX, "message: minimum is greater than maximum"),
	INVALID(step_message_empty, STEP_MESSAGE_MAX,
		"step-message: minimum is greater than maximum"),
	INVALID(packet_empty, PACKET_MAX, "packet: minimum is greater than maximum"),
	INVALID(payload_empty, PAYLOAD_MAX, "payload: minimum is greater than maximum"),
	INVALID(class_not_of_opcode, CLASS, "class: does not match the opcode"),
	INVALID(position_not_of_opcode, POSITION,
		"position: does not match the opcode"),
	INVALID(position_not_of_class, POSITION,
		"position: no packet of this class has it"),
	INVALID(class_cm_elsewhere, CLASS, "class: cm packets go only to qp 1"),
	INVALID(class_not_of_qp1, CLASS, "class: packets to qp 1 have class cm"),
	INVALID(cm_elsewhere, CM, "cm: messages of connection management are in datagrams to qp 1"),
	INVALID(syndrome_not_of_opcode, SYNDROME,
		"syndrome: packets of this opcode have no syndrome"),
	INVALID(syndrome_not_of_class, SYNDROME,
		"syndrome: no packet of this class has it"),
	INVALID(message_of_class, MESSAGE,
		"message: packets of this class belong to no message"),
	INVALID(step_message_of_class, STEP_MESSAGE,
		"step-message: packets of this class belong to no message"),
	INVALID(packet_not_of_position, PACKET,
		"packet: no such packet has this position or class"),
	INVALID(families_differ, DADDR,
		"daddr: address family differs from that of saddr"),
	INVALID(saddr_prefix_long, SADDR_PREFIX,
		"saddr-prefix: longer than the address"),
	INVALID(daddr_prefix_long, DADDR_PREFIX,
		"daddr-prefix: longer than the address"),
};

/**
 * rf_match_validate - check a match
 * @match: the match, completed
 *
 * A rule that can never hit looks like a fault without effect, so it is refused. The
 * netlink policy has checked the range of each attribute.
 *
 * Return: the first error, or NULL.
 */
const struct rf_invalid *rf_match_validate(const struct rf_match *match)
{
	size_t i;

	for (i = 0; i < sizeof(halves) / sizeof(*halves); i++)
		if (asks(match, halves[i].invalid.attr) &&
		    !asks(match, halves[i].base))
			return &halves[i].invalid;
	for (i = 0; i < sizeof(match_checks) / sizeof(*match_checks); i++)
		if (match_checks[i].is_invalid(match))
			return &match_checks[i].invalid;
	return NULL;
}

#define GE	(RF_TRIGGER_BIT(GE_P) | RF_TRIGGER_BIT(GE_R) | \
		 RF_TRIGGER_BIT(GE_BAD) | RF_TRIGGER_BIT(GE_GOOD))
#define STATE	(RF_TRIGGER_BIT(STATE_P13) | RF_TRIGGER_BIT(STATE_P31) | \
		 RF_TRIGGER_BIT(STATE_P32) | RF_TRIGGER_BIT(STATE_P23) | \
		 RF_TRIGGER_BIT(STATE_P14))

static bool every_with_nth(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, EVERY) && RF_TRIGGER_HAS(t, NTH);
}

static bool nth_before_after(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, NTH) && t->nth <= t->after;
}

static bool count_with_nth(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, NTH) && !RF_TRIGGER_HAS(t, BURST) &&
	       t->count > 1;
}

static bool ge_with_probability(const struct rf_trigger *t)
{
	return t->set & GE && RF_TRIGGER_HAS(t, PROBABILITY);
}

static bool state_with_others(const struct rf_trigger *t)
{
	return t->set & STATE &&
	       (t->set & GE || RF_TRIGGER_HAS(t, PROBABILITY));
}

static bool correlation_alone(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, CORRELATION) &&
	       !RF_TRIGGER_HAS(t, PROBABILITY);
}

static bool ge_without_p(const struct rf_trigger *t)
{
	return t->set & GE && !RF_TRIGGER_HAS(t, GE_P);
}

static bool state_without_p13(const struct rf_trigger *t)
{
	return t->set & STATE && !RF_TRIGGER_HAS(t, STATE_P13);
}

static bool p14_too_likely(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, STATE_P14) &&
	       t->p13 + t->p14 > RDMAFAULT_PROBABILITY_ONE;
}

static bool p32_too_likely(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, STATE_P32) &&
	       t->p31 + t->p32 > RDMAFAULT_PROBABILITY_ONE;
}

static bool burst_of_nothing(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && !RF_TRIGGER_HAS(t, NTH) &&
	       !RF_TRIGGER_HAS(t, EVERY) && !RF_TRIGGER_HAS(t, PROBABILITY);
}

static bool burst_once(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && t->burst > 1 &&
	       RF_TRIGGER_HAS(t, ONCE);
}

static bool burst_max_of_nothing(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST_MAX) &&
	       !RF_TRIGGER_HAS(t, PROBABILITY) && !(t->set & (GE | STATE));
}

static bool burst_beyond_max(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && RF_TRIGGER_HAS(t, BURST_MAX) &&
	       t->burst > t->burst_max;
}

static const struct {
	bool (*is_invalid)(const struct rf_trigger *t);
	struct rf_invalid invalid;
} trigger_checks[] = {
#undef INVALID
#define INVALID(test, name, text) \
	{ test, { .attr = RDMAFAULT_A_TRIGGER_ ## name, .words = text } }
	INVALID(every_with_nth, EVERY, "every: not allowed with nth, which selects one packet"),
	INVALID(nth_before_after, NTH,
		"nth: must be greater than after, which skips the first packets"),
	INVALID(count_with_nth, COUNT, "count: must be 1 with nth, which selects one packet"),
	INVALID(ge_with_probability, GE_P,
		"ge-p: not allowed with probability"),
	INVALID(state_with_others, STATE_P13,
		"state-p13: not allowed with probability or ge-p"),
	INVALID(correlation_alone, CORRELATION, "correlation: requires probability"),
	INVALID(ge_without_p, GE_R, "ge-r, ge-bad, ge-good: require ge-p"),
	INVALID(state_without_p13, STATE_P31,
		"state-p31, -p32, -p23, -p14: require state-p13"),
	INVALID(p14_too_likely, STATE_P14,
		"state-p14: the sum with state-p13 is greater than 1"),
	INVALID(p32_too_likely, STATE_P32,
		"state-p32: the sum with state-p31 is greater than 1"),
	INVALID(burst_of_nothing, BURST, "burst: requires nth, every or probability"),
	INVALID(burst_once, BURST, "burst: not allowed with once, which selects one packet"),
	INVALID(burst_max_of_nothing, BURST_MAX,
		"burst-max: requires probability, ge-p or state-p13"),
	INVALID(burst_beyond_max, BURST, "burst: greater than burst-max"),
};

/**
 * rf_trigger_validate - check a trigger
 * @trigger: the trigger, completed
 *
 * Return: the first error, or NULL.
 */
const struct rf_invalid *rf_trigger_validate(const struct rf_trigger *trigger)
{
	size_t i;

	for (i = 0; i < sizeof(trigger_checks) / sizeof(*trigger_checks); i++)
		if (trigger_checks[i].is_invalid(trigger))
			return &trigger_checks[i].invalid;
	return NULL;
}

static void fill_in(const struct rf_trigger *t, u32 attr, u64 *to, u64 value)
{
	if (!(t->set & BIT_ULL(attr)))
		*to = value;
}

/**
 * rf_trigger_complete - set attributes that were not given to the defaults of netem
 * @trigger: the trigger
 */
void rf_trigger_complete(struct rf_trigger *trigger)
{
	u64 one = RDMAFAULT_PROBABILITY_ONE;

	fill_in(trigger, RDMAFAULT_A_TRIGGER_GE_R, &trigger->ge_r,
		one - trigger->ge_p);
	fill_in(trigger, RDMAFAULT_A_TRIGGER_GE_BAD, &trigger->ge_bad, one);
	fill_in(trigger, RDMAFAULT_A_TRIGGER_STATE_P31, &trigger->p31,
		one - trigger->p13);
	fill_in(trigger, RDMAFAULT_A_TRIGGER_STATE_P23, &trigger->p23, one);
}

#define ATTR(attr)	RF_ACTION_BIT(attr)
#define FLAG(flag)	RDMAFAULT_ACTION_FLAG_ ## flag
#define REWRITE	(ATTR(OPCODE) | ATTR(QP) | ATTR(PSN) | ATTR(PKEY) | ATTR(RKEY) | \
		 ATTR(DMA_LENGTH) | ATTR(SYNDROME) | ATTR(MSN))

/* The attributes besides type and flags, and the flags, that each type accepts */
static const struct {
	u64 attrs;
	u32 flags;
} takes[] = {
	[RDMAFAULT_ACTION_DROP] = { 0 },
	[RDMAFAULT_ACTION_OBSERVE] = { 0 },
	[RDMAFAULT_ACTION_DELAY] = {
		ATTR(DELAY) | ATTR(JITTER) | ATTR(JITTER_CORRELATION) |
		ATTR(DISTRIBUTION), FLAG(KEEP_ORDER),
	},
	[RDMAFAULT_ACTION_REORDER] = {
		ATTR(DELAY) | ATTR(DISTANCE) | ATTR(BEHIND_PSN) |
		ATTR(BEHIND_PSN_REL),
	},
	[RDMAFAULT_ACTION_DUPLICATE] = { ATTR(DELAY) | ATTR(COPIES) },
	[RDMAFAULT_ACTION_CORRUPT] = {
		ATTR(UNIT) | ATTR(OFFSET) | ATTR(VALUE), FLAG(VALID_ICRC),
	},
	[RDMAFAULT_ACTION_TRUNCATE] = { ATTR(LENGTH), FLAG(VALID_ICRC) },
	[RDMAFAULT_ACTION_MARK] = { ATTR(ECN) | ATTR(NOT_ECT) },
	[RDMAFAULT_ACTION_REWRITE] = { REWRITE },
	[RDMAFAULT_ACTION_NAK] = { ATTR(CODE) | ATTR(PEER_QP) },
	[RDMAFAULT_ACTION_RNR] = { ATTR(CODE) | ATTR(PEER_QP) },
	[RDMAFAULT_ACTION_BLACKHOLE] = { ATTR(DELAY), FLAG(BOTH) },
	[RDMAFAULT_ACTION_TRIM] = { ATTR(LENGTH) | ATTR(DSCP) },
};

static_assert(sizeof(takes) / sizeof(*takes) == RDMAFAULT_ACTION_MAX + 1, "every action");

static bool foreign_flag(const struct rf_action *a, u32 flag)
{
	return a->flags & ~takes[a->type].flags & flag;
}

static bool foreign_keep_order(const struct rf_action *a)
{
	return foreign_flag(a, FLAG(KEEP_ORDER));
}

static bool foreign_valid_icrc(const struct rf_action *a)
{
	return foreign_flag(a, FLAG(VALID_ICRC));
}

static bool foreign_both(const struct rf_action *a)
{
	return foreign_flag(a, FLAG(BOTH));
}

static bool delay_missing(const struct rf_action *a)
{
	return (a->type == RDMAFAULT_ACTION_DELAY &&
		!RF_ACTION_HAS(a, DELAY)) ||
	       (a->type == RDMAFAULT_ACTION_BLACKHOLE && !a->delay);
}

static bool correlation_of_nothing(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, JITTER_CORRELATION) && !a->jitter;
}

static bool distribution_of_nothing(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, DISTRIBUTION) && !a->jitter;
}

static int reorder_ways(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, DISTANCE) + RF_ACTION_HAS(a, BEHIND_PSN) +
	       RF_ACTION_HAS(a, BEHIND_PSN_REL);
}

static bool distance_missing(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_REORDER && !reorder_ways(a);
}

static bool distance_and_behind(const struct rf_action *a)
{
	return reorder_ways(a) > 1;
}

static bool unit_missing(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_CORRUPT && !RF_ACTION_HAS(a, UNIT);
}

static bool value_of_bit(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, VALUE) && (a->unit == RDMAFAULT_UNIT_BIT ||
					   a->unit == RDMAFAULT_UNIT_ICRC);
}

static bool is_icrc(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_CORRUPT &&
	       a->unit == RDMAFAULT_UNIT_ICRC;
}

static bool icrc_made_valid(const struct rf_action *a)
{
	return is_icrc(a) && a->flags & FLAG(VALID_ICRC);
}

static bool icrc_offset_too_big(const struct rf_action *a)
{
	return is_icrc(a) && a->offset > 31;
}

static bool length_missing(const struct rf_action *a)
{
	return (a->type == RDMAFAULT_ACTION_TRUNCATE || a->type == RDMAFAULT_ACTION_TRIM) &&
	       !RF_ACTION_HAS(a, LENGTH);
}

static bool length_too_big(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_TRIM && a->length > RDMAFAULT_TRIM_MAX;
}

static bool nothing_to_rewrite(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_REWRITE && !(a->set & REWRITE);
}

static bool code_missing(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_NAK && !RF_ACTION_HAS(a, CODE);
}

static bool code_too_big(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_NAK && a->code > 4;
}

static const struct {
	bool (*is_invalid)(const struct rf_action *a);
	struct rf_invalid invalid;
} action_checks[] = {
#undef INVALID
#define INVALID(test, name, text) \
	{ test, { .attr = RDMAFAULT_A_ACTION_ ## name, .words = text } }
	INVALID(foreign_keep_order, FLAGS, "flags: keep-order is only for delay"),
	INVALID(foreign_valid_icrc, FLAGS,
		"flags: valid-icrc is only for corrupt and truncate"),
	INVALID(foreign_both, FLAGS, "flags: both is only for blackhole"),
	INVALID(delay_missing, TYPE, "delay: missing"),
	INVALID(correlation_of_nothing, JITTER_CORRELATION,
		"jitter-correlation: requires jitter"),
	INVALID(distribution_of_nothing, DISTRIBUTION,
		"distribution: requires jitter"),
	INVALID(distance_missing, TYPE,
		"distance: missing; or behind-psn or behind-psn-rel"),
	INVALID(distance_and_behind, TYPE,
		"distance, behind-psn, behind-psn-rel: only one is allowed"),
	INVALID(unit_missing, TYPE, "unit: missing"),
	INVALID(value_of_bit, VALUE, "value: not allowed for unit bit"),
	INVALID(icrc_made_valid, FLAGS,
		"flags: valid-icrc not allowed for unit icrc"),
	INVALID(icrc_offset_too_big, OFFSET, "offset: out of range; 0 to 31 for unit icrc"),
	INVALID(length_missing, TYPE, "length: missing"),
	INVALID(length_too_big, LENGTH, "length: out of range; 0 to 4096 for trim"),
	INVALID(nothing_to_rewrite, TYPE, "rewrite: no field is given"),
	INVALID(code_missing, TYPE, "code: missing"),
	INVALID(code_too_big, CODE, "code: out of range; 0 to 4 for a NAK"),
};

#define FOREIGN(attr, name)						\
	[RDMAFAULT_A_ACTION_ ## attr] = {				\
		RDMAFAULT_A_ACTION_ ## attr, name ": not for this action", \
	}

static const struct rf_invalid foreign[RDMAFAULT_A_ACTION_MAX + 1] = {
	FOREIGN(DELAY, "delay"),
	FOREIGN(JITTER, "jitter"),
	FOREIGN(JITTER_CORRELATION, "jitter-correlation"),
	FOREIGN(DISTRIBUTION, "distribution"),
	FOREIGN(DISTANCE, "distance"),
	FOREIGN(BEHIND_PSN, "behind-psn"),
	FOREIGN(BEHIND_PSN_REL, "behind-psn-rel"),
	FOREIGN(COPIES, "copies"),
	FOREIGN(UNIT, "unit"),
	FOREIGN(OFFSET, "offset"),
	FOREIGN(VALUE, "value"),
	FOREIGN(LENGTH, "length"),
	FOREIGN(ECN, "ecn"),
	FOREIGN(NOT_ECT, "not-ect"),
	FOREIGN(CODE, "code"),
	FOREIGN(PEER_QP, "peer-qp"),
	FOREIGN(OPCODE, "opcode"),
	FOREIGN(QP, "qp"),
	FOREIGN(PSN, "psn"),
	FOREIGN(PKEY, "pkey"),
	FOREIGN(RKEY, "rkey"),
	FOREIGN(DMA_LENGTH, "dma-length"),
	FOREIGN(SYNDROME, "syndrome"),
	FOREIGN(MSN, "msn"),
	FOREIGN(DSCP, "dscp"),
};

static const struct rf_invalid *foreign_attr(const struct rf_action *a)
{
	u64 others = a->set & ~takes[a->type].attrs;
	int attr;

	for (attr = 0; attr <= RDMAFAULT_A_ACTION_MAX; attr++)
		if (foreign[attr].words && others & BIT_ULL(attr))
			return &foreign[attr];
	return NULL;
}

/**
 * rf_action_validate - check an action
 * @action: the action
 *
 * Return: the first error, or NULL.
 */
const struct rf_invalid *rf_action_validate(const struct rf_action *action)
{
	size_t i;

	if (foreign_attr(action))
		return foreign_attr(action);
	for (i = 0; i < sizeof(action_checks) / sizeof(*action_checks); i++)
		if (action_checks[i].is_invalid(action))
			return &action_checks[i].invalid;
	return NULL;
}

static const struct rf_invalid hits_all = {
	.attr = RDMAFAULT_A_RULE_MATCH,
	.words = "match: empty; to match every packet, set the flag all",
};

static const struct rf_invalid ends_before = {
	.attr = RDMAFAULT_A_RULE_EXPIRES,
	.words = "expires: earlier than the time in from",
};

static const struct rf_invalid behind_last = {
	.attr = RDMAFAULT_A_RULE_ACTION,
	.words = "action: not allowed after an action that consumes the packet",
};

static const struct rf_invalid held_too_long = {
	.attr = RDMAFAULT_A_RULE_ACTION,
	.words = "delay: longer than the port's max-hold",
};

/* Does the action consume the packet, so that no action can follow? */
static bool is_last(const struct rf_action *action)
{
	switch (action->type) {
	case RDMAFAULT_ACTION_DROP:
	case RDMAFAULT_ACTION_NAK:
	case RDMAFAULT_ACTION_RNR:
	case RDMAFAULT_ACTION_BLACKHOLE:
		return true;
	default:
		return false;
	}
}

/* A jitter beyond its parameter is limited by max-hold. */
static u64 longest_hold(const struct rf_action *action)
{
	switch (action->type) {
	case RDMAFAULT_ACTION_DELAY:
		return action->delay + action->jitter;
	case RDMAFAULT_ACTION_REORDER:
		return rf_reorder_within(action);
	case RDMAFAULT_ACTION_DUPLICATE:
		return action->delay;
	default:
		return 0;
	}
}

/**
 * rf_actions_validate - check the order of actions
 * @action: the actions, each validated
 * @count: number of actions
 * @at: set to the index of the wrong action
 *
 * Return: the error, or NULL.
 */
const struct rf_invalid *rf_actions_validate(const struct rf_action *action, u32 count,
					     u32 *at)
{
	u32 i;

	for (i = 0; i + 1 < count; i++) {
		if (!is_last(&action[i]))
			continue;
		*at = i + 1;
		return &behind_last;
	}
	return NULL;
}

/**
 * rf_actions_fit - check the sum of the delays of actions
 * @action: the actions
 * @count: number of actions
 * @max_hold: max-hold of the port, in nanoseconds
 *
 * Return: the error, or NULL.
 */
const struct rf_invalid *rf_actions_fit(const struct rf_action *action, u32 count,
					u64 max_hold)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < count; i++)
		sum += longest_hold(&action[i]);
	return sum > max_hold ? &held_too_long : NULL;
}

/**
 * rf_rule_validate - check the parts of a rule together
 * @match: the match
 * @trigger: the trigger
 * @action: the first action
 * @flags: RDMAFAULT_RULE_FLAG_*
 * @expires: time in nanoseconds after which the rule expires, 0: never
 *
 * Return: the first error, with an attribute of rdmafault-a-rule, or NULL.
 */
const struct rf_invalid *rf_rule_validate(const struct rf_match *match,
					  const struct rf_trigger *trigger,
					  const struct rf_action *action, u32 flags,
					  u64 expires)
{
	if (action->type != RDMAFAULT_ACTION_OBSERVE && rf_match_is_empty(match) &&
	    !(flags & RDMAFAULT_RULE_FLAG_ALL))
		return &hits_all;
	if (expires && trigger->from >= expires)
		return &ends_before;
	return NULL;
}
