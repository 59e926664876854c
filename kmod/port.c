// SPDX-License-Identifier: GPL-2.0
/*
 * Ports: netdevs with rules. A request makes a port, and so does the qdisc rdmafault, which
 * adds queues to it (port_queue.c). A port ends with a request, with its netdev or the
 * network namespace of the netdev, or with the module. It has a reference to the netdev,
 * and none to the module.
 */
#include <linux/if_arp.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <net/net_debug.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "fault/fault.h"
#include "flow/flow.h"
#include "rand.h"
#include "port.h"

static unsigned int ports_net_id __read_mostly;
struct rf_conf rf_port_default __ro_after_init;

/* How often to check if packets still need a hook that has no rules */
#define HOOK_CHECK_NS	(100 * NSEC_PER_MSEC)

/**
 * rf_ports - get the ports of a network namespace
 * @net: the network namespace
 *
 * Each network namespace has a lock, so that a request in one of them does not delay
 * requests and tc commands in the others.
 *
 * Return: the ports, which exist as long as the network namespace and the module.
 */
struct rf_ports *rf_ports(const struct net *net)
{
	return net_generic(net, ports_net_id);
}

/**
 * rf_port_find - find a port by its netdev
 * @net: the network namespace, whose ports are searched
 * @ifindex: index of the netdev
 *
 * Context: rf_ports_lock held.
 * Return: the port, or NULL.
 */
struct rf_port *rf_port_find(const struct net *net, u32 ifindex)
{
	struct rf_port *port;

	list_for_each_entry(port, &rf_ports(net)->list, list)
		if (port->dev->ifindex == ifindex)
			return port;
	return NULL;
}

/**
 * rf_port_rules - get the number of rules of a port
 * @port: the port
 *
 * Context: rf_ports_lock held.
 * Return: the number of rules in both directions.
 */
u32 rf_port_rules(const struct rf_port *port)
{
	return rf_dir_count(&port->dir[RF_TX]) +
	       rf_dir_count(&port->dir[RF_RX]);
}

/**
 * rf_port_changed - count a change of the rules of a port
 * @port: the port
 *
 * Context: rf_ports_lock held.
 */
void rf_port_changed(struct rf_port *port)
{
	port->generation++;
	rf_ports(dev_net(port->dev))->rule_changes++;
}

/**
 * rf_port_add_rules - publish rules
 * @port: the port
 * @direction: RDMAFAULT_DIRECTION_*
 * @rules: the rules, which the port owns on success
 * @count: number of rules, at least 1
 * @replace: remove all earlier rules of the direction
 *
 * The hook of a direction is registered while it has rules. It is also registered if a
 * rule of the other direction has needed it, while that direction has rules.
 *
 * Context: process, rf_ports_lock held.
 * Return: 0, or a negative errno; then nothing has changed.
 */
int rf_port_add_rules(struct rf_port *port, u32 direction, struct rf_rule **rules,
		      u32 count, bool replace)
{
	struct rf_hook *other = &port->hook[RF_TX + RF_RX - direction];
	bool both = !port->both[direction] && rf_rules_need_both(rules, count);
	struct rf_hook *hook = &port->hook[direction];
	struct rf_dir *dir = &port->dir[direction];
	bool first = !rf_dir_count(dir);
	int err = 0;

	if (first)
		err = rf_hook_get(hook);
	if (err)
		return err;
	if (both)
		err = rf_hook_get(other);
	if (err)
		goto put_own;
	err = rf_dir_add(dir, rules, count, replace);
	if (err)
		goto put_other;
	port->both[direction] |= both;
	return 0;

put_other:
	if (both)
		rf_hook_put(other);
put_own:
	if (first)
		rf_hook_put(hook);
	return err;
}

static u32 port_reap_dir(struct rf_port *port, int direction)
{
	struct rf_dir *dir = &port->dir[direction];
	u32 removed = rf_dir_reap(dir);

	if (!removed || rf_dir_count(dir))
		return removed;
	rf_blackhole_end_unused(dir);
	rf_hook_put(&port->hook[direction]);
	if (port->both[direction])
		rf_hook_put(&port->hook[RF_TX + RF_RX - direction]);
	port->both[direction] = false;
	return removed;
}

