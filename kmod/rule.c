// SPDX-License-Identifier: GPL-2.0
/*
 * What makes a rule a sensible one as a whole, when the policy has checked its
 * ranges and match_flaw, trigger_flaw and the faults their parts.
 */
#include <linux/slab.h>

#include <uapi/rdmafault/rdmafault.h>

#include "fault.h"
#include "flaw.h"
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

static const struct rf_flaw hits_all = {
	RDMAFAULT_A_RULE_MATCH,
	"match: empty, which hits every packet; flag all says that it is meant"
};

static const struct rf_flaw ends_before = {
	RDMAFAULT_A_RULE_EXPIRES, "expires: before from has passed"
};

/**
 * rf_rule_flaw - is there anything that can't be meant?
 * @rule: a rule whose parts have no flaws
 *
 * Context: any.
 * Return: the first flaw, which names an attribute of rdmafault-a-rule, or NULL.
 */
const struct rf_flaw *rf_rule_flaw(const struct rf_rule *rule)
{
	if (rule->action[0].type != RDMAFAULT_ACTION_WATCH &&
	    rf_match_is_empty(&rule->match) &&
	    !(rule->flags & RDMAFAULT_RULE_FLAG_ALL))
		return &hits_all;
	if (rule->expires && rule->trigger.from >= rule->expires)
		return &ends_before;
	return NULL;
}
