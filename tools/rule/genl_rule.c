// SPDX-License-Identifier: GPL-2.0
/*
 * Convert rules to netlink attributes and back. Tables, which the kernel module shares, say
 * which struct member belongs to which attribute.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "genl_attrs.h"
#include "kmod/fields.h"

static int put_who(struct nl_msg *msg, const struct rf_match *m)
{
	uint32_t i;

	for (i = 0; i < m->qps; i++)
		if (nla_put_u32(msg, RDMAFAULT_A_MATCH_QP, m->qp[i]))
			return -ENOMEM;
	if (RF_ASKS(m, SADDR) &&
	    nla_put(msg, RDMAFAULT_A_MATCH_SADDR, m->saddr_len, m->saddr))
		return -ENOMEM;
	if (RF_ASKS(m, DADDR) &&
	    nla_put(msg, RDMAFAULT_A_MATCH_DADDR, m->daddr_len, m->daddr))
		return -ENOMEM;
	return 0;
}

static int put_match(struct nl_msg *msg, const struct rf_match *m)
{
	struct nlattr *nest;

	if (!m->set)
		return 0;
	nest = rf_genl_nest(msg, RDMAFAULT_A_RULE_MATCH);
	if (!nest || put_who(msg, m) ||
	    rf_genl_put_fields(msg, m, m->set, rf_match_fields, RDMAFAULT_A_MATCH_MAX))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static int put_trigger(struct nl_msg *msg, const struct rf_trigger *t)
{
	struct nlattr *nest;

	if (!t->set)
		return 0;
	nest = rf_genl_nest(msg, RDMAFAULT_A_RULE_TRIGGER);
	if (!nest || rf_genl_put_fields(msg, t, t->set, rf_trigger_fields,
					RDMAFAULT_A_TRIGGER_MAX))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static int put_actions(struct nl_msg *msg, const struct rf_rule_spec *spec)
{
	const struct rf_action *a;
	struct nlattr *nest;
	uint32_t i;

	for (i = 0; i < spec->actions; i++) {
		a = &spec->action[i];
		nest = rf_genl_nest(msg, RDMAFAULT_A_RULE_ACTION);
		if (!nest || rf_genl_put_fields(msg, a, a->set | RF_ACTION_BIT(TYPE),
						rf_action_fields,
					RDMAFAULT_A_ACTION_MAX))
			return -ENOMEM;
		nla_nest_end(msg, nest);
	}
	return 0;
}

static int put_rule_head(struct nl_msg *msg, const struct rf_rule_spec *spec)
{
	if (spec->flags && nla_put_u32(msg, RDMAFAULT_A_RULE_FLAGS, spec->flags))
		return -ENOMEM;
	if (spec->set & RF_RULE_BIT(SEED) &&
	    nla_put_u64(msg, RDMAFAULT_A_RULE_SEED, spec->seed))
		return -ENOMEM;
	if (spec->set & RF_RULE_BIT(KEY) &&
	    nla_put_u32(msg, RDMAFAULT_A_RULE_KEY, spec->key))
		return -ENOMEM;
	if (spec->set & RF_RULE_BIT(EXPIRES) &&
	    nla_put_u64(msg, RDMAFAULT_A_RULE_EXPIRES, spec->expires))
		return -ENOMEM;
	return 0;
}

static size_t room(uint64_t set, size_t each)
{
	return NLA_HDRLEN + (size_t)__builtin_popcountll(set) * each;
}

/**
 * rf_genl_rule_room - get the maximum size of a rule in a request
 * @spec: the rule
 *
 * Return: the size in bytes.
 */
size_t rf_genl_rule_room(const struct rf_rule_spec *spec)
{
	const size_t number = NLA_HDRLEN + sizeof(uint64_t);
	const size_t addr = NLA_HDRLEN + sizeof(spec->match.saddr);
	size_t sum = NLA_HDRLEN + 4 * number;
	uint32_t i;

	sum += room(spec->match.set, number) + 2 * addr +
	       spec->match.qps * number;
	sum += room(spec->trigger.set, number);
	for (i = 0; i < spec->actions; i++)
		sum += room(spec->action[i].set, number) + number;
	return sum;
}

