// SPDX-License-Identifier: GPL-2.0
/*
 * The switches of a fabric, the links between them, and the routes over them.
 *
 * If the fabric has one bridge, the bridge learns addresses. If the fabric has several
 * bridges, each bridge has a permanent FDB entry for the MAC address of each node, does
 * not learn and does not flood. So no spanning tree is needed for any number of spines,
 * and all packets of a flow take the same route. Flooding is not needed, because
 * neighbour entries are permanent; broadcast packets do not leave their switch.
 *
 * The interface alias of the first switch stores the shape, for later commands, and the
 * old value of netdev_max_backlog. This sysctl is global: "fabric up" raises it, "fabric
 * down" restores it.
 */
#include <stdio.h>
#include <string.h>

#include "err.h"
#include "fabric.h"
#include "fabric_parts.h"
#include "sysctl.h"

#define NOTE "rdmafault fabric: shape %s switches %u leaves %u spines %u, netdev_max_backlog was %ld"
#define NOTE_READ "rdmafault fabric: shape %15s switches %u leaves %u spines %u, netdev_max_backlog was %ld"

static uint32_t switch_index(struct rf_sock *s, const struct rf_fabric *f,
			     uint32_t i)
{
	char name[16];

	rf_fabric_switch_name(f, i, name);
	return rf_rtnl_ifindex(s, name);
}

/**
 * rf_fabric_switch_of - get the switch that a node is connected to
 * @s: a NETLINK_ROUTE socket
 * @f: the fabric
 * @node: the node, from 1
 *
 * Return: the ifindex of the switch's netdev.
 */
uint32_t rf_fabric_switch_of(struct rf_sock *s, const struct rf_fabric *f,
			     unsigned int node)
{
	return switch_index(s, f, rf_fabric_home(f, node));
}

/**
 * rf_fabric_read_note - parse the shape and the old backlog from the first switch's alias
 * @alias: alias of any link of the fabric
 * @c: gets the values; unchanged if the alias does not contain a shape
 */
void rf_fabric_read_note(const char *alias, struct rf_fabric_census *c)
{
	struct rf_fabric f = { .nodes = c->fabric.nodes };
	char shape[16];
	long backlog;

	if (sscanf(alias, NOTE_READ, shape, &f.switches, &f.leaves, &f.spines,
		   &backlog) != 5)
		return;
	if (rf_name_value(rf_shape_names, shape, strlen(shape), &f.shape))
		return;
	c->fabric = f;
	c->backlog = backlog;
}

static int write_note(struct rf_sock *s, const struct rf_fabric *f, long was)
{
	char name[16], note[160];
	int err;

	snprintf(note, sizeof(note), NOTE,
		 rf_value_name(rf_shape_names, f->shape), f->switches,
		 f->leaves, f->spines, was);
	rf_fabric_switch_name(f, 0, name);
	err = rf_rtnl_link_alias(s, rf_rtnl_ifindex(s, name), note);
	return err ? rf_fabric_failed(s, name, "alias", err) : 0;
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
	br = rf_fabric_netdev(name, RF_ROLE_SWITCH, i);
	err = rf_rtnl_bridge_add(s, &br);
	if (err)
		return rf_fabric_failed(s, name, "new bridge", err);
	err = rf_fabric_share_kernel(name);
	if (!err && !i)
		err = take_note(s, f);
	if (err)
		return err;
	err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, name), 0);
	return err ? rf_fabric_failed(s, name, "up", err) : 0;
}

static int join(struct rf_sock *s, const char *port, uint32_t bridge)
{
	int err = rf_rtnl_link_up(s, rf_rtnl_ifindex(s, port), bridge);

	return err ? rf_fabric_failed(s, port, "into the bridge", err) : 0;
}

/* Disable learning and flooding: only packets to an address in the FDB are forwarded. */
static int fix_port(struct rf_sock *s, const char *port)
{
	int err = rf_rtnl_bridge_port_fixed(s, rf_rtnl_ifindex(s, port));

	return err ? rf_fabric_failed(s, port, "no learning, no flooding", err) : 0;
}

static int make_link(struct rf_sock *s, const struct rf_fabric *f, uint32_t i)
{
	struct rf_fabric_link l = rf_fabric_link(f, i);
	char near[16], far[16];
	struct rf_link a, b;
	int err;

	rf_fabric_toward(f, l.a, l.b, near);
	rf_fabric_toward(f, l.b, l.a, far);
	a = rf_fabric_netdev(near, RF_ROLE_LINK, 2 * i);
	b = rf_fabric_netdev(far, RF_ROLE_LINK, 2 * i + 1);
	err = rf_rtnl_veth_add(s, &a, &b);
	if (err)
		return rf_fabric_failed(s, near, "new veth pair", err);
	rf_sysctl_set_dev(6, near, "disable_ipv6", 1);
	rf_sysctl_set_dev(6, far, "disable_ipv6", 1);
	rf_fabric_keep_order(near);
	rf_fabric_keep_order(far);
	err = join(s, near, switch_index(s, f, l.a));
	if (!err)
		err = fix_port(s, near);
	if (!err)
		err = join(s, far, switch_index(s, f, l.b));
	return err ? err : fix_port(s, far);
}

/**
 * rf_fabric_make_switches - create the switches and the links between them
 * @s: a NETLINK_ROUTE socket
 * @f: the fabric
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_make_switches(struct rf_sock *s, const struct rf_fabric *f)
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
	struct rf_link v = rf_fabric_netdev("", RF_ROLE_NODE, node);
	uint32_t next = rf_fabric_next(f, at, node);
	char port[16];
	int err;

	if (next == at)
		rf_fabric_port(f, node - 1, port);
	else
		rf_fabric_toward(f, at, next, port);
	err = rf_rtnl_fdb_add(s, rf_rtnl_ifindex(s, port), v.mac);
	return err ? rf_fabric_failed(s, port, "way to a node", err) : 0;
}

/**
 * rf_fabric_make_ways - if there are several switches, add FDB entries for all nodes to each
 * switch
 * @s: a NETLINK_ROUTE socket
 * @f: the fabric, with its nodes and switches created
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_make_ways(struct rf_sock *s, const struct rf_fabric *f)
{
	uint32_t at, node;
	char port[16];
	int err = 0;

	if (f->shape == RF_SHAPE_BRIDGE)
		return 0;
	for (node = 1; !err && node <= f->nodes; node++) {
		rf_fabric_port(f, node - 1, port);
		err = fix_port(s, port);
		for (at = 0; !err && at < rf_fabric_switches(f); at++)
			err = add_way(s, f, at, node);
	}
	return err;
}
