/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_NETLINK_PARSE_H
#define RF_NETLINK_PARSE_H

#include <linux/types.h>

struct genl_info;
struct rf_rule;

/**
 * struct rf_batch - the rules of one request
 * @rule: the rules, owned by the batch until a port takes them
 * @count: how many
 */
struct rf_batch {
	struct rf_rule **rule;
	u32 count;
};

int rf_batch_parse(struct rf_batch *batch, struct genl_info *info);
void rf_batch_free(struct rf_batch *batch, bool with_rules);
void rf_batch_blame(u32 which, struct genl_info *info);

#endif
