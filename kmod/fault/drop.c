// SPDX-License-Identifier: GPL-2.0
/*
 * The packet is lost on the wire. The hooks make the loss silent: see hook.c.
 */
#include "fault.h"

/**
 * rf_fault_drop - lose the packet
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_DROP.
 */
enum rf_verdict rf_fault_drop(struct rf_ctx *ctx, const struct rf_action *action)
{
	return RF_DROP;
}
