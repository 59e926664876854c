// SPDX-License-Identifier: GPL-2.0
/*
 * The packet is held for a time. Delays of several rules add up, as those of
 * several links do; together they don't exceed the port's max-hold.
 */
#include <linux/minmax.h>

#include "fault.h"
#include "jitter.h"
#include "../rule/rule.h"

/**
 * rf_fault_delay - hold the packet
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_delay(struct rf_ctx *ctx, const struct rf_action *action)
{
	u64 cap = READ_ONCE(ctx->dir->max_hold);
	u64 delay = action->delay;

	if (action->jitter)
		delay = rf_jitter(action, &ctx->draw, ctx->at);
	delay = min(delay, cap);
	ctx->values[ctx->at] = delay;
	ctx->delay += delay;
	ctx->delayed = true;
	ctx->holder = ctx->rule->id;
	if (action->flags & RDMAFAULT_ACTION_FLAG_KEEP_ORDER)
		ctx->keep_order = true;
	return RF_PASS;
}
