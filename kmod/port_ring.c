// SPDX-License-Identifier: GPL-2.0
/* The rings of a port: one for each direction, while a socket has them. */
#include <linux/bitops.h>
#include <linux/slab.h>

#include "port.h"
#include "ring.h"

/**
 * rf_port_add_rings - begin to record the packets of a port
 * @port: the port, without rings
 * @ring: the rings by direction, which the port owns on success
 * @owner: netlink port id of the socket, whose lease has begun
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or a negative errno.
 */
int rf_port_add_rings(struct rf_port *port, struct rf_ring *const ring[RF_DIRS], u32 owner)
{
	int direction, err;

	err = rf_hook_get(&port->hook[RF_TX]);
	if (err)
		return err;
	err = rf_hook_get(&port->hook[RF_RX]);
	if (err) {
		rf_hook_put(&port->hook[RF_TX]);
		return err;
	}
	for (direction = 0; direction < RF_DIRS; direction++) {
		rcu_assign_pointer(port->dir[direction].ring, ring[direction]);
		set_bit(RF_NEEDS_RING, &port->dir[direction].needs);
	}
	port->ring_owner = owner;
	return 0;
}

/**
 * rf_port_end_rings - stop recording the packets of a port, and free its rings
 * @port: the port, with or without rings
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_end_rings(struct rf_port *port)
{
	struct rf_ring *ring;
	struct rf_dir *dir;
	int direction;

	if (!port->ring_owner)
		return;
	port->ring_owner = 0;
	for (direction = 0; direction < RF_DIRS; direction++) {
		dir = &port->dir[direction];
		clear_bit(RF_NEEDS_RING, &dir->needs);
		ring = rcu_replace_pointer(dir->ring, NULL, rf_ports_is_held(port));
		kvfree_rcu(ring, rcu);
		rf_hook_put(&port->hook[direction]);
	}
	/* It unregisters the hooks if packets are still delayed. */
	mod_delayed_work(system_wq, &port->expiry, 1);
}
