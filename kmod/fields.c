// SPDX-License-Identifier: GPL-2.0
/*
 * Which member of a rule's structs an attribute is kept in: one table for the
 * module, which takes rules out of messages and puts them in, and one for the
 * tools, which do the same.
 */
#include "fields.h"

#define FIELD(type, member) {						\
	.size = sizeof(((struct type *)0)->member),			\
	.offset = offsetof(struct type, member),			\
}

#define MATCH(attr, member) \
	[RDMAFAULT_A_MATCH_ ## attr] = FIELD(rf_match, member)
#define TRIGGER(attr, member) \
	[RDMAFAULT_A_TRIGGER_ ## attr] = FIELD(rf_trigger, member)
#define ACTION(attr, member) \
	[RDMAFAULT_A_ACTION_ ## attr] = FIELD(rf_action, member)

const struct rf_field rf_match_fields[] = {
	MATCH(PSN, psn),
	MATCH(PSN_MAX, psn_max),
	MATCH(PSN_REL, psn_rel),
	MATCH(PSN_REL_MAX, psn_rel_max),
	MATCH(OPCODE, opcode),
	MATCH(CLASS, classes),
	MATCH(POSITION, positions),
	MATCH(PASS_MIN, pass_min),
	MATCH(PASS_MAX, pass_max),
	MATCH(STEP_MIN, step_min),
	MATCH(STEP_MAX, step_max),
	MATCH(SYNDROME, syndrome),
	MATCH(SYNDROME_MASK, syndrome_mask),
	MATCH(FLOW, flow),
	MATCH(MESSAGE, message),
	MATCH(MESSAGE_MAX, message_max),
	MATCH(MESSAGE_END, message_end),
	MATCH(STEP_MESSAGE, step_message),
	MATCH(STEP_MESSAGE_MAX, step_message_max),
	MATCH(STEP_MESSAGE_END, step_message_end),
	MATCH(PACKET, packet),
	MATCH(PACKET_MAX, packet_max),
	MATCH(PRIORITY, priorities),
	MATCH(DSCP, dscp),
	MATCH(ECN, ecn),
	MATCH(SADDR_PREFIX, saddr_prefix),
	MATCH(DADDR_PREFIX, daddr_prefix),
	MATCH(SPORT, sport),
	MATCH(PAYLOAD, payload),
	MATCH(PAYLOAD_MAX, payload_max),
};

const struct rf_field rf_trigger_fields[] = {
	TRIGGER(NTH, nth),
	TRIGGER(EVERY, every),
	TRIGGER(AFTER, after),
	TRIGGER(COUNT, count),
	TRIGGER(ONCE, once),
	TRIGGER(FROM, from),
	TRIGGER(FOR, duration),
	TRIGGER(PROBABILITY, probability),
	TRIGGER(CORRELATION, correlation),
	TRIGGER(BURST, burst),
	TRIGGER(BURST_MAX, burst_max),
	TRIGGER(GE_P, ge_p),
	TRIGGER(GE_R, ge_r),
	TRIGGER(GE_BAD, ge_bad),
	TRIGGER(GE_GOOD, ge_good),
	TRIGGER(STATE_P13, p13),
	TRIGGER(STATE_P31, p31),
	TRIGGER(STATE_P32, p32),
	TRIGGER(STATE_P23, p23),
	TRIGGER(STATE_P14, p14),
};

const struct rf_field rf_action_fields[] = {
	ACTION(TYPE, type),
	ACTION(FLAGS, flags),
	ACTION(DELAY, delay),
	ACTION(JITTER, jitter),
	ACTION(JITTER_CORRELATION, jitter_correlation),
	ACTION(DISTRIBUTION, distribution),
	ACTION(DISTANCE, distance),
	ACTION(BEHIND_PSN, behind_psn),
	ACTION(BEHIND_PSN_REL, behind_psn_rel),
	ACTION(COPIES, copies),
	ACTION(UNIT, unit),
	ACTION(OFFSET, offset),
	ACTION(VALUE, value),
	ACTION(LENGTH, length),
	ACTION(ECN, ecn),
	ACTION(NOT_ECT, not_ect),
	ACTION(CODE, code),
	ACTION(PEER_QP, peer_qp),
	ACTION(OPCODE, opcode),
	ACTION(QP, qp),
	ACTION(PSN, psn),
	ACTION(PKEY, pkey),
	ACTION(RKEY, rkey),
	ACTION(DMA_LENGTH, dma_length),
	ACTION(SYNDROME, syndrome),
	ACTION(MSN, msn),
};
