// SPDX-License-Identifier: GPL-2.0
/*
 * A port is a netdev with rules. The root qdisc rdmafault gives it queues. For the qdisc, the
 * following netdevs are refused, because the port would be useless or the qdisc would break
 * the traffic on it:
 *
 *  - the netdev of RDMA hardware, which sends packets without the kernel, or of siw,
 *    which uses iWARP;
 *  - a netdev that has no SoftRoCE and is not a switch port;
 *  - a netdev with a root qdisc that is not the default;
 *  - a netdev with live queue pairs: while the kernel replaces the root qdisc,
 *    noop_qdisc is in its place. noop_qdisc reports to rxe that a packet was not
 *    sent. Since kernel 6.10, rxe then moves the queue pair to the error state.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "genl.h"
#include "nl.h"
#include "port.h"

#define KIND "rdmafault"

/**
 * rf_err_no_module - print an error: the module is not loaded, and which command loads it
 */
void rf_err_no_module(void)
{
	rf_err("module rdmafault is not loaded; run modprobe rdmafault");
}

/* Refuse an RDMA device whose netdev cannot be used. @kind: enum rf_rdma_kind, or -errno. */
static int refuse_rdma(const char *name, int kind)
{
	if (kind < 0) {
		rf_err("%s: cannot find the driver of this RDMA device: %s; try \"modprobe ib_uverbs\"",
		       name, strerror(-kind));
		return kind;
	}
	if (kind == RF_RDMA_HARDWARE)
		rf_err("%s: RDMA hardware, and its packets do not pass through the kernel; use a SoftRoCE device (rxe)",
		       name);
	else
		rf_err("%s: a siw device, which uses iWARP instead of RoCE; use a SoftRoCE device (rxe)",
		       name);
	return -EOPNOTSUPP;
}

static int find_rdma(const char *name, struct rf_target *t)
{
	int kind = rf_rdma_kind(name);
	int err;

	if (kind == RF_RDMA_HARDWARE || kind == RF_RDMA_SIW)
		return refuse_rdma(name, kind);
	err = rf_rdma_to_netdev(name, t->netdev, sizeof(t->netdev));
	if (err) {
		rf_err("port %s: no such netdev or RDMA device in this network namespace; \"rdma link\" lists the RDMA devices",
		       name);
		return -ENODEV;
	}
	snprintf(t->rdma, sizeof(t->rdma), "%s", name);
	t->ifindex = rf_ifindex(t->netdev);
	return t->ifindex ? 0 : -ENODEV;
}

/**
 * rf_target_find - find a netdev by its name or its RDMA device
 * @name: a netdev or an RDMA device
 * @t: gets the netdev
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_target_find(const char *name, struct rf_target *t)
{
	memset(t, 0, sizeof(*t));
	t->ifindex = rf_ifindex(name);
	if (!t->ifindex)
		return find_rdma(name, t);
	snprintf(t->netdev, sizeof(t->netdev), "%s", name);
	if (rf_netdev_to_rdma(name, t->rdma, sizeof(t->rdma)))
		t->rdma[0] = '\0';
	return 0;
}

/**
 * rf_bridge_of - find the bridge of which a netdev is a port
 * @netdev: the netdev
 * @bridge: gets its name
 *
 * Return: false if it is no port of a bridge.
 */
bool rf_bridge_of(const char *netdev, char bridge[RF_IFNAME_LEN])
{
	char path[64], to[PATH_MAX], *name;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/class/net/%s/brport/bridge", netdev);
	n = readlink(path, to, sizeof(to) - 1);
	if (n <= 0)
		return false;
	to[n] = '\0';
	name = strrchr(to, '/');
	snprintf(bridge, RF_IFNAME_LEN, "%.15s", name ? name + 1 : to);
	return true;
}

/* Check that the netdev has SoftRoCE or is the port of a switch. */
static int check_rdma(const struct rf_target *t)
{
	char bridge[RF_IFNAME_LEN];
	int kind;

	if (rf_bridge_of(t->netdev, bridge))
		return 0;
	if (!t->rdma[0]) {
		rf_err("%s: not a bridge port, and has no SoftRoCE device; add one with \"rdma link add rxe0 type rxe netdev %s\", or use --force",
		       t->netdev, t->netdev);
		return -EOPNOTSUPP;
	}
	kind = rf_rdma_kind(t->rdma);
	return kind == RF_RDMA_RXE ? 0 : refuse_rdma(t->rdma, kind);
}

static int check_qdisc(struct rf_sock *s, const struct rf_target *t)
{
	struct rf_qdisc_info q;
	int err;

	err = rf_rtnl_qdisc_root(s, t->ifindex, &q);
	if (err) {
		rf_err("%s: %s", t->netdev, rf_sock_why(s, err));
		return err;
	}
	if (!strcmp(q.kind, KIND)) {
		rf_err("%s: is already a port", t->netdev);
		return -EEXIST;
	}
	if (!q.handle)
		return 0;
	rf_err("%s: has the root qdisc %s %x:; \"tc qdisc del dev %s root\" restores the default, and --rules-only keeps it",
	       t->netdev, q.kind, q.handle >> 16, t->netdev);
	return -EBUSY;
}

/**
 * rf_port_live_qps - count the queue pairs that are in use on a netdev
 * @t: the netdev
 *
 * Return: their number; 0 if it is unknown.
 */
int rf_port_live_qps(const struct rf_target *t)
{
	int live = t->rdma[0] ? rf_rdma_live_qps(t->rdma) : 0;

	return live > 0 ? live : 0;
}

static int check_live(const struct rf_target *t)
{
	int live = rf_port_live_qps(t);

	if (!live)
		return 0;
	rf_err("%s: %d queue pairs are in use, and another root qdisc would break them (Linux 6.10 and later); stop the job first, or use --force",
	       t->rdma, live);
	return -EBUSY;
}

