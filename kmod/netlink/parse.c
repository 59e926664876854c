// SPDX-License-Identifier: GPL-2.0
/*
 * Read rules from netlink messages. The netlink core has already checked types,
 * ranges and masks with the generated policies. A batch is parsed and validated as a
 * whole before any of its rules is published.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "../compat/netlink.h"
#include "../fields.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../rule/rule.h"

/**
 * rf_get_fields - copy the numbers of a nest to a struct
 * @to: the struct
 * @set: bit n is set for each attribute n that the nest has
 * @tb: the parsed nest
 * @fields: the members of the struct
 * @max: highest attribute
 */
void rf_get_fields(void *to, u64 *set, struct nlattr **tb,
		   const struct rf_field *fields, int max)
{
	void *member;
	int attr;

	for (attr = 1; attr <= max; attr++) {
		if (!tb[attr] || !fields[attr].size)
			continue;
		*set |= BIT_ULL(attr);
		member = to + fields[attr].offset;
		if (fields[attr].size == sizeof(u64))
			*(u64 *)member = nla_get_u64(tb[attr]);
		else
			*(u32 *)member = nla_get_u32(tb[attr]);
	}
}

/**
 * rf_get_addr - read an address
 * @attr: the attribute
 * @addr: set to the address, of at most 16 bytes
 * @len: set to the length of the address
 * @extack: set to the error message
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int rf_get_addr(const struct nlattr *attr, u8 *addr, u32 *len,
		struct netlink_ext_ack *extack)
{
	if (nla_len(attr) != 4 && nla_len(attr) != 16) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "address: invalid length; 4 bytes for IPv4, 16 bytes for IPv6");
		return -EINVAL;
	}
	*len = nla_len(attr);
	memcpy(addr, nla_data(attr), *len);
	return 0;
}

static int match_get_addr(struct rf_match *m, int type, const struct nlattr *attr,
			  u8 *addr, u32 *len, struct netlink_ext_ack *extack)
{
	if (!attr)
		return 0;
	m->set |= BIT_ULL(type);
	return rf_get_addr(attr, addr, len, extack);
}

/* A match can have this attribute more than once. The list is a set. */
static int match_get_qps(struct rf_match *m, const struct nlattr *nest,
			 struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int rem;

	nla_for_each_nested(attr, nest, rem) {
		if (nla_type(attr) != RDMAFAULT_A_MATCH_QP ||
		    rf_match_names_qp(m, nla_get_u32(attr)))
			continue;
		if (m->qps == RDMAFAULT_QPS_MAX) {
			NL_SET_ERR_MSG_ATTR(extack, attr,
					    "qp: too many; at most 32");
			return -EINVAL;
		}
		m->set |= RF_MATCH_BIT(QP);
		m->qp[m->qps++] = nla_get_u32(attr);
	}
	return 0;
}

/* The extack has the attribute; if it is missing, the nest and its number. */
static int refuse_invalid(const struct rf_invalid *invalid, struct nlattr **tb,
			  const struct nlattr *nest,
			  struct netlink_ext_ack *extack)
{
	if (!invalid)
		return 0;
	rf_extack_set(extack, invalid->words);
	NL_SET_BAD_ATTR(extack, tb[invalid->attr] ?: nest);
	if (!tb[invalid->attr])
		NL_SET_ERR_ATTR_MISS(extack, nest, invalid->attr);
	return -EINVAL;
}

static int match_parse(struct rf_match *m, const struct nlattr *nest,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_MATCH_MAX + 1];
	int err;

	if (!nest)
		return 0;
	err = nla_parse_nested(tb, RDMAFAULT_A_MATCH_MAX, nest,
			       rdmafault_match_nl_policy, extack);
	if (err)
		return err;
	rf_get_fields(m, &m->set, tb, rf_match_fields, RDMAFAULT_A_MATCH_MAX);
	err = match_get_addr(m, RDMAFAULT_A_MATCH_SADDR,
			     tb[RDMAFAULT_A_MATCH_SADDR], m->saddr, &m->saddr_len,
			     extack) ?:
	      match_get_addr(m, RDMAFAULT_A_MATCH_DADDR,
			     tb[RDMAFAULT_A_MATCH_DADDR], m->daddr, &m->daddr_len,
			     extack) ?:
	      match_get_qps(m, nest, extack);
	if (err)
		return err;
	rf_match_complete(m);
	return refuse_invalid(rf_match_validate(m), tb, nest, extack);
}

