/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rtnetlink requests for ports and the fabric. All functions return 0 or -errno;
 * rf_sock_why() returns the error message.
 */
#ifndef RF_RTNL_H
#define RF_RTNL_H

#include <stdbool.h>
#include <stdint.h>
#include "nl.h"

struct rf_link {
	const char *name;
	uint8_t mac[6];
	uint32_t mtu;
	uint32_t group;
};

struct rf_link_info {
	uint32_t ifindex;
	uint32_t group;
	bool xdp_skb;		/* an XDP program is attached in generic (skb) mode */
	char name[16];
	char alias[256];
};

struct rf_qdisc_info {
	char kind[16];
	uint32_t handle;	/* 0: the link's default qdisc */
};

typedef int (*rf_link_fn)(const struct rf_link_info *link, void *arg);

int rf_rtnl_bridge_add(struct rf_sock *s, const struct rf_link *br);
int rf_rtnl_veth_add(struct rf_sock *s, const struct rf_link *a,
		     const struct rf_link *b);
int rf_rtnl_link_up(struct rf_sock *s, uint32_t ifindex, uint32_t master);
int rf_rtnl_bridge_port_fixed(struct rf_sock *s, uint32_t ifindex);
int rf_rtnl_fdb_add(struct rf_sock *s, uint32_t ifindex, const uint8_t mac[6]);
int rf_rtnl_link_alias(struct rf_sock *s, uint32_t ifindex, const char *alias);
int rf_rtnl_link_each(struct rf_sock *s, rf_link_fn fn, void *arg);
uint32_t rf_rtnl_ifindex(struct rf_sock *s, const char *name);
uint32_t rf_ifindex(const char *name);
int rf_rtnl_group_del(struct rf_sock *s, uint32_t group);
int rf_rtnl_addr_add(struct rf_sock *s, uint32_t ifindex, uint32_t addr,
		     int prefix);
int rf_rtnl_neigh_add(struct rf_sock *s, uint32_t ifindex, uint32_t addr,
		      const uint8_t mac[6]);
bool rf_rtnl_route_is_local(struct rf_sock *s, uint32_t from, uint32_t to);
int rf_rtnl_qdisc_root(struct rf_sock *s, uint32_t ifindex,
		       struct rf_qdisc_info *q);
int rf_rtnl_qdisc_add(struct rf_sock *s, uint32_t ifindex, const char *kind);
int rf_rtnl_qdisc_del(struct rf_sock *s, uint32_t ifindex);

#endif
