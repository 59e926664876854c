// SPDX-License-Identifier: GPL-2.0
/*
 * Fabric and ports for a run, and the proof that a play starts from nothing:
 * no rule on any port, no queue pair on any device.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cluster.h"
#include "err.h"
#include "rdmadev.h"

static int fabric_up(struct rf_cluster *c)
{
	int n = rf_fabric_is_up();

	if (n < 0) {
		rf_err("fabric: %s", strerror(-n));
		return n;
	}
	if (!n) {
		c->made_fabric = true;
		return rf_fabric_up(c->nodes);
	}
	if ((uint32_t)n < c->nodes) {
		rf_err("fabric: want %u nodes, got one with %d: rdmafault fabric down",
		       c->nodes, n);
		return -EEXIST;
	}
	return 0;
}

static int port_up(struct rf_cluster *c, uint32_t i)
{
	struct rf_target *t = &c->node[i];
	char name[RF_IFNAME_LEN];
	int err;

	snprintf(name, sizeof(name), "v%u", i + 1);
	err = rf_target_find(name, t);
	if (err || rf_port_exists(t->ifindex))
		return err;
	err = rf_port_add(name, false);
	c->made_port[i] = !err;
	return err;
}

/**
 * rf_cluster_up - make what isn't there
 * @c: the cluster; its keep is set by the caller
 * @nodes: how many nodes
 *
 * Return: 0, or -errno after rf_err(); rf_cluster_down() is due either way.
 */
int rf_cluster_up(struct rf_cluster *c, uint32_t nodes)
{
	uint32_t i;
	int err;

	c->nodes = nodes;
	err = fabric_up(c);
	for (i = 0; !err && i < nodes; i++)
		err = port_up(c, i);
	return err;
}

/** rf_cluster_down - take away what we made */
void rf_cluster_down(struct rf_cluster *c)
{
	uint32_t i;

	if (c->keep)
		return;
	for (i = 0; i < c->nodes; i++)
		if (c->made_port[i])
			rf_port_del(c->node[i].netdev, false);
	if (c->made_fabric && rf_fabric_is_up() > 0)
		rf_fabric_down(false);
	*c = (struct rf_cluster){ };
}

static int count_rule(const struct rf_rule_info *rule, void *arg)
{
	(void)rule;
	++*(unsigned int *)arg;
	return 0;
}

static int check_node(const struct rf_target *t, struct rf_nl *nl)
{
	unsigned int rules = 0;
	int qps = rf_rdma_live_qps(t->rdma);
	int err;

	err = rf_nl_rule_each(nl, t->ifindex, count_rule, &rules);
	if (err) {
		rf_err("%s: %s", t->netdev, rf_nl_error(nl)[0] ?
		       rf_nl_error(nl) : strerror(-err));
		return err;
	}
	if (rules) {
		rf_err("%s: want no rules before a play, got %u: rdmafault reset",
		       t->netdev, rules);
		return -EBUSY;
	}
	if (qps > 0) {
		rf_err("%s: want no queue pairs before a play, got %d of another job",
		       t->rdma, qps);
		return -EBUSY;
	}
	return 0;
}

/**
 * rf_cluster_check_clean - is anything left of what was before?
 * @c: the cluster
 * @nl: a socket to the module
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_cluster_check_clean(const struct rf_cluster *c, struct rf_nl *nl)
{
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < c->nodes; i++)
		err = check_node(&c->node[i], nl);
	return err;
}

/**
 * rf_cluster_find - a node by one of its names
 * @c: the cluster
 * @name: netdev or RDMA device
 *
 * Return: the node, or NULL.
 */
const struct rf_target *rf_cluster_find(const struct rf_cluster *c,
					const char *name)
{
	uint32_t i;

	for (i = 0; i < c->nodes; i++)
		if (!strcmp(c->node[i].netdev, name) ||
		    !strcmp(c->node[i].rdma, name))
			return &c->node[i];
	return NULL;
}