/**
 * rf_port_reap - remove the rules that are marked as removed
 * @port: the port; its generation is incremented if there were any
 *
 * The hook of a direction without rules stays registered while packets are in its delay
 * queue. The delayed work unregisters it.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_reap(struct rf_port *port)
{
	u32 removed = 0;
	int direction;

	for (direction = 0; direction < RF_DIRS; direction++)
		removed += port_reap_dir(port, direction);
	if (!removed)
		return;
	rf_port_changed(port);
	mod_delayed_work(system_wq, &port->expiry, 1);
}

/* Mark the expired rules. Return: true if there are any. */
static bool port_mark_expired(const struct rf_dir *dir, u64 now, u64 *next)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);
	bool any = false;
	u64 left;
	u32 i;

	for (i = 0; rules && i < rules->count; i++) {
		left = rf_rule_time_left(rules->rule[i], now);
		rules->rule[i]->removed = !left;
		any |= !left;
		if (left)
			*next = min(*next, left);
	}
	return any;
}

/**
 * rf_port_reap_expired - remove expired rules
 * @port: the port
 *
 * An expired rule hits no more packets, because its trigger compares the time. A
 * delayed work removes it a little later: it calls this function when the next rule
 * expires. Call it when rules were added.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_reap_expired(struct rf_port *port)
{
	u64 now = ktime_get_ns();
	u64 next = U64_MAX;
	bool any = false;
	int direction;

	for (direction = 0; direction < RF_DIRS; direction++)
		any |= port_mark_expired(&port->dir[direction], now, &next);
	/* Removing rules stops all packets for a moment. */
	if (any)
		rf_port_reap(port);
	for (direction = 0; direction < RF_DIRS; direction++)
		if (!rf_hook_unregister_idle(&port->hook[direction]))
			next = min_t(u64, next, HOOK_CHECK_NS);
	if (next != U64_MAX)
		mod_delayed_work(system_wq, &port->expiry,
				 nsecs_to_jiffies(next) + 1);
}

static void port_expiry_work(struct work_struct *work)
{
	struct rf_port *port = container_of(to_delayed_work(work),
					    struct rf_port, expiry);

	rf_ports_lock(dev_net(port->dev));
	rf_port_reap_expired(port);
	rf_ports_unlock(dev_net(port->dev));
}

/*
 * Mark the rules of an owner, or all, as removed. Return: true if there are any.
 */
static bool port_mark_removed(struct rf_port *port, bool all, u32 owner)
{
	struct rf_ruleset *rules;
	struct rf_rule *rule;
	bool any = false;
	int direction;
	u32 i;

	for (direction = 0; direction < RF_DIRS; direction++) {
		rules = rf_dir_rules(&port->dir[direction]);
		for (i = 0; rules && i < rules->count; i++) {
			rule = rules->rule[i];
			rule->removed = all || rule->owner == owner;
			any |= rule->removed;
		}
	}
	return any;
}

/*
 * Remove all rules of a port. Its generation is incremented if there were any. Context:
 * process, rf_ports_lock held.
 */
static void port_flush(struct rf_port *port)
{
	if (port_mark_removed(port, true, 0))
		rf_port_reap(port);
}

/**
 * rf_ports_begin_lease - prepare a lease of rules, storms or rings
 * @net: network namespace of the socket
 * @owner: netlink port id of the socket, not 0
 *
 * Call it before rules, storms or rings of the socket are published.
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int rf_ports_begin_lease(const struct net *net, u32 owner)
{
	return xa_err(xa_store(&rf_ports(net)->owners, owner, xa_mk_value(1),
			       GFP_KERNEL_ACCOUNT));
}

/**
 * rf_ports_end_lease - remove the rules, and end the storms and rings of a closed socket
 * @net: network namespace of the socket
 * @owner: netlink port id of the socket, not 0
 *
 * Context: process, may sleep.
 */
void rf_ports_end_lease(const struct net *net, u32 owner)
{
	struct rf_ports *ports = rf_ports(net);
	struct rf_port *port;

	/* This is called for each closed socket of the machine. */
	if (!xa_erase(&ports->owners, owner))
		return;
	mutex_lock(&ports->lock);
	list_for_each_entry(port, &ports->list, list) {
		/* Removing rules stops packets. */
		if (port_mark_removed(port, false, owner))
			rf_port_reap(port);
		if (port->ring_owner == owner)
			rf_port_end_rings(port);
		if (port->queue)
			rf_pfc_end_lease(port->queue->pfc, owner);
	}
	mutex_unlock(&ports->lock);
}

