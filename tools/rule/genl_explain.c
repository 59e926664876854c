// SPDX-License-Identifier: GPL-2.0
/*
 * Add the rule, the priority and the field to the error message of the kernel.
 *
 * The kernel reports the offset of the attribute that it refuses, and a text such as
 * "integer out of range". That text alone does not show which value is wrong, because a
 * request can have many rules with thirty fields each, or settings of eight priorities.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "genl_attrs.h"
#include "kmod/fields.h"

/* The names of the fields in each nested attribute of a rule */
static const struct kind {
	int attr, max;
	const struct rf_field *fields;
} kinds[] = {
	{ RDMAFAULT_A_RULE_MATCH, RDMAFAULT_A_MATCH_MAX, rf_match_fields },
	{ RDMAFAULT_A_RULE_TRIGGER, RDMAFAULT_A_TRIGGER_MAX,
	  rf_trigger_fields },
	{ RDMAFAULT_A_RULE_ACTION, RDMAFAULT_A_ACTION_MAX, rf_action_fields },
};

static bool holds(const struct nlattr *a, const char *at)
{
	return (const char *)a <= at && at < (const char *)a + nla_len(a) +
						NLA_HDRLEN;
}

static const char *attr_name(const struct kind *kind, struct nlattr *nest,
			     const char *at)
{
	struct nlattr *a;
	int rem;

	nla_for_each_nested(a, nest, rem)
		if ((char *)a == at && nla_type(a) <= kind->max)
			return kind->fields[nla_type(a)].name;
	return NULL;
}

/* Return: the name of the field at address @at in a rule, or NULL. */
static const char *field_at(struct nlattr *rule, const char *at)
{
	struct nlattr *a;
	size_t i;
	int rem;

	nla_for_each_nested(a, rule, rem)
		for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			if (nla_type(a) == kinds[i].attr && holds(a, at))
				return attr_name(&kinds[i], a, at);
	return NULL;
}

static bool begins_with(const char *words, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(words, name, len) && words[len] == ':';
}

static void prefix(char **words, const char *what)
{
	char *longer;

	if (asprintf(&longer, "%s: %s", what, *words) < 0)
		return;
	free(*words);
	*words = longer;
}

/**
 * rf_genl_explain - add the rule and the field to the kernel's error message
 * @msg: the refused request for new rules
 * @offset: offset of the attribute that the kernel refused
 * @words: the kernel's message, allocated, or NULL; replaced by the longer message
 */
void rf_genl_explain(struct nl_msg *msg, uint32_t offset, char **words)
{
	struct genlmsghdr *gh = nlmsg_data(nlmsg_hdr(msg));
	const char *at = (char *)nlmsg_hdr(msg) + offset, *field = NULL;
	unsigned int n = 0, which = 0;
	struct nlattr *a;
	char rule[32];
	int rem;

	if (!*words)
		return;
	nla_for_each_attr(a, genlmsg_attrdata(gh, 0), genlmsg_attrlen(gh, 0),
			  rem) {
		if (nla_type(a) != RDMAFAULT_A_RULE)
			continue;
		n++;
		if (!holds(a, at))
			continue;
		which = n;
		field = field_at(a, at);
	}
	if (field && !begins_with(*words, field))
		prefix(words, field);
	snprintf(rule, sizeof(rule), "rule %u of %u", which, n);
	if (n > 1 && which)
		prefix(words, rule);
}

/**
 * rf_genl_explain_prio - add the priority to the kernel's error message
 * @msg: the refused request to change a port
 * @offset: offset of the attribute that the kernel refused
 * @words: the kernel's message, allocated, or NULL; replaced by the longer message
 */
void rf_genl_explain_prio(struct nl_msg *msg, uint32_t offset, char **words)
{
	struct genlmsghdr *gh = nlmsg_data(nlmsg_hdr(msg));
	const char *at = (char *)nlmsg_hdr(msg) + offset;
	struct nlattr *a, *number;
	char prio[16];
	int rem;

	if (!*words)
		return;
	nla_for_each_attr(a, genlmsg_attrdata(gh, 0), genlmsg_attrlen(gh, 0),
			  rem) {
		if (nla_type(a) != RDMAFAULT_A_PRIO || !holds(a, at))
			continue;
		number = nla_find(nla_data(a), nla_len(a),
				  RDMAFAULT_A_PRIO_PRIO);
		if (!number)
			return;
		snprintf(prio, sizeof(prio), "prio %u", nla_get_u32(number));
		prefix(words, prio);
	}
}
