// SPDX-License-Identifier: GPL-2.0
/*
 * Test that a rule is put into a netlink message, and that parsing this message gives the same
 * rule.
 */
#include <string.h>

#include "../../kmod/fields.c"
#include "../../tools/rule/genl_fields.c"
#include "../../tools/rule/genl_rule.c"
#include "../../tools/rule/genl_explain.c"
#include "tap.h"

static const struct rf_rule_spec full = {
	.set = RF_RULE_BIT(SEED) | RF_RULE_BIT(KEY) | RF_RULE_BIT(EXPIRES),
	.flags = RDMAFAULT_RULE_FLAG_ALL | RDMAFAULT_RULE_FLAG_PERSIST,
	.seed = 0x123456789abcdef0, .key = 7, .expires = 5000000000,
	.match = {
		.set = RF_MATCH_BIT(QP) | RF_MATCH_BIT(PSN) |
		       RF_MATCH_BIT(SADDR) | RF_MATCH_BIT(DADDR),
		.qps = 3, .qp = { 0xffffff, 0, 17 }, .psn = 1,
		.saddr_len = 4, .saddr = { 10, 0, 0, 1 },
		.daddr_len = 16, .daddr = { 0x20, 1, [15] = 1 },
	},
	.trigger = { .set = RF_TRIGGER_BIT(COUNT), .count = 8 },
	.actions = 2,
	.action = {
		{
			.set = RF_ACTION_BIT(TYPE) | RF_ACTION_BIT(DELAY),
			.type = RDMAFAULT_ACTION_DELAY, .delay = 1000000,
		},
		{
			.set = RF_ACTION_BIT(TYPE),
			.type = RDMAFAULT_ACTION_DROP,
		},
	},
};

static struct nl_msg *new_msg(void)
{
	struct nl_msg *msg = nlmsg_alloc();

	genlmsg_put(msg, 0, 0, 0x20, 0, 0, RDMAFAULT_CMD_RULE_GET, 1);
	return msg;
}

static void round_trip(const char *what, const struct rf_rule_spec *spec)
{
	struct nl_msg *msg = new_msg();
	struct rf_rule_info rule;

	ok(!(rf_genl_put_rule(msg, spec) < 0), "rf_genl_put_rule() adds %s", what);
	ok((size_t)genlmsg_attrlen(nlmsg_data(nlmsg_hdr(msg)), 0) <=
	   rf_genl_rule_room(spec), "rf_genl_rule_room() is enough for %s", what);
	memset(&rule, 0xff, sizeof(rule));
	ok(!rf_genl_parse_rule(nlmsg_hdr(msg), &rule), "rf_genl_parse_rule() reads %s", what);
	ok(!memcmp(spec, &rule.spec, sizeof(*spec)), "rf_genl_parse_rule() returns %s unchanged", what);
	ok(!rule.id && !rule.owner && !rule.ifname[0],
	   "rf_genl_parse_rule() sets missing members to 0 (%s)", what);
	nlmsg_free(msg);
}

/*
 * nla_parse() accepts attributes that are too short for their type. Reading them with libnl
 * would read beyond their end.
 */
static void short_numbers_ok(void)
{
	struct nl_msg *msg = new_msg();
	struct nlattr *nest, *match;
	struct rf_rule_info rule;

	nla_put_u16(msg, RDMAFAULT_A_IFINDEX, 0xffff);
	nest = nla_nest_start(msg, RDMAFAULT_A_RULE);
	nla_put_u16(msg, RDMAFAULT_A_RULE_ID, 0xffff);
	match = nla_nest_start(msg, RDMAFAULT_A_RULE_MATCH);
	nla_put_u8(msg, RDMAFAULT_A_MATCH_PSN, 0xff);
	nla_put_u16(msg, RDMAFAULT_A_MATCH_QP, 0xffff);
	nla_nest_end(msg, match);
	nla_nest_end(msg, nest);
	ok(!rf_genl_parse_rule(nlmsg_hdr(msg), &rule),
	   "rf_genl_parse_rule() reads a rule with attributes that are too short");
	ok(!rule.ifindex && !rule.id && !RF_ASKS(&rule.spec.match, PSN) &&
	   !rule.spec.match.qp[0], "rf_genl_parse_rule() ignores attributes that are too short");
	nlmsg_free(msg);
}

static void set_number(void *to, const struct rf_field *f)
{
	char *at = (char *)to + f->offset;

	if (f->size == sizeof(uint64_t))
		*(uint64_t *)at = 9;
	else
		*(uint32_t *)at = 9;
}

