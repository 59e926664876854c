/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PORT_H
#define RF_PORT_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "dir.h"
#include "path/forward.h"
#include "queue/queue.h"
#include "rule/rule.h"

struct net;
struct net_device;
struct netlink_ext_ack;

/**
 * struct rf_port - a netdev with rules, and perhaps with queues
 * @dev: the netdev
 * @dev_tracker: the reference to it
 * @name: name for random numbers, by default that of the netdev at the beginning
 * @serial: serial number of the port in the network namespace, from 1
 * @generation: number of changes of rules
 * @last_id: the highest rule number so far
 * @expiry: removes expired rules
 * @dir: the two directions
 * @hook: the netfilter hooks
 * @both: the rules of a direction hold the hook of the other one, too
 * @queue: the queues, the link and PFC; NULL without the qdisc. Changed under RTNL and
 *	rf_ports_lock
 * @ring_owner: netlink port id of the socket that has the rings, 0 if there are none
 * @hold_forwarded: max-hold does not limit how long forwarded packets are queued
 * @of_qdisc: only the qdisc has made the port, which ends with it if it has no rules and no
 *	path
 * @list: entry in the list of struct rf_ports
 * @rcu: frees the port after the hooks that still run
 */
struct rf_port {
	struct net_device *dev;
	netdevice_tracker dev_tracker;
	char name[RDMAFAULT_NAME_LEN + 1];
	u32 serial;
	u32 generation;
	u32 last_id;
	struct delayed_work expiry;
	struct rf_dir dir[RF_DIRS];
	struct rf_hook hook[RF_DIRS];
	bool both[RF_DIRS];
	struct rf_prioq *queue;
	u32 ring_owner;
	bool hold_forwarded;
	bool of_qdisc;
	struct list_head list;
	struct rcu_head rcu;
};

/**
 * struct rf_ports - the ports of a network namespace
 * @lock: protects the list, and the rules and the configuration of its ports; taken
 *	inside RTNL and genl_mutex, which are never taken inside it
 * @list: the ports, in the order of their creation
 * @serial: serial number of the last port
 * @changes: number of changes of @list, and of the queues of its ports
 * @rule_changes: number of changes of the rules of any port
 * @owners: the sockets that have leased a rule, a storm or rings, by netlink port id
 */
struct rf_ports {
	struct mutex lock;
	struct list_head list;
	u32 serial;
	u32 changes;
	u32 rule_changes;
	struct xarray owners;
};

struct rf_ports *rf_ports(const struct net *net);

/* "rf_ports_lock held" in comments: this lock of the network namespace is held. */
static inline void rf_ports_lock(const struct net *net)
{
	mutex_lock(&rf_ports(net)->lock);
}

static inline void rf_ports_unlock(const struct net *net)
{
	mutex_unlock(&rf_ports(net)->lock);
}

/* For lockdep: is the lock of the network namespace of @port held? */
#define rf_ports_is_held(port) \
	lockdep_is_held(&rf_ports(dev_net((port)->dev))->lock)

/* The default configuration, which ports share: it is neither changed nor freed. */
extern struct rf_conf rf_port_default;

/* port.c: module init and exit */
int rf_ports_init(void);
void rf_ports_exit(void);

/* sch_rdmafault.c: module init and exit */
int rf_sch_register(void);
void rf_sch_unregister(void);

/*
 * rdma.c: module init and exit. Without CONFIG_INFINIBAND, the machine only forwards packets
 * of other machines.
 */
#if IS_ENABLED(CONFIG_INFINIBAND)
int rf_rdma_register(void);
void rf_rdma_unregister(void);
#else
static inline int rf_rdma_register(void) { return 0; }
static inline void rf_rdma_unregister(void) { }
#endif

/* port.c: RTNL and rf_ports_lock held */
struct rf_port *rf_port_create(struct net_device *dev, struct netlink_ext_ack *extack);

/* port.c: RTNL held */
void rf_port_end(struct rf_port *port);

/* port_queue.c: RTNL held */
struct rf_prioq *rf_queue_create(struct Qdisc *sch, struct rf_conf *conf);
int rf_queue_attach(struct rf_prioq *q, struct netlink_ext_ack *extack);
void rf_queue_detach(struct rf_prioq *q);
void rf_queue_free(struct rf_prioq *q);

/* port_queue.c: rf_ports_lock held */
int rf_queue_get_hooks(struct rf_prioq *q, const struct rf_conf *conf);
void rf_queue_configure(struct rf_prioq *q, struct rf_conf *conf);
void rf_queue_reset(struct rf_prioq *q);
void rf_queue_reset_stats(struct rf_prioq *q);

/* port.c: rf_ports_lock held */
struct rf_port *rf_port_find(const struct net *net, u32 ifindex);
u32 rf_port_rules(const struct rf_port *port);
void rf_port_changed(struct rf_port *port);
int rf_port_add_rules(struct rf_port *port, u32 direction, struct rf_rule **rules,
		      u32 count, bool replace);
void rf_port_reap(struct rf_port *port);
void rf_port_reap_expired(struct rf_port *port);
int rf_port_set_name(struct rf_port *port, const char *name);
void rf_port_set_hold(struct rf_port *port, u64 max_hold, bool hold_forwarded);
void rf_port_announce(struct rf_port *port, struct rf_progress *progress);
void rf_port_reset(struct rf_port *port);
void rf_port_reset_stats(struct rf_port *port);
void rf_port_read_stats(const struct rf_port *port, u32 direction,
			u64 sum[RF_STATS]);

/* port_ring.c: rf_ports_lock held */
int rf_port_add_rings(struct rf_port *port, struct rf_ring *const ring[RF_DIRS], u32 owner);
void rf_port_end_rings(struct rf_port *port);

/* port_path.c: rf_ports_lock held */
struct rf_path *rf_port_path(const struct rf_port *port);
int rf_port_set_path(struct rf_port *port, struct rf_path *path);
void rf_port_end_path(struct rf_port *port);

/* port.c: any context */
void rf_progress_put(struct rf_progress *progress);

/* port.c: process context, no lock held */
int rf_ports_begin_lease(const struct net *net, u32 owner);
void rf_ports_end_lease(const struct net *net, u32 owner);
void rf_ports_end_flows(const struct net *net, const u8 *addr, u32 addr_len);

/**
 * rf_queue_conf - get the configuration of the queues of a port
 * @q: the queues
 *
 * Context: rf_ports_lock held.
 * Return: the configuration, which isn't replaced while the lock is held.
 */
static inline const struct rf_conf *rf_queue_conf(const struct rf_prioq *q)
{
	return rcu_dereference_protected(q->conf, rf_ports_is_held(q->port));
}

#endif
