// SPDX-License-Identifier: GPL-2.0
/*
 * No fault at all: the hit is counted and traced, as every hit is. A control
 * beside a faulty run carries the same rules with this action.
 */
#include "fault.h"

/**
 * rf_fault_observe - let the packet go on
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_observe(struct rf_ctx *ctx, const struct rf_action *action)
{
	return RF_PASS;
}
