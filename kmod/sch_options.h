/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_SCH_OPTIONS_H
#define RF_SCH_OPTIONS_H

struct gnet_dump;
struct netlink_ext_ack;
struct nlattr;
struct rf_conf;
struct rf_port;
struct sk_buff;

/* sch_options.c: RTNL held */
struct rf_conf *rf_options_new(const struct nlattr *opt,
			       struct netlink_ext_ack *extack);
int rf_options_change(struct rf_port *port, const struct nlattr *opt,
		      struct netlink_ext_ack *extack);
int rf_options_dump(struct rf_port *port, struct sk_buff *skb);

/* sch_stats.c: RTNL held */
int rf_sch_stats_dump(struct rf_port *port, struct gnet_dump *d);

#endif
