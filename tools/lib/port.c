// SPDX-License-Identifier: GPL-2.0
/*
 * A port is a netdev whose root qdisc is ours. Everything that would make the
 * port useless or would hurt what runs over it is refused first:
 *
 *  - an RDMA device whose packets the kernel never sees;
 *  - a netdev without SoftRoCE that isn't a switch port either;
 *  - a root qdisc that was chosen by other means;
 *  - live queue pairs: while one root qdisc takes the place of another, the
 *    kernel puts noop_qdisc there, which tells rxe that its packet was lost
 *    on the spot, and from kernel 6.10 on that kills the queue pair.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "port.h"
#include "rdmadev.h"
#include "rtnl.h"

#define KIND "rdmafault"

/**
 * rf_err_no_module - say that the module isn't there, and what to do
 */
void rf_err_no_module(void)
{
	rf_err("module rdmafault is not loaded: modprobe rdmafault");
}

/* An RDMA device whose netdev cannot be used, or is unknown (-errno). */
static int refuse_rdma(const char *name, int kind)
{
	if (kind < 0) {
		rf_err("%s: want to know its driver, which ib_uverbs tells: %s",
		       name, strerror(-kind));
		return kind;
	}
	if (kind == RF_RDMA_HARDWARE)
		rf_err("%s: want a software RDMA device (rxe), got hardware: "
		       "its packets never pass the kernel, rdmafault can't "
		       "see them", name);
	else
		rf_err("%s: want a software RDMA device that speaks RoCEv2 "
		       "(rxe), got siw, which speaks iWARP", name);
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
		rf_err("want a netdev or an RDMA device of this namespace, "
		       "got \"%s\"", name);
		return -ENODEV;
	}
	snprintf(t->rdma, sizeof(t->rdma), "%s", name);
	t->ifindex = rf_ifindex(t->netdev);
	return t->ifindex ? 0 : -ENODEV;
}

/**
 * rf_target_find - the netdev that a user means
 * @name: a netdev or an RDMA device
 * @t: the answer
 *
 * Return: 0, or -errno, and the user has been told why.
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

static bool is_switch_port(const char *netdev)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/net/%s/brport", netdev);
	return !access(path, F_OK);
}

/* Is there SoftRoCE on the netdev, or is it the port of a switch? */
static int check_rdma(const struct rf_target *t)
{
	int kind;

	if (is_switch_port(t->netdev))
		return 0;
	if (!t->rdma[0]) {
		rf_err("%s: want a netdev with an rxe device or a bridge port, "
		       "got neither: rdma link add rxe0 type rxe netdev %s, "
		       "or --force", t->netdev, t->netdev);
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
	rf_err("%s: want the default root qdisc, got %s %x:, which rdmafault "
	       "did not add: tc qdisc del dev %s root", t->netdev, q.kind,
	       q.handle >> 16, t->netdev);
	return -EBUSY;
}

static int check_live(const struct rf_target *t)
{
	int live = t->rdma[0] ? rf_rdma_live_qps(t->rdma) : 0;

	if (live <= 0)
		return 0;
	rf_err("%s: want no live queue pairs, got %d: changing the root qdisc "
	       "under them kills them from kernel 6.10 on; --force risks that",
	       t->rdma, live);
	return -EBUSY;
}

static int explain(struct rf_sock *s, const struct rf_target *t, int err)
{
	if (err == -ENOENT)
		rf_err_no_module();
	else
		rf_err("%s: %s", t->netdev, rf_sock_why(s, err));
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

static int add(struct rf_sock *s, const struct rf_target *t, bool force)
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
	if (err)
		return err;
	err = rf_rtnl_qdisc_add(s, t->ifindex, KIND);
	return err ? explain(s, t, err) : 0;
}

/**
 * rf_port_add - make a netdev a port
 * @name: the netdev, or the RDMA device on it
 * @force: also without SoftRoCE, also under live queue pairs
 *
 * Return: 0, or -errno, and the user has been told why.
 */
int rf_port_add(const char *name, bool force)
{
	return on_target(name, force, add);
}

static bool is_port(struct rf_sock *s, uint32_t ifindex)
{
	struct rf_qdisc_info q;

	return !rf_rtnl_qdisc_root(s, ifindex, &q) && !strcmp(q.kind, KIND);
}

static int del(struct rf_sock *s, const struct rf_target *t, bool force)
{
	int err;

	if (!is_port(s, t->ifindex)) {
		rf_err("%s: is no port", t->netdev);
		return -ENOENT;
	}
	err = force ? 0 : check_live(t);
	if (err)
		return err;
	err = rf_rtnl_qdisc_del(s, t->ifindex);
	return err ? explain(s, t, err) : 0;
}

/**
 * rf_port_del - make a port a plain netdev again
 * @name: the netdev, or the RDMA device on it
 * @force: also under live queue pairs
 *
 * Return: 0, or -errno, and the user has been told why.
 */
int rf_port_del(const char *name, bool force)
{
	return on_target(name, force, del);
}

/**
 * rf_port_exists - is a netdev a port?
 * @ifindex: the netdev
 *
 * Return: true when its root qdisc is ours.
 */
bool rf_port_exists(uint32_t ifindex)
{
	struct rf_sock s;
	bool yes;

	if (rf_sock_open(&s, NETLINK_ROUTE))
		return false;
	yes = is_port(&s, ifindex);
	rf_sock_close(&s);
	return yes;
}
