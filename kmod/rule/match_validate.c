// SPDX-License-Identifier: GPL-2.0
/*
 * Matches that no packet can fulfil, or that say half of something. The ranges
 * of single attributes are the netlink policy's affair; here it is about those
 * that contradict one another. A rule that can never hit looks like a fault
 * that the traffic survived, so it is refused.
 */
#include <linux/bits.h>
#include <linux/stddef.h>

#include "invalid.h"
#include "../rocev2/opcode.h"

#define ACKS	(RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)
/* Of these no packet is part of a message. */
#define ALONE	(ACKS | RDMAFAULT_CLASS_CNP)
/* Of these every packet is a message. */
#define SINGLE	(RDMAFAULT_CLASS_READ_REQUEST | RDMAFAULT_CLASS_ATOMIC)
#define WITH_AETH (ACKS | RDMAFAULT_CLASS_READ_RESPONSE)

#define FIRST	RDMAFAULT_POSITION_FIRST
#define ONLY	RDMAFAULT_POSITION_ONLY

/* Where the AETH syndrome tells ACK, RNR NAK and NAK apart (table 49). */
#define KIND_SHIFT	5
#define KIND_MASK	0x60

static bool asks(const struct rf_match *m, u32 attr)
{
	return m->set & BIT_ULL(attr);
}

/* Are classes given, and none but of these? */
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

/* Packets to QP 1 are cm, whatever their opcode. */
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

static bool names_qp1(const struct rf_match *m)
{
	u32 i;

	for (i = 0; i < m->qps; i++)
		if (m->qp[i] == RF_QP_GSI)
			return true;
	return false;
}

static bool class_cm_elsewhere(const struct rf_match *m)
{
	return m->qps && !names_qp1(m) && only_classes(m, RDMAFAULT_CLASS_CM);
}

static bool class_not_of_qp1(const struct rf_match *m)
{
	return m->qps == 1 && names_qp1(m) && RF_ASKS(m, CLASS) &&
	       !(m->classes & RDMAFAULT_CLASS_CM);
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

/* A packet is first or only, or it isn't its message's number 1. */
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

/* Attributes that say nothing without another */
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

/* In this order; those behind the first rely on a known opcode. */
static const struct {
	bool (*is_there)(const struct rf_match *m);
	struct rf_invalid invalid;
} checks[] = {
#define INVALID(test, name, text) \
	{ test, { .attr = RDMAFAULT_A_MATCH_ ## name, .words = text } }
	INVALID(opcode_unknown, OPCODE, "opcode: not defined by the IBTA"),
	INVALID(class_empty, CLASS, "class: empty; at least one class"),
	INVALID(position_empty, POSITION, "position: empty; at least one position"),
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
 * rf_match_validate - is there anything that can't be meant?
 * @match: the match, completed
 *
 * Context: any.
 * Return: what is invalid first, or NULL.
 */
const struct rf_invalid *rf_match_validate(const struct rf_match *match)
{
	size_t i;

	for (i = 0; i < sizeof(halves) / sizeof(*halves); i++)
		if (asks(match, halves[i].invalid.attr) &&
		    !asks(match, halves[i].base))
			return &halves[i].invalid;
	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (checks[i].is_there(match))
			return &checks[i].invalid;
	return NULL;
}
