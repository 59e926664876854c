// SPDX-License-Identifier: GPL-2.0
/*
 * Create the fabric and the ports for a run, or only the ports if the nodes are other machines.
 * Check the state before each case: no rule and no storm on any port, no queue pair on any device.
 * settings.c checks that the ports have their default settings.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "err.h"
#include "nl.h"
#include "port.h"
#include "runner.h"

/* No packet stays in a queue longer than max-hold, which is 20 s at most. */
#define SETTLE_S	30u
#define SETTLE_LOOK_NS	5000000
#define SETTLE_LOOKS	(SETTLE_S * (1000000000 / SETTLE_LOOK_NS))

/*
 * Check whether the existing fabric can be used for the scenario. A bridge can have more
 * nodes than the scenario needs; a fabric of switches must be equal to the fabric of the
 * scenario.
 */
static bool will_do(const struct rf_fabric *there, const struct rf_fabric *want)
{
	struct rf_fabric less = *there;

	if (!rf_fabric_is_whole(there))
		return false;
	if (there->shape == RF_SHAPE_STAR && there->nodes > want->nodes)
		less.nodes = want->nodes;
	return rf_fabric_is_same(&less, want);
}

static int ensure_fabric(struct rf_cluster *c, const struct rf_fabric *want)
{
	char here[64], wanted[64];
	struct rf_fabric there;
	int err = rf_fabric_read(&there);

	if (err) {
		rf_err("fabric: %s", strerror(-err));
		return err;
	}
	if (!there.nodes)
		return rf_fabric_up(want, &c->made_fabric);
	if (will_do(&there, want))
		return 0;
	rf_err("fabric: expected %s, got %s; remove it with \"rdmafault fabric down\"",
	       rf_fabric_text(want, wanted), rf_fabric_text(&there, here));
	return -EEXIST;
}

/* Get the bridge of which a netdev is a port. Return: 0, or -errno after rf_err() */
static int find_bridge(const char *port, char bridge[RF_IFNAME_LEN])
{
	if (!rf_ifindex(port)) {
		rf_err("fabric: bridge: %s: no such netdev in this network namespace; \"ip link\" lists them",
		       port);
		return -ENODEV;
	}
	if (rf_bridge_of(port, bridge))
		return 0;
	rf_err("fabric: bridge: %s: not a port of a bridge; \"ip link set %s master BRIDGE\" makes it one",
	       port, port);
	return -EINVAL;
}

static int check_bridge(const struct rf_fabric *f)
{
	char bridge[RF_FABRIC_BRIDGE_PORTS][RF_IFNAME_LEN];
	int err = find_bridge(f->bridge[0], bridge[0]);

	if (!err)
		err = find_bridge(f->bridge[1], bridge[1]);
	if (err || !strcmp(bridge[0], bridge[1]))
		return err;
	rf_err("fabric: bridge: %s is a port of %s, and %s of %s; expected two ports of the same bridge",
	       f->bridge[0], bridge[0], f->bridge[1], bridge[1]);
	return -EINVAL;
}

static int port_up(const char *name, struct rf_target *t, bool *made)
{
	int err = rf_target_find(name, t);

	if (err || rf_port_has_queues(t->ifindex))
		return err;
	err = rf_port_add(name, false);
	*made = !err;
	return err;
}

/* Check whether an expectation of the case uses the port. */
static bool is_expected_of(const struct rf_case *p, const char *port)
{
	struct rf_check_index index;
	size_t i, j;

	for (i = 0; i < p->nchecks; i++)
		for (j = 0; rf_check_index(&p->checks[i], j, &index); j++)
			if (!strcmp(index.what, "port") && !strcmp(index.index, port))
				return true;
	return false;
}

/* Check whether the scenario uses the port. */
static bool is_needed(const struct rf_scenario *s, const char *port)
{
	const struct rf_case *p;
	size_t i;

	for (i = 0; i < s->nsettings; i++)
		if (!strcmp(s->settings[i].port, port))
			return true;
	for (p = s->cases; p < s->cases + s->ncases; p++) {
		if (rf_case_is_balanced(p))
			return true;
		for (i = 0; i < p->nfaults; i++)
			if (!strcmp(p->faults[i].port, port))
				return true;
		if (is_expected_of(p, port))
			return true;
	}
	return false;
}