static void each_match_ok(void)
{
	struct rf_rule_spec spec;
	char what[32];
	int attr;

	for (attr = 1; attr <= RDMAFAULT_A_MATCH_MAX; attr++) {
		if (!rf_match_fields[attr].size)
			continue;
		spec = (struct rf_rule_spec){ .match.set = BIT_ULL(attr) };
		set_number(&spec.match, &rf_match_fields[attr]);
		snprintf(what, sizeof(what), "match attribute %d", attr);
		round_trip(what, &spec);
	}
}

static void each_trigger_ok(void)
{
	struct rf_rule_spec spec;
	char what[32];
	int attr;

	for (attr = 1; attr <= RDMAFAULT_A_TRIGGER_MAX; attr++) {
		if (!rf_trigger_fields[attr].size)
			continue;
		spec = (struct rf_rule_spec){ .trigger.set = BIT_ULL(attr) };
		set_number(&spec.trigger, &rf_trigger_fields[attr]);
		snprintf(what, sizeof(what), "trigger attribute %d", attr);
		round_trip(what, &spec);
	}
}

static void each_action_ok(void)
{
	struct rf_rule_spec spec;
	char what[32];
	int attr;

	for (attr = 1; attr <= RDMAFAULT_A_ACTION_MAX; attr++) {
		if (!rf_action_fields[attr].size)
			continue;
		spec = (struct rf_rule_spec){ .actions = 1 };
		spec.action[0].set = BIT_ULL(attr) | RF_ACTION_BIT(TYPE);
		set_number(&spec.action[0], &rf_action_fields[attr]);
		snprintf(what, sizeof(what), "action attribute %d", attr);
		round_trip(what, &spec);
	}
}

static void no_rule_fails(void)
{
	struct nl_msg *msg = new_msg();
	struct rf_rule_info rule;

	ok(rf_genl_parse_rule(nlmsg_hdr(msg), &rule) == -EBADMSG,
	   "rf_genl_parse_rule() refuses a reply without a rule");
	nlmsg_free(msg);
}

static void no_room_fails(void)
{
	struct nl_msg *msg = nlmsg_alloc_size(64);

	genlmsg_put(msg, 0, 0, 0x20, 0, 0, RDMAFAULT_CMD_RULE_NEW, 1);
	ok(rf_genl_put_rule(msg, &full) < 0,
	   "rf_genl_put_rule() fails if the message is full");
	nlmsg_free(msg);
}

/*
 * Return: the offset of attribute @b from the start of the message. Attribute @b is in the nested
 * attribute @a, which is in @nest.
 */
static uint32_t offset_of(struct nl_msg *msg, struct nlattr *nest, int a,
			  int b)
{
	struct nlattr *at = nla_find(nla_data(nest), nla_len(nest), a);

	at = nla_find(nla_data(at), nla_len(at), b);
	return (uint32_t)((char *)at - (char *)nlmsg_hdr(msg));
}

static void explained(const char *words, const char *want, int a, int b)
{
	struct nl_msg *msg = new_msg();
	struct genlmsghdr *gh = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *first;
	char *said = strdup(words);

	rf_genl_put_rule(msg, &full);
	first = genlmsg_attrdata(gh, 0);
	rf_genl_explain(msg, offset_of(msg, first, a, b), &said);
	ok(!strcmp(said, want), "rf_genl_explain() turns the kernel's \"%s\" into \"%s\"", words, said);

	rf_genl_put_rule(msg, &full);
	free(said);
	said = strdup(words);
	rf_genl_explain(msg, offset_of(msg, nla_next(first, &(int){ 1 << 20 }),
				       a, b), &said);
	ok(!strncmp(said, "rule 2 of 2: ", 13) && !strcmp(said + 13, want),
	   "rf_genl_explain() names the rule of a batch: \"%s\"", said);
	free(said);
	nlmsg_free(msg);
}

static void explain_ok(void)
{
	explained("out of range", "psn: out of range",
		  RDMAFAULT_A_RULE_MATCH, RDMAFAULT_A_MATCH_PSN);
	explained("psn: no good", "psn: no good",
		  RDMAFAULT_A_RULE_MATCH, RDMAFAULT_A_MATCH_PSN);
	explained("out of range", "delay: out of range",
		  RDMAFAULT_A_RULE_ACTION, RDMAFAULT_A_ACTION_DELAY);
}

int main(void)
{
	static const struct rf_rule_spec bare = {
		.actions = 1,
		.action = { { .set = RF_ACTION_BIT(TYPE), .type = RDMAFAULT_ACTION_OBSERVE } },
	};

	round_trip("a rule with many attributes", &full);
	round_trip("a minimal rule", &bare);
	each_match_ok();
	each_trigger_ok();
	each_action_ok();
	short_numbers_ok();
	no_rule_fails();
	no_room_fails();
	explain_ok();
	return done_testing();
}
