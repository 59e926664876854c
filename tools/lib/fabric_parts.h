/* SPDX-License-Identifier: GPL-2.0 */
/* What fabric.c, fabric_down.c and fabric_order.c share. */
#ifndef RF_FABRIC_PARTS_H
#define RF_FABRIC_PARTS_H

#include "rtnl.h"

#define RF_FABRIC_GROUP 0x7266	/* of all its links: "rf" */
#define RF_FABRIC_BACKLOG "core/netdev_max_backlog"

struct rf_fabric_names {
	char v[16], p[16], rdma[16];
};

struct rf_fabric_census {
	int links;		/* of our group */
	int nodes;
	long backlog;		/* before us, or -1 */
};

struct rf_fabric_names rf_fabric_names(unsigned int k);
void rf_fabric_keep_order(const struct rf_fabric_names *n); /* fabric_order.c */
int rf_fabric_census(struct rf_sock *s, struct rf_fabric_census *c);
int rf_fabric_failed(struct rf_sock *s, const char *name, const char *what,
		     int err);
int rf_fabric_remove(struct rf_sock *s);

#endif
