// SPDX-License-Identifier: GPL-2.0
/*
 * Rules and ports to attributes and back. Which field of a rule is which
 * attribute stands in one table, used both ways.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "genl_rule.h"

/* Attributes of later kernels are skipped by nla_parse(), not refused. */

struct field {
	int attr;
	uint32_t set;
	size_t off;
};

#define FIELD(attr, set, member) \
	{ attr, set, offsetof(struct rf_rule_spec, member) }

static const struct field match_fields[] = {
	FIELD(RDMAFAULT_A_MATCH_QP, RF_SET_QP, qp),
	FIELD(RDMAFAULT_A_MATCH_PSN, RF_SET_PSN, psn),
	FIELD(RDMAFAULT_A_MATCH_PSN_REL, RF_SET_PSN_REL, psn_rel),
	FIELD(RDMAFAULT_A_MATCH_OPCODE, RF_SET_OPCODE, opcode),
	FIELD(RDMAFAULT_A_MATCH_CLASS, RF_SET_CLASS, class),
	FIELD(RDMAFAULT_A_MATCH_POSITION, RF_SET_POSITION, position),
	FIELD(RDMAFAULT_A_MATCH_PASS_MIN, RF_SET_PASS_MIN, pass_min),
	FIELD(RDMAFAULT_A_MATCH_PASS_MAX, RF_SET_PASS_MAX, pass_max),
	FIELD(RDMAFAULT_A_MATCH_STEP, RF_SET_STEP, step),
	{ }
};

static const struct field rule_fields[] = {
	FIELD(RDMAFAULT_A_RULE_NTH, RF_SET_NTH, nth),
	FIELD(RDMAFAULT_A_RULE_COUNT, RF_SET_COUNT, count),
	{ }
};

static int put_fields(struct nl_msg *msg, const struct field *f,
		      const struct rf_rule_spec *spec)
{
	int err = 0;

	for (; f->attr && !err; f++) {
		const char *at = (const char *)spec + f->off;

		if (spec->set & f->set)
			err = nla_put_u32(msg, f->attr, *(const uint32_t *)at);
	}
	return err;
}

static void get_fields(struct nlattr **tb, const struct field *f,
		       struct rf_rule_spec *spec)
{
	for (; f->attr; f++) {
		char *at = (char *)spec + f->off;

		if (!tb[f->attr])
			continue;
		spec->set |= f->set;
		*(uint32_t *)at = nla_get_u32(tb[f->attr]);
	}
}

static int put_match(struct nl_msg *msg, const struct rf_rule_spec *spec)
{
	struct nlattr *nest;

	if (!(spec->set & RF_SET_MATCH))
		return 0;
	nest = nla_nest_start(msg, RDMAFAULT_A_RULE_MATCH);
	if (!nest || put_fields(msg, match_fields, spec))
		return -ENOMEM;
	nest->nla_type |= NLA_F_NESTED;
	return nla_nest_end(msg, nest);
}

/**
 * rf_genl_put_rule - append a rule to a request
 * @msg: the request
 * @spec: the rule
 *
 * Return: 0, or anything else when there is no room.
 */
