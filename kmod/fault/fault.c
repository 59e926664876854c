// SPDX-License-Identifier: GPL-2.0
/*
 * The table of actions. The netlink policy lets no other number in.
 *
 * The actions of a rule are done in their order, until one makes the packet
 * vanish. What changes the packet changes it at once; what happens outside of
 * it (holding it, copies, answers) is written down in the job, for rf_settle().
 */
#include <linux/kernel.h>

#include <uapi/rdmafault/rdmafault.h>

#include "fault.h"
#include "../rule/ruleset.h"

static enum rf_verdict (*const faults[])(struct rf_ctx *ctx,
					 const struct rf_action *action) = {
	[RDMAFAULT_ACTION_DROP] = rf_fault_drop,
	[RDMAFAULT_ACTION_OBSERVE] = rf_fault_observe,
	[RDMAFAULT_ACTION_DELAY] = rf_fault_delay,
	[RDMAFAULT_ACTION_REORDER] = rf_fault_reorder,
	[RDMAFAULT_ACTION_DUPLICATE] = rf_fault_duplicate,
	[RDMAFAULT_ACTION_CORRUPT] = rf_fault_corrupt,
	[RDMAFAULT_ACTION_TRUNCATE] = rf_fault_truncate,
	[RDMAFAULT_ACTION_MARK] = rf_fault_mark,
	[RDMAFAULT_ACTION_REWRITE] = rf_fault_rewrite,
	[RDMAFAULT_ACTION_NAK] = rf_fault_answer,
	[RDMAFAULT_ACTION_RNR] = rf_fault_answer,
	[RDMAFAULT_ACTION_BLACKHOLE] = rf_fault_blackhole,
};

/**
 * rf_fault_unchanged - count a packet that an action could not change
 * @ctx: the packet
 *
 * Context: softirq or BH off, under the lock of the direction.
 */
void rf_fault_unchanged(struct rf_ctx *ctx)
{
	rf_stats_inc(ctx->dir->stats, RF_STAT_UNCHANGED);
	ctx->rule->tally.unchanged++;
}

/**
 * rf_fault_apply - do to a packet what a rule says
 * @ctx: the packet and the rule that has hit it
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: what becomes of the packet, as far as this rule goes.
 */
enum rf_verdict rf_fault_apply(struct rf_ctx *ctx)
{
	const struct rf_rule *rule = ctx->rule;
	enum rf_verdict verdict = RF_PASS;

	for (ctx->at = 0; ctx->at < rule->actions; ctx->at++) {
		const struct rf_action *action = &rule->action[ctx->at];

		verdict = faults[action->type](ctx, action);
		if (verdict != RF_PASS)
			break;
	}
	return verdict;
}
