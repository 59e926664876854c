// SPDX-License-Identifier: GPL-2.0
/*
 * Rules out of netlink attributes. Types, ranges and masks have been checked
 * by the generated policies when a request comes here. A batch is parsed and
 * validated as a whole before any of it is published.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "generated/netlink.h"
#include "netlink_parse.h"
#include "rule.h"

static void get_asked(struct rf_match *match, u32 bit,
		      const struct nlattr *attr, u32 *value)
{
	if (!attr)
		return;
	match->set |= bit;
	*value = nla_get_u32(attr);
}

static int match_parse(struct rf_match *m, const struct nlattr *nest,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_MATCH_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_MATCH_MAX, nest,
			       rdmafault_match_nl_policy, extack);
	if (err)
		return err;
	get_asked(m, RF_MATCH_QP, tb[RDMAFAULT_A_MATCH_QP], &m->qp);
	get_asked(m, RF_MATCH_PSN, tb[RDMAFAULT_A_MATCH_PSN], &m->psn);
	get_asked(m, RF_MATCH_PSN_REL, tb[RDMAFAULT_A_MATCH_PSN_REL],
		  &m->psn_rel);
	get_asked(m, RF_MATCH_OPCODE, tb[RDMAFAULT_A_MATCH_OPCODE],
		  &m->opcode);
	get_asked(m, RF_MATCH_CLASS, tb[RDMAFAULT_A_MATCH_CLASS], &m->classes);
	get_asked(m, RF_MATCH_POSITION, tb[RDMAFAULT_A_MATCH_POSITION],
		  &m->positions);
	get_asked(m, RF_MATCH_PASS_MIN, tb[RDMAFAULT_A_MATCH_PASS_MIN],
		  &m->pass_min);
	get_asked(m, RF_MATCH_PASS_MAX, tb[RDMAFAULT_A_MATCH_PASS_MAX],
		  &m->pass_max);
	get_asked(m, RF_MATCH_STEP, tb[RDMAFAULT_A_MATCH_STEP], &m->step);
	return 0;
}

/* Attributes that only replies carry. */
static int refuse_reply_only(struct nlattr **tb, struct netlink_ext_ack *extack)
{
	static const int reply_only[] = {
		RDMAFAULT_A_RULE_ID, RDMAFAULT_A_RULE_DIRECTION,
		RDMAFAULT_A_RULE_MATCHED, RDMAFAULT_A_RULE_HITS,
		RDMAFAULT_A_RULE_OWNER,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(reply_only); i++) {
		if (!tb[reply_only[i]])
			continue;
		NL_SET_ERR_MSG_ATTR(extack, tb[reply_only[i]],
				    "rule: attribute stands in replies only");
		return -EINVAL;
	}
	return 0;
}

static u32 get_u32(const struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

static int rule_fill(struct rf_rule *rule, struct nlattr **tb, u32 portid,
		     struct netlink_ext_ack *extack)
{
	if (!tb[RDMAFAULT_A_RULE_ACTION]) {
		NL_SET_ERR_MSG(extack, "rule: no action");
		return -EINVAL;
	}
	rule->action = nla_get_u32(tb[RDMAFAULT_A_RULE_ACTION]);
	rule->flags = get_u32(tb[RDMAFAULT_A_RULE_FLAGS]);
	rule->trigger.nth = get_u32(tb[RDMAFAULT_A_RULE_NTH]);
	rule->trigger.count = get_u32(tb[RDMAFAULT_A_RULE_COUNT]);
	if (!(rule->flags & RDMAFAULT_RULE_FLAG_PERSIST))
		rule->owner = portid;
	if (!tb[RDMAFAULT_A_RULE_MATCH])
		return 0;
	return match_parse(&rule->match, tb[RDMAFAULT_A_RULE_MATCH], extack);
}

static int rule_parse(struct rf_rule *rule, const struct nlattr *nest,
		      struct genl_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_RULE_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_RULE_MAX, nest,
			       rdmafault_rule_nl_policy, info->extack);
	if (err)
		return err;
	err = refuse_reply_only(tb, info->extack);
	if (err)
		return err;
	err = rule_fill(rule, tb, info->snd_portid, info->extack);
	if (err)
		return err;
	return rf_rule_validate(rule, info->extack);
}

static u32 count_rules(struct genl_info *info)
{
	struct nlattr *attr;
	u32 count = 0;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		if (nla_type(attr) == RDMAFAULT_A_RULE)
			count++;
	return count;
}

static int batch_fill(struct rf_batch *batch, struct genl_info *info)
{
	struct rf_rule *rule;
	struct nlattr *attr;
	int rem, err;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != RDMAFAULT_A_RULE)
			continue;
		rule = kzalloc(sizeof(*rule), GFP_KERNEL);
		if (!rule)
			return -ENOMEM;
		batch->rule[batch->count++] = rule;
		err = rule_parse(rule, attr, info);
		if (err)
			return err;
	}
	return 0;
}

/**
 * rf_batch_parse - the rules of a request
 * @batch: filled in; to be freed by rf_batch_free() after success
 * @info: the request
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL with the reason in the extack; -ENOMEM.
 */
int rf_batch_parse(struct rf_batch *batch, struct genl_info *info)
{
	u32 count = count_rules(info);
	int err;

	batch->count = 0;
	if (!count) {
		NL_SET_ERR_MSG(info->extack, "rule: none given");
		return -EINVAL;
	}
	batch->rule = kvcalloc(count, sizeof(*batch->rule), GFP_KERNEL);
	if (!batch->rule)
		return -ENOMEM;
	err = batch_fill(batch, info);
	if (err)
		rf_batch_free(batch, true);
	return err;
}

/**
 * rf_batch_free - free a batch
 * @batch: the batch
 * @with_rules: the rules too, for no port has taken them
 *
 * Context: process.
 */
void rf_batch_free(struct rf_batch *batch, bool with_rules)
{
	u32 i;

	for (i = 0; with_rules && i < batch->count; i++)
		kfree(batch->rule[i]);
	kvfree(batch->rule);
}
