/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_NETLINK_PARSE_H
#define RF_NETLINK_PARSE_H

#include <linux/types.h>

struct genl_info;
struct netlink_ext_ack;
struct nlattr;
struct rf_conf;
struct rf_field;
struct rf_link_conf;
struct rf_rule;

/**
 * struct rf_batch - the rules of one request
 * @rule: the rules; owned by the batch until they are added to a port
 * @count: number of rules
 */
struct rf_batch {
	struct rf_rule **rule;
	u32 count;
};

void rf_get_fields(void *to, u64 *set, struct nlattr **tb,
		   const struct rf_field *fields, int max);

int rf_get_addr(const struct nlattr *attr, u8 *addr, u32 *len,
		struct netlink_ext_ack *extack);

int rf_batch_parse(struct rf_batch *batch, struct genl_info *info);
void rf_batch_free(struct rf_batch *batch, bool with_rules);
void rf_batch_set_bad_attr(u32 which, struct genl_info *info);

/* config.c */
int rf_refuse_from(struct nlattr **tb, int first, int max,
		   struct netlink_ext_ack *extack);
int rf_require(struct nlattr **tb, int attr, const struct nlattr *nest,
	       const char *words, struct netlink_ext_ack *extack);
int rf_conf_parse_link(struct rf_link_conf *link, const struct nlattr *nest,
		       struct netlink_ext_ack *extack);
int rf_conf_parse(struct rf_conf *conf, struct genl_info *info);

#endif