/**
 * rf_genl_put_rule - append a rule to a request
 * @msg: the request
 * @spec: the rule
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_rule(struct nl_msg *msg, const struct rf_rule_spec *spec)
{
	struct nlattr *nest = rf_genl_nest(msg, RDMAFAULT_A_RULE);

	if (!nest || put_rule_head(msg, spec) || put_match(msg, &spec->match) ||
	    put_trigger(msg, &spec->trigger) || put_actions(msg, spec))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static void get_match_addr(struct nlattr *a, struct rf_match *m, uint64_t bit,
			   uint8_t *addr, uint32_t *len)
{
	if (!a || nla_len(a) > 16)
		return;
	m->set |= bit;
	*len = nla_len(a);
	memcpy(addr, nla_data(a), *len);
}

static int parse_match(struct nlattr *nest, struct rf_match *m)
{
	struct nlattr *tb[RDMAFAULT_A_MATCH_MAX + 1], *a;
	int rem;

	if (!nest)
		return 0;
	if (nla_parse_nested(tb, RDMAFAULT_A_MATCH_MAX, nest, NULL))
		return -EBADMSG;
	rf_genl_get_fields(tb, m, &m->set, rf_match_fields, RDMAFAULT_A_MATCH_MAX);
	get_match_addr(tb[RDMAFAULT_A_MATCH_SADDR], m, RF_MATCH_BIT(SADDR),
		       m->saddr, &m->saddr_len);
	get_match_addr(tb[RDMAFAULT_A_MATCH_DADDR], m, RF_MATCH_BIT(DADDR),
		       m->daddr, &m->daddr_len);
	nla_for_each_nested(a, nest, rem) {
		if (nla_type(a) != RDMAFAULT_A_MATCH_QP ||
		    m->qps == RDMAFAULT_QPS_MAX)
			continue;
		m->set |= RF_MATCH_BIT(QP);
		m->qp[m->qps++] = rf_genl_u32(a);
	}
	return 0;
}

static int parse_trigger(struct nlattr *nest, struct rf_trigger *t)
{
	struct nlattr *tb[RDMAFAULT_A_TRIGGER_MAX + 1];

	if (!nest)
		return 0;
	if (nla_parse_nested(tb, RDMAFAULT_A_TRIGGER_MAX, nest, NULL))
		return -EBADMSG;
	rf_genl_get_fields(tb, t, &t->set, rf_trigger_fields, RDMAFAULT_A_TRIGGER_MAX);
	return 0;
}

static int parse_actions(struct nlattr *nest, struct rf_rule_spec *spec)
{
	struct nlattr *tb[RDMAFAULT_A_ACTION_MAX + 1], *a;
	struct rf_action *action;
	int rem;

	nla_for_each_nested(a, nest, rem) {
		if (nla_type(a) != RDMAFAULT_A_RULE_ACTION ||
		    spec->actions == RDMAFAULT_ACTIONS_MAX)
			continue;
		if (nla_parse_nested(tb, RDMAFAULT_A_ACTION_MAX, a, NULL))
			return -EBADMSG;
		action = &spec->action[spec->actions++];
		rf_genl_get_fields(tb, action, &action->set, rf_action_fields,
				   RDMAFAULT_A_ACTION_MAX);
	}
	return 0;
}

static int parse_tally(struct nlattr **tb, struct rf_rule_counters *counters)
{
	struct nlattr *m[RDMAFAULT_A_MISSED_MAX + 1];
	int i;

	counters->matched = rf_genl_u64(tb[RDMAFAULT_A_RULE_MATCHED]);
	counters->hits = rf_genl_u64(tb[RDMAFAULT_A_RULE_HITS]);
	counters->bytes = rf_genl_u64(tb[RDMAFAULT_A_RULE_BYTES]);
	counters->unanswered = rf_genl_u64(tb[RDMAFAULT_A_RULE_UNANSWERED]);
	counters->unchanged = rf_genl_u64(tb[RDMAFAULT_A_RULE_UNCHANGED]);
	if (!tb[RDMAFAULT_A_RULE_MISSED])
		return 0;
	if (nla_parse_nested(m, RDMAFAULT_A_MISSED_MAX,
			     tb[RDMAFAULT_A_RULE_MISSED], NULL))
		return -EBADMSG;
	for (i = 0; i < RF_MISSES; i++)
		counters->missed[i] = rf_genl_u64(m[RDMAFAULT_A_MISSED_WINDOW + i]);
	return 0;
}

static void parse_head(struct nlattr **tb, struct rf_rule_info *rule)
{
	struct rf_rule_spec *spec = &rule->spec;

	rule->id = rf_genl_u32(tb[RDMAFAULT_A_RULE_ID]);
	rule->direction = rf_genl_u32(tb[RDMAFAULT_A_RULE_DIRECTION]);
	rule->owner = rf_genl_u32(tb[RDMAFAULT_A_RULE_OWNER]);
	spec->flags = rf_genl_u32(tb[RDMAFAULT_A_RULE_FLAGS]);
	spec->seed = rf_genl_u64(tb[RDMAFAULT_A_RULE_SEED]);
	spec->key = rf_genl_u32(tb[RDMAFAULT_A_RULE_KEY]);
	spec->expires = rf_genl_u64(tb[RDMAFAULT_A_RULE_EXPIRES]);
	if (tb[RDMAFAULT_A_RULE_SEED])
		spec->set |= RF_RULE_BIT(SEED);
	if (tb[RDMAFAULT_A_RULE_KEY])
		spec->set |= RF_RULE_BIT(KEY);
	if (tb[RDMAFAULT_A_RULE_EXPIRES])
		spec->set |= RF_RULE_BIT(EXPIRES);
}

static int parse_rule(struct nlattr *nest, struct rf_rule_info *rule)
{
	struct nlattr *tb[RDMAFAULT_A_RULE_MAX + 1];
	struct rf_rule_spec *spec = &rule->spec;

	if (nla_parse_nested(tb, RDMAFAULT_A_RULE_MAX, nest, NULL))
		return -EBADMSG;
	parse_head(tb, rule);
	if (parse_match(tb[RDMAFAULT_A_RULE_MATCH], &spec->match) ||
	    parse_trigger(tb[RDMAFAULT_A_RULE_TRIGGER], &spec->trigger) ||
	    parse_actions(nest, spec))
		return -EBADMSG;
	return parse_tally(tb, &rule->counters);
}

static void copy_name(char *name, size_t len, struct nlattr *a)
{
	if (a)
		nla_strlcpy(name, a, len);
}

static int get_rule(struct nlattr **tb, struct rf_rule_info *rule)
{
	memset(rule, 0, sizeof(*rule));
	if (!tb[RDMAFAULT_A_RULE])
		return -EBADMSG;
	rule->ifindex = rf_genl_u32(tb[RDMAFAULT_A_IFINDEX]);
	copy_name(rule->ifname, sizeof(rule->ifname), tb[RDMAFAULT_A_IFNAME]);
	return parse_rule(tb[RDMAFAULT_A_RULE], rule);
}

/**
 * rf_genl_parse_rule - parse a rule from a response
 * @nlh: the response
 * @rule: gets the rule
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_rule(struct nlmsghdr *nlh, struct rf_rule_info *rule)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1];

	if (genlmsg_parse(nlh, 0, tb, RDMAFAULT_A_MAX, NULL))
		return -EBADMSG;
	return get_rule(tb, rule);
}

/**
 * rf_nl_rule_parse - parse the attributes of a rule
 * @attrs: the attributes of a response, without its headers
 * @len: length of the attributes in bytes
 * @rule: gets the rule
 *
 * Return: 0, or -EBADMSG.
 */
int rf_nl_rule_parse(const void *attrs, size_t len, struct rf_rule_info *rule)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1];

	if (nla_parse(tb, RDMAFAULT_A_MAX, (struct nlattr *)attrs, len, NULL))
		return -EBADMSG;
	return get_rule(tb, rule);
}
