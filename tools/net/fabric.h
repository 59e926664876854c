/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fabric: N SoftRoCE nodes in this kernel, connected by one or several bridges (see
 * fabric_shape.h).
 *
 *	rxe1   rxe2   ...   rxeN
 *	 v1     v2           vN		10.77.0.1 ... 10.77.0.N
 *	 |      |            |
 *	 p1     p2           pN
 *	 +------+---rfbr0----+
 *
 * These functions print errors with rf_err().
 */
#ifndef RF_FABRIC_H
#define RF_FABRIC_H

#include <stdbool.h>

#include "fabric_shape.h"

#define RF_FABRIC_ADDR "10.77.0.%u"	/* address of a node, numbered from 1 */

#define RF_FABRIC_MTU 4200	/* in bytes; enough for an IB MTU of 4096 and all headers */
#define RF_FABRIC_BACKLOG "core/netdev_max_backlog"
#define RF_FABRIC_BACKLOG_MIN 20000	/* in packets; enough for bursts of 64 nodes */

struct rf_sock;

struct rf_fabric_names {
	char v[16], p[16], rdma[16];
};

/* The existing parts of a fabric */
struct rf_fabric_census {
	int links;		/* number of links in the group of the fabric */
	bool has[RF_FABRIC_MAX + 1];	/* has[k]: netdev vk is in the fabric's group */
	struct rf_fabric fabric;
	long backlog;		/* old netdev_max_backlog, to be restored; -1: none */
};

int rf_fabric_up(const struct rf_fabric *f, bool *made);
int rf_fabric_down(bool force);		/* @force: kill processes that use the fabric */
int rf_fabric_is_up(void);	/* number of nodes, 0 without a fabric, or -errno */
int rf_fabric_read(struct rf_fabric *f);	/* reads the existing fabric; returns 0 or -errno */
struct rf_fabric_names rf_fabric_names(unsigned int k);
int rf_fabric_census(struct rf_sock *s, struct rf_fabric_census *c);

#endif
