/* SPDX-License-Identifier: GPL-2.0 */
/* The path of a port: forwards the packets that arrive over one of several links */
#ifndef RF_PATH_FORWARD_H
#define RF_PATH_FORWARD_H

#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "path.h"

/**
 * struct rf_path_link - a link of a path
 * @dev: the netdev, to which the path has a reference; NULL after rf_path_remove()
 * @tracker: the reference
 * @ifindex: index of the netdev
 * @name: its name when the path was made
 * @packets: packets for which the link was chosen
 * @bytes: their bytes
 */
struct rf_path_link {
	struct net_device *dev;
	netdevice_tracker tracker;
	u32 ifindex;
	char name[IFNAMSIZ];
	u64 packets;
	u64 bytes;
};

/**
 * struct rf_path - the path of a port
 * @rcu: frees the path after the hooks that still run
 * @conf: how links are chosen; not changed
 * @lock: protects the members from here on; taken in softirq
 * @up: bit n: link n can be chosen: it is not removed and not marked as down
 * @down: bit n: link n is marked as down
 * @no_link: packets that were dropped because no link was up
 * @link: the links
 * @state: the state of the choice
 */
struct rf_path {
	struct rcu_head rcu;
	struct rf_path_conf conf;
	spinlock_t lock;
	u32 up;
	u32 down;
	u64 no_link;
	struct rf_path_link link[RDMAFAULT_PATH_LINKS_MAX];
	struct rf_path_state state;
};

/**
 * struct rf_path_counts - the counters of a path
 * @no_link: packets that were dropped because no link was up
 * @down: bit n: link n is marked as down
 * @removed: bit n: link n is removed
 * @packets: packets for which each link was chosen
 * @bytes: their bytes
 */
struct rf_path_counts {
	u64 no_link;
	u32 down;
	u32 removed;
	u64 packets[RDMAFAULT_PATH_LINKS_MAX];
	u64 bytes[RDMAFAULT_PATH_LINKS_MAX];
};

/* forward.c: process context */
struct rf_path *rf_path_alloc(void);
void rf_path_add_link(struct rf_path *path, struct net_device *dev);
void rf_path_free(struct rf_path *path);
void rf_path_end(struct rf_path *path);
void rf_path_mark(struct rf_path *path, u32 link, bool down);
void rf_path_remove(struct rf_path *path, const struct net_device *dev);
void rf_path_read(struct rf_path *path, struct rf_path_counts *counts);
void rf_path_reset_stats(struct rf_path *path);

/* forward.c: softirq or BH off, under RCU */
bool rf_path_takes(const struct rf_path *path, const struct sk_buff *skb,
		   struct rf_path_key *key);
void rf_path_send(struct rf_path *path, struct sk_buff *skb, const struct rf_path_key *key);

#endif
