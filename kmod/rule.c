// SPDX-License-Identifier: GPL-2.0
/*
 * What makes a rule a sensible one, beyond the ranges that the netlink policy
 * has checked already.
 */
#include <linux/netlink.h>

#include <uapi/rdmafault/rdmafault.h>

#include "opcode.h"
#include "rule.h"

static bool pass_range_is_empty(const struct rf_match *match)
{
	return match->set & RF_MATCH_PASS_MIN &&
	       match->set & RF_MATCH_PASS_MAX &&
	       match->pass_min > match->pass_max;
}

static int match_validate(const struct rf_match *match,
			  struct netlink_ext_ack *extack)
{
	if (match->set & RF_MATCH_OPCODE && !rf_opcode(match->opcode)) {
		NL_SET_ERR_MSG(extack, "opcode: not in the IBTA's table");
		return -EINVAL;
	}
	if (match->set & RF_MATCH_CLASS && !match->classes) {
		NL_SET_ERR_MSG(extack, "class: no class named");
		return -EINVAL;
	}
	if (match->set & RF_MATCH_POSITION && !match->positions) {
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
	if (rule->action == RDMAFAULT_ACTION_DROP &&
	    rf_match_is_empty(&rule->match) &&
	    !(rule->flags & RDMAFAULT_RULE_FLAG_ALL)) {
		NL_SET_ERR_MSG(extack,
			       "match: empty with drop hits every packet; flag all says that it is meant");
		return -EINVAL;
	}
	if (rule->trigger.nth && rule->trigger.count > 1) {
		NL_SET_ERR_MSG(extack, "count: nth hits one packet, so 1 at most");
		return -EINVAL;
	}
	return match_validate(&rule->match, extack);
}