/* @f: the fabric of the scenario, with the nodes of this machine */
static int ports_up(struct rf_cluster *c, const struct rf_scenario *s, const struct rf_fabric *f)
{
	char name[RF_IFNAME_LEN];
	uint32_t i;
	int err = 0;

	for (i = c->first; !err && i < c->end; i++) {
		rf_fabric_node_port(f, i + 1, name);
		err = port_up(name, &c->node[i], &c->made_port[i]);
	}
	for (i = 0; !err && rf_fabric_port(f, i, name); i++)
		if (rf_fabric_is_here(f, f->nodes + 1 + i) && is_needed(s, name))
			err = port_up(name, &c->far[i], &c->made_far[i]);
	return err;
}

/*
 * Check whether this run created the port. The settings of other ports are not changed,
 * because the run could not restore them.
 */
static bool is_ours(const struct rf_cluster *c, const struct rf_target *t)
{
	return t >= c->far && t < c->far + RF_FABRIC_PORTS_MAX ?
	       c->made_far[t - c->far] : c->made_port[t - c->node];
}

/**
 * rf_cluster_set_port - apply a setting of a scenario to a port
 * @c: the cluster, after rf_cluster_up()
 * @nl: netlink socket
 * @setting: the setting
 *
 * Return: 0, also if the port can be on another machine; or -errno after rf_err().
 */
int rf_cluster_set_port(const struct rf_cluster *c, struct rf_nl *nl,
			const struct rf_setting *setting)
{
	const struct rf_target *t = rf_cluster_find(c, setting->port);
	int err;

	if (!t)
		return rf_cluster_lacks(c);
	if (!is_ours(c, t)) {
		rf_err("port %s already exists, but the scenario changes its settings; remove the port with \"rdmafault port del %s\"",
		       t->netdev, t->netdev);
		return -EEXIST;
	}
	err = rf_nl_queue_set(nl, t->ifindex, &setting->change);
	if (err)
		rf_err("%s: %s: %s", t->netdev, setting->words, rf_nl_why(nl, err));
	return err;
}

/**
 * rf_cluster_up - create the fabric and ports if needed
 * @c: the cluster; the caller has set the member keep
 * @s: the scenario
 * @ms: the machines
 *
 * If there are several machines, each has its part of the fabric already. The caller calls
 * rf_cluster_down() also after an error.
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_cluster_up(struct rf_cluster *c, const struct rf_scenario *s,
		  const struct rf_machines *ms)
{
	struct rf_fabric f = s->fabric;
	int err = 0;

	if (rf_machines_are_several(ms)) {
		f.first = ms->m[ms->own].first;
		f.last = ms->m[ms->own].last;
	}
	c->nodes = f.nodes;
	c->first = f.first - 1;
	c->end = f.last;
	c->remote = rf_fabric_is_remote(&f);
	if (c->remote)
		err = check_bridge(&f);
	else if (rf_fabric_is_whole(&f))
		err = ensure_fabric(c, &f);
	return err ? err : ports_up(c, s, &f);
}

/**
 * rf_cluster_set_ports - apply the port settings of a scenario
 * @c: the cluster, after rf_cluster_up()
 * @s: the scenario
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_cluster_set_ports(const struct rf_cluster *c, const struct rf_scenario *s)
{
	struct rf_nl *nl;
	int err = 0;
	size_t i;

	if (!s->nsettings)
		return 0;
	if (rf_nl_open(&nl)) {
		rf_err_no_module();
		return -ENOENT;
	}
	for (i = 0; !err && i < s->nsettings; i++)
		err = rf_cluster_set_port(c, nl, &s->settings[i]);
	rf_nl_close(nl);
	return err;
}

/** rf_cluster_down - remove what rf_cluster_up() created */
void rf_cluster_down(struct rf_cluster *c)
{
	uint32_t i;

	if (c->keep)
		return;
	for (i = c->first; i < c->end; i++)
		if (c->made_port[i])
			rf_port_del(c->node[i].netdev, false);
	for (i = 0; i < RF_FABRIC_PORTS_MAX; i++)
		if (c->made_far[i])
			rf_port_del(c->far[i].netdev, false);
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

static int check_storms(const struct rf_target *t, struct rf_nl *nl)
{
	struct rf_queue_info info = { };
	int err = rf_nl_queue_get(nl, t->ifindex, &info);
	unsigned int prio;

	if (err) {
		rf_err("%s: %s", t->netdev, rf_nl_why(nl, err));
		return err;
	}
	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++) {
		if (!info.has_storm[prio] || !info.storm[prio].running)
			continue;
		rf_err("port %s: a storm runs on priority %u; stop it with \"rdmafault pause %s stop\"",
		       t->netdev, prio, t->netdev);
		return -EBUSY;
	}
	return 0;
}

