/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_TELL_H
#define RF_TELL_H

#include "fault/fault.h"
#include "rocev2/packet.h"
#include "rule/rule.h"

/*
 * The most bytes of a packet that one record of rf_packet carries. The first
 * record is small: it has the headers, whatever they are, so that a listener
 * who wants no more pays for no more (filter "offset < 1"). Two of the others
 * fill a page of the ring buffer, of which 4080 bytes are for records and 68 of
 * each record are its own fields.
 */
#define RF_TELL_HEAD	320u
#define RF_TELL_CHUNK	1952u

/**
 * struct rf_label - what is told of a packet when its headers are not at hand
 * @seq: number of the packet
 * @rule: the rule that has put it into the hold
 * @qp: destination QP
 * @psn: PSN
 * @opcode: opcode
 * @attempt: attempt
 * @len: bytes from the IP header to the ICRC
 */
struct rf_label {
	u64 seq;
	u32 rule;
	u32 qp;
	u32 psn;
	u32 opcode;
	u32 attempt;
	u32 len;
};

/**
 * rf_label_of - the label of a packet that an action puts into the hold
 * @ctx: the packet and the rule
 *
 * Return: the label.
 */
static inline struct rf_label rf_label_of(const struct rf_ctx *ctx)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	return (struct rf_label){
		.seq = ctx->seq,
		.rule = ctx->holder,
		.qp = desc->qp,
		.psn = desc->psn,
		.opcode = desc->opcode,
		.attempt = desc->attempt,
		.len = desc->len,
	};
}

/* Any context */
bool rf_tell_is_heard(void);

/* Softirq or BH off */
void rf_tell_came(struct rf_ctx *ctx);
void rf_tell_seen(const struct rf_ctx *ctx);
void rf_tell_went(struct rf_ctx *ctx, enum rf_verdict verdict);

#endif
