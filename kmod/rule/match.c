// SPDX-License-Identifier: GPL-2.0
/*
 * The match of a rule: a packet matches if all given attributes match.
 *
 * QP 1 is for connection management. A fault there breaks the start of a job instead of
 * the job. So a rule matches packets to QP 1 only if it has "qp 1", "class cm" or "cm".
 */
#include <linux/bits.h>
#include <linux/string.h>

#include "params.h"

/* Groups of attributes: most rules have attributes of few groups. */
#define ASKS_OPCODE							\
	(RF_MATCH_BIT(OPCODE) | RF_MATCH_BIT(CLASS) |			\
	 RF_MATCH_BIT(SYNDROME) | RF_MATCH_BIT(PAYLOAD) |		\
	 RF_MATCH_BIT(POSITION) | RF_MATCH_BIT(CM))
#define ASKS_TIME							\
	(RF_MATCH_BIT(ATTEMPT_MIN) | RF_MATCH_BIT(ATTEMPT_MAX) |	\
	 RF_MATCH_BIT(STEP_MIN) | RF_MATCH_BIT(STEP_MAX))
#define ASKS_ORDINALS							\
	(RF_MATCH_BIT(MESSAGE) | RF_MATCH_BIT(MESSAGE_END) |		\
	 RF_MATCH_BIT(STEP_MESSAGE) | RF_MATCH_BIT(STEP_MESSAGE_END) |	\
	 RF_MATCH_BIT(PACKET))
#define ASKS_NETWORK							\
	(RF_MATCH_BIT(PRIORITY) | RF_MATCH_BIT(DSCP) |			\
	 RF_MATCH_BIT(ECN) | RF_MATCH_BIT(SPORT) |			\
	 RF_MATCH_BIT(SADDR) | RF_MATCH_BIT(DADDR))

/**
 * rf_match_names_qp - test whether a match names a QP
 * @match: the match
 * @qp: the QP
 *
 * Return: true if it does; false if it names no QPs.
 */
bool rf_match_names_qp(const struct rf_match *match, u32 qp)
{
	u32 i;

	for (i = 0; i < match->qps; i++)
		if (match->qp[i] == qp)
			return true;
	return false;
}

static bool names_cm(const struct rf_match *match)
{
	return rf_match_names_qp(match, RF_QP_GSI) || RF_ASKS(match, CM) ||
	       (RF_ASKS(match, CLASS) && match->classes & RDMAFAULT_CLASS_CM);
}

/* Is @v in the range from @min up to @max, modulo 2^24? */
static bool psn_between(u32 v, u32 min, u32 max)
{
	return ((v - min) & RF_PSN_MASK) <= ((max - min) & RF_PSN_MASK);
}

static bool between(u32 v, u32 min, u32 max)
{
	return v >= min && v <= max;
}

static bool addr_matches(const u8 *addr, const u8 *want, u32 prefix)
{
	u32 bytes = prefix / 8;
	u8 mask = 0xff00 >> prefix % 8;

	return !memcmp(addr, want, bytes) &&
	       (!(prefix % 8) || !((addr[bytes] ^ want[bytes]) & mask));
}

static bool addrs_match(const struct rf_match *match,
			const struct rf_desc *desc)
{
	if (RF_ASKS(match, SADDR) &&
	    (match->saddr_len != desc->addr_len ||
	     !addr_matches(desc->saddr, match->saddr, match->saddr_prefix)))
		return false;
	return !RF_ASKS(match, DADDR) ||
	       (match->daddr_len == desc->addr_len &&
		addr_matches(desc->daddr, match->daddr, match->daddr_prefix));
}

static bool flow_matches(const struct rf_match *match,
			 const struct rf_desc *desc)
{
	if (match->qps && !rf_match_names_qp(match, desc->qp))
		return false;
	if (RF_ASKS(match, PSN) &&
	    !psn_between(desc->psn, match->psn, match->psn_max))
		return false;
	/* Without a flow, there is no first PSN. */
	if (RF_ASKS(match, PSN_REL) &&
	    (!desc->attempt || !psn_between(desc->psn_rel, match->psn_rel,
					    match->psn_rel_max)))
		return false;
	if (RF_ASKS(match, FLOW) && match->flow != desc->flow)
		return false;
	return desc->qp != RF_QP_GSI || names_cm(match);
}

static bool opcode_matches(const struct rf_match *match,
			   const struct rf_desc *desc)
{
	if (RF_ASKS(match, OPCODE) && match->opcode != desc->opcode)
		return false;
	if (RF_ASKS(match, CLASS) && !(match->classes & desc->classes))
		return false;
	if (RF_ASKS(match, CM) && !(match->cms & desc->cm))
		return false;
	if (RF_ASKS(match, SYNDROME) &&
	    (!desc->has_aeth || (desc->syndrome ^ match->syndrome) &
				match->syndrome_mask))
		return false;
	if (RF_ASKS(match, PAYLOAD) &&
	    !between(desc->payload, match->payload, match->payload_max))
		return false;
	return !RF_ASKS(match, POSITION) || match->positions & desc->position;
}