/* Return: the number of queued packets plus paused priorities, left by the previous case. */
static uint64_t count_waiting(const struct rf_queue_info *info)
{
	uint64_t n = info->in_flight;
	unsigned int prio;

	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		n += info->stats[prio].backlog + info->stats[prio].paused;
	return n;
}

/* Wait until queues are empty and pauses have ended. */
static int wait_empty(const struct rf_target *t, struct rf_nl *nl)
{
	const struct timespec moment = { .tv_nsec = SETTLE_LOOK_NS };
	struct rf_queue_info info = { };
	unsigned int looks;
	int err;

	for (looks = 0; looks < SETTLE_LOOKS; looks++) {
		err = rf_nl_queue_get(nl, t->ifindex, &info);
		if (err || !count_waiting(&info))
			return err;
		nanosleep(&moment, NULL);
	}
	rf_err("port %s: after %u s, packets are still queued or a priority is still paused; stop other traffic before a run",
	       t->netdev, SETTLE_S);
	return -EBUSY;
}

static int check_node(const struct rf_cluster *c, const struct rf_target *t,
		      struct rf_nl *nl)
{
	unsigned int rules = 0;
	int qps = t->rdma[0] ? rf_rdma_live_qps(t->rdma) : 0;
	int err;

	err = rf_nl_rule_each(nl, t->ifindex, count_rule, &rules);
	if (err) {
		rf_err("%s: %s", t->netdev, rf_nl_why(nl, err));
		return err;
	}
	if (rules && !c->keep_settings) {
		rf_err("port %s: has %u rules of another command; remove them with \"rdmafault reset\"",
		       t->netdev, rules);
		return -EBUSY;
	}
	if (qps > 0) {
		rf_err("device %s: %d queue pairs of another job are in use; end that job before a run",
		       t->rdma, qps);
		return -EBUSY;
	}
	err = check_storms(t, nl);
	/* The traffic of other machines can keep a queue busy. */
	return err || c->remote ? err : wait_empty(t, nl);
}

/**
 * rf_cluster_check_clean - check that there are no rules, storms and queue pairs
 * @c: the cluster
 * @nl: netlink socket
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_cluster_check_clean(const struct rf_cluster *c, struct rf_nl *nl)
{
	const struct rf_target *t;
	uint32_t i;
	int err = 0;

	for (i = 0; !err && (t = rf_cluster_port(c, i)); i++)
		err = check_node(c, t, nl);
	return err;
}

/**
 * rf_cluster_find - find a port by its name
 * @c: the cluster
 * @name: netdev or RDMA device
 *
 * Return: the port; NULL if it is not on this machine.
 */
const struct rf_target *rf_cluster_find(const struct rf_cluster *c,
					const char *name)
{
	const struct rf_target *t;
	uint32_t i;

	for (i = 0; (t = rf_cluster_port(c, i)); i++)
		if (!strcmp(t->netdev, name) || !strcmp(t->rdma, name))
			return t;
	return NULL;
}

/**
 * rf_cluster_lacks - get the result for a port of the scenario that rf_cluster_find() did not find
 * @c: the cluster
 *
 * Return: 0 if the port can be on another machine; otherwise -ENODEV.
 */
int rf_cluster_lacks(const struct rf_cluster *c)
{
	return c->end - c->first < c->nodes ? 0 : -ENODEV;
}

/**
 * rf_cluster_port - iterate over the ports of this machine
 * @c: the cluster
 * @i: index; the ports of nodes come first, then the ports of switches in use
 *
 * Return: the port, or NULL when there are no more.
 */
const struct rf_target *rf_cluster_port(const struct rf_cluster *c, uint32_t i)
{
	uint32_t k;

	if (i < c->end - c->first)
		return &c->node[c->first + i];
	i -= c->end - c->first;
	for (k = 0; k < RF_FABRIC_PORTS_MAX; k++)
		if (c->far[k].ifindex && !i--)
			return &c->far[k];
	return NULL;
}
