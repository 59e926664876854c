/* SPDX-License-Identifier: GPL-2.0 */
/* Requests about RDMA devices (NETLINK_RDMA), used by rdmadev.c and rdmares.c. */
#ifndef RF_NLDEV_H
#define RF_NLDEV_H

#include <stdint.h>
#include <rdma/rdma_netlink.h>
#include "nl.h"

struct nl_msg *rf_nldev_msg(int cmd, int flags);
int rf_nldev_parse(struct nlmsghdr *nlh, struct nlattr **tb);
int rf_nldev_open(struct rf_sock *s, const char *rdma, uint32_t *index);

#endif
