// SPDX-License-Identifier: GPL-2.0
/*
 * A packet with less payload than its sender gave it. With its old ICRC it is
 * damaged; with a valid one, it is a sender's mistake.
 */
#include "fault.h"
#include "../compat/qdisc.h"
#include "../rocev2/mangle.h"
#include "../rocev2/packet.h"
#include "../rule/ruleset.h"

/**
 * rf_fault_truncate - cut the payload
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_truncate(struct rf_ctx *ctx,
				  const struct rf_action *action)
{
	u32 end = 0;

	if (action->length < ctx->pkt->desc.payload &&
	    ctx->end == ctx->pkt->end)
		end = rf_mangle_truncate(ctx->skb, ctx->pkt, ctx->end, action->length);
	if (!end) {
		rf_fault_unchanged(ctx);
		return RF_PASS;
	}
	/* If this fails, receivers take the rest for the padding of a short frame. */
	if (!pskb_trim(ctx->skb, end) && ctx->dir->direction == RDMAFAULT_DIRECTION_TX)
		rf_qdisc_frame_cut(ctx->skb, ctx->end - end);
	ctx->end = end;
	if (action->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC)
		rf_mangle_icrc(ctx->skb, ctx->pkt, ctx->end);
	rf_stats_inc(ctx->dir->stats, RF_STAT_TRUNCATED);
	return RF_PASS;
}
