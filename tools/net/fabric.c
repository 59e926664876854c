// SPDX-License-Identifier: GPL-2.0
/*
 * Create the fabric, and remove it, even if it is incomplete.
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
 * If the fabric has one bridge, the bridge learns addresses. If the fabric has several
 * bridges, each bridge has a permanent FDB entry for the MAC address of each node, does
 * not learn and does not flood. So no spanning tree is needed for any number of spines,
 * and all packets of a flow take the same route. Flooding is not needed, because
 * neighbour entries are permanent; broadcast packets do not leave their switch.
 *
 * A fabric can span several machines: each has a part of the nodes, and its bridge has an uplink,
 * a netdev to the bridges of the other machines. Its neighbour entries are those of all nodes.
 *
 * The interface alias of the first switch stores the shape, for later commands, and the
 * old value of netdev_max_backlog. This sysctl is global: "fabric up" raises it, "fabric
 * down" restores it.
 *
 * fabric_graph.c computes the switches and links, fabric_cm.c adds routes of IPv4.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "err.h"
#include "fabric.h"
#include "host.h"
#include "nl.h"
#include "port.h"

#define GROUP 0x7266		/* group of all links of the fabric; "rf" in ASCII */
#define NET 0x0a4d0000		/* 10.77.0.0/24 */
#define GID_TIMEOUT_S 20	/* a GID appears 1 s after its address, later in a slow VM */
#define USERS_MAX 1024
#define KILL_TIMEOUT_S 60	/* the kernel can need 50 s to free a queue pair */
#define POLL_US 20000
#define LOCK_FILE "/run/rdmafault-fabric.lock"
#define LOCK_WAIT_MS 10000
#define NOTE "rdmafault fabric: shape %s switches %u leaves %u spines %u dims %ux%ux%u, netdev_max_backlog was %ld, nodes %u to %u of %u"
#define NOTE_READ "rdmafault fabric: shape %15s switches %u leaves %u spines %u dims %ux%ux%u, netdev_max_backlog was %ld, nodes %u to %u of %u"

/* Role of a netdev in the fabric; it is also the fourth byte of the MAC address */
enum role {
	ROLE_NODE, ROLE_PORT, ROLE_SWITCH, ROLE_LINK,
};

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

/*
 * Return: the attributes for creating a netdev. @k: its number among those with the same role.
 */
static struct rf_link netdev_attributes(const char *name, enum role role, uint16_t k)
{
	struct rf_link l = {
		.name = name, .mac = { 0x02, 0x72, 0x66, role, k >> 8, k },
		.mtu = RF_FABRIC_MTU, .group = GROUP,
	};

	return l;
}

/**
 * rf_fabric_addr - get the IPv4 address of a node
 * @k: number of the node, from 1; 0: address of the network
 *
 * Return: the address in network order.
 */
uint32_t rf_fabric_addr(unsigned int k)
{
	return htonl(NET + k);
}

/* Print which operation failed, and why. @name: the object, for example a netdev. Return: @err */
static int request_failed(struct rf_sock *s, const char *name, const char *what, int err)
{
	rf_err("%s: %s: %s", name, what, rf_sock_why(s, err));
	return err;
}

/* ---- state ---- */

/* Parse an alias of a link. If it has no shape, @c does not change. */
static void read_note(const char *alias, struct rf_fabric_census *c)
{
	struct rf_fabric f = { }, whole;
	char shape[16];
	struct rf_why why;
	long backlog;

	if (sscanf(alias, NOTE_READ, shape, &f.switches, &f.leaves, &f.spines,
		   &f.dims[0], &f.dims[1], &f.dims[2], &backlog, &f.first, &f.last,
		   &f.nodes) != 11)
		return;
	if (rf_name_value(rf_shape_names, shape, strlen(shape), &f.shape))
		return;
	whole = f;
	whole.first = 0;
	if (f.nodes > RF_FABRIC_MAX || rf_fabric_settle(&whole, &why))
		return;
	c->fabric = f;
	c->backlog = backlog;
}

