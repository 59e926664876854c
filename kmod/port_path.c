// SPDX-License-Identifier: GPL-2.0
/* The path of a port: the rx hook of the port is registered while it has one. */
#include <linux/workqueue.h>

#include "path/forward.h"
#include "port.h"

/**
 * rf_port_path - get the path of a port
 * @port: the port
 *
 * Context: rf_ports_lock held.
 * Return: the path, or NULL.
 */
struct rf_path *rf_port_path(const struct rf_port *port)
{
	return rcu_dereference_protected(port->hook[RF_RX].path, rf_ports_is_held(port));
}

/**
 * rf_port_set_path - set the path of a port, instead of an earlier one
 * @port: the port
 * @path: the path, with valid settings and at least one link; the port owns it on success
 *
 * Context: process, RTNL and rf_ports_lock held.
 * Return: 0 or a negative errno; then the earlier path stays.
 */
int rf_port_set_path(struct rf_port *port, struct rf_path *path)
{
	struct rf_path *old = rf_port_path(port);
	int err = old ? 0 : rf_hook_get(&port->hook[RF_RX]);

	if (err)
		return err;
	rcu_assign_pointer(port->hook[RF_RX].path, path);
	if (old)
		rf_path_end(old);
	rf_ports(dev_net(port->dev))->changes++;
	return 0;
}

/**
 * rf_port_end_path - end the path of a port; the bridge forwards its packets then
 * @port: the port, with or without a path
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_end_path(struct rf_port *port)
{
	struct rf_path *path = rf_port_path(port);

	if (!path)
		return;
	RCU_INIT_POINTER(port->hook[RF_RX].path, NULL);
	rf_path_end(path);
	rf_hook_put(&port->hook[RF_RX]);
	rf_ports(dev_net(port->dev))->changes++;
	/* It unregisters the hook if packets are still delayed. */
	mod_delayed_work(system_wq, &port->expiry, 1);
}
