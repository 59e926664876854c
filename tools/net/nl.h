/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink sockets, and the requests to other families than that of the module */
#ifndef RF_NL_H
#define RF_NL_H

#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * nl.c: a netlink socket of any protocol (generic, route, RDMA): send a request, pass each
 * response to a function, and keep the kernel's error number and text.
 */
struct rf_sock {
	struct nl_sock *sk;
	char *error;	/* extack of the last request, or NULL */
	uint32_t bad;	/* offset of refused attribute in request, or 0 */
};

/* Called for each response. A value other than 0 becomes the result of the request. */
typedef int (*rf_answer_fn)(struct nlmsghdr *nlh, void *arg);

int rf_sock_open(struct rf_sock *s, int protocol);
void rf_sock_close(struct rf_sock *s);
int rf_sock_request(struct rf_sock *s, struct nl_msg *msg, rf_answer_fn fn,
		    void *arg);
const char *rf_sock_why(const struct rf_sock *s, int err);

/* nldev.c: requests about RDMA devices (NETLINK_RDMA), used by rdmadev.c and rdmares.c */
struct nl_msg *rf_nldev_msg(int cmd, int flags);
int rf_nldev_parse(struct nlmsghdr *nlh, struct nlattr **tb);
int rf_nldev_open(struct rf_sock *s, const char *rdma, uint32_t *index);

/*
 * rtnl.c: rtnetlink requests for ports and the fabric. All functions return 0 or -errno;
 * rf_sock_why() returns the error message.
 */
struct rf_link {
	const char *name;
	uint8_t mac[6];
	uint32_t mtu;
	uint32_t group;
};

struct rf_link_info {
	uint32_t ifindex;
	uint32_t group;
	uint32_t mtu;
	uint32_t master;	/* bridge of which it is a port; 0: none */
	uint32_t peer;		/* other end of a veth pair in this namespace; 0: none */
	bool up;		/* operational state UP: set up, and has a carrier */
	bool xdp_skb;		/* an XDP program is attached in generic (skb) mode */
	char name[16];
	char alias[256];
};

struct rf_qdisc_info {
	char kind[16];
	uint32_t handle;	/* 0: the link's default qdisc */
};

/* A rule of the routing policy of IPv4 that selects a table; see ip-rule(8) */
struct rf_policy {
	uint32_t pref;
	uint32_t table;			/* 0: any, for deletion */
	uint8_t proto;			/* 0: any, for deletion */
	bool output;			/* only packets that this machine sends */
	uint32_t src, src_len;		/* prefix, in network order; 0 bits: any */
	uint32_t dst, dst_len;
};

/* A route of IPv4 without a gateway */
struct rf_route {
	uint32_t table;
	uint8_t proto;
	uint8_t type;			/* RTN_UNICAST or RTN_LOCAL */
	uint32_t ifindex;
	uint32_t dst, dst_len;		/* prefix, in network order */
	uint32_t src;			/* preferred source address, in network order; 0: none */
};

typedef int (*rf_policy_fn)(const struct rf_policy *policy, void *arg);
typedef int (*rf_link_fn)(const struct rf_link_info *link, void *arg);

int rf_rtnl_bridge_add(struct rf_sock *s, const struct rf_link *br);
int rf_rtnl_veth_add(struct rf_sock *s, const struct rf_link *a,
		     const struct rf_link *b);
int rf_rtnl_link_up(struct rf_sock *s, uint32_t ifindex, uint32_t master);
int rf_rtnl_link_down(struct rf_sock *s, uint32_t ifindex);
int rf_rtnl_link_get(struct rf_sock *s, uint32_t ifindex, struct rf_link_info *link);
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
int rf_rtnl_route_add(struct rf_sock *s, const struct rf_route *r);
int rf_rtnl_policy_add(struct rf_sock *s, const struct rf_policy *p);
int rf_rtnl_policy_del(struct rf_sock *s, const struct rf_policy *p);
int rf_rtnl_policy_each(struct rf_sock *s, rf_policy_fn fn, void *arg);
int rf_rtnl_qdisc_root(struct rf_sock *s, uint32_t ifindex,
		       struct rf_qdisc_info *q);
int rf_rtnl_qdisc_add(struct rf_sock *s, uint32_t ifindex, const char *kind);
int rf_rtnl_qdisc_del(struct rf_sock *s, uint32_t ifindex);

int rf_ethtool_feature(const char *dev, const char *name);	/* "rx-udp-gro-forwarding" */

#endif