static int count_link(const struct rf_link_info *link, void *arg)
{
	struct rf_fabric_census *c = arg;
	unsigned int k;

	if (link->group != GROUP)
		return 0;
	c->links++;
	if (sscanf(link->name, "v%u", &k) == 1 && k <= RF_FABRIC_MAX) {
		c->has[k] = true;
		c->nodes++;
	}
	read_note(link->alias, c);
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
	int err;

	*c = (struct rf_fabric_census){ .backlog = -1 };
	err = rf_rtnl_link_each(s, count_link, c);
	if (!c->fabric.nodes) {		/* incomplete: the first switch is missing */
		c->fabric.nodes = c->nodes;
		c->fabric.first = 1;
		c->fabric.last = c->nodes;
	}
	if (!err)
		err = rf_fabric_cm_read(s, &c->cm);
	c->fabric.cm = c->cm.rules;
	return err;
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
 * Return: the number of nodes, also on other machines, 0 if there is no fabric, or -errno.
 */
int rf_fabric_is_up(void)
{
	struct rf_fabric f;
	int err = rf_fabric_read(&f);

	return err ? err : (int)f.nodes;
}

/* ---- down ---- */

/*
 * Take the lock against other processes that create or remove a fabric. A process holds the lock
 * while it checks that there is no fabric and then creates one. Without the lock, another process
 * could create a fabric between the two steps. This process would then fail, and would remove the
 * other fabric. If the directory of the lock file does not exist, no lock is used.
 *
 * Return: a descriptor for unlock_fabric(); -EWOULDBLOCK after rf_err(), or another -errno without
 * a message.
 */
static int lock_fabric(void)
{
	int lock = rf_lock(LOCK_FILE, LOCK_WAIT_MS);

	if (lock == -EWOULDBLOCK)
		rf_err("fabric: another process is creating or removing the fabric; %s is locked",
		       LOCK_FILE);
	return lock;
}

static void unlock_fabric(int lock)
{
	if (lock >= 0)
		close(lock);
}

/*
 * Check whether RDMA device rxeK belongs to the fabric. The name is not enough: rxeK can be
 * on another netdev than vK, and another program can have created a netdev vK.
 */
static bool is_fabric_device(const struct rf_fabric_census *c, unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	char netdev[16];

	return c->has[k] &&
	       !rf_rdma_to_netdev(n.rdma, netdev, sizeof(netdev)) &&
	       !strcmp(netdev, n.v);
}

/* Get the PIDs of the processes that have an RDMA device of the fabric open. */
static int users(const struct rf_fabric_census *c, int32_t *pids, int max)
{
	unsigned int k;
	int got, n = 0;

	for (k = 1; k <= RF_FABRIC_MAX; k++) {
		if (!is_fabric_device(c, k))
			continue;
		got = rf_rdma_users(rf_fabric_names(k).rdma, pids + n, max - n);
		if (got > 0)
			n += got;
	}
	return n;
}

/*
 * Check that no process uses the fabric. The kernel removes an rxe device only after all
 * processes have closed it, and waits for them without a time limit.
 */
static int check_idle(const struct rf_fabric_census *c)
{
	int32_t pids[USERS_MAX];
	int n = users(c, pids, USERS_MAX);

	if (!n)
		return 0;
	rf_err("fabric: %d processes have devices of the fabric open, the first is process %d; end these processes, or use --force to kill them",
	       n, pids[0]);
	return -EBUSY;
}

static int kill_users(const struct rf_fabric_census *c)
{
	time_t deadline = time(NULL) + KILL_TIMEOUT_S;
	int32_t pids[USERS_MAX];
	int i, n;

	while ((n = users(c, pids, USERS_MAX))) {
		if (time(NULL) > deadline) {
			rf_err("fabric: process %d was killed, but still has a device open",
			       pids[0]);
			return -EBUSY;
		}
		for (i = 0; i < n; i++)
			kill(pids[i], SIGKILL);
		rf_waiting("fabric: waiting for process %d to end", pids[0]);
		usleep(POLL_US);
	}
	return 0;
}

/* Remove the links and devices, even if some are missing. */
static int remove_all(struct rf_sock *s)
{
	struct rf_fabric_census c;
	unsigned int k;
	int err;

	err = rf_fabric_cm_remove(s);
	if (!err)
		err = rf_fabric_census(s, &c);
	if (err || !c.links)
		return err;
	for (k = 1; k <= RF_FABRIC_MAX; k++)
		if (is_fabric_device(&c, k))
			rf_rxe_del(rf_fabric_names(k).rdma);
	err = rf_rtnl_group_del(s, GROUP);
	if (err)
		return request_failed(s, "fabric", "remove", err);
	if (c.backlog >= 0)
		rf_sysctl_set(RF_FABRIC_BACKLOG, c.backlog);
	return 0;
}

static int check_and_remove(bool force)
{
	struct rf_sock s;
	struct rf_fabric_census c;
	int err;

	err = rf_sock_open(&s, NETLINK_ROUTE);
	if (err)
		return err;
	err = rf_fabric_census(&s, &c);
	if (!err && !c.links && !c.cm.rules) {
		rf_err("no fabric is up");
		err = -ENOENT;
	}
	if (!err)
		err = force ? kill_users(&c) : check_idle(&c);
	if (!err) {
		rf_waiting("fabric: removing %d netdevs", c.links);
		err = remove_all(&s);
	}
	rf_waiting_end();
	rf_sock_close(&s);
	return err;
}

/**
 * rf_fabric_down - remove the fabric, even if it is incomplete
 * @force: kill the processes that have RDMA devices of the fabric open
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_down(bool force)
{
	int lock = lock_fabric(), err;

	err = lock == -EWOULDBLOCK ? lock : check_and_remove(force);
	unlock_fabric(lock);
	return err;
}

/* ---- links ---- */

/* Write a mask with the bits of all CPUs, as 32-bit words. The least significant word is last. */
static void put_all_cpus(FILE *f)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	unsigned int top = n % 32 ? (1u << n % 32) - 1 : 0xffffffffu;

	fprintf(f, "%x", top);
	for (n = (n - 1) / 32; n > 0; n--)
		fputs(",ffffffff", f);
}

