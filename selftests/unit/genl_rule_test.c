// SPDX-License-Identifier: GPL-2.0
/* A rule goes into a netlink message and comes out the same. */
#include <string.h>

#include "../../tools/lib/genl_rule.c"
#include "tap.h"

static const struct rf_rule_spec full = {
	.set = RF_SET_MATCH | RF_SET_NTH | RF_SET_COUNT,
	.qp = 0xffffff, .psn = 1, .psn_rel = 2, .opcode = 7,
	.class = RDMAFAULT_CLASS_WRITE | RDMAFAULT_CLASS_CM,
	.position = RDMAFAULT_POSITION_ONLY,
	.pass_min = 3, .pass_max = 4, .step = 5, .nth = 6, .count = 8,
	.flags = RDMAFAULT_RULE_FLAG_ALL | RDMAFAULT_RULE_FLAG_PERSIST,
	.action = RDMAFAULT_ACTION_WATCH,
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

	ok(!(rf_genl_put_rule(msg, spec) < 0), "%s goes in", what);
	memset(&rule, 0xff, sizeof(rule));
	ok(!rf_genl_parse_rule(nlmsg_hdr(msg), &rule), "%s is read", what);
	ok(!memcmp(spec, &rule.spec, sizeof(*spec)), "%s is the same", what);
	ok(!rule.id && !rule.owner && !rule.ifname[0],
	   "what isn't there is 0");
	nlmsg_free(msg);
}

static void each_field_ok(void)
{
	uint32_t bit;
	char what[32];

	for (bit = RF_SET_QP; bit <= RF_SET_COUNT; bit <<= 1) {
		struct rf_rule_spec spec = { .set = bit };
		const struct field *f = bit & RF_SET_MATCH ? match_fields :
							     rule_fields;

		while (f->set != bit)
			f++;
		*(uint32_t *)((char *)&spec + f->off) = 9;
		snprintf(what, sizeof(what), "field 0x%x", bit);
		round_trip(what, &spec);
	}
}

static void no_rule_fails(void)
{
	struct nl_msg *msg = new_msg();
	struct rf_rule_info rule;

	ok(rf_genl_parse_rule(nlmsg_hdr(msg), &rule) == -EBADMSG,
	   "an answer without a rule is none");
	nlmsg_free(msg);
}

static void no_room_fails(void)
{
	struct nl_msg *msg = nlmsg_alloc_size(64);

	genlmsg_put(msg, 0, 0, 0x20, 0, 0, RDMAFAULT_CMD_RULE_NEW, 1);
	ok(rf_genl_put_rule(msg, &full) < 0,
	   "a message without room says so");
	nlmsg_free(msg);
}

int main(void)
{
	static const struct rf_rule_spec bare = {
		.action = RDMAFAULT_ACTION_WATCH,
	};

	round_trip("a rule of everything", &full);
	round_trip("a rule of nothing", &bare);
	each_field_ok();
	no_rule_fails();
	no_room_fails();
	return done_testing();
}