static int trigger_parse(struct rf_trigger *t, const struct nlattr *nest,
			 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_TRIGGER_MAX + 1];
	int err;

	if (!nest)
		return 0;
	err = nla_parse_nested(tb, RDMAFAULT_A_TRIGGER_MAX, nest,
			       rdmafault_trigger_nl_policy, extack);
	if (err)
		return err;
	rf_get_fields(t, &t->set, tb, rf_trigger_fields, RDMAFAULT_A_TRIGGER_MAX);
	rf_trigger_complete(t);
	return refuse_invalid(rf_trigger_validate(t), tb, nest, extack);
}

static int action_parse(struct rf_action *a, const struct nlattr *nest,
			struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_ACTION_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_ACTION_MAX, nest,
			       rdmafault_action_nl_policy, extack);
	if (err)
		return err;
	if (NL_REQ_ATTR_CHECK(extack, nest, tb, RDMAFAULT_A_ACTION_TYPE)) {
		NL_SET_ERR_MSG_ATTR(extack, nest, "type: missing");
		return -EINVAL;
	}
	rf_get_fields(a, &a->set, tb, rf_action_fields, RDMAFAULT_A_ACTION_MAX);
	return refuse_invalid(rf_action_validate(a), tb, nest, extack);
}

static u32 count_attrs(const struct nlattr *nest, int type)
{
	const struct nlattr *attr;
	u32 count = 0;
	int rem;

	nla_for_each_nested(attr, nest, rem)
		if (nla_type(attr) == type)
			count++;
	return count;
}

static const struct nlattr *nth_attr(const struct nlattr *nest, int type, u32 n)
{
	const struct nlattr *attr;
	int rem;

	nla_for_each_nested(attr, nest, rem)
		if (nla_type(attr) == type && !n--)
			return attr;
	return NULL;
}

static int actions_refuse(const struct rf_rule *rule, const struct nlattr *nest,
			  struct netlink_ext_ack *extack)
{
	const struct rf_invalid *invalid;
	u32 at = 0;

	invalid = rf_actions_validate(rule->action, rule->actions, &at);
	if (!invalid)
		return 0;
	rf_extack_set(extack, invalid->words);
	NL_SET_BAD_ATTR(extack, nth_attr(nest, RDMAFAULT_A_RULE_ACTION, at));
	return -EINVAL;
}

static int actions_parse(struct rf_rule *rule, const struct nlattr *nest,
			 struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int rem, err;
	u32 i = 0;

	nla_for_each_nested(attr, nest, rem) {
		if (nla_type(attr) != RDMAFAULT_A_RULE_ACTION)
			continue;
		err = action_parse(&rule->action[i++], attr, extack);
		if (err)
			return err;
	}
	return actions_refuse(rule, nest, extack);
}

/* Only replies have these attributes. */
static int rule_refuse_reply_only(struct nlattr **tb, struct netlink_ext_ack *extack)
{
	static const int reply_only[] = {
		RDMAFAULT_A_RULE_ID, RDMAFAULT_A_RULE_DIRECTION,
		RDMAFAULT_A_RULE_MATCHED, RDMAFAULT_A_RULE_HITS,
		RDMAFAULT_A_RULE_BYTES, RDMAFAULT_A_RULE_MISSED,
		RDMAFAULT_A_RULE_OWNER, RDMAFAULT_A_RULE_UNANSWERED,
		RDMAFAULT_A_RULE_UNCHANGED,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(reply_only); i++) {
		if (!tb[reply_only[i]])
			continue;
		NL_SET_ERR_MSG_ATTR(extack, tb[reply_only[i]],
				    "netlink attribute rule: only allowed in replies");
		return -EINVAL;
	}
	return 0;
}

static void rule_fill(struct rf_rule *rule, struct nlattr **tb, u32 portid)
{
	if (tb[RDMAFAULT_A_RULE_FLAGS])
		rule->flags = nla_get_u32(tb[RDMAFAULT_A_RULE_FLAGS]);
	if (tb[RDMAFAULT_A_RULE_SEED])
		rule->seed = nla_get_u64(tb[RDMAFAULT_A_RULE_SEED]);
	if (tb[RDMAFAULT_A_RULE_EXPIRES])
		rule->expires = nla_get_u64(tb[RDMAFAULT_A_RULE_EXPIRES]);
	if (tb[RDMAFAULT_A_RULE_KEY]) {
		rule->key = nla_get_u32(tb[RDMAFAULT_A_RULE_KEY]);
		rule->key_given = true;
	}
	if (!(rule->flags & RDMAFAULT_RULE_FLAG_PERSIST))
		rule->owner = portid;
}

