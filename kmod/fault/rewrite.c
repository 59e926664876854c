// SPDX-License-Identifier: GPL-2.0
/*
 * Set header fields, and compute the ICRC: the packet of a sender with a bug. A packet
 * that lacks one of the fields is not changed at all.
 *
 *   BTH    opcode 0, P_Key 2-3, QP 5-7, PSN 9-11
 *   RETH   address 0-7, R_Key 8-11, length 12-15
 *   AETH   syndrome 0, MSN 1-3
 *
 * The header of an atomic begins like a RETH, but has no length.
 */
#include "../rocev2/rocev2.h"
#include "fault.h"

#define XRCETH_LEN	4
#define XRC		5	/* upper three bits of the opcode */

#define RKEY_CLASSES							\
	(RDMAFAULT_CLASS_WRITE | RDMAFAULT_CLASS_READ_REQUEST |		\
	 RDMAFAULT_CLASS_ATOMIC)

static bool rewrite_has_rkey(const struct rf_opcode *op)
{
	const u32 begin = RDMAFAULT_POSITION_FIRST | RDMAFAULT_POSITION_ONLY;

	return op->classes & RKEY_CLASSES && op->position & begin;
}

static bool rewrite_has_all(const struct rf_ctx *ctx, const struct rf_action *action)
{
	const struct rf_opcode *op = rf_opcode(ctx->pkt->desc.opcode);

	if (RF_ACTION_HAS(action, RKEY) && !rewrite_has_rkey(op))
		return false;
	if (RF_ACTION_HAS(action, DMA_LENGTH) &&
	    (!rewrite_has_rkey(op) || op->classes & RDMAFAULT_CLASS_ATOMIC))
		return false;
	return ctx->pkt->desc.has_aeth ||
	       !(RF_ACTION_HAS(action, SYNDROME) || RF_ACTION_HAS(action, MSN));
}

static void rewrite_bth(u8 *bth, const struct rf_action *action)
{
	if (RF_ACTION_HAS(action, OPCODE))
		bth[0] = action->opcode;
	if (RF_ACTION_HAS(action, PKEY))
		rf_mangle_put(bth + 2, action->pkey, 2);
	if (RF_ACTION_HAS(action, QP))
		rf_mangle_put(bth + 5, action->qp, 3);
	if (RF_ACTION_HAS(action, PSN))
		rf_mangle_put(bth + 9, action->psn, 3);
}

static void rewrite_extended(u8 *ext, const struct rf_action *action)
{
	if (RF_ACTION_HAS(action, SYNDROME))
		ext[0] = action->syndrome;
	if (RF_ACTION_HAS(action, MSN))
		rf_mangle_put(ext + 1, action->msn, 3);
	if (RF_ACTION_HAS(action, RKEY))
		rf_mangle_put(ext + 8, action->rkey, 4);
	if (RF_ACTION_HAS(action, DMA_LENGTH))
		rf_mangle_put(ext + 12, action->dma_length, 4);
}

/**
 * rf_fault_rewrite - set header fields
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_rewrite(struct rf_ctx *ctx,
				 const struct rf_action *action)
{
	const struct rf_desc *desc = &ctx->pkt->desc;
	u32 ext = RF_BTH_LEN;
	u8 *data, *bth;

	if (!rewrite_has_all(ctx, action)) {
		rf_fault_unchanged(ctx);
		return RF_PASS;
	}
	data = rf_mangle_begin(ctx->skb, ctx->pkt, ctx->end);
	if (!data) {
		rf_fault_unchanged(ctx);
		return RF_PASS;
	}
	if (desc->opcode >> 5 == XRC && !desc->response)
		ext += XRCETH_LEN;
	bth = data + ctx->pkt->bth;
	rewrite_bth(bth, action);
	rewrite_extended(bth + ext, action);
	rf_mangle_icrc(ctx->skb, ctx->pkt, ctx->end);
	rf_stats_inc(ctx->dir->stats, RF_STAT_REWRITTEN);
	return RF_PASS;
}
