/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files that create and remove the fabric. */
#ifndef RF_FABRIC_PARTS_H
#define RF_FABRIC_PARTS_H

#include "fabric_shape.h"
#include "rtnl.h"

#define RF_FABRIC_GROUP 0x7266	/* group of all links of the fabric; "rf" in ASCII */
#define RF_FABRIC_BACKLOG "core/netdev_max_backlog"
#define RF_FABRIC_BACKLOG_MIN 20000	/* in packets; enough for bursts of 64 nodes */

/* Role of a netdev in the fabric; it is also the fourth byte of the MAC address */
enum rf_fabric_role {
	RF_ROLE_NODE, RF_ROLE_PORT, RF_ROLE_SWITCH, RF_ROLE_LINK,
};

struct rf_fabric_names {
	char v[16], p[16], rdma[16];
};

struct rf_fabric_census {
	int links;		/* number of links in the group of the fabric */
	bool has[RF_FABRIC_MAX + 1];	/* has[k]: netdev vk is in the fabric's group */
	struct rf_fabric fabric;
	long backlog;		/* old netdev_max_backlog, to be restored; -1: none */
};

struct rf_fabric_names rf_fabric_names(unsigned int k);
struct rf_link rf_fabric_netdev(const char *name, enum rf_fabric_role role,
				uint8_t k);
void rf_fabric_keep_order(const char *netdev);		/* fabric_order.c */
int rf_fabric_census(struct rf_sock *s, struct rf_fabric_census *c);
int rf_fabric_failed(struct rf_sock *s, const char *name, const char *what,
		     int err);
int rf_fabric_share_kernel(const char *netdev);
int rf_fabric_remove(struct rf_sock *s);
int rf_fabric_lock(void);
void rf_fabric_unlock(int lock);

/* fabric_switch.c */
void rf_fabric_read_note(const char *alias, struct rf_fabric_census *c);
int rf_fabric_make_switches(struct rf_sock *s, const struct rf_fabric *f);
uint32_t rf_fabric_switch_of(struct rf_sock *s, const struct rf_fabric *f,
			     unsigned int node);
int rf_fabric_make_ways(struct rf_sock *s, const struct rf_fabric *f);

#endif