/*
 * Keep packets of a flow in order on a machine with several CPUs. Any CPU can send the packets
 * that are queued at a port. A veth device puts a packet into the backlog of the CPU that sends
 * the packet. So if two CPUs send two packets of a flow, the packets can arrive in the wrong
 * order. Then rxe assumes that a packet was lost, and sends a NAK. Receive packet steering (RPS)
 * puts all packets of a flow into the backlog of the same CPU.
 *
 * Errors are ignored: the fabric also works in a kernel without RPS, but with more NAKs.
 */
static void keep_order(const char *netdev)
{
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/queues/rx-0/rps_cpus",
		 netdev);
	f = fopen(path, "we");
	if (!f)
		return;
	put_all_cpus(f);
	fclose(f);
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

/* Set the sysctls of a netdev so that it exchanges packets with netdevs of the same kernel. */
static int share_kernel(const char *dev)
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

/* ---- switches ---- */

static uint32_t switch_index(struct rf_sock *s, const struct rf_fabric *f,
			     uint32_t i)
{
	char name[16];

	rf_fabric_switch_name(f, i, name);
	return rf_rtnl_ifindex(s, name);
}

static uint32_t switch_of_node(struct rf_sock *s, const struct rf_fabric *f, unsigned int node)
{
	return switch_index(s, f, rf_fabric_home(f, node));
}

static int write_note(struct rf_sock *s, const struct rf_fabric *f, long was)
{
	char name[16], note[192];
	int err;

	snprintf(note, sizeof(note), NOTE,
		 rf_value_name(rf_shape_names, f->shape), f->switches,
		 f->leaves, f->spines, f->dims[0], f->dims[1], f->dims[2], was, f->first, f->last,
		 f->nodes);
	rf_fabric_switch_name(f, 0, name);
	err = rf_rtnl_link_alias(s, rf_rtnl_ifindex(s, name), note);
	return err ? request_failed(s, name, "alias", err) : 0;
}

/*
 * Store the shape and the old netdev_max_backlog in the alias of the first switch. Then raise
 * netdev_max_backlog, if it is too small.
 */
