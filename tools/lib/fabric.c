// SPDX-License-Identifier: GPL-2.0
/*
 * Building and removing the fabric.
 *
 * All links carry one group number, so that the kernel deletes them in one
 * request and a half-made fabric is found again whatever it lacks. MAC
 * addresses are fixed: 02:72:66:00:00:K on vK, 02:72:66:01:00:K on pK, so a
 * capture of one run looks like that of the next. Neighbours are permanent: a
 * fault that hits ARP would only disturb the picture.
 *
 * Several nodes of one kernel talk over real links only when the stack accepts
 * its own addresses from outside (accept_local, no strict rp_filter) and
 * answers ARP on the right link alone (arp_ignore, arp_announce).
 *
 * netdev_max_backlog is the one switch that is global. It is raised, and the
 * bridge's alias remembers the old value for the way down.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "err.h"
#include "fabric.h"
#include "fabric_parts.h"
#include "rdmadev.h"
#include "rtnl.h"
#include "sysctl.h"

#define NET 0x0a4d0000		/* 10.77.0.0/24 */
#define PREFIX 24
#define BACKLOG 20000		/* packets; 64 nodes in bursts of 64 and more */
#define ALIAS "rdmafault fabric, netdev_max_backlog was %ld"
#define GID_TIMEOUT_S 20	/* one second on hardware, more in emulation */
#define POLL_US 20000

/**
 * rf_fabric_names - what the parts of a node are called
 * @k: number of the node, from 1
 *
 * Return: the names.
 */
struct rf_fabric_names rf_fabric_names(unsigned int k)
{
	struct rf_fabric_names n;

	snprintf(n.v, sizeof(n.v), "v%u", k);
	snprintf(n.p, sizeof(n.p), "p%u", k);
	snprintf(n.rdma, sizeof(n.rdma), "rxe%u", k);
	return n;
}

static struct rf_link link_of(const char *name, uint8_t role, uint8_t k)
{
	struct rf_link l = {
		.name = name, .mac = { 0x02, 0x72, 0x66, role, 0x00, k },
		.mtu = RF_FABRIC_MTU, .group = RF_FABRIC_GROUP,
	};

	return l;
}

static uint32_t addr_of(unsigned int k)
{
	return htonl(NET + k);
}

/**
 * rf_fabric_failed - say which request failed
 * @s: its socket
 * @name: what it was about
 * @what: what was to be done with that
 * @err: -errno
 *
 * Return: @err.
 */
int rf_fabric_failed(struct rf_sock *s, const char *name, const char *what,
		     int err)
{
	if (err == -EPERM)
		rf_err("%s: %s: needs CAP_NET_ADMIN", name, what);
	else
		rf_err("%s: %s: %s", name, what, rf_sock_why(s, err));
	return err;
}

/* ---- is it up? ---- */

static int count_link(const struct rf_link_info *link, void *arg)
{
	struct rf_fabric_census *c = arg;

	if (link->group != RF_FABRIC_GROUP)
		return 0;
	c->links++;
	c->nodes += link->name[0] == 'v';
	if (!strcmp(link->name, RF_FABRIC_BRIDGE) &&
	    sscanf(link->alias, ALIAS, &c->backlog) != 1)
		c->backlog = -1;
	return 0;
}

/**
 * rf_fabric_census - what there is of a fabric
 * @s: a NETLINK_ROUTE socket
 * @c: the answer
 *
 * Return: 0, or -errno.
 */
int rf_fabric_census(struct rf_sock *s, struct rf_fabric_census *c)
{
	*c = (struct rf_fabric_census) { .backlog = -1 };
	return rf_rtnl_link_each(s, count_link, c);
}

/**
 * rf_fabric_is_up - is there a fabric?
 *
 * Return: its number of nodes, 0 when there is none, or -errno.
 */
int rf_fabric_is_up(void)
{
	struct rf_sock s;
	struct rf_fabric_census c;
	int err;

	err = rf_sock_open(&s, NETLINK_ROUTE);
	if (err)
		return err;
	err = rf_fabric_census(&s, &c);
	rf_sock_close(&s);
	return err ? err : c.nodes;
}

