/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_HOOK_H
#define RF_HOOK_H

#include <linux/hrtimer.h>
#include <linux/netfilter.h>

#include "stats.h"

struct rf_conf;
struct rf_dir;
struct rf_prioq;

/* Packets and their bytes */
struct rf_hook_count {
	u64 packets;
	u64 bytes;
};

/**
 * struct rf_hook - the hook of one direction of a port
 * @dir: the direction
 * @queue: the queues of the port
 * @ops: the netfilter hook
 * @timer: releases packets from the delay queue of @dir
 * @releasing: bit 0: a CPU is releasing packets
 * @users: how often the hook is needed
 * @registered: the hook is registered: it is needed, or packets wait in the delay
 *	queue, whose way depends on the hook
 * @conf: the configuration is one of the users
 * @seen: what the hook had counted when it was unregistered
 * @netdev: what the netdev had counted then
 *
 * @users and the members after it are changed under rf_ports_lock.
 */
struct rf_hook {
	struct rf_dir *dir;
	struct rf_prioq *queue;
	struct nf_hook_ops ops;
	struct hrtimer timer;
	unsigned long releasing;
	u32 users;
	bool registered;
	bool conf;
	struct rf_hook_count seen;
	struct rf_hook_count netdev;
};

/* Process context */
void rf_hook_init(struct rf_hook *hook, struct rf_dir *dir, struct rf_prioq *queue);

/* Process context, under rf_ports_lock */
int rf_hook_get(struct rf_hook *hook);
void rf_hook_put(struct rf_hook *hook);
bool rf_hook_unregister_idle(struct rf_hook *hook);

/* Process context, under rf_ports_lock; @hook are the two hooks of a port */
void rf_hook_end(struct rf_hook *hook);
int rf_hook_get_conf(struct rf_hook *hook, const struct rf_conf *conf);
void rf_hook_put_conf(struct rf_hook *hook, const struct rf_conf *conf);

/* Process context, under rf_ports_lock */
void rf_hook_count(const struct rf_hook *hook, u64 sum[RF_STATS]);

#endif
