/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_DELAYQ_H
#define RF_DELAYQ_H

#include <linux/build_bug.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/rbtree.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "trace.h"

struct net_device;
struct delayq_waiter;

/**
 * struct rf_skb_cb - what the delay queue keeps in skb->cb of a packet
 * @release: when the packet is due, in ktime_get_ns()
 * @came: when it arrived at the hook, in ktime_get_ns()
 * @flow: number of its flow; 0 if the packet releases no waiting packets, because
 *	it is untracked, a copy, or has been reordered itself
 * @waiter: replaces @flow while the packet waits for other packets
 * @seq: number of the packet in the trace, 0 if no tracepoint was enabled
 * @len: bytes from the IP header to the ICRC
 * @keep_order: do not release it before packets that were enqueued earlier
 * @waits: @waiter is valid
 * @follows: no rule delays the packet; it only follows the packets that are due
 * @arrival: orders packets that are due at the same time; it wraps around
 * @rule: number of the rule that delays the packet
 * @psn: PSN on arrival, before any action
 * @attempt: attempt
 * @qp: destination QP on arrival
 * @opcode: opcode on arrival
 *
 * The core and qdiscs use skb->cb before and after the delay queue, not while the
 * packet is in it. dev_queue_xmit() sets what a qdisc needs; code that passes the
 * packet to a qdisc without it must set that.
 */
struct rf_skb_cb {
	u64 release;
	u64 came;
	union {
		u64 flow;
		struct delayq_waiter *waiter;
	};
	u64 seq : 44;
	u64 len : 17;
	u64 keep_order : 1;
	u64 waits : 1;
	u64 follows : 1;
	u32 arrival;
	u32 rule;
	u32 psn : 24;
	u32 attempt : 8;
	u32 qp : 24;
	u32 opcode : 8;
};

static_assert(sizeof(struct rf_skb_cb) <= sizeof_field(struct sk_buff, cb));

static inline struct rf_skb_cb *rf_skb_cb(const struct sk_buff *skb)
{
	return (struct rf_skb_cb *)skb->cb;
}

/**
 * rf_skb_cb_label - what the tracepoints of the delay queue show of a packet
 * @cb: the state of the packet
 *
 * Return: the label.
 */
static inline struct rf_label rf_skb_cb_label(const struct rf_skb_cb *cb)
{
	return (struct rf_label){
		.seq = cb->seq,
		.rule = cb->rule,
		.qp = cb->qp,
		.psn = cb->psn,
		.opcode = cb->opcode,
		.attempt = cb->attempt,
		.len = cb->len,
	};
}

/**
 * struct rf_wait - the other packets that a delayed packet waits for
 * @active: the packet waits for others
 * @distance: number of later packets of its flow that must pass; 0: the packet
 *	@behind must pass
 * @behind: PSN of a later packet of its flow
 * @within: longest wait, in nanoseconds
 */
struct rf_wait {
	bool active;
	u32 distance;
	u32 behind;
	u64 within;
};

/**
 * struct rf_delayq - the delay queue of one direction
 * @lock: protects all other members; innermost, taken with BH off
 * @head: packets in the order of release and arrival, linked by skb->next
 * @tail: the last of them
 * @tree: packets due before @tail when they were enqueued, and packets that wait
 *	for others; by release and arrival
 * @waiters: those that wait for others, by flow and arrival
 * @dev: netdev of the packets; a node of @tree takes the place of skb->dev
 * @direction: RDMAFAULT_DIRECTION_*
 * @next: when the first packet is due, U64_MAX if the queue is empty. While due packets
 *	are being sent, it is the time at which the first of them was due
 * @count: number of packets
 * @bytes: their bytes
 * @memory: the memory that they take
 * @arrivals: number of packets enqueued; it wraps around
 * @closed: the queue accepts no packets
 * @latest: latest release so far, except of packets that wait for others
 * @schedule: asks for a call of rf_delayq_dequeue_due() at a time, in ktime_get_ns()
 * @data: first argument of @schedule
 */
struct rf_delayq {
	spinlock_t lock;
	struct sk_buff *head;
	struct sk_buff *tail;
	struct rb_root_cached tree;
	struct rb_root waiters;
	struct net_device *dev;
	u32 direction;
	u64 next;
	u32 count;
	u64 bytes;
	u64 memory;
	u32 arrivals;
	bool closed;
	u64 latest;
	void (*schedule)(void *data, u64 ns);
	void *data;
};

/* Process context */
void rf_delayq_init(struct rf_delayq *delayq, struct net_device *dev, u32 direction);
u32 rf_delayq_purge(struct rf_delayq *delayq);
void rf_delayq_close(struct rf_delayq *delayq);
void rf_delayq_flush(struct rf_delayq *delayq);
void rf_delayq_limit(struct rf_delayq *delayq, u64 max_hold);

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
 * Return: true if one does; without the lock, the result can be outdated.
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
 * lock, the result can be outdated.
 */
static inline u64 rf_delayq_next(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->next);
}

/**
 * rf_delayq_is_due - test whether packets are due, or are being sent
 * @delayq: the queue
 * @now: ktime_get_ns(), or 0 to read it
 *
 * Return: true if they are; without the lock, the result can be outdated.
 */
static __always_inline bool rf_delayq_is_due(const struct rf_delayq *delayq, u64 now)
{
	u64 next = rf_delayq_next(delayq);

	return unlikely(next != U64_MAX) && next <= (now ?: ktime_get_ns());
}

/**
 * rf_delayq_count - count the packets in the queue
 * @delayq: the queue
 *
 * Return: the number of packets; without the lock, it can be outdated.
 */
static inline u32 rf_delayq_count(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->count);
}

#endif
