/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_NETLINK_NETLINK_H
#define RF_NETLINK_NETLINK_H

#include <linux/types.h>

struct genl_family;
struct genl_info;
struct net_device;
struct netlink_callback;
struct netlink_ext_ack;
struct nlattr;
struct rf_conf;
struct rf_field;
struct rf_link_conf;
struct rf_port;
struct rf_prioq;
struct rf_rule;
struct sk_buff;

/* Error message of a request without CAP_NET_ADMIN; NL_SET_ERR_MSG() takes only a literal. */
#define RF_NEEDS_ADMIN "needs CAP_NET_ADMIN in the initial user namespace"

/**
 * struct rf_batch - the rules of one request
 * @rule: the rules; owned by the batch until they are added to a port
 * @count: number of rules
 */
struct rf_batch {
	struct rf_rule **rule;
	u32 count;
};

extern struct genl_family rf_family;

/* family.c: module init and exit */
int rf_netlink_register(void);
void rf_netlink_unregister(void);

/* port.c */
int rf_netlink_require(struct genl_info *info, int attr, const char *missing);
int rf_netlink_each_port(struct genl_info *info,
			 void (*fn)(struct rf_port *port, const void *arg),
			 const void *arg);
int rf_netlink_dump_check(struct netlink_callback *cb);

/* port.c: rf_ports_lock held */
struct rf_port *rf_netlink_port(struct genl_info *info);
struct rf_port *rf_netlink_port_new(struct genl_info *info);
struct rf_prioq *rf_netlink_queue(struct genl_info *info);
bool rf_netlink_dump_includes(const struct netlink_callback *cb,
			      const struct rf_port *port);

/* flow.c: start and end of a dump */
int rf_netlink_flow_copy(struct netlink_callback *cb);
int rf_netlink_flow_done(struct netlink_callback *cb);

/* put.c: rf_ports_lock held; 0 or -EMSGSIZE */
int rf_put_netdev(struct sk_buff *skb, const struct net_device *dev);
int rf_put_port(struct sk_buff *skb, const struct rf_port *port);
int rf_put_rule(struct sk_buff *skb, struct rf_port *port, u32 direction,
		const struct rf_rule *rule);
int rf_put_fields(struct sk_buff *skb, const void *from, u64 set,
		  const struct rf_field *fields, int max, int pad);

/* queue.c: start of a dump, and the configured link; 0 or -EMSGSIZE */
int rf_netlink_queue_start(struct netlink_callback *cb);
int rf_put_link(struct sk_buff *skb, int attr, const struct rf_conf *conf);

/* path.c: start of a dump */
int rf_netlink_path_start(struct netlink_callback *cb);

/* parse.c */
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