static int rule_parse(struct rf_rule *rule, const struct nlattr *nest,
		      struct genl_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_RULE_MAX + 1];
	const struct rf_invalid *invalid;
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_RULE_MAX, nest,
			       rdmafault_rule_nl_policy, info->extack);
	if (err)
		return err;
	err = rule_refuse_reply_only(tb, info->extack);
	if (err)
		return err;
	rule_fill(rule, tb, info->snd_portid);
	err = match_parse(&rule->match, tb[RDMAFAULT_A_RULE_MATCH],
			  info->extack) ?:
	      trigger_parse(&rule->trigger, tb[RDMAFAULT_A_RULE_TRIGGER],
			    info->extack) ?:
	      actions_parse(rule, nest, info->extack);
	if (err)
		return err;
	invalid = rf_rule_validate(&rule->match, &rule->trigger, rule->action,
				   rule->flags, rule->expires);
	return refuse_invalid(invalid, tb, nest, info->extack);
}

static struct rf_rule *rule_alloc(const struct nlattr *nest,
				  struct netlink_ext_ack *extack)
{
	u32 actions = count_attrs(nest, RDMAFAULT_A_RULE_ACTION);
	struct rf_rule *rule;

	if (!actions || actions > RDMAFAULT_ACTIONS_MAX) {
		NL_SET_ERR_MSG_ATTR(extack, nest, "action: requires 1 to 8 actions");
		return ERR_PTR(-EINVAL);
	}
	rule = kzalloc(struct_size(rule, action, actions), GFP_KERNEL_ACCOUNT);
	if (!rule)
		return ERR_PTR(-ENOMEM);
	rule->actions = actions;
	return rule;
}

static u32 batch_count(struct genl_info *info)
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
		rule = rule_alloc(attr, info->extack);
		if (IS_ERR(rule))
			return PTR_ERR(rule);
		batch->rule[batch->count++] = rule;
		err = rule_parse(rule, attr, info);
		if (err)
			return err;
	}
	return 0;
}

/**
 * rf_batch_parse - parse the rules of a request
 * @batch: set to the rules; after success, the caller must call rf_batch_free()
 * @info: the request
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL with a message in the extack; -ENOMEM.
 */
int rf_batch_parse(struct rf_batch *batch, struct genl_info *info)
{
	u32 count = batch_count(info);
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_RULE, "rule: missing");
	if (err)
		return err;
	batch->count = 0;
	batch->rule = kvcalloc(count, sizeof(*batch->rule), GFP_KERNEL_ACCOUNT);
	if (!batch->rule)
		return -ENOMEM;
	err = batch_fill(batch, info);
	if (err)
		rf_batch_free(batch, true);
	return err;
}

/**
 * rf_batch_set_bad_attr - set the extack to the delay of a rule that the port refuses
 * @which: index of the rule in the batch
 * @info: the request
 *
 * Context: process.
 */
void rf_batch_set_bad_attr(u32 which, struct genl_info *info)
{
	const struct nlattr *attr, *action, *delay;
	int rem, rest;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		if (nla_type(attr) == RDMAFAULT_A_RULE && !which--)
			break;
	nla_for_each_nested(action, attr, rest) {
		if (nla_type(action) != RDMAFAULT_A_RULE_ACTION)
			continue;
		delay = nla_find_nested(action, RDMAFAULT_A_ACTION_DELAY);
		NL_SET_BAD_ATTR(info->extack, delay ?: action);
		if (delay)
			return;
	}
}

/**
 * rf_batch_free - free a batch
 * @batch: the batch
 * @with_rules: free the rules, too, because they were not added to a port
 *
 * Context: process.
 */
void rf_batch_free(struct rf_batch *batch, bool with_rules)
{
	u32 i;

	for (i = 0; with_rules && i < batch->count; i++)
		rf_rule_free(batch->rule[i]);
	kvfree(batch->rule);
}
