// SPDX-License-Identifier: GPL-2.0
/*
 * Properties of a rule that follow from its parameters.
 */
#include <linux/limits.h>
#include <linux/slab.h>

#include <uapi/rdmafault/rdmafault.h>

#include "rule.h"

/**
 * rf_rule_free - free a rule
 * @rule: the rule, which the data path cannot reach any more
 */
void rf_rule_free(struct rf_rule *rule)
{
	rf_rule_states_free(&rule->states);
	kfree(rule->more_nodes);
	kfree(rule);
}

/**
 * rf_rule_time_left - get the time until a rule expires
 * @rule: the rule, published
 * @now: ktime_get_ns()
 *
 * Return: nanoseconds; 0 if the rule has expired, U64_MAX if it does not expire.
 */
u64 rf_rule_time_left(const struct rf_rule *rule, u64 now)
{
	u64 age = now - rule->born;

	if (!rule->expires)
		return U64_MAX;
	return age < rule->expires ? rule->expires - age : 0;
}

/**
 * rf_rule_has - test whether a rule has an action of a kind
 * @rule: the rule
 * @is: tests an action
 *
 * Return: true if @is is true for one of the actions.
 */
bool rf_rule_has(const struct rf_rule *rule,
		 bool (*is)(const struct rf_action *action))
{
	u32 i;

	for (i = 0; i < rule->actions; i++)
		if (is(&rule->action[i]))
			return true;
	return false;
}

static bool action_draws(const struct rf_action *action)
{
	return action->type == RDMAFAULT_ACTION_CORRUPT ||
	       (action->type == RDMAFAULT_ACTION_DELAY && action->jitter);
}

/**
 * rf_rule_numbers_flows - test whether a rule depends on the ordinals of flows
 * @rule: the rule
 *
 * Random numbers depend on the ordinal of the flow, too. All flows are tracked for
 * such a rule, even flows that it cannot match.
 *
 * Return: true if it does.
 */
bool rf_rule_numbers_flows(const struct rf_rule *rule)
{
	return RF_ASKS(&rule->match, FLOW) || rf_trigger_draws(&rule->trigger) ||
	       rf_rule_has(rule, action_draws);
}

static bool action_asks_ordinals(const struct rf_action *action)
{
	return action->type == RDMAFAULT_ACTION_NAK ||
	       action->type == RDMAFAULT_ACTION_RNR;
}

/**
 * rf_rule_asks_ordinals - test whether a rule needs the ordinals of messages or packets
 * @rule: the rule
 *
 * A forged NAK has the number of the message.
 *
 * Return: true if it does.
 */
bool rf_rule_asks_ordinals(const struct rf_rule *rule)
{
	return rf_match_asks_ordinals(&rule->match) ||
	       rf_rule_has(rule, action_asks_ordinals);
}

static bool action_acts(const struct rf_action *action)
{
	return action->type != RDMAFAULT_ACTION_OBSERVE;
}

/**
 * rf_rule_acts - test whether a rule does more than to observe
 * @rule: the rule
 *
 * Return: true if one of its actions does.
 */
bool rf_rule_acts(const struct rf_rule *rule)
{
	return rf_rule_has(rule, action_acts);
}

/* Can an action delay a packet or copies of it? */
static bool action_delays(const struct rf_action *action)
{
	return action->type == RDMAFAULT_ACTION_DELAY ||
	       action->type == RDMAFAULT_ACTION_REORDER ||
	       action->type == RDMAFAULT_ACTION_DUPLICATE;
}

/**
 * rf_rule_delays - test whether a rule can delay packets or copies
 * @rule: the rule
 *
 * Return: true if one of its actions can.
 */
bool rf_rule_delays(const struct rf_rule *rule)
{
	return rf_rule_has(rule, action_delays);
}
