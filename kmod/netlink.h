/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_NETLINK_H
#define RF_NETLINK_H

#include <linux/types.h>

struct genl_family;
struct genl_info;
struct rf_port;
struct rf_rule;
struct sk_buff;

extern struct genl_family rf_family;

int rf_netlink_register(void);
void rf_netlink_unregister(void);

/* rf_ports_lock held */
struct rf_port *rf_netlink_port(struct genl_info *info);

/* netlink_put.c: rf_ports_lock held; 0 or -EMSGSIZE */
int rf_put_port(struct sk_buff *skb, const struct rf_port *port);
int rf_put_rule(struct sk_buff *skb, struct rf_port *port, u32 dir,
		const struct rf_rule *rule);

#endif
