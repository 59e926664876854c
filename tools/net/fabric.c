// SPDX-License-Identifier: GPL-2.0
/*
 * Create the fabric.
 *
 * All links have the same group number. With this number, one request deletes all links,
 * and an incomplete fabric can be found. The MAC addresses of node K are fixed:
 * 02:72:66:00:00:K on its netdev vK, and 02:72:66:01:00:K on the switch port pK. So
 * captures of two runs can be compared. Neighbour entries are permanent, so that no fault
 * hits ARP.
 *
 * All nodes are in one kernel. The kernel sends their packets over the links only if the
 * kernel accepts packets from its own addresses (accept_local, no strict rp_filter) and
 * answers ARP only on the link of the address (arp_ignore, arp_announce).
 *
 * fabric_shape.c computes the switches and links, fabric_switch.c creates them.
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
#include "lock.h"
#include "rdmadev.h"
#include "rtnl.h"
#include "sysctl.h"
#include "waiting.h"

#define NET 0x0a4d0000		/* 10.77.0.0/24 */
#define PREFIX 24
#define GID_TIMEOUT_S 20	/* a GID appears 1 s after its address, later in a slow VM */
#define POLL_US 20000
#define LOCK_FILE "/run/rdmafault-fabric.lock"
#define LOCK_WAIT_MS 10000

/**
 * rf_fabric_names - get the names of a node's netdevs and RDMA device
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

/**
 * rf_fabric_netdev - get the attributes of a netdev of the fabric
 * @name: name of the netdev
 * @role: role of the netdev
 * @k: number of the netdev among those with the same role
 *
 * Return: the attributes, for creating the netdev.
 */
struct rf_link rf_fabric_netdev(const char *name, enum rf_fabric_role role,
				uint8_t k)
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
 * rf_fabric_failed - print which operation failed, and why
 * @s: the socket on which the request failed
 * @name: the object of the request, for example a netdev
 * @what: the operation that failed
 * @err: -errno
 *
 * Return: @err.
 */
int rf_fabric_failed(struct rf_sock *s, const char *name, const char *what,
		     int err)
{
	rf_err("%s: %s: %s", name, what, rf_sock_why(s, err));
	return err;
}

/* ---- state ---- */

static int count_link(const struct rf_link_info *link, void *arg)
{
	struct rf_fabric_census *c = arg;
	unsigned int k;

	if (link->group != RF_FABRIC_GROUP)
		return 0;
	c->links++;
	if (sscanf(link->name, "v%u", &k) == 1) {
		c->fabric.nodes++;
		if (k <= RF_FABRIC_MAX)
			c->has[k] = true;
	}
	rf_fabric_read_note(link->alias, c);
	return 0;
}

/**
 * rf_fabric_census - list the existing parts of a fabric
 * @s: a NETLINK_ROUTE socket
 * @c: gets the parts
 *
 * Return: 0, or -errno.
 */
int rf_fabric_census(struct rf_sock *s, struct rf_fabric_census *c)
{
	*c = (struct rf_fabric_census){ .backlog = -1 };
	return rf_rtnl_link_each(s, count_link, c);
}

/**
 * rf_fabric_read - get the shape of the existing fabric
 * @f: gets the shape; 0 nodes if there is no fabric
 *
 * Return: 0, or -errno.
 */
int rf_fabric_read(struct rf_fabric *f)
{
	struct rf_sock s;
	struct rf_fabric_census c;
	int err;

	err = rf_sock_open(&s, NETLINK_ROUTE);
	if (err)
		return err;
	err = rf_fabric_census(&s, &c);
	rf_sock_close(&s);
	*f = c.fabric;
	return err;
}

/**
 * rf_fabric_is_up - check whether there is a fabric
 *
 * Return: the number of nodes, 0 if there is no fabric, or -errno.
 */
