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

/* Matches of addresses, the IP header and the payload length */
#define READS_ALL							\
	(RF_MATCH_BIT(PRIORITY) | RF_MATCH_BIT(DSCP) |			\
	 RF_MATCH_BIT(ECN) | RF_MATCH_BIT(SADDR) |			\
	 RF_MATCH_BIT(DADDR) | RF_MATCH_BIT(SPORT) |			\
	 RF_MATCH_BIT(PAYLOAD))

/**
 * rf_rule_detail - get what a rule must know about a packet
 * @rule: the rule, with its match and trigger completed
 *
 * Return: enum rf_detail.
 */
enum rf_detail rf_rule_detail(const struct rf_rule *rule)
{
	const struct rf_trigger *trigger = &rule->trigger;
	u64 set = rule->match.set;
	bool once_per_qp = RF_TRIGGER_HAS(trigger, ONCE) &&
			   trigger->once == RDMAFAULT_ONCE_QP;

	/* A plain request is attempt 1. */
	if (RF_ASKS(&rule->match, ATTEMPT_MIN) && rule->match.attempt_min > 1)
		return RF_DETAIL_NEVER;
	if (set & READS_ALL || once_per_qp)
		return RF_DETAIL_ALL;
	if (set & ~RF_MATCH_BIT(QP) || rule->expires ||
	    trigger->set & ~RF_TRIGGER_BIT(PROBABILITY))
		return RF_DETAIL_FLOW;
	return RF_DETAIL_NONE;
}

/**
 * rf_rule_quick - get what a rule does with a plain packet
 * @rule: the rule, with @detail set
 *
 * Return: enum rf_quick.
 */
enum rf_quick rf_rule_quick(const struct rf_rule *rule)
{
	const struct rf_action *action = &rule->action[0];

	if (rule->detail == RF_DETAIL_NEVER)
		return RF_QUICK_NEVER;
	if (rule->detail != RF_DETAIL_NONE || rule->actions != 1)
		return RF_QUICK_NO;
	switch (action->type) {
	case RDMAFAULT_ACTION_DROP:
		return RF_QUICK_DROP;
	case RDMAFAULT_ACTION_OBSERVE:
		return RF_QUICK_OBSERVE;
	case RDMAFAULT_ACTION_MARK:
		return RF_QUICK_MARK;
	case RDMAFAULT_ACTION_DELAY:
		return action->jitter || action->flags & RDMAFAULT_ACTION_FLAG_KEEP_ORDER ?
		       RF_QUICK_NO : RF_QUICK_DELAY;
	default:
		return RF_QUICK_NO;
	}
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

/**
 * rf_rule_delays - test whether a rule can delay packets or copies
 * @rule: the rule
 *
 * Return: true if one of its actions can.
 */
bool rf_rule_delays(const struct rf_rule *rule)
{
	return rf_rule_has(rule, rf_action_delays);
}
