// SPDX-License-Identifier: GPL-2.0
/*
 * The routes of a fabric for connection managers. Without them, the kernel delivers TCP and
 * rdma_cm between two nodes locally, because it first looks up the table local, which has the
 * addresses of all nodes.
 *
 *	0:	from all lookup local					before
 *
 *	1:	from 10.77.0.K to 10.77.0.0/24 iif lo lookup 7700 + K	each node K
 *	1:	from 0.0.0.0 to 10.77.0.0/24 iif lo lookup 7701		no source address yet
 *	2:	from all lookup local					with cm
 *
 * A table has the route to all nodes over the netdev of its node, and the local route to the
 * node itself. "iif lo" is packets that this machine sends, so packets that arrive are
 * delivered as before. Other addresses match none of these rules.
 *
 * The rule of the table local is moved last, and moved back first. The kernel deletes the
 * routes with the netdevs. The protocol of the rules says that they belong to the fabric, so
 * "fabric down" finds them even after "fabric up" was killed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/rtnetlink.h>

#include "err.h"
#include "fabric.h"
#include "nl.h"

#define PROTO 0x72		/* "r" in ASCII; ip-rule(8) and ip-route(8) print 114 */
#define TABLE 7700		/* number of the table of node K, minus K */
#define PREF_NODES 1
#define PREF_LOCAL 2

static const struct rf_policy local_first = {
	.pref = 0, .table = RT_TABLE_LOCAL, .proto = RTPROT_KERNEL,
};

static const struct rf_policy local_moved = {
	.pref = PREF_LOCAL, .table = RT_TABLE_LOCAL, .proto = PROTO,
};

static int policy_failed(struct rf_sock *s, uint32_t pref, int err)
{
	rf_err("fabric: cm: IPv4 rule with preference %u: %s", pref, rf_sock_why(s, err));
	return err;
}

static int read_policy(const struct rf_policy *p, void *arg)
{
	struct rf_fabric_cm *cm = arg;
	bool is_local = p->table == RT_TABLE_LOCAL && !p->src_len && !p->dst_len;

	if (p->proto == PROTO)
		cm->rules++;
	if (p->proto == PROTO && p->pref == PREF_LOCAL)
		cm->moved = true;
	else if (!p->pref && is_local)
		cm->local_first = true;
	else if (p->proto != PROTO && p->pref <= PREF_LOCAL)
		cm->foreign = true;
	return 0;
}

/**
 * rf_fabric_cm_read - read the rules of the routing policy that concern a fabric
 * @s: a NETLINK_ROUTE socket
 * @cm: gets the rules
 *
 * Return: 0, or -errno.
 */
int rf_fabric_cm_read(struct rf_sock *s, struct rf_fabric_cm *cm)
{
	int err;

	*cm = (struct rf_fabric_cm){ };
	err = rf_rtnl_policy_each(s, read_policy, cm);
	/* A kernel without policy routing has no rules. */
	return err == -EAFNOSUPPORT || err == -EOPNOTSUPP ? 0 : err;
}

static int add_route(struct rf_sock *s, unsigned int k, uint8_t type, uint32_t dst,
		     uint32_t dst_len)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	struct rf_route r = {
		.table = TABLE + k, .proto = PROTO, .type = type,
		.ifindex = rf_rtnl_ifindex(s, n.v), .dst = dst, .dst_len = dst_len,
		.src = rf_fabric_addr(k),
	};
	int err = rf_rtnl_route_add(s, &r);

	if (err)
		rf_err("%s: cm: route in table %u: %s", n.v, r.table, rf_sock_why(s, err));
	return err;
}

/* @src: address of the packets that use the table of node @k; 0: none yet */
static int add_policy(struct rf_sock *s, unsigned int k, uint32_t src)
{
	struct rf_policy p = {
		.pref = PREF_NODES, .table = TABLE + k, .proto = PROTO, .output = true,
		.src = src, .src_len = 32,
		.dst = rf_fabric_addr(0), .dst_len = RF_FABRIC_PREFIX,
	};
	int err = rf_rtnl_policy_add(s, &p);

	return err ? policy_failed(s, p.pref, err) : 0;
}

static int add_node(struct rf_sock *s, unsigned int k)
{
	int err = add_route(s, k, RTN_LOCAL, rf_fabric_addr(k), 32);

	if (!err)
		err = add_route(s, k, RTN_UNICAST, rf_fabric_addr(0), RF_FABRIC_PREFIX);
	return err ? err : add_policy(s, k, rf_fabric_addr(k));
}

/**
 * rf_fabric_cm_check - check that the rules of a fabric for connection managers can be added
 * @cm: the existing rules
 *
 * Return: 0, or -EEXIST after rf_err().
 */
int rf_fabric_cm_check(const struct rf_fabric_cm *cm)
{
	if (!cm->foreign)
		return 0;
	rf_err("fabric: cm: an IPv4 rule with a preference from 0 to %u exists, which is not that of the table local; \"ip rule\" lists it",
	       PREF_LOCAL);
	return -EEXIST;
}

/**
 * rf_fabric_cm_add - send TCP and rdma_cm between the nodes over the fabric
 * @s: a NETLINK_ROUTE socket
 * @nodes: number of nodes; their netdevs are up and have their addresses
 *
 * Return: 0, or -errno after rf_err(); rf_fabric_cm_remove() removes what was added.
 */
int rf_fabric_cm_add(struct rf_sock *s, uint32_t nodes)
{
	struct rf_fabric_cm cm;
	unsigned int k;
	int err;

	err = rf_fabric_cm_read(s, &cm);
	for (k = 1; !err && k <= nodes; k++)
		err = add_node(s, k);
	if (!err)
		err = add_policy(s, 1, 0);
	if (err || !cm.local_first)
		return err;
	err = rf_rtnl_policy_add(s, &local_moved);
	if (err)
		return policy_failed(s, local_moved.pref, err);
	err = rf_rtnl_policy_del(s, &(struct rf_policy){ .table = RT_TABLE_LOCAL });
	return err ? policy_failed(s, local_first.pref, err) : 0;
}

/**
 * rf_fabric_cm_remove - remove all rules of a fabric, and restore the rule of the table local
 * @s: a NETLINK_ROUTE socket
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_cm_remove(struct rf_sock *s)
{
	struct rf_policy ours = { .proto = PROTO };
	struct rf_fabric_cm cm;
	int err = rf_fabric_cm_read(s, &cm);

	if (!err && cm.moved && !cm.local_first)
		err = rf_rtnl_policy_add(s, &local_first);
	if (err)
		return policy_failed(s, local_first.pref, err);
	for (; !err && cm.rules; cm.rules--) {
		ours.pref = cm.moved ? PREF_LOCAL : PREF_NODES;
		cm.moved = false;
		err = rf_rtnl_policy_del(s, &ours);
	}
	return err ? policy_failed(s, ours.pref, err) : 0;
}
