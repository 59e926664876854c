/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_HOOK_H
#define RF_HOOK_H

#include <linux/hrtimer.h>
#include <linux/netfilter.h>

#include "stats.h"

struct Qdisc;
struct rf_dir;

/* Packets and their bytes */
struct rf_hook_count {
	u64 packets;
	u64 bytes;
};

/**
 * struct rf_tap - functions of the queues of a port for the packets of a hook
 * @arrive: gets the packets of rx before the rules; NULL while it isn't needed
 * @accept: gets the packets that the rules have passed; it returns false if it has freed
 *	the packet
 *
 * Context: softirq or BH off.
 */
struct rf_tap {
	void (*arrive)(struct rf_tap *tap, struct sk_buff *skb);
	bool (*accept)(struct rf_tap *tap, struct sk_buff *skb);
};

/**
 * struct rf_hook - the hook of one direction of a port
 * @dir: the direction
 * @tap: gets the packets; on rx, it accepts only the pause frames. NULL if the queues of
 *	the port need none
 * @ops: the netfilter hook
 * @timer: releases packets from the delay queue of @dir
 * @releasing: bit 0: a CPU is releasing packets
 * @users: how often the hook is needed
 * @registered: the hook is registered: it is needed, or packets wait in the delay
 *	queue, whose way depends on the hook
 * @sch: the qdisc of the port, which also counts packets on tx; NULL if there is none
 * @seen: what the hook had counted when it was unregistered
 * @netdev: what the netdev had counted then
 *
 * @users and the members after it are changed under rf_ports_lock.
 */
struct rf_hook {
	struct rf_dir *dir;
	struct rf_tap __rcu *tap;
	struct nf_hook_ops ops;
	struct hrtimer timer;
	unsigned long releasing;
	u32 users;
	bool registered;
	const struct Qdisc *sch;
	struct rf_hook_count seen;
	struct rf_hook_count netdev;
};

/* Process context */
void rf_hook_init(struct rf_hook *hook, struct rf_dir *dir);
void rf_hook_end(struct rf_hook *hook);

/* Process context, under rf_ports_lock */
int rf_hook_get(struct rf_hook *hook);
void rf_hook_put(struct rf_hook *hook);
bool rf_hook_unregister_idle(struct rf_hook *hook);
void rf_hook_set_qdisc(struct rf_hook *hook, const struct Qdisc *sch);
void rf_hook_count(const struct rf_hook *hook, u64 sum[RF_STATS]);

#endif
