// SPDX-License-Identifier: GPL-2.0
/*
 * A packet with less payload than its sender gave it. With its old ICRC it is
 * damaged; with a valid one, it is a sender's mistake.
 */
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
	if (action->length >= ctx->pkt->desc.payload ||
	    ctx->end != ctx->pkt->end) {
		rf_edit_not(ctx);
		return RF_PASS;
	}
	if (!rf_edit_cut(ctx, action->length))
		return RF_PASS;
	if (action->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC)
		rf_edit_icrc(ctx);
	rf_stats_inc(ctx->dir->stats, RF_STAT_TRUNCATED);
	return RF_PASS;
}
