// SPDX-License-Identifier: GPL-2.0
/*
 * Rules that expire. An expired rule hits no more packets, because its trigger
 * compares the time. A delayed work of the port removes it a little later. The work
 * runs when the next rule expires.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>

#include "expiry.h"
#include "port.h"

/**
 * rf_expiry_left - get the time until a rule expires
 * @rule: the rule, published
 * @now: ktime_get_ns()
 *
 * Return: nanoseconds; 0 if the rule has expired, U64_MAX if it does not expire.
 */
u64 rf_expiry_left(const struct rf_rule *rule, u64 now)
{
	u64 age = now - rule->born;

	if (!rule->expires)
		return U64_MAX;
	return age < rule->expires ? rule->expires - age : 0;
}

/* Mark the expired rules for removal. Returns true if there are any. */
static bool mark_expired(const struct rf_dir *dir, u64 now, u64 *next)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);
	bool any = false;
	u64 left;
	u32 i;

	for (i = 0; rules && i < rules->count; i++) {
		left = rf_expiry_left(rules->rule[i], now);
		rules->rule[i]->removed = !left;
		any |= !left;
		if (left)
			*next = min(*next, left);
	}
	return any;
}

/**
 * rf_expiry_update - remove expired rules and start the work for the others
 * @port: the port
 *
 * The caller has added rules, or the work runs.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_expiry_update(struct rf_port *port)
{
	u64 now = ktime_get_ns();
	u64 next = U64_MAX;
	bool any = false;
	int direction;

	for (direction = 0; direction < RF_DIRS; direction++)
		any |= mark_expired(&port->dir[direction], now, &next);
	/* This also runs for each new rule, and removing rules stops all packets. */
	if (any)
		rf_port_reap(port);
	if (next != U64_MAX)
		mod_delayed_work(system_wq, &port->expiry,
				 nsecs_to_jiffies(next) + 1);
}

static void expiry_work(struct work_struct *work)
{
	struct rf_port *port = container_of(to_delayed_work(work),
					    struct rf_port, expiry);

	rf_ports_lock(dev_net(port->dev));
	rf_expiry_update(port);
	rf_ports_unlock(dev_net(port->dev));
}

/**
 * rf_expiry_init - initialize the work
 * @port: a new port
 *
 * Context: any.
 */
void rf_expiry_init(struct rf_port *port)
{
	INIT_DELAYED_WORK(&port->expiry, expiry_work);
}

/**
 * rf_expiry_end - stop the work
 * @port: a port without rules, removed from the list of ports
 *
 * Context: process, may sleep; rf_ports_lock not held, because the work takes it.
 */
void rf_expiry_end(struct rf_port *port)
{
	cancel_delayed_work_sync(&port->expiry);
}