int rf_fabric_is_up(void)
{
	struct rf_fabric f;
	int err = rf_fabric_read(&f);

	return err ? err : (int)f.nodes;
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
	rf_err("%s: the fabric needs this name, but another device already has this name", name);
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

static int check_switch_names(struct rf_sock *s, const struct rf_fabric *f)
{
	char name[16];
	uint32_t i;

	for (i = 0; i < rf_fabric_switches(f); i++) {
		rf_fabric_switch_name(f, i, name);
		if (rf_rtnl_ifindex(s, name))
			return refuse_name(name);
	}
	for (i = f->nodes; rf_fabric_port(f, i, name); i++)
		if (rf_rtnl_ifindex(s, name))
			return refuse_name(name);
	return 0;
}

static int check_names(struct rf_sock *s, const struct rf_fabric *f)
{
	struct rf_fabric_census c;
	unsigned int k;
	int err;

	err = rf_fabric_census(s, &c);
	if (err)
		return rf_fabric_failed(s, "fabric", "list of links", err);
	if (c.links) {
		rf_err("a fabric of %u nodes is up already; remove it with "
		       "\"rdmafault fabric down\"", c.fabric.nodes);
		return -EEXIST;
	}
	err = check_switch_names(s, f);
	for (k = 1; k <= f->nodes && !err; k++)
		err = check_node_names(s, k);
	return err;
}

/*
 * Return: the rp_filter value for a netdev of the fabric; it must not be strict (1). The
 * kernel uses the larger of the values of the netdev and of "all". So if "all" is strict,
 * the value for the netdev must be loose (2), because off (0) would have no effect.
 */
static long rp_filter(void)
{
	long all = 0;

	rf_sysctl_get("ipv4/conf/all/rp_filter", &all);
	return all == 1 ? 2 : 0;
}

/**
 * rf_fabric_share_kernel - set the sysctls of a netdev so that it exchanges packets with
 * netdevs of the same kernel
 * @dev: the netdev
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_share_kernel(const char *dev)
{
	int err;

	rf_sysctl_set_dev(6, dev, "disable_ipv6", 1);	/* ignore errors: IPv6 can be missing */
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

static int make_links(struct rf_sock *s, const struct rf_fabric *f,
		      unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	struct rf_link v = rf_fabric_netdev(n.v, RF_ROLE_NODE, k);
	struct rf_link p = rf_fabric_netdev(n.p, RF_ROLE_PORT, k);
	uint32_t bridge = rf_fabric_switch_of(s, f, k);
	int err;

	err = rf_rtnl_veth_add(s, &v, &p);
	if (err)
		return rf_fabric_failed(s, n.v, "new veth pair", err);
	err = rf_fabric_share_kernel(n.v);
	if (err)
		return err;
	rf_sysctl_set_dev(6, n.p, "disable_ipv6", 1);
	rf_fabric_keep_order(n.v);
	rf_fabric_keep_order(n.p);
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, n.p), bridge);
	if (err)
		return rf_fabric_failed(s, n.p, "into the bridge", err);
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, n.v), 0);
	return err ? rf_fabric_failed(s, n.v, "up", err) : 0;
}

static int make_node(struct rf_sock *s, const struct rf_fabric *f,
		     unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	struct rf_why why;
	int err;

	err = make_links(s, f, k);
	if (err)
		return err;
	err = rf_rtnl_addr_add(s, rf_rtnl_ifindex(s, n.v), addr_of(k), PREFIX);
	if (err)
		return rf_fabric_failed(s, n.v, "address", err);
	err = rf_rxe_add(n.rdma, n.v, &why);
	if (err)
		rf_err("%s: new SoftRoCE device: %s", n.rdma, why.text);
	return err;
}

static int introduce(struct rf_sock *s, unsigned int k, unsigned int n)
{
	struct rf_fabric_names nk = rf_fabric_names(k);
	uint32_t ifindex = rf_rtnl_ifindex(s, nk.v);
	unsigned int i;
	int err;

	for (i = 1; i <= n; i++) {
		struct rf_link peer = rf_fabric_netdev("", RF_ROLE_NODE, i);

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
		rf_waiting("fabric: waiting for the IPv4 GID of %s", n.rdma);
		if (time(NULL) > deadline) {
			rf_err("%s: no IPv4 GID after %d s", n.rdma,
			       GID_TIMEOUT_S);
			return -ETIMEDOUT;
		}
		usleep(POLL_US);
	}
	return 0;
}