static int attach_failed(struct rf_sock *s, const struct rf_target *t, int err)
{
	if (err == -ENOENT)
		rf_err_no_module();
	else
		rf_err("%s: %s", t->netdev, rf_sock_why(s, err));
	return err;
}

typedef int (*request_fn)(struct rf_nl *nl, uint32_t ifindex);

/* Send a request to the module. @done: -errno that means that there is nothing to do */
static int ask_module(const struct rf_target *t, request_fn fn, int done)
{
	struct rf_nl *nl;
	int err;

	err = rf_nl_open(&nl);
	if (err == -ENOENT)
		rf_err_no_module();
	else if (err)
		rf_err("netlink: %s", strerror(-err));
	if (err)
		return err;
	err = fn(nl, t->ifindex);
	if (err == done)
		err = 0;
	else if (err == -ENODEV)
		rf_err("%s: not a port", t->netdev);
	else if (err)
		rf_err("%s: %s", t->netdev, rf_nl_why(nl, err));
	rf_nl_close(nl);
	return err;
}

typedef int (*target_fn)(struct rf_sock *s, const struct rf_target *t,
			 bool force);

static int on_target(const char *name, bool force, target_fn fn)
{
	struct rf_target t;
	struct rf_sock s;
	int err;

	err = rf_target_find(name, &t);
	if (err)
		return err;
	err = rf_sock_open(&s, NETLINK_ROUTE);
	if (err)
		return err;
	err = fn(&s, &t, force);
	rf_sock_close(&s);
	return err;
}

/* Attach the qdisc. The port then stays if the qdisc is replaced. */
static int attach(struct rf_sock *s, const struct rf_target *t)
{
	int err = rf_rtnl_qdisc_add(s, t->ifindex, KIND);

	return err ? attach_failed(s, t, err) : ask_module(t, rf_nl_port_new, -EEXIST);
}

static int attach_checked(struct rf_sock *s, const struct rf_target *t, bool force)
{
	int err;

	if (!force) {
		err = check_rdma(t);
		if (err)
			return err;
	}
	err = check_qdisc(s, t);
	if (!err && !force)
		err = check_live(t);
	return err ? err : attach(s, t);
}

/**
 * rf_port_add - make a netdev a port with queues
 * @name: the netdev, or the RDMA device on it
 * @force: accept a netdev without SoftRoCE or with live queue pairs
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_port_add(const char *name, bool force)
{
	return on_target(name, force, attach_checked);
}

/**
 * rf_port_add_rules_only - make a netdev a port without queues, which keeps its root qdisc
 * @name: the netdev, or the RDMA device on it
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_port_add_rules_only(const char *name)
{
	struct rf_target t;
	int err = rf_target_find(name, &t);

	return err ? err : ask_module(&t, rf_nl_port_new, 0);
}

/**
 * rf_port_add_queues - attach the qdisc to a port that has rules only
 * @t: the port
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_port_add_queues(const struct rf_target *t)
{
	int live = rf_port_live_qps(t);
	struct rf_sock s;
	int err;

	if (live) {
		rf_err("%s: the port has rules only, and %d queue pairs are in use on %s, which a new root qdisc would break (Linux 6.10 and later); run \"rdmafault port add %s\" before the job, or with --force now",
		       t->netdev, live, t->rdma, t->netdev);
		return -EBUSY;
	}
	err = rf_sock_open(&s, NETLINK_ROUTE);
	if (err)
		return err;
	err = check_qdisc(&s, t);
	if (!err)
		err = attach(&s, t);
	rf_sock_close(&s);
	return err;
}

static bool has_queues(struct rf_sock *s, uint32_t ifindex)
{
	struct rf_qdisc_info q;

	return !rf_rtnl_qdisc_root(s, ifindex, &q) && !strcmp(q.kind, KIND);
}

static int del(struct rf_sock *s, const struct rf_target *t, bool force)
{
	int err;

	if (!has_queues(s, t->ifindex)) {
		if (rf_port_exists(t->ifindex))
			return ask_module(t, rf_nl_port_del, 0);
		rf_err("%s: not a port", t->netdev);
		return -ENOENT;
	}
	err = force ? 0 : check_live(t);
	if (err)
		return err;
	err = rf_rtnl_qdisc_del(s, t->ifindex);
	/* A port that "tc qdisc add" has made has ended with the qdisc. */
	return err ? attach_failed(s, t, err) : ask_module(t, rf_nl_port_del, -ENODEV);
}

/**
 * rf_port_del - make a port a plain netdev again
 * @name: the netdev, or the RDMA device on it
 * @force: accept a netdev with live queue pairs
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_port_del(const char *name, bool force)
{
	return on_target(name, force, del);
}

/**
 * rf_port_has_queues - check whether a netdev is a port with queues
 * @ifindex: the netdev
 *
 * Return: true if its root qdisc is rdmafault.
 */
bool rf_port_has_queues(uint32_t ifindex)
{
	struct rf_sock s;
	bool yes;

	if (rf_sock_open(&s, NETLINK_ROUTE))
		return false;
	yes = has_queues(&s, ifindex);
	rf_sock_close(&s);
	return yes;
}

/**
 * rf_port_exists - check whether a netdev is a port
 * @ifindex: the netdev
 *
 * A socket to the module would load it.
 *
 * Return: true if it is.
 */
bool rf_port_exists(uint32_t ifindex)
{
	struct rf_port_info port;
	struct rf_nl *nl;
	bool yes;

	if (access("/sys/module/rdmafault", F_OK) || rf_nl_open(&nl))
		return false;
	yes = !rf_nl_port_get(nl, ifindex, &port);
	rf_nl_close(nl);
	return yes;
}