static int take_note(struct rf_sock *s, const struct rf_fabric *f)
{
	long old = -1;
	int err;

	if (rf_sysctl_get(RF_FABRIC_BACKLOG, &old) || old >= RF_FABRIC_BACKLOG_MIN)
		old = -1;
	err = write_note(s, f, old);
	if (err || old < 0)
		return err;
	err = rf_sysctl_set(RF_FABRIC_BACKLOG, RF_FABRIC_BACKLOG_MIN);
	if (err)
		rf_err(RF_FABRIC_BACKLOG ": %s", strerror(-err));
	return err;
}

static int make_switch(struct rf_sock *s, const struct rf_fabric *f, uint32_t i)
{
	struct rf_link br;
	char name[16];
	int err;

	rf_fabric_switch_name(f, i, name);
	br = netdev_attributes(name, ROLE_SWITCH, f->first - 1 + i);	/* unique in the fabric */
	err = rf_rtnl_bridge_add(s, &br);
	if (err)
		return request_failed(s, name, "new bridge", err);
	err = share_kernel(name);
	if (!err && !i)
		err = take_note(s, f);
	if (err)
		return err;
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, name), 0);
	return err ? request_failed(s, name, "up", err) : 0;
}

static int join_bridge(struct rf_sock *s, const char *port, uint32_t bridge)
{
	int err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, port), bridge);

	return err ? request_failed(s, port, "into the bridge", err) : 0;
}

/* Disable learning and flooding: only packets to an address in the FDB are forwarded. */
static int fix_port(struct rf_sock *s, const char *port)
{
	int err = rf_rtnl_bridge_port_fixed(s, rf_rtnl_ifindex(s, port));

	return err ? request_failed(s, port, "no learning, no flooding", err) : 0;
}

static int make_link(struct rf_sock *s, const struct rf_fabric *f, uint32_t i)
{
	struct rf_fabric_link l = rf_fabric_link(f, i);
	char near[16], far[16];
	struct rf_link a, b;
	int err;

	rf_fabric_toward(f, l.a, l.b, near);
	rf_fabric_toward(f, l.b, l.a, far);
	a = netdev_attributes(near, ROLE_LINK, 2 * i);
	b = netdev_attributes(far, ROLE_LINK, 2 * i + 1);
	err = rf_rtnl_veth_add(s, &a, &b);
	if (err)
		return request_failed(s, near, "new veth pair", err);
	rf_sysctl_set_dev(6, near, "disable_ipv6", 1);
	rf_sysctl_set_dev(6, far, "disable_ipv6", 1);
	keep_order(near);
	keep_order(far);
	err = join_bridge(s, near, switch_index(s, f, l.a));
	if (!err)
		err = fix_port(s, near);
	if (!err)
		err = join_bridge(s, far, switch_index(s, f, l.b));
	return err ? err : fix_port(s, far);
}

static int make_switches(struct rf_sock *s, const struct rf_fabric *f)
{
	int err = 0;
	uint32_t i;

	for (i = 0; !err && i < rf_fabric_switches(f); i++)
		err = make_switch(s, f, i);
	for (i = 0; !err && i < rf_fabric_links(f); i++)
		err = make_link(s, f, i);
	return err;
}

static int add_way(struct rf_sock *s, const struct rf_fabric *f, uint32_t at,
		   uint32_t node)
{
	struct rf_link v = netdev_attributes("", ROLE_NODE, node);
	uint32_t next = rf_fabric_next(f, at, node);
	char port[16];
	int err;

	if (next == at)
		rf_fabric_port(f, node - 1, port);
	else
		rf_fabric_toward(f, at, next, port);
	err = rf_rtnl_fdb_add(s, rf_rtnl_ifindex(s, port), v.mac);
	return err ? request_failed(s, port, "way to a node", err) : 0;
}

/* If there are several switches, add FDB entries for all nodes to each switch. */
static int make_ways(struct rf_sock *s, const struct rf_fabric *f)
{
	uint32_t at, node;
	char port[16];
	int err = 0;

	if (f->shape == RF_SHAPE_STAR)
		return 0;
	for (node = 1; !err && node <= f->nodes; node++) {
		rf_fabric_port(f, node - 1, port);
		err = fix_port(s, port);
		for (at = 0; !err && at < rf_fabric_switches(f); at++)
			err = add_way(s, f, at, node);
	}
	return err;
}