/* ---- up ---- */

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

static int refuse_name(const char *name)
{
	rf_err("%s: the fabric needs this name, but it is taken", name);
	return -EEXIST;
}

static int check_node_names(struct rf_sock *s, unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	char netdev[16];

	if (rf_rtnl_ifindex(s, n.v))
		return refuse_name(n.v);
	if (rf_rtnl_ifindex(s, n.p))
		return refuse_name(n.p);
	if (!rf_rdma_to_netdev(n.rdma, netdev, sizeof(netdev)))
		return refuse_name(n.rdma);
	return 0;
}

static int check_names(struct rf_sock *s, unsigned int n)
{
	struct rf_fabric_census c;
	unsigned int k;
	int err;

	err = rf_fabric_census(s, &c);
	if (err)
		return rf_fabric_failed(s, "fabric", "list of links", err);
	if (c.links) {
		rf_err("a fabric of %d nodes is up already: "
		       "rdmafault fabric down", c.nodes);
		return -EEXIST;
	}
	if (rf_rtnl_ifindex(s, RF_FABRIC_BRIDGE))
		return refuse_name(RF_FABRIC_BRIDGE);
	for (k = 1; k <= n && !err; k++)
		err = check_node_names(s, k);
	return err;
}

/* Strict rp_filter for all would win over "off" here, but "loose" beats it. */
static long rp_filter(void)
{
	long all = 0;

	rf_sysctl_get("ipv4/conf/all/rp_filter", &all);
	return all == 1 ? 2 : 0;
}

static int set_switches(const char *dev)
{
	int err;

	rf_sysctl_set_dev(6, dev, "disable_ipv6", 1);	/* may not exist */
	err = rf_sysctl_set_dev(4, dev, "accept_local", 1);
	if (!err)
		err = rf_sysctl_set_dev(4, dev, "rp_filter", rp_filter());
	if (!err)
		err = rf_sysctl_set_dev(4, dev, "arp_ignore", 1);
	if (!err)
		err = rf_sysctl_set_dev(4, dev, "arp_announce", 2);
	if (err)
		rf_err("%s: /proc/sys/net: %s", dev, strerror(-err));
	return err;
}

static int raise_backlog(struct rf_sock *s, uint32_t bridge)
{
	char alias[128];
	long old;
	int err;

	if (rf_sysctl_get(RF_FABRIC_BACKLOG, &old) || old >= BACKLOG)
		return 0;
	snprintf(alias, sizeof(alias), ALIAS, old);
	err = rf_rtnl_link_alias(s, bridge, alias);
	if (err)
		return rf_fabric_failed(s, RF_FABRIC_BRIDGE, "alias", err);
	err = rf_sysctl_set(RF_FABRIC_BACKLOG, BACKLOG);
	if (err)
		rf_err(RF_FABRIC_BACKLOG ": %s", strerror(-err));
	return err;
}

static int make_bridge(struct rf_sock *s, uint32_t *ifindex)
{
	struct rf_link br = link_of(RF_FABRIC_BRIDGE, 0x02, 0);
	int err;

	err = rf_rtnl_bridge_add(s, &br);
	if (err)
		return rf_fabric_failed(s, br.name, "new bridge", err);
	*ifindex = rf_rtnl_ifindex(s, br.name);
	err = set_switches(br.name);
	if (err)
		return err;
	err = raise_backlog(s, *ifindex);
	if (err)
		return err;
	err = rf_rtnl_link_up(s, *ifindex, 0);
	return err ? rf_fabric_failed(s, br.name, "up", err) : 0;
}

static int make_links(struct rf_sock *s, unsigned int k, uint32_t bridge)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	struct rf_link v = link_of(n.v, 0x00, k), p = link_of(n.p, 0x01, k);
	int err;

	err = rf_rtnl_veth_add(s, &v, &p);
	if (err)
		return rf_fabric_failed(s, n.v, "new veth pair", err);
	err = set_switches(n.v);
	if (err)
		return err;
	rf_sysctl_set_dev(6, n.p, "disable_ipv6", 1);
	rf_fabric_keep_order(&n);
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, n.p), bridge);
	if (err)
		return rf_fabric_failed(s, n.p, "into the bridge", err);
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, n.v), 0);
	return err ? rf_fabric_failed(s, n.v, "up", err) : 0;
}