int rf_genl_put_rule(struct nl_msg *msg, const struct rf_rule_spec *spec)
{
	struct nlattr *nest = nla_nest_start(msg, RDMAFAULT_A_RULE);

	if (!nest)
		return -ENOMEM;
	nest->nla_type |= NLA_F_NESTED;
	if (spec->flags && nla_put_u32(msg, RDMAFAULT_A_RULE_FLAGS, spec->flags))
		return -ENOMEM;
	if (put_match(msg, spec) || put_fields(msg, rule_fields, spec) ||
	    nla_put_u32(msg, RDMAFAULT_A_RULE_ACTION, spec->action))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static uint32_t get_u32(struct nlattr *a)
{
	return a ? nla_get_u32(a) : 0;
}

static uint64_t get_u64(struct nlattr *a)
{
	return a ? nla_get_u64(a) : 0;
}

static int parse_rule(struct nlattr *nest, struct rf_rule_info *rule)
{
	struct nlattr *tb[RDMAFAULT_A_RULE_MAX + 1];
	struct nlattr *m[RDMAFAULT_A_MATCH_MAX + 1];

	if (nla_parse_nested(tb, RDMAFAULT_A_RULE_MAX, nest, NULL))
		return -EBADMSG;
	rule->id = get_u32(tb[RDMAFAULT_A_RULE_ID]);
	rule->direction = get_u32(tb[RDMAFAULT_A_RULE_DIRECTION]);
	rule->owner = get_u32(tb[RDMAFAULT_A_RULE_OWNER]);
	rule->matched = get_u64(tb[RDMAFAULT_A_RULE_MATCHED]);
	rule->hits = get_u64(tb[RDMAFAULT_A_RULE_HITS]);
	rule->spec.flags = get_u32(tb[RDMAFAULT_A_RULE_FLAGS]);
	rule->spec.action = get_u32(tb[RDMAFAULT_A_RULE_ACTION]);
	get_fields(tb, rule_fields, &rule->spec);
	if (!tb[RDMAFAULT_A_RULE_MATCH])
		return 0;
	if (nla_parse_nested(m, RDMAFAULT_A_MATCH_MAX,
			     tb[RDMAFAULT_A_RULE_MATCH], NULL))
		return -EBADMSG;
	get_fields(m, match_fields, &rule->spec);
	return 0;
}

static void get_name(char *name, size_t len, struct nlattr *a)
{
	if (a)
		nla_strlcpy(name, a, len);
}

/**
 * rf_genl_parse_rule - take a rule out of an answer
 * @nlh: the answer
 * @rule: the rule
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_rule(struct nlmsghdr *nlh, struct rf_rule_info *rule)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1];

	memset(rule, 0, sizeof(*rule));
	if (genlmsg_parse(nlh, 0, tb, RDMAFAULT_A_MAX, NULL) ||
	    !tb[RDMAFAULT_A_RULE])
		return -EBADMSG;
	rule->ifindex = get_u32(tb[RDMAFAULT_A_IFINDEX]);
	get_name(rule->ifname, sizeof(rule->ifname), tb[RDMAFAULT_A_IFNAME]);
	return parse_rule(tb[RDMAFAULT_A_RULE], rule);
}

static int parse_stats(struct nlattr *nest, struct rf_dir_stats *st)
{
	struct nlattr *tb[RDMAFAULT_A_STATS_MAX + 1];

	if (!nest)
		return 0;
	if (nla_parse_nested(tb, RDMAFAULT_A_STATS_MAX, nest, NULL))
		return -EBADMSG;
	st->packets = get_u64(tb[RDMAFAULT_A_STATS_PACKETS]);
	st->bytes = get_u64(tb[RDMAFAULT_A_STATS_BYTES]);
	st->roce = get_u64(tb[RDMAFAULT_A_STATS_ROCE]);
	st->roce_bytes = get_u64(tb[RDMAFAULT_A_STATS_ROCE_BYTES]);
	st->malformed = get_u64(tb[RDMAFAULT_A_STATS_MALFORMED]);
	st->retransmitted = get_u64(tb[RDMAFAULT_A_STATS_RETRANSMITTED]);
	st->hits = get_u64(tb[RDMAFAULT_A_STATS_HITS]);
	st->dropped = get_u64(tb[RDMAFAULT_A_STATS_DROPPED]);
	st->flows_lost = get_u64(tb[RDMAFAULT_A_STATS_FLOWS_LOST]);
	st->rules = get_u32(tb[RDMAFAULT_A_STATS_RULES]);
	st->flows = get_u32(tb[RDMAFAULT_A_STATS_FLOWS]);
	return 0;
}

/**
 * rf_genl_parse_port - take a port out of an answer
 * @nlh: the answer
 * @port: the port
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_port(struct nlmsghdr *nlh, struct rf_port_info *port)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1];

	memset(port, 0, sizeof(*port));
	if (genlmsg_parse(nlh, 0, tb, RDMAFAULT_A_MAX, NULL))
		return -EBADMSG;
	port->ifindex = get_u32(tb[RDMAFAULT_A_IFINDEX]);
	get_name(port->ifname, sizeof(port->ifname), tb[RDMAFAULT_A_IFNAME]);
	port->generation = get_u32(tb[RDMAFAULT_A_GENERATION]);
	port->step = get_u32(tb[RDMAFAULT_A_STEP]);
	if (parse_stats(tb[RDMAFAULT_A_TX],
			&port->dir[RDMAFAULT_DIRECTION_TX]))
		return -EBADMSG;
	return parse_stats(tb[RDMAFAULT_A_RX],
			   &port->dir[RDMAFAULT_DIRECTION_RX]);
}