/* An ordinal of 0 is unknown, and lower than each minimum. */
static bool ordinals_match(const struct rf_match *match,
			   const struct rf_desc *desc)
{
	if (RF_ASKS(match, MESSAGE) &&
	    !between(desc->message, match->message, match->message_max))
		return false;
	if (RF_ASKS(match, MESSAGE_END) &&
	    (!desc->message || desc->message > desc->messages_total ||
	     desc->messages_total - desc->message + 1 != match->message_end))
		return false;
	if (RF_ASKS(match, STEP_MESSAGE) &&
	    !between(desc->step_message, match->step_message,
		     match->step_message_max))
		return false;
	if (RF_ASKS(match, STEP_MESSAGE_END) &&
	    (!desc->step_message || desc->step_message > desc->messages ||
	     desc->messages - desc->step_message + 1 !=
	     match->step_message_end))
		return false;
	return !RF_ASKS(match, PACKET) ||
	       between(desc->packet, match->packet, match->packet_max);
}

static bool network_matches(const struct rf_match *match,
			    const struct rf_desc *desc)
{
	if (RF_ASKS(match, PRIORITY) &&
	    !(match->priorities & 1u << desc->priority))
		return false;
	if (RF_ASKS(match, DSCP) && match->dscp != desc->dscp)
		return false;
	if (RF_ASKS(match, ECN) && !(match->ecn & 1u << desc->ecn))
		return false;
	if (RF_ASKS(match, SPORT) && match->sport != desc->sport)
		return false;
	return addrs_match(match, desc);
}

static bool time_matches(const struct rf_match *match,
			 const struct rf_desc *desc)
{
	/* An unknown attempt is 0, and lower than each minimum. */
	if (RF_ASKS(match, ATTEMPT_MIN) && desc->attempt < match->attempt_min)
		return false;
	if (RF_ASKS(match, ATTEMPT_MAX) &&
	    (!desc->attempt || desc->attempt > match->attempt_max))
		return false;
	if (RF_ASKS(match, STEP_MIN) && desc->step < match->step_min)
		return false;
	return !RF_ASKS(match, STEP_MAX) || desc->step <= match->step_max;
}

static void fill(const struct rf_match *match, u32 attr, u32 *to, u32 value)
{
	if (!(match->set & BIT_ULL(attr)))
		*to = value;
}

/**
 * rf_match_complete - set attributes that were not given to their defaults
 * @match: the match
 */
void rf_match_complete(struct rf_match *match)
{
	fill(match, RDMAFAULT_A_MATCH_PSN_MAX, &match->psn_max, match->psn);
	fill(match, RDMAFAULT_A_MATCH_PSN_REL_MAX, &match->psn_rel_max,
	     match->psn_rel);
	fill(match, RDMAFAULT_A_MATCH_SYNDROME_MASK, &match->syndrome_mask,
	     0xff);
	fill(match, RDMAFAULT_A_MATCH_MESSAGE_MAX, &match->message_max,
	     match->message);
	fill(match, RDMAFAULT_A_MATCH_STEP_MESSAGE_MAX,
	     &match->step_message_max, match->step_message);
	fill(match, RDMAFAULT_A_MATCH_PACKET_MAX, &match->packet_max,
	     match->packet);
	fill(match, RDMAFAULT_A_MATCH_PAYLOAD_MAX, &match->payload_max,
	     match->payload);
	fill(match, RDMAFAULT_A_MATCH_SADDR_PREFIX, &match->saddr_prefix,
	     match->saddr_len * 8);
	fill(match, RDMAFAULT_A_MATCH_DADDR_PREFIX, &match->daddr_prefix,
	     match->daddr_len * 8);
}

/**
 * rf_match_is_empty - test whether a match has no attributes
 * @match: the match
 *
 * Return: true if all packets except those to QP 1 match.
 */
bool rf_match_is_empty(const struct rf_match *match)
{
	return !match->set;
}

/**
 * rf_match_asks_ordinals - test whether a match has ordinals of messages or packets
 * @match: the match
 *
 * Return: true if it has.
 */
bool rf_match_asks_ordinals(const struct rf_match *match)
{
	return match->set & ASKS_ORDINALS;
}

/**
 * rf_match_true - test whether a packet matches
 * @match: the match, completed
 * @desc: the packet
 *
 * Return: true if it matches.
 */
bool rf_match_true(const struct rf_match *match, const struct rf_desc *desc)
{
	u64 set = match->set;

	return flow_matches(match, desc) &&
	       (!(set & ASKS_OPCODE) || opcode_matches(match, desc)) &&
	       (!(set & ASKS_TIME) || time_matches(match, desc)) &&
	       (!(set & ASKS_ORDINALS) || ordinals_match(match, desc)) &&
	       (!(set & ASKS_NETWORK) || network_matches(match, desc));
}
