/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RING_H
#define RF_RING_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include "ring_space.h"

struct rf_headers;
struct sk_buff;

/**
 * struct rf_ring - the latest RoCEv2 packets of one direction of a port
 * @lock: protects @space; taken in softirq
 * @snaplen: bytes of each packet to record; 0 for the headers
 * @space: the records
 * @rcu: frees the ring after the hooks that still run
 * @data: the memory of @space
 */
struct rf_ring {
	spinlock_t lock;
	u32 snaplen;
	struct rf_ring_space space;
	struct rcu_head rcu;
	u8 data[] __aligned(RF_RING_ALIGN);
};

/* ring.c: process context */
struct rf_ring *rf_ring_alloc(u32 bytes, u32 snaplen);

/* ring.c: softirq or BH off */
u64 rf_ring_record(struct rf_ring *ring, const struct sk_buff *skb,
		   const struct rf_headers *h);
void rf_ring_set_verdict(struct rf_ring *ring, u64 pos, u32 verdict);

#endif
