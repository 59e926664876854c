// SPDX-License-Identifier: GPL-2.0
/*
 * The packet comes behind others of its flow: so many that have passed, or one
 * that is named. Of the many, only those count that came later and don't vanish;
 * those that are delayed count when they leave the hold. It doesn't wait longer
 * than for its time.
 */
#include "fault.h"
#include "../rocev2/packet.h"
#include "../rule/ruleset.h"

/**
 * rf_fault_reorder - let the packet wait for others
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_reorder(struct rf_ctx *ctx,
				 const struct rf_action *action)
{
	const struct rf_desc *desc = &ctx->pkt->desc;
	struct rf_wait *wait = &ctx->wait;

	ctx->delayed = true;
	ctx->holder = ctx->rule->id;
	wait->asked = true;
	wait->within = ctx->delay + rf_reorder_within(action);
	wait->distance = action->distance;
	if (RF_ACTION_HAS(action, BEHIND_PSN_REL))
		wait->behind = desc->psn - desc->psn_rel + action->behind_psn_rel;
	else
		wait->behind = action->behind_psn;
	return RF_PASS;
}
