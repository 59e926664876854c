// SPDX-License-Identifier: GPL-2.0
/*
 * What makes a rule a sensible one, beyond the ranges that the netlink policy
 * has checked already.
 */
#include <linux/netlink.h>
#include <linux/slab.h>

#include <uapi/rdmafault/rdmafault.h>

#include "fault.h"
#include "opcode.h"
#include "rule.h"

static bool pass_range_is_empty(const struct rf_match *match)
{
	return RF_ASKS(match, PASS_MIN) && RF_ASKS(match, PASS_MAX) &&
	       match->pass_min > match->pass_max;
}

static int match_validate(const struct rf_match *match,
			  struct netlink_ext_ack *extack)
{
	if (RF_ASKS(match, OPCODE) && !rf_opcode(match->opcode)) {
		NL_SET_ERR_MSG(extack, "opcode: not in the IBTA's table");
		return -EINVAL;
	}
	if (RF_ASKS(match, CLASS) && !match->classes) {
		NL_SET_ERR_MSG(extack, "class: no class named");
		return -EINVAL;
	}
	if (RF_ASKS(match, POSITION) && !match->positions) {
		NL_SET_ERR_MSG(extack, "position: no position named");
		return -EINVAL;
	}
	if (pass_range_is_empty(match)) {
		NL_SET_ERR_MSG(extack, "pass: minimum is above maximum");
		return -EINVAL;
	}
	return 0;
}

/**
 * rf_rule_free - free a rule
 * @rule: the rule, not reachable by the data path
 *
 * Context: any.
 */
void rf_rule_free(struct rf_rule *rule)
{
	rf_memo_forget(&rule->memo);
	kfree(rule);
}

/**
 * rf_rule_validate - refuse what can't be meant
 * @rule: a rule that is not published yet
 * @extack: says what is wrong
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int rf_rule_validate(const struct rf_rule *rule,
		     struct netlink_ext_ack *extack)
{
	u32 i;

	for (i = 0; i < rule->actions; i++) {
		if (!rf_fault_is_known(rule->action[i].type)) {
			NL_SET_ERR_MSG(extack, "action: not there yet");
			return -EOPNOTSUPP;
		}
	}
	if (rule->action[0].type != RDMAFAULT_ACTION_WATCH &&
	    rf_match_is_empty(&rule->match) &&
	    !(rule->flags & RDMAFAULT_RULE_FLAG_ALL)) {
		NL_SET_ERR_MSG(extack,
			       "match: empty, which hits every packet; flag all says that it is meant");
		return -EINVAL;
	}
	if (RF_TRIGGER_HAS(&rule->trigger, NTH) && rule->trigger.count > 1) {
		NL_SET_ERR_MSG(extack, "count: nth hits one packet, so 1 at most");
		return -EINVAL;
	}
	return match_validate(&rule->match, extack);
}
