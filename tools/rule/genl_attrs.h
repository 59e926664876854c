/* SPDX-License-Identifier: GPL-2.0 */
/* Convert rules, ports, flows and queues to netlink attributes and back; used only by genl*.c */
#ifndef RF_GENL_ATTRS_H
#define RF_GENL_ATTRS_H

#include <netlink/attr.h>
#include <netlink/msg.h>

#include "rule.h"

struct rf_field;

/* genl_fields.c: convert structs with the module's tables */
int rf_genl_put_fields(struct nl_msg *msg, const void *from, uint64_t set,
		       const struct rf_field *fields, int max);
void rf_genl_get_fields(struct nlattr **tb, void *to, uint64_t *set,
			const struct rf_field *fields, int max);
struct nlattr *rf_genl_nest(struct nl_msg *msg, int attr);

/* Return: the value of an attribute; 0 if the attribute is missing or too short. */
static inline uint32_t rf_genl_u32(const struct nlattr *a)
{
	return a && nla_len(a) >= (int)sizeof(uint32_t) ? nla_get_u32(a) : 0;
}

static inline uint64_t rf_genl_u64(const struct nlattr *a)
{
	return a && nla_len(a) >= (int)sizeof(uint64_t) ? nla_get_u64(a) : 0;
}

/* genl_info.c: ports and flows */
int rf_genl_parse_port(struct nlmsghdr *nlh, struct rf_port_info *port);
int rf_genl_parse_flow(struct nlmsghdr *nlh, struct rf_flow_info *flow);
int rf_genl_put_flow(struct nl_msg *msg, const struct rf_flow_info *flow);

/* genl_rule.c: rules */
size_t rf_genl_rule_room(const struct rf_rule_spec *spec);
int rf_genl_put_rule(struct nl_msg *msg, const struct rf_rule_spec *spec);
int rf_genl_parse_rule(struct nlmsghdr *nlh, struct rf_rule_info *rule);

/* genl_queue.c: settings and counters of queues */
#define RF_GENL_CHANGE_ROOM 8192	/* maximum size of a change in bytes */

int rf_genl_put_change(struct nl_msg *msg, const struct rf_queue_change *c);
int rf_genl_put_storm(struct nl_msg *msg, const struct rf_storm_spec *storm);
int rf_genl_put_pause(struct nl_msg *msg, uint32_t prios, uint32_t quanta);
int rf_genl_parse_queue(struct nlmsghdr *nlh, struct rf_queue_info *info);
int rf_genl_parse_rate(struct nlmsghdr *nlh, struct rf_rate_info *info);

/* genl_path.c: paths */
#define RF_GENL_PATH_ROOM 4096		/* maximum size of a path in bytes */

int rf_genl_put_path(struct nl_msg *msg, const struct rf_path_info *path);
int rf_genl_put_path_link(struct nl_msg *msg, uint32_t ifindex, bool down);
int rf_genl_parse_path(struct nlmsghdr *nlh, struct rf_path_info *path);

/* genl_explain.c: the words of a request that the kernel refused */
void rf_genl_explain(struct nl_msg *msg, uint32_t offset, char **words);
void rf_genl_explain_prio(struct nl_msg *msg, uint32_t offset, char **words);

#endif