/**
 * rf_ports_end_flows - end the flows from and to an address, at all ports
 * @net: network namespace of the ports
 * @addr: the address
 * @addr_len: its length, 4 or 16 bytes
 *
 * Context: process, may sleep.
 */
void rf_ports_end_flows(const struct net *net, const u8 *addr, u32 addr_len)
{
	struct rf_ports *ports = rf_ports(net);
	struct rf_port *port;
	struct rf_dir *dir;

	mutex_lock(&ports->lock);
	list_for_each_entry(port, &ports->list, list) {
		for (dir = port->dir; dir < port->dir + RF_DIRS; dir++) {
			spin_lock_bh(&dir->lock);
			if (dir->flows)
				rf_flows_end(dir->flows, addr, addr_len);
			spin_unlock_bh(&dir->lock);
		}
	}
	mutex_unlock(&ports->lock);
}

static void port_name(struct rf_port *port, const char *name)
{
	u64 draw_port = rf_draw_port(name);
	int direction;

	strscpy(port->name, name, sizeof(port->name));
	for (direction = 0; direction < RF_DIRS; direction++)
		port->dir[direction].draw_port = draw_port;
	if (port->queue)
		rf_prioq_set_draw_port(port->queue, draw_port);
}

/**
 * rf_port_set_name - change the name on which the random numbers of a port depend
 * @port: the port
 * @name: the name, of at most RDMAFAULT_NAME_LEN characters
 *
 * Context: process, rf_ports_lock held.
 * Return: 0, -EBUSY if the port has rules, or -EEXIST if another port of the network
 * namespace has the name.
 */
int rf_port_set_name(struct rf_port *port, const char *name)
{
	struct rf_port *other;

	if (rf_port_rules(port))
		return -EBUSY;
	list_for_each_entry(other, &rf_ports(dev_net(port->dev))->list, list)
		if (other != port && !strcmp(other->name, name))
			return -EEXIST;
	port_name(port, name);
	return 0;
}

/**
 * rf_port_set_hold - set the longest time that a port can delay or queue a packet
 * @port: the port
 * @max_hold: the time in nanoseconds
 * @hold_forwarded: forwarded packets can be queued for longer
 *
 * The setting applies at once to the packets that are already delayed or queued.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_set_hold(struct rf_port *port, u64 max_hold, bool hold_forwarded)
{
	struct rf_dir *dir;

	for (dir = port->dir; dir < port->dir + RF_DIRS; dir++) {
		WRITE_ONCE(dir->max_hold, max_hold);
		rf_delayq_limit(&dir->delayq, max_hold);
	}
	port->hold_forwarded = hold_forwarded;
	if (port->queue)
		rf_prioq_set_hold(port->queue, max_hold, hold_forwarded);
}

/**
 * rf_progress_put - drop a reference to the progress of a job
 * @progress: the progress, or NULL; freed with the last reference
 */
void rf_progress_put(struct rf_progress *progress)
{
	if (progress && refcount_dec_and_test(&progress->ports))
		kfree_rcu(progress, rcu);
}

