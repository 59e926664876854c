/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rdmafault.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_RDMAFAULT_GEN_H
#define _LINUX_RDMAFAULT_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/rdmafault/rdmafault.h>

/* Common nested types */
extern const struct nla_policy rdmafault_action_nl_policy[RDMAFAULT_A_ACTION_DSCP + 1];
extern const struct nla_policy rdmafault_buffer_nl_policy[RDMAFAULT_A_BUFFER_PEAK + 1];
extern const struct nla_policy rdmafault_dcqcn_nl_policy[RDMAFAULT_A_DCQCN_CLAMP_TGT_RATE_ATI + 1];
extern const struct nla_policy rdmafault_dcqcn_flow_nl_policy[RDMAFAULT_A_DCQCN_FLOW_PACED + 1];
extern const struct nla_policy rdmafault_dscp_prio_nl_policy[RDMAFAULT_A_DSCP_PRIO_PRIO + 1];
extern const struct nla_policy rdmafault_ecn_nl_policy[RDMAFAULT_A_ECN_NOT_ECT + 1];
extern const struct nla_policy rdmafault_flow_nl_policy[RDMAFAULT_A_FLOW_TIMEOUTS + 1];
extern const struct nla_policy rdmafault_link_nl_policy[RDMAFAULT_A_LINK_IN_FLIGHT_BYTES + 1];
extern const struct nla_policy rdmafault_match_nl_policy[RDMAFAULT_A_MATCH_CM + 1];
extern const struct nla_policy rdmafault_missed_nl_policy[RDMAFAULT_A_MISSED_COUNT + 1];
extern const struct nla_policy rdmafault_path_nl_policy[RDMAFAULT_A_PATH_NO_LINK + 1];
extern const struct nla_policy rdmafault_path_link_nl_policy[RDMAFAULT_A_PATH_LINK_BYTES + 1];
extern const struct nla_policy rdmafault_path_route_nl_policy[RDMAFAULT_A_PATH_ROUTE_LINKS + 1];
extern const struct nla_policy rdmafault_pause_nl_policy[RDMAFAULT_A_PAUSE_SENT + 1];
extern const struct nla_policy rdmafault_prio_nl_policy[RDMAFAULT_A_PRIO_STORM + 1];
extern const struct nla_policy rdmafault_prio_stats_nl_policy[RDMAFAULT_A_PRIO_STATS_XOFF_IGNORED + 1];
extern const struct nla_policy rdmafault_ring_nl_policy[RDMAFAULT_A_RING_RECORDS + 1];
extern const struct nla_policy rdmafault_rule_nl_policy[RDMAFAULT_A_RULE_UNCHANGED + 1];
extern const struct nla_policy rdmafault_storm_nl_policy[RDMAFAULT_A_STORM_OWNER + 1];
extern const struct nla_policy rdmafault_trigger_nl_policy[RDMAFAULT_A_TRIGGER_STATE_P14 + 1];
extern const struct nla_policy rdmafault_watchdog_nl_policy[RDMAFAULT_A_WATCHDOG_ACTION + 1];

extern const struct nla_policy rdmafault_port_get_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_step_set_nl_policy[RDMAFAULT_A_MESSAGES_TOTAL + 1];

extern const struct nla_policy rdmafault_rule_new_nl_policy[RDMAFAULT_A_BATCH_FLAGS + 1];

extern const struct nla_policy rdmafault_rule_get_nl_policy[RDMAFAULT_A_ID + 1];

extern const struct nla_policy rdmafault_rule_del_nl_policy[RDMAFAULT_A_ID + 1];

extern const struct nla_policy rdmafault_rule_flush_nl_policy[RDMAFAULT_A_DIRECTION + 1];

extern const struct nla_policy rdmafault_port_set_nl_policy[RDMAFAULT_A_HOLD_FORWARDED + 1];

extern const struct nla_policy rdmafault_flow_get_nl_policy[RDMAFAULT_A_FLOW + 1];

extern const struct nla_policy rdmafault_reset_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_queue_get_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_queue_set_nl_policy[RDMAFAULT_A_DCQCN + 1];

extern const struct nla_policy rdmafault_storm_start_nl_policy[RDMAFAULT_A_STORM + 1];

extern const struct nla_policy rdmafault_storm_stop_nl_policy[RDMAFAULT_A_STORM + 1];

extern const struct nla_policy rdmafault_pause_send_nl_policy[RDMAFAULT_A_PAUSE + 1];

extern const struct nla_policy rdmafault_stats_reset_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_port_new_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_port_del_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_ring_new_nl_policy[RDMAFAULT_A_RING + 1];

extern const struct nla_policy rdmafault_ring_get_nl_policy[RDMAFAULT_A_DIRECTION + 1];

extern const struct nla_policy rdmafault_path_set_nl_policy[RDMAFAULT_A_PATH + 1];

extern const struct nla_policy rdmafault_path_del_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_path_link_set_nl_policy[RDMAFAULT_A_PATH + 1];

extern const struct nla_policy rdmafault_path_get_nl_policy[RDMAFAULT_A_IFINDEX + 1];

extern const struct nla_policy rdmafault_dcqcn_flow_get_nl_policy[RDMAFAULT_A_DCQCN_FLOW + 1];

/* Ops table for rdmafault */
extern const struct genl_ops rdmafault_nl_ops[24];

int rdmafault_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_port_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int rdmafault_nl_step_set_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_rule_new_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_rule_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int rdmafault_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_rule_flush_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_port_set_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_flow_get_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_flow_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int rdmafault_nl_reset_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_queue_get_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_queue_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb);
int rdmafault_nl_queue_set_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_storm_start_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_storm_stop_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_pause_send_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_stats_reset_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_port_new_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_port_del_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_ring_new_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_ring_get_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_path_set_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_path_del_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_path_link_set_doit(struct sk_buff *skb,
				    struct genl_info *info);
int rdmafault_nl_path_get_doit(struct sk_buff *skb, struct genl_info *info);
int rdmafault_nl_path_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int rdmafault_nl_dcqcn_flow_get_doit(struct sk_buff *skb,
				     struct genl_info *info);
int rdmafault_nl_dcqcn_flow_get_dumpit(struct sk_buff *skb,
				       struct netlink_callback *cb);

#endif /* _LINUX_RDMAFAULT_GEN_H */
