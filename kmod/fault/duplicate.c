// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of the packet as it is now: what earlier actions have changed is
 * changed in them, what later ones change is not. They are not asked about.
 */
#include <linux/skbuff.h>

#include "fault.h"
#include "../rule/ruleset.h"

/*
 * Of one packet, whatever its rules ask for: they are made under locks. It is
 * twice as many as one rule can ask for.
 */
#define COPIES_MAX	256

static void append(struct rf_ctx *ctx, struct sk_buff *copy)
{
	copy->next = NULL;
	if (ctx->copies)
		ctx->last_copy->next = copy;
	else
		ctx->copies = copy;
	ctx->last_copy = copy;
	ctx->ncopies++;
}

static u32 copies_wanted(struct rf_ctx *ctx, const struct rf_action *action)
{
	u32 wanted = RF_ACTION_HAS(action, COPIES) ? action->copies : 1;
	u32 room = COPIES_MAX - ctx->ncopies;

	if (wanted <= room)
		return wanted;
	rf_stats_add(ctx->dir->stats, RF_STAT_DELAY_QUEUE_FULL, wanted - room);
	return room;
}

/**
 * rf_fault_duplicate - make copies
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_duplicate(struct rf_ctx *ctx,
				   const struct rf_action *action)
{
	u32 copies = copies_wanted(ctx, action);
	struct sk_buff *copy;

	ctx->holder = ctx->rule->id;
	while (copies--) {
		copy = skb_clone(ctx->skb, GFP_ATOMIC | __GFP_NOWARN);
		if (!copy) {
			rf_fault_unchanged(ctx);
			break;
		}
		rf_skb_cb(copy)->release = ctx->delay + action->delay;
		append(ctx, copy);
	}
	return RF_PASS;
}
