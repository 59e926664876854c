// SPDX-License-Identifier: GPL-2.0
/*
 * RDMA devices. A new device begins with the QP numbers, and often with the PSNs, of a
 * device that was removed. So its packets must not belong to the flows of that device.
 */
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#include "port.h"

static void rdma_end_flows(const struct ib_gid_attr *attr)
{
	const u8 *addr = attr->gid.raw;
	struct net *net = NULL;
	struct net_device *dev;

	rcu_read_lock();
	dev = rdma_read_gid_attr_ndev_rcu(attr);
	if (!IS_ERR(dev))
		net = maybe_get_net(dev_net(dev));
	rcu_read_unlock();
	if (!net)
		return;
	if (ipv6_addr_v4mapped((const struct in6_addr *)addr))
		rf_ports_end_flows(net, addr + 12, 4);
	else
		rf_ports_end_flows(net, addr, 16);
	put_net(net);
}

/* The addresses of the device are known before this is called. */
static int rdma_add(struct ib_device *device)
{
	const struct ib_gid_attr *attr;
	u32 port;
	int i;

	rdma_for_each_port(device, port) {
		for (i = 0; i < device->port_data[port].immutable.gid_tbl_len; i++) {
			attr = rdma_get_gid_attr(device, port, i);
			if (IS_ERR(attr))
				continue;
			rdma_end_flows(attr);
			rdma_put_gid_attr(attr);
		}
	}
	return 0;
}

static struct ib_client rdma_client = {
	.name = "rdmafault",
	.add = rdma_add,
};

/**
 * rf_rdma_register - begin to end the flows of new RDMA devices
 *
 * Context: module init, after rf_ports_init().
 * Return: 0 or a negative errno.
 */
int __init rf_rdma_register(void)
{
	return ib_register_client(&rdma_client);
}

/**
 * rf_rdma_unregister - stop ending the flows of new RDMA devices
 *
 * Context: module exit.
 */
void rf_rdma_unregister(void)
{
	ib_unregister_client(&rdma_client);
}
