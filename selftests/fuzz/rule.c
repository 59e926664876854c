// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parsers of the words of a rule and of netem. A line must be accepted, or
 * refused with one line. An accepted rule is printed in words; these must be parsed as the
 * same rule and be printed as the same words. The rule must also be the same after it is
 * packed into a netlink message and parsed again.
 */
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "genl_attrs.h"
#include "quiet.h"
#include "words.h"

static void reads_back(const struct rf_rule_spec *rule)
{
	char text[RF_RULE_TEXT_LEN], again[RF_RULE_TEXT_LEN];
	char copy[RF_RULE_TEXT_LEN];
	struct rf_rule_spec back;
	struct rf_why why;

	rf_rule_format(rule, text, sizeof(text));
	must(strlen(text) + 1 < sizeof(text));
	memcpy(copy, text, sizeof(copy));
	must(!rf_rule_parse_line(copy, &back, &why));
	must(!memcmp(rule, &back, sizeof(back)));
	must(!strcmp(rf_rule_format(&back, again, sizeof(again)), text));
}

/*
 * A rule that names an owner of QPs is not sent to the module as it is: the tools first
 * replace the owner by QP numbers.
 */
static void travels(const struct rf_rule_spec *rule)
{
	struct rf_rule_spec sent = *rule;
	struct nl_msg *msg = nlmsg_alloc_size(16384);
	struct rf_rule_info info;

	must(msg);
	memset(&sent.owner, 0, sizeof(sent.owner));
	genlmsg_put(msg, 0, 0, 0x20, 0, 0, RDMAFAULT_CMD_RULE_NEW, 1);
	must(!(rf_genl_put_rule(msg, &sent) < 0));
	must((size_t)genlmsg_attrlen(nlmsg_data(nlmsg_hdr(msg)), 0) <=
	     rf_genl_rule_room(&sent));
	must(!rf_genl_parse_rule(nlmsg_hdr(msg), &info));
	must(!memcmp(&info.spec, &sent, sizeof(sent)));
	nlmsg_free(msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = fuzz_text(data, size);
	struct rf_rule_list list = { };
	struct rf_why why;
	size_t i;

	if (rf_rules_parse_line(line, &list, &why))
		must(!list.n && fuzz_is_line(why.text, strlen(why.text) + 1));
	for (i = 0; i < list.n; i++) {
		reads_back(&list.rule[i]);
		travels(&list.rule[i]);
		rf_rule_draws(&list.rule[i]);
	}
	rf_rules_free(&list);
	free(line);
	return 0;
}