/* ---- up ---- */

static volatile sig_atomic_t stopped;

static void stop_on_signal(int sig)
{
	(void)sig;
	stopped = 1;
}

static int refuse_device_name(const char *name)
{
	rf_err("%s: the fabric needs this name, but another device already has this name", name);
	return -EEXIST;
}

static int check_node_names(struct rf_sock *s, unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	char netdev[16];

	if (rf_rtnl_ifindex(s, n.v))
		return refuse_device_name(n.v);
	if (rf_rtnl_ifindex(s, n.p))
		return refuse_device_name(n.p);
	if (!rf_rdma_to_netdev(n.rdma, netdev, sizeof(netdev)))
		return refuse_device_name(n.rdma);
	return 0;
}

static int check_switch_names(struct rf_sock *s, const struct rf_fabric *f)
{
	char name[16];
	uint32_t i;

	for (i = 0; i < rf_fabric_switches(f); i++) {
		rf_fabric_switch_name(f, i, name);
		if (rf_rtnl_ifindex(s, name))
			return refuse_device_name(name);
	}
	for (i = f->nodes; rf_fabric_port(f, i, name); i++)
		if (rf_rtnl_ifindex(s, name))
			return refuse_device_name(name);
	return 0;
}

static bool has_address(const char *netdev)
{
	struct ifaddrs *list = NULL, *i;
	bool found = false;

	if (getifaddrs(&list))
		return false;
	for (i = list; i && !found; i = i->ifa_next)
		found = i->ifa_addr && i->ifa_addr->sa_family == AF_INET &&
			!strcmp(i->ifa_name, netdev);
	freeifaddrs(list);
	return found;
}

/*
 * Check that a netdev can become a port of the bridge. Its own address would not be reachable any
 * more, and its machine neither.
 */
static int check_uplink(struct rf_sock *s, const char *name)
{
	struct rf_link_info link;
	uint32_t ifindex = rf_rtnl_ifindex(s, name);
	int err = ifindex ? rf_rtnl_link_get(s, ifindex, &link) : -ENODEV;

	if (err)
		return request_failed(s, name, "uplink", err);
	err = -EINVAL;
	if (link.mtu < RF_FABRIC_MTU)
		rf_err("uplink %s: its MTU is %u; at least %d is needed", name, link.mtu,
		       RF_FABRIC_MTU);
	else if (link.master)
		rf_err("uplink %s: it is a port of another bridge; use a netdev without a bridge",
		       name);
	else if (has_address(name))
		rf_err("uplink %s: it has an IPv4 address, which a port of a bridge cannot use; use a netdev without addresses, for example a VLAN of %s",
		       name, name);
	else
		err = 0;
	return err;
}

static int check_names(struct rf_sock *s, const struct rf_fabric *f)
{
	struct rf_fabric_census c;
	unsigned int k;
	int err;

	err = rf_fabric_census(s, &c);
	if (err)
		return request_failed(s, "fabric", "list of links", err);
	if (c.links) {
		rf_err("a fabric of %u nodes is up already; remove it with "
		       "\"rdmafault fabric down\"", c.nodes);
		return -EEXIST;
	}
	if (c.cm.rules) {
		rf_err("fabric: the IPv4 rules of an earlier fabric exist; remove them with \"rdmafault fabric down\"");
		return -EEXIST;
	}
	err = f->cm ? rf_fabric_cm_check(&c.cm) : 0;
	if (!err && f->uplink)
		err = check_uplink(s, f->uplink);
	if (!err)
		err = check_switch_names(s, f);
	for (k = f->first; k <= f->last && !err; k++)
		err = check_node_names(s, k);
	return err;
}

