// SPDX-License-Identifier: GPL-2.0
/*
 * A rule's memory, and what matters to it.
 */
#include <linux/slab.h>

#include <uapi/rdmafault/rdmafault.h>

#include "../fault/fault.h"
#include "rule.h"

/**
 * rf_rule_free - free a rule
 * @rule: the rule, not reachable by the data path
 *
 * Context: any.
 */
void rf_rule_free(struct rf_rule *rule)
{
	rf_memo_forget(&rule->memo);
	kfree(rule->more_nodes);
	kfree(rule);
}

/**
 * rf_rule_numbers_flows - do the flows' numbers matter to a rule?
 * @rule: the rule
 *
 * They are part of what draws depend on, too. So all flows have to be followed
 * for it, also those that it can't hit.
 *
 * Context: any.
 * Return: true if they do.
 */
bool rf_rule_numbers_flows(const struct rf_rule *rule)
{
	return RF_ASKS(&rule->match, FLOW) ||
	       rf_trigger_draws(&rule->trigger) || rf_fault_draws(rule);
}
