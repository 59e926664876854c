/* SPDX-License-Identifier: GPL-2.0 */
/* Convert queue settings and counters to attributes and back; used only by genl*.c. */
#ifndef RF_GENL_QUEUE_H
#define RF_GENL_QUEUE_H

#include <netlink/msg.h>
#include "queue.h"

#define RF_GENL_CHANGE_ROOM 8192	/* maximum size of a change in bytes */

int rf_genl_put_change(struct nl_msg *msg, const struct rf_queue_change *c);
int rf_genl_put_storm(struct nl_msg *msg, const struct rf_storm_spec *storm);
int rf_genl_put_pause(struct nl_msg *msg, uint32_t prios, uint32_t quanta);
int rf_genl_parse_queue(struct nlmsghdr *nlh, struct rf_queue_info *info);

/* genl_explain.c */
void rf_genl_explain_prio(struct nl_msg *msg, uint32_t offset,
			  char **words);

#endif
