// SPDX-License-Identifier: GPL-2.0
/*
 * What makes a rule a sensible one as a whole, when the policy has checked its
 * ranges and match_flaw, trigger_flaw and the faults their parts.
 */
#include <linux/netlink.h>
#include <linux/slab.h>

#include <uapi/rdmafault/rdmafault.h>

#include "fault.h"
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
	if (rule->action[0].type != RDMAFAULT_ACTION_WATCH &&
	    rf_match_is_empty(&rule->match) &&
	    !(rule->flags & RDMAFAULT_RULE_FLAG_ALL)) {
		NL_SET_ERR_MSG(extack,
			       "match: empty, which hits every packet; flag all says that it is meant");
		return -EINVAL;
	}
	if (rule->expires && rule->trigger.from >= rule->expires) {
		NL_SET_ERR_MSG(extack, "from: the rule expires before");
		return -EINVAL;
	}
	return 0;
}
