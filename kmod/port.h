/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PORT_H
#define RF_PORT_H

#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>

#include "hook.h"
#include "queue/prioq.h"
#include "rule/ruleset.h"

#define RF_TX	RDMAFAULT_DIRECTION_TX
#define RF_RX	RDMAFAULT_DIRECTION_RX
#define RF_DIRS	2

struct net;
struct net_device;
struct netlink_ext_ack;

/**
 * struct rf_progress - the progress that a job has announced
 * @step: the present step of the job
 * @messages: messages per flow and step, 0 if unknown
 * @messages_total: messages per flow, 0 if unknown
 * @ports: number of ports that point to this
 * @rcu: frees this after the packets that read it
 *
 * A published announcement doesn't change.
 */
struct rf_progress {
	u32 step;
	u32 messages;
	u32 messages_total;
	refcount_t ports;
	struct rcu_head rcu;
};

/**
 * struct rf_port - a netdev with the qdisc rdmafault
 * @dev: the netdev; needs no reference, because its qdisc creates and destroys the
 *	port
 * @progress: the progress that the job has announced, or NULL
 * @max_hold: the longest time that a packet can be delayed, in nanoseconds
 * @serial: serial number of the port in the network namespace, from 1
 * @generation: number of changes of rules
 * @last_id: the highest rule number so far
 * @expiry: removes expired rules
 * @dir: the two directions
 * @hook: the netfilter hooks
 * @queue: the queues, the link and PFC; the configuration is changed under
 *	rf_ports_lock
 * @list: entry in the list of struct rf_ports
 * @rcu: frees the port after the hooks that still run
 */
struct rf_port {
	struct net_device *dev;
	struct rf_progress __rcu *progress;
	u64 max_hold;
	u32 serial;
	u32 generation;
	u32 last_id;
	struct delayed_work expiry;
	struct rf_dir dir[RF_DIRS];
	struct rf_hook hook[RF_DIRS];
	struct rf_prioq queue;
	struct list_head list;
	struct rcu_head rcu;
};

/**
 * struct rf_ports - the ports of a network namespace
 * @lock: protects the list, and the rules and the configuration of its ports; taken
 *	inside RTNL and genl_mutex, which are never taken inside it
 * @list: the ports, in the order of their creation
 * @serial: serial number of the last port
 * @changes: number of changes of @list
 * @rule_changes: number of changes of the rules of any port
 */
struct rf_ports {
	struct mutex lock;
	struct list_head list;
	u32 serial;
	u32 changes;
	u32 rule_changes;
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

/* port.c: RTNL held */
struct rf_port *rf_port_create(struct Qdisc *sch, struct rf_conf *conf);
int rf_port_open(struct rf_port *port, struct netlink_ext_ack *extack);
void rf_port_destroy(struct rf_port *port);

/* port.c: rf_ports_lock held */
struct rf_port *rf_port_find(const struct net *net, u32 ifindex);
u32 rf_port_rules(const struct rf_port *port);
void rf_port_changed(struct rf_port *port);
int rf_port_add_rules(struct rf_port *port, u32 direction, struct rf_rule **rules,
		      u32 count, bool replace);
void rf_port_reap(struct rf_port *port);
void rf_port_flush(struct rf_port *port);
void rf_port_conf_publish(struct rf_port *port, struct rf_conf *conf);
void rf_port_set_max_hold(struct rf_port *port, u64 max_hold);
void rf_port_announce(struct rf_port *port, struct rf_progress *progress);
void rf_port_reset(struct rf_port *port);
void rf_port_reset_stats(struct rf_port *port);
void rf_dir_read_stats(const struct rf_dir *dir, u64 sum[RF_STATS]);

/* port.c: any context */
void rf_progress_put(struct rf_progress *progress);

/* port.c: process context, no lock held */
void rf_ports_end_lease(const struct net *net, u32 owner);

/**
 * rf_dir_is_armed - check if a direction needs its packets
 * @dir: the direction
 *
 * Context: any. The result can change at any time.
 * Return: true if the direction has rules, or if a rule of the other direction
 * needs its packets.
 */
static inline bool rf_dir_is_armed(const struct rf_dir *dir)
{
	return READ_ONCE(dir->needs);
}

/**
 * rf_dir_other - get the other direction of a port
 * @dir: a direction
 *
 * Return: the other direction.
 */
static inline struct rf_dir *rf_dir_other(const struct rf_dir *dir)
{
	return &dir->port->dir[RF_TX + RF_RX - dir->direction];
}

/**
 * rf_dir_time - read the clock if a rule needs the time
 * @dir: the direction of a packet
 *
 * Return: ktime_get_ns(), or 0 if no rule delays packets.
 */
static inline u64 rf_dir_time(const struct rf_dir *dir)
{
	return test_bit(RF_NEEDS_TIME, &dir->needs) ? ktime_get_ns() : 0;
}

/**
 * rf_port_conf - get the configuration of the queues of a port
 * @port: the port
 *
 * Context: softirq or BH off.
 * Return: the configuration, which can be read until BH are on again.
 */
static inline const struct rf_conf *rf_port_conf(const struct rf_port *port)
{
	return rf_prioq_conf(&port->queue);
}

#endif