static int make_links(struct rf_sock *s, const struct rf_fabric *f,
		      unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	struct rf_link v = netdev_attributes(n.v, ROLE_NODE, k);
	struct rf_link p = netdev_attributes(n.p, ROLE_PORT, k);
	uint32_t bridge = switch_of_node(s, f, k);
	int err;

	err = rf_rtnl_veth_add(s, &v, &p);
	if (err)
		return request_failed(s, n.v, "new veth pair", err);
	err = share_kernel(n.v);
	if (err)
		return err;
	rf_sysctl_set_dev(6, n.p, "disable_ipv6", 1);
	keep_order(n.v);
	keep_order(n.p);
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, n.p), bridge);
	if (err)
		return request_failed(s, n.p, "into the bridge", err);
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, n.v), 0);
	return err ? request_failed(s, n.v, "up", err) : 0;
}

static int make_device(unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	struct rf_why why;
	int err = rf_rxe_add(n.rdma, n.v, &why);

	if (err)
		rf_err("%s: new SoftRoCE device: %s", n.rdma, why.text);
	return err;
}

static int make_node(struct rf_sock *s, const struct rf_fabric *f,
		     unsigned int k)
{
	struct rf_fabric_names n = rf_fabric_names(k);
	int err;

	err = make_links(s, f, k);
	if (err)
		return err;
	err = rf_rtnl_addr_add(s, rf_rtnl_ifindex(s, n.v), rf_fabric_addr(k), RF_FABRIC_PREFIX);
	if (err)
		return request_failed(s, n.v, "address", err);
	return make_device(k);
}

static int introduce_node(struct rf_sock *s, unsigned int k, unsigned int n)
{
	struct rf_fabric_names nk = rf_fabric_names(k);
	uint32_t ifindex = rf_rtnl_ifindex(s, nk.v);
	unsigned int i;
	int err;

	for (i = 1; i <= n; i++) {
		struct rf_link peer = netdev_attributes("", ROLE_NODE, i);

		if (i == k)
			continue;
		err = rf_rtnl_neigh_add(s, ifindex, rf_fabric_addr(i), peer.mac);
		if (err)
			return request_failed(s, nk.v, "neighbour", err);
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

/**
 * rf_fabric_renew - make the RDMA devices of the fabric anew
 * @f: the fabric, all of it on this machine; no program uses its devices
 *
 * The numbers of queue pairs begin again.
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_renew(const struct rf_fabric *f)
{
	unsigned int k;
	int err = 0;

	for (k = 1; !err && k <= f->nodes; k++) {
		rf_rxe_del(rf_fabric_names(k).rdma);
		err = make_device(k);
	}
	for (k = 1; !err && k <= f->nodes; k++)
		err = wait_for_gid(k, time(NULL) + GID_TIMEOUT_S);
	return err;
}

static int make_nodes(struct rf_sock *s, const struct rf_fabric *f)
{
	unsigned int k;
	int err = 0;

	for (k = f->first; k <= f->last && !err; k++) {
		rf_waiting("fabric: creating node %u of %u", k, f->nodes);
		err = stopped ? -EINTR : make_node(s, f, k);
	}
	for (k = f->first; k <= f->last && !err; k++)
		err = stopped ? -EINTR : introduce_node(s, k, f->nodes);
	return err;
}

static int make_all(struct rf_sock *s, const struct rf_fabric *f)
{
	time_t deadline;
	unsigned int k;
	int err;

	err = make_switches(s, f);
	if (!err)
		err = make_nodes(s, f);
	if (!err)
		err = make_ways(s, f);
	if (!err && f->uplink)
		err = join_bridge(s, f->uplink, switch_index(s, f, 0));
	deadline = time(NULL) + GID_TIMEOUT_S;
	for (k = f->first; k <= f->last && !err; k++)
		err = wait_for_gid(k, deadline);
	if (!err && f->cm)
		err = rf_fabric_cm_add(s, f->nodes);
	if (err == -EINTR)
		rf_err("fabric: interrupted; everything that was created is removed");
	return err;
}

/* Create the fabric. After an error or a signal, remove what was created. */
static int make_or_remove(struct rf_sock *s, const struct rf_fabric *f,
			  bool *made)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = stop_on_signal }, old[3];
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
		*made = remove_all(s);
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
	lock = lock_fabric();
	err = lock == -EWOULDBLOCK ? lock : check_and_make(f, made);
	unlock_fabric(lock);
	return err;
}
