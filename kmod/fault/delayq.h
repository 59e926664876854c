/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_DELAYQ_H
#define RF_FAULT_DELAYQ_H

#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "fault.h"

struct net_device;
struct rf_skb_cb;

/**
 * struct rf_delayq - the delay queue of one direction
 * @lock: protects all other members; innermost, taken with BH off
 * @head: packets in the order of release and arrival, linked by skb->next
 * @tail: the last of them
 * @tree: packets due before @tail when they were enqueued, and packets that wait
 *	for others; by release and arrival
 * @waiters: those that wait for others, by flow and arrival
 * @dev: netdev of the packets, because a node of @tree takes the place of skb->dev
 * @next: when the first packet is due, U64_MAX if the queue is empty
 * @count: number of packets
 * @bytes: their bytes
 * @arrivals: number of packets enqueued; it wraps around
 * @closed: the queue accepts no packets
 * @latest: latest release so far, except of packets that wait for others
 * @dir: the direction
 * @schedule: asks for a call of rf_delayq_dequeue_due() at a time, in ktime_get_ns()
 */
struct rf_delayq {
	spinlock_t lock;
	struct sk_buff *head;
	struct sk_buff *tail;
	struct rb_root_cached tree;
	struct rb_root waiters;
	struct net_device *dev;
	u64 next;
	u32 count;
	u64 bytes;
	u32 arrivals;
	bool closed;
	u64 latest;
	struct rf_dir *dir;
	void (*schedule)(struct rf_dir *dir, u64 ns);
};

/* Process context */
void rf_delayq_init(struct rf_delayq *delayq, struct rf_dir *dir);
void rf_delayq_purge(struct rf_delayq *delayq);
void rf_delayq_close(struct rf_delayq *delayq);
void rf_delayq_flush(struct rf_delayq *delayq);

/* Softirq or BH off */
int rf_delayq_enqueue(struct rf_delayq *delayq, struct sk_buff *skb,
		      const struct rf_skb_cb *cb, const struct rf_wait *wait);
struct sk_buff *rf_delayq_dequeue_due(struct rf_delayq *delayq, u32 budget);
void rf_delayq_schedule(struct rf_delayq *delayq);
void rf_delayq_passed(struct rf_delayq *delayq, u64 flow, u32 psn, u64 came);

/**
 * rf_delayq_is_waited - test whether a packet waits for other packets
 * @delayq: the queue
 *
 * Return: true if one does; without the lock, the answer may be outdated.
 */
static inline bool rf_delayq_is_waited(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->waiters.rb_node);
}

/**
 * rf_delayq_next - get the time at which the next packet is due
 * @delayq: the queue
 *
 * Return: the time in ktime_get_ns(), U64_MAX if the queue is empty; without the
 * lock, the answer may be outdated.
 */
static inline u64 rf_delayq_next(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->next);
}

/**
 * rf_delayq_count - count the packets in the queue
 * @delayq: the queue
 *
 * Return: the number of packets; without the lock, it may be outdated.
 */
static inline u32 rf_delayq_count(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->count);
}

#endif
