/* SPDX-License-Identifier: GPL-2.0 */
/* Parse ports and flows from responses; used only by genl.c. */
#ifndef RF_GENL_INFO_H
#define RF_GENL_INFO_H

#include <netlink/msg.h>
#include "flow.h"
#include "rule.h"

int rf_genl_parse_port(struct nlmsghdr *nlh, struct rf_port_info *port);
int rf_genl_parse_flow(struct nlmsghdr *nlh, struct rf_flow_info *flow);
int rf_genl_put_flow(struct nl_msg *msg, const struct rf_flow_info *flow);

#endif
