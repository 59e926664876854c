/* SPDX-License-Identifier: GPL-2.0 */
/* Convert rules to attributes and back; used only by genl.c. */
#ifndef RF_GENL_RULE_H
#define RF_GENL_RULE_H

#include <netlink/msg.h>
#include "rule.h"

size_t rf_genl_rule_room(const struct rf_rule_spec *spec);
int rf_genl_put_rule(struct nl_msg *msg, const struct rf_rule_spec *spec);
int rf_genl_parse_rule(struct nlmsghdr *nlh, struct rf_rule_info *rule);

/* genl_explain.c */
void rf_genl_explain(struct nl_msg *msg, uint32_t offset, char **words);

#endif