static int make_node(struct rf_sock *s, unsigned int k, uint32_t bridge)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	char why[RF_NL_ERRLEN];
	int err;

	err = make_links(s, k, bridge);
	if (err)
		return err;
	err = rf_rtnl_addr_add(s, rf_rtnl_ifindex(s, n.v), addr_of(k), PREFIX);
	if (err)
		return rf_fabric_failed(s, n.v, "address", err);
	err = rf_rxe_add(n.rdma, n.v, why, sizeof(why));
	if (err)
		rf_err("%s: new SoftRoCE device: %s", n.rdma, why);
	return err;
}

static int introduce(struct rf_sock *s, unsigned int k, unsigned int n)
{
	struct rf_fabric_names nk = rf_fabric_names(k);
	uint32_t ifindex = rf_rtnl_ifindex(s, nk.v);
	unsigned int i;
	int err;

	for (i = 1; i <= n; i++) {
		struct rf_link peer = link_of("", 0x00, i);

		if (i == k)
			continue;
		err = rf_rtnl_neigh_add(s, ifindex, addr_of(i), peer.mac);
		if (err)
			return rf_fabric_failed(s, nk.v, "neighbour", err);
	}
	return 0;
}

static int wait_for_gid(unsigned int k, time_t deadline)
{
	struct rf_fabric_names n = rf_fabric_names(k);

	while (rf_rdma_gid_index(n.rdma) < 0) {
		if (stopped)
			return -EINTR;
		if (time(NULL) > deadline) {
			rf_err("%s: no IPv4 GID after %d s", n.rdma,
			       GID_TIMEOUT_S);
			return -ETIMEDOUT;
		}
		usleep(POLL_US);
	}
	return 0;
}

static int make_nodes(struct rf_sock *s, unsigned int n, uint32_t bridge)
{
	unsigned int k;
	int err = 0;

	for (k = 1; k <= n && !err; k++)
		err = stopped ? -EINTR : make_node(s, k, bridge);
	for (k = 1; k <= n && !err; k++)
		err = stopped ? -EINTR : introduce(s, k, n);
	return err;
}

static int make_all(struct rf_sock *s, unsigned int n)
{
	time_t deadline;
	uint32_t bridge;
	unsigned int k;
	int err;

	err = make_bridge(s, &bridge);
	if (!err)
		err = make_nodes(s, n, bridge);
	deadline = time(NULL) + GID_TIMEOUT_S;
	for (k = 1; k <= n && !err; k++)
		err = wait_for_gid(k, deadline);
	if (err == -EINTR)
		rf_err("fabric: interrupted, nothing was made");
	return err;
}

/* A signal ends the making, and what was made is removed. */
static int make_or_remove(struct rf_sock *s, unsigned int n)
{
	struct sigaction sa = { .sa_handler = stop }, old[2];
	int err;

	stopped = 0;
	sigaction(SIGINT, &sa, &old[0]);
	sigaction(SIGTERM, &sa, &old[1]);
	err = make_all(s, n);
	if (err)
		rf_fabric_remove(s);
	sigaction(SIGINT, &old[0], NULL);
	sigaction(SIGTERM, &old[1], NULL);
	return err;
}

/**
 * rf_fabric_up - make a fabric, all of it or nothing
 * @n: number of nodes, RF_FABRIC_MIN to RF_FABRIC_MAX
 *
 * Return: 0, or -errno, and the user has been told why.
 */
int rf_fabric_up(unsigned int n)
{
	struct rf_sock s;
	int err;

	if (n < RF_FABRIC_MIN || n > RF_FABRIC_MAX) {
		rf_err("fabric: want %d to %d nodes, got %u", RF_FABRIC_MIN,
		       RF_FABRIC_MAX, n);
		return -EINVAL;
	}
	err = rf_sock_open(&s, NETLINK_ROUTE);
	if (err)
		return err;
	err = check_names(&s, n);
	if (!err)
		err = make_or_remove(&s, n);
	rf_sock_close(&s);
	return err;
}