/**
 * rf_port_announce - publish the progress of a job
 * @port: the port
 * @progress: the progress, which several ports can share, or NULL
 *
 * A packet reads one pointer, so it never sees the step of one announcement and the
 * number of messages of another.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_announce(struct rf_port *port, struct rf_progress *progress)
{
	struct rf_progress *old;
	struct rf_dir *dir;

	if (progress)
		refcount_inc(&progress->ports);
	for (dir = port->dir; dir < port->dir + RF_DIRS; dir++) {
		spin_lock_bh(&dir->lock);
		old = rcu_replace_pointer(dir->progress, progress,
					  lockdep_is_held(&dir->lock));
		spin_unlock_bh(&dir->lock);
	}
	rf_progress_put(old);
}

static void port_sum_stats(const struct rf_port *port, u32 direction,
			   u64 sum[RF_STATS])
{
	rf_stats_sum(port->dir[direction].stats, sum);
	rf_hook_count(&port->hook[direction], sum);
}

/**
 * rf_port_read_stats - read the counters of a direction
 * @port: the port
 * @direction: RDMAFAULT_DIRECTION_*
 * @sum: set to the sums since the last reset, by enum rf_stat
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_read_stats(const struct rf_port *port, u32 direction,
			u64 sum[RF_STATS])
{
	int i;

	port_sum_stats(port, direction, sum);
	for (i = 0; i < RF_STATS; i++)
		sum[i] -= port->dir[direction].stats_base[i];
}

/**
 * rf_port_reset_stats - set the counters of a port to 0, without those of its queues
 * @port: the port
 *
 * The counters of rules and flows are not reset, because triggers use them. Only its
 * CPU writes a per-CPU counter, so the present sums are stored and subtracted later.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_reset_stats(struct rf_port *port)
{
	struct rf_path *path = rf_port_path(port);
	int direction;

	for (direction = 0; direction < RF_DIRS; direction++)
		port_sum_stats(port, direction, port->dir[direction].stats_base);
	if (path)
		rf_path_reset_stats(path);
}

/**
 * rf_port_reset - give a port the state of a new port, without its queues and counters
 * @port: the port; its delayed packets leave as soon as they can
 *
 * This cannot fail, so that a request resets either all its ports or none.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_port_reset(struct rf_port *port)
{
	int direction;

	/* Rules first, so that no further packet is delayed. */
	port_flush(port);
	rf_port_end_path(port);
	for (direction = 0; direction < RF_DIRS; direction++) {
		rf_blackhole_end(&port->dir[direction]);
		rf_delayq_flush(&port->dir[direction].delayq);
	}
	port_name(port, port->dev->name);
	rf_port_set_hold(port, RF_MAX_HOLD, false);
	rf_port_announce(port, NULL);
}

static int __net_init ports_net_init(struct net *net)
{
	struct rf_ports *ports = rf_ports(net);

	mutex_init(&ports->lock);
	INIT_LIST_HEAD(&ports->list);
	xa_init(&ports->owners);
	/* 0 would mean that a dump does not check for changes. */
	ports->changes = 1;
	return 0;
}

/* The netdevs of a network namespace are gone when this is called. */
static void __net_exit ports_net_exit(struct net *net)
{
	struct rf_ports *ports = rf_ports(net);

	DEBUG_NET_WARN_ON_ONCE(!list_empty(&ports->list));
	xa_destroy(&ports->owners);
}

static struct pernet_operations ports_net_ops = {
	.init = ports_net_init,
	.exit = ports_net_exit,
	.id = &ports_net_id,
	.size = sizeof(struct rf_ports),
};

static void port_free(struct rf_port *port)
{
	int direction;

	rf_progress_put(rcu_dereference_raw(port->dir[RF_RX].progress));
	for (direction = 0; direction < RF_DIRS; direction++)
		free_percpu(port->dir[direction].stats);
	kfree(port);
}

static void port_free_rcu(struct rcu_head *rcu)
{
	port_free(container_of(rcu, struct rf_port, rcu));
}

static int port_init_dir(struct rf_port *port, int direction)
{
	struct rf_dir *dir = &port->dir[direction];

	dir->direction = direction;
	dir->dev = port->dev;
	dir->other = &port->dir[RF_TX + RF_RX - direction];
	dir->conf_lock = &rf_ports(dev_net(port->dev))->lock;
	dir->dscp_prio = RCU_INITIALIZER(rf_port_default.dscp_prio);
	dir->max_hold = RF_MAX_HOLD;
	spin_lock_init(&dir->lock);
	rf_delayq_init(&dir->delayq, port->dev, direction);
	rf_hook_init(&port->hook[direction], dir);
	dir->stats = rf_stats_alloc();
	return dir->stats ? 0 : -ENOMEM;
}

static struct rf_port *port_alloc(struct net_device *dev)
{
	struct rf_port *port = kzalloc(sizeof(*port), GFP_KERNEL_ACCOUNT);

	if (!port)
		return NULL;
	port->dev = dev;
	INIT_DELAYED_WORK(&port->expiry, port_expiry_work);
	if (port_init_dir(port, RF_TX) || port_init_dir(port, RF_RX)) {
		port_free(port);
		return NULL;
	}
	port_name(port, dev->name);
	return port;
}

/**
 * rf_port_create - make a netdev a port
 * @dev: the netdev, which is registered
 * @extack: set to the reason of a failure
 *
 * Context: RTNL and rf_ports_lock held, may sleep.
 * Return: the port, or an ERR_PTR: -EOPNOTSUPP, -EEXIST or -ENOMEM.
 */