static int make_nodes(struct rf_sock *s, const struct rf_fabric *f)
{
	unsigned int k;
	int err = 0;

	for (k = 1; k <= f->nodes && !err; k++) {
		rf_waiting("fabric: creating node %u of %u", k, f->nodes);
		err = stopped ? -EINTR : make_node(s, f, k);
	}
	for (k = 1; k <= f->nodes && !err; k++)
		err = stopped ? -EINTR : introduce(s, k, f->nodes);
	return err;
}

static int make_all(struct rf_sock *s, const struct rf_fabric *f)
{
	time_t deadline;
	unsigned int k;
	int err;

	err = rf_fabric_make_switches(s, f);
	if (!err)
		err = make_nodes(s, f);
	if (!err)
		err = rf_fabric_make_ways(s, f);
	deadline = time(NULL) + GID_TIMEOUT_S;
	for (k = 1; k <= f->nodes && !err; k++)
		err = wait_for_gid(k, deadline);
	if (err == -EINTR)
		rf_err("fabric: interrupted; everything that was created is removed");
	return err;
}

/* Create the fabric. After an error or a signal, remove what was created. */
static int make_or_remove(struct rf_sock *s, const struct rf_fabric *f,
			  bool *made)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = stop }, old[3];
	size_t i;
	int err;

	stopped = 0;
	for (i = 0; i < 3; i++) {
		sigaction(signals[i], &sa, &old[i]);
		/* If a signal was ignored, for example by nohup(1), ignore it again. */
		if (old[i].sa_handler == SIG_IGN)
			sigaction(signals[i], &old[i], NULL);
	}
	*made = true;
	err = make_all(s, f);
	rf_waiting_end();
	if (err)
		*made = rf_fabric_remove(s);
	for (i = 0; i < 3; i++)
		sigaction(signals[i], &old[i], NULL);
	return err;
}

static int check_and_make(const struct rf_fabric *f, bool *made)
{
	struct rf_sock s;
	int err = rf_sock_open(&s, NETLINK_ROUTE);

	if (err)
		return err;
	err = check_names(&s, f);
	if (!err)
		err = make_or_remove(&s, f, made);
	rf_sock_close(&s);
	return err;
}

/**
 * rf_fabric_lock - take the lock against other processes that create or remove a fabric
 *
 * A process holds the lock while it checks that there is no fabric and then creates one.
 * Without the lock, another process could create a fabric between the two steps. This
 * process would then fail, and would remove the other fabric. If the directory of the
 * lock file does not exist, no lock is used.
 *
 * Return: a descriptor for rf_fabric_unlock(); -EWOULDBLOCK after rf_err(), or
 * another -errno without a message.
 */
int rf_fabric_lock(void)
{
	int lock = rf_lock(LOCK_FILE, LOCK_WAIT_MS);

	if (lock == -EWOULDBLOCK)
		rf_err("fabric: another process is creating or removing the fabric; %s is locked",
		       LOCK_FILE);
	return lock;
}

/** rf_fabric_unlock - release the lock of rf_fabric_lock() */
void rf_fabric_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

/**
 * rf_fabric_up - create a fabric; after a failure, remove what was created
 * @f: the shape, after rf_fabric_settle(); RF_FABRIC_MIN to RF_FABRIC_MAX nodes
 * @made: the function sets it to true before it creates the first netdev, and to false if
 *	it fails and could remove everything
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_up(const struct rf_fabric *f, bool *made)
{
	int err, lock;

	if (f->nodes < RF_FABRIC_MIN || f->nodes > RF_FABRIC_MAX) {
		rf_err("fabric: %u nodes: out of range; %d to %d", f->nodes,
		       RF_FABRIC_MIN, RF_FABRIC_MAX);
		return -EINVAL;
	}
	lock = rf_fabric_lock();
	err = lock == -EWOULDBLOCK ? lock : check_and_make(f, made);
	rf_fabric_unlock(lock);
	return err;
}
