// SPDX-License-Identifier: GPL-2.0
/*
 * Remove the fabric, even if it is incomplete. With "force", kill the processes that have
 * RDMA devices of the fabric open.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "err.h"
#include "fabric.h"
#include "fabric_parts.h"
#include "rdmadev.h"
#include "sysctl.h"
#include "waiting.h"

#define USERS_MAX 1024
#define KILL_TIMEOUT_S 60	/* the kernel can need 50 s to free a queue pair */
#define POLL_US 20000

/*
 * Check whether RDMA device rxeK belongs to the fabric. The name is not enough: rxeK can be
 * on another netdev than vK, and another program can have created a netdev vK.
 */
static bool is_ours(const struct rf_fabric_census *c, unsigned int k)
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
		if (!is_ours(c, k))
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

/**
 * rf_fabric_remove - remove the fabric's links and devices, even if some are missing
 * @s: a NETLINK_ROUTE socket
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_remove(struct rf_sock *s)
{
	struct rf_fabric_census c;
	unsigned int k;
	int err;

	err = rf_fabric_census(s, &c);
	if (err || !c.links)
		return err;
	for (k = 1; k <= RF_FABRIC_MAX; k++)
		if (is_ours(&c, k))
			rf_rxe_del(rf_fabric_names(k).rdma);
	err = rf_rtnl_group_del(s, RF_FABRIC_GROUP);
	if (err)
		return rf_fabric_failed(s, "fabric", "remove", err);
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
	if (!err && !c.links) {
		rf_err("no fabric is up");
		err = -ENOENT;
	}
	if (!err)
		err = force ? kill_users(&c) : check_idle(&c);
	if (!err) {
		rf_waiting("fabric: removing %d netdevs", c.links);
		err = rf_fabric_remove(&s);
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
	int lock = rf_fabric_lock(), err;

	err = lock == -EWOULDBLOCK ? lock : check_and_remove(force);
	rf_fabric_unlock(lock);
	return err;
}