struct rf_port *rf_port_create(struct net_device *dev, struct netlink_ext_ack *extack)
{
	struct rf_ports *ports = rf_ports(dev_net(dev));
	struct rf_port *port;

	if (dev->type != ARPHRD_ETHER) {
		NL_SET_ERR_MSG(extack, "rdmafault needs an Ethernet netdev");
		return ERR_PTR(-EOPNOTSUPP);
	}
	if (rf_port_find(dev_net(dev), dev->ifindex)) {
		NL_SET_ERR_MSG(extack, "netdev is already a port");
		return ERR_PTR(-EEXIST);
	}
	port = port_alloc(dev);
	if (!port)
		return ERR_PTR(-ENOMEM);
	netdev_hold(dev, &port->dev_tracker, GFP_KERNEL);
	port->serial = ++ports->serial;
	list_add_tail(&port->list, &ports->list);
	ports->changes++;
	return port;
}

/**
 * rf_port_end - end a port with all its rules
 * @port: the port, without queues. Its delayed packets are sent, or freed if the netdev
 *	is down
 *
 * Context: RTNL held, rf_ports_lock not held, may sleep.
 */
void rf_port_end(struct rf_port *port)
{
	struct rf_ports *ports = rf_ports(dev_net(port->dev));
	int direction;

	mutex_lock(&ports->lock);
	list_del(&port->list);
	ports->changes++;
	port_flush(port);
	rf_port_end_path(port);
	rf_port_end_rings(port);
	mutex_unlock(&ports->lock);
	/* The work takes the lock. */
	cancel_delayed_work_sync(&port->expiry);
	for (direction = 0; direction < RF_DIRS; direction++)
		rf_hook_end(&port->hook[direction]);
	netdev_put(port->dev, &port->dev_tracker);
	/* A hook may still be running. */
	call_rcu(&port->rcu, port_free_rcu);
}

/* Does the netdev end, or does it leave a bridge? */
static bool netdev_leaves(unsigned long event, const void *data)
{
	const struct netdev_notifier_changeupper_info *info = data;

	return event == NETDEV_UNREGISTER ||
	       (event == NETDEV_CHANGEUPPER && !info->linking &&
		netif_is_bridge_master(info->upper_dev));
}

static void ports_remove_link(const struct net *net, const struct net_device *dev)
{
	struct rf_path *path;
	struct rf_port *port;

	list_for_each_entry(port, &rf_ports(net)->list, list) {
		path = rf_port_path(port);
		if (path)
			rf_path_remove(path, dev);
	}
}

/*
 * A netdev that ends, or moves to another network namespace, is down and has lost its
 * qdisc. When the module is removed, this is called for each netdev.
 */
static int netdev_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct net_device *dev = netdev_notifier_info_to_dev(data);
	struct rf_port *port;

	if (event != NETDEV_DOWN && !netdev_leaves(event, data))
		return NOTIFY_DONE;
	rf_ports_lock(dev_net(dev));
	port = rf_port_find(dev_net(dev), dev->ifindex);
	if (port && event == NETDEV_DOWN && !netif_running(dev))
		rf_delayq_purge(&port->dir[RF_TX].delayq);
	if (event != NETDEV_DOWN)
		ports_remove_link(dev_net(dev), dev);
	rf_ports_unlock(dev_net(dev));
	if (port && event == NETDEV_UNREGISTER)
		rf_port_end(port);
	return NOTIFY_DONE;
}

static struct notifier_block netdev_notifier = {
	.notifier_call = netdev_event,
};

/**
 * rf_ports_init - prepare the data that ports share
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int __init rf_ports_init(void)
{
	int err;

	rf_conf_init(&rf_port_default);
	err = register_pernet_subsys(&ports_net_ops);
	if (err)
		return err;
	err = register_netdevice_notifier(&netdev_notifier);
	if (err)
		unregister_pernet_subsys(&ports_net_ops);
	return err;
}

/**
 * rf_ports_exit - end all ports, and free the data that they share
 *
 * Context: module exit; no request and no qdisc can make a port.
 */
void rf_ports_exit(void)
{
	unregister_netdevice_notifier(&netdev_notifier);
	unregister_pernet_subsys(&ports_net_ops);
}
