// SPDX-License-Identifier: GPL-2.0
/*
 * What can't be meant by a rule as a whole, when its parts are valid, and
 * how long its actions hold a packet.
 */
#include <linux/stddef.h>

#include "invalid.h"

/* A reorder waits so long unless it is told otherwise. */
#define WITHIN	100000000ULL

static const struct rf_invalid hits_all = {
	.attr = RDMAFAULT_A_RULE_MATCH,
	.words = "match: empty; to match every packet, set the flag all",
};

static const struct rf_invalid ends_before = {
	.attr = RDMAFAULT_A_RULE_EXPIRES,
	.words = "expires: earlier than the time in from",
};

static const struct rf_invalid behind_last = {
	.attr = RDMAFAULT_A_RULE_ACTION,
	.words = "action: not allowed after an action that consumes the packet",
};

static const struct rf_invalid held_too_long = {
	.attr = RDMAFAULT_A_RULE_ACTION,
	.words = "delay: longer than the port's max-hold",
};

/* The packet is gone after it, so no action can follow. */
static bool is_last(const struct rf_action *action)
{
	switch (action->type) {
	case RDMAFAULT_ACTION_DROP:
	case RDMAFAULT_ACTION_NAK:
	case RDMAFAULT_ACTION_RNR:
	case RDMAFAULT_ACTION_BLACKHOLE:
		return true;
	default:
		return false;
	}
}

/**
 * rf_reorder_within - how long a packet waits for others, at most
 * @action: a reorder
 *
 * Context: any.
 * Return: nanoseconds.
 */
u64 rf_reorder_within(const struct rf_action *action)
{
	return RF_ACTION_HAS(action, DELAY) ? action->delay : WITHIN;
}

/**
 * rf_action_holds - can an action hold a packet, or a copy?
 * @action: the action
 *
 * Context: any.
 * Return: true if so.
 */
bool rf_action_holds(const struct rf_action *action)
{
	return action->type == RDMAFAULT_ACTION_DELAY ||
	       action->type == RDMAFAULT_ACTION_REORDER ||
	       action->type == RDMAFAULT_ACTION_DUPLICATE;
}

/* What jitter's tail adds, the hold cuts. */
static u64 longest_hold(const struct rf_action *action)
{
	switch (action->type) {
	case RDMAFAULT_ACTION_DELAY:
		return action->delay + action->jitter;
	case RDMAFAULT_ACTION_REORDER:
		return rf_reorder_within(action);
	case RDMAFAULT_ACTION_DUPLICATE:
		return action->delay;
	default:
		return 0;
	}
}

/**
 * rf_actions_validate - can these actions be meant together?
 * @action: the actions, each validated
 * @count: how many
 * @at: gets the place of the one that can't
 *
 * Context: any.
 * Return: what is invalid, or NULL.
 */
const struct rf_invalid *rf_actions_validate(const struct rf_action *action, u32 count,
					     u32 *at)
{
	u32 i;

	for (i = 0; i + 1 < count; i++) {
		if (!is_last(&action[i]))
			continue;
		*at = i + 1;
		return &behind_last;
	}
	return NULL;
}

/**
 * rf_actions_fit - do actions hold packets no longer than a port can?
 * @action: the actions
 * @count: how many
 * @max_hold: the longest that the port holds a packet, in nanoseconds
 *
 * Context: any.
 * Return: what is invalid, or NULL.
 */
const struct rf_invalid *rf_actions_fit(const struct rf_action *action, u32 count,
					u64 max_hold)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < count; i++)
		sum += longest_hold(&action[i]);
	return sum > max_hold ? &held_too_long : NULL;
}

/**
 * rf_rule_validate - is there anything that can't be meant?
 * @match: what the rule asks for
 * @trigger: when it hits
 * @action: its first action
 * @flags: RDMAFAULT_RULE_FLAG_*
 * @expires: its life in nanoseconds, 0 for no end
 *
 * Context: any.
 * Return: what is invalid first, which names an attribute of rdmafault-a-rule, or NULL.
 */
const struct rf_invalid *rf_rule_validate(const struct rf_match *match,
					  const struct rf_trigger *trigger,
					  const struct rf_action *action, u32 flags,
					  u64 expires)
{
	if (action->type != RDMAFAULT_ACTION_OBSERVE && rf_match_is_empty(match) &&
	    !(flags & RDMAFAULT_RULE_FLAG_ALL))
		return &hits_all;
	if (expires && trigger->from >= expires)
		return &ends_before;
	return NULL;
}
