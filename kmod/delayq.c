// SPDX-License-Identifier: GPL-2.0
/*
 * The delay queue of one direction of a port. Packets leave in the order of their
 * release times. Packets with the same release time leave in the order of arrival,
 * so a constant delay never reorders packets.
 *
 * A constant delay is the common case, so a packet that is due no earlier than the
 * last one is appended to a list. All other packets go into a tree, which has its
 * node in the skb. The first packet is the earlier one of the list's head and the
 * tree's first node.
 *
 * A packet can also wait until others of its flow have passed. It is in the tree
 * with the latest time at which it is released, and a second tree finds it by its
 * flow. When the others have passed, it is moved forward.
 *
 * A delayed packet is not charged to its socket, as if it were on the wire: rxe
 * stops a queue pair that has 64 packets charged, and waits up to 50 seconds for
 * them when it destroys the queue pair (sch_netem.c orphans packets as well).
 *
 * The queue has no timer. Its user takes due packets out with
 * rf_delayq_dequeue_due(), sends them, then calls rf_delayq_schedule(). Until then
 * rf_delayq_is_due() is true: a packet that must not overtake them is enqueued as well.
 * The queue calls ->schedule() when a packet is due earlier than all others.
 */
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/dst.h>
#include <net/net_debug.h>
#include <uapi/rdmafault/rdmafault.h>

#include "rocev2/bth.h"
#include "trace.h"
#include "delayq.h"

/* Limits per direction. rxe has at most 64 packets in flight per queue pair. */
#define DELAYQ_PACKETS	16384
#define DELAYQ_MEMORY	(64ULL << 20)
/*
 * A passing packet is compared with all waiting packets of its flow. rxe has at
 * most 128 unacknowledged packets per queue pair.
 */
#define FLOW_WAITERS	256

/**
 * struct delayq_waiter - what a packet waits for
 * @node: in the tree of waiting packets
 * @skb: the packet
 * @flow: number of its flow
 * @earliest: when the packet may leave if the others have passed
 * @distance: number of packets that have yet to pass; 0: wait for @behind
 * @behind: PSN of a later packet
 */
struct delayq_waiter {
	struct rb_node node;
	struct sk_buff *skb;
	u64 flow;
	u64 earliest;
	u32 distance;
	u32 behind;
};

static bool waiter_before(struct rb_node *a, const struct rb_node *b)
{
	/* Nodes that are equal are added in the order of arrival. */
	return rb_entry(a, struct delayq_waiter, node)->flow <
	       rb_entry(b, struct delayq_waiter, node)->flow;
}

static int waiter_cmp(const void *flow, const struct rb_node *node)
{
	u64 other = rb_entry(node, struct delayq_waiter, node)->flow;

	if (*(const u64 *)flow == other)
		return 0;
	return *(const u64 *)flow < other ? -1 : 1;
}

static bool waiter_has_room(const struct rf_delayq *delayq, u64 flow)
{
	struct rb_node *node;
	u32 n = 0;

	rb_for_each(node, &flow, &delayq->waiters, waiter_cmp)
		n++;
	return n < FLOW_WAITERS;
}

static bool waiter_is_done(struct delayq_waiter *waiter, u32 psn, u64 came)
{
	if (waiter->distance)
		return came >= rf_skb_cb(waiter->skb)->came &&
		       !--waiter->distance;
	/* The named packet or, in case that it is lost, any later one. */
	return ((psn - waiter->behind) & RF_PSN_MASK) <= RF_PSN_MASK / 2;
}

/* From now on the packet waits for its release time only. */
static void waiter_free(struct rf_delayq *delayq, struct delayq_waiter *waiter)
{
	struct rf_skb_cb *cb = rf_skb_cb(waiter->skb);

	rb_erase(&waiter->node, &delayq->waiters);
	kfree(waiter);
	cb->waits = false;
	cb->flow = 0;
}

static bool skb_before(const struct sk_buff *a, const struct sk_buff *b)
{
	const struct rf_skb_cb *x = rf_skb_cb(a);
	const struct rf_skb_cb *y = rf_skb_cb(b);

	if (x->release != y->release)
		return x->release < y->release;
	return (s32)(x->arrival - y->arrival) < 0;
}

static bool node_before(struct rb_node *a, const struct rb_node *b)
{
	return skb_before(rb_to_skb(a), rb_to_skb(b));
}

static struct sk_buff *delayq_first(const struct rf_delayq *delayq)
{
	struct rb_node *node = rb_first_cached(&delayq->tree);

	if (likely(!node))
		return delayq->head;
	if (delayq->head && skb_before(delayq->head, rb_to_skb(node)))
		return delayq->head;
	return rb_to_skb(node);
}

static void delayq_add_tree(struct rf_delayq *delayq, struct sk_buff *skb)
{
	rb_add_cached(&skb->rbnode, &delayq->tree, node_before);
}

static void delayq_erase_tree(struct rf_delayq *delayq, struct sk_buff *skb)
{
	rb_erase_cached(&skb->rbnode, &delayq->tree);
	skb->next = NULL;
	skb->prev = NULL;
	skb->dev = delayq->dev;
}

static void delayq_add(struct rf_delayq *delayq, struct sk_buff *skb)
{
	struct rf_skb_cb *cb = rf_skb_cb(skb);

	cb->arrival = delayq->arrivals++;
	if (cb->waits || (delayq->head &&
			  cb->release < rf_skb_cb(delayq->tail)->release)) {
		delayq_add_tree(delayq, skb);
		return;
	}
	skb->next = NULL;
	if (delayq->head)
		delayq->tail->next = skb;
	else
		delayq->head = skb;
	delayq->tail = skb;
}

/* Take out the packet that delayq_first() has returned; it goes on to wait for others. */
static void delayq_unlink(struct rf_delayq *delayq, struct sk_buff *skb)
{
	if (likely(skb == delayq->head))
		delayq->head = skb->next;
	else
		delayq_erase_tree(delayq, skb);
}

/* Take out the packet that delayq_first() has returned. */
static void delayq_remove(struct rf_delayq *delayq, struct sk_buff *skb)
{
	delayq_unlink(delayq, skb);
	if (unlikely(rf_skb_cb(skb)->waits))
		waiter_free(delayq, rf_skb_cb(skb)->waiter);
}

static void delayq_set_next(struct rf_delayq *delayq)
{
	const struct sk_buff *first = delayq_first(delayq);

	WRITE_ONCE(delayq->next, first ? rf_skb_cb(first)->release : U64_MAX);
}

/* Begin to wait for other packets; @cb->flow is the flow. */
static void delayq_add_waiter(struct rf_delayq *delayq, struct sk_buff *skb,
			      const struct rf_wait *wait,
			      struct delayq_waiter *waiter)
{
	struct rf_skb_cb *cb = rf_skb_cb(skb);

	waiter->skb = skb;
	waiter->flow = cb->flow;
	waiter->earliest = cb->release;
	waiter->distance = wait->distance;
	waiter->behind = wait->behind;
	rb_add(&waiter->node, &delayq->waiters, waiter_before);
	cb->release = max(cb->release, cb->came + wait->within);
	cb->waits = true;
	cb->waiter = waiter;
}

static int delayq_check_room(const struct rf_delayq *delayq, u32 memory,
			     const struct rf_wait *wait, u64 flow)
{
	if (unlikely(delayq->closed))
		return -ESHUTDOWN;
	if (delayq->count >= DELAYQ_PACKETS ||
	    delayq->memory + memory > DELAYQ_MEMORY ||
	    (wait && !waiter_has_room(delayq, flow)))
		return -ENOBUFS;
	return 0;
}

/*
 * A forwarded packet can refer to its route without a reference, within the RCU
 * section only. The core drops the route of a leaving packet if the netdev
 * doesn't need it.
 */
static void delayq_keep_route(const struct rf_delayq *delayq,
			      struct sk_buff *skb)
{
	if (delayq->direction == RDMAFAULT_DIRECTION_TX &&
	    skb->dev->priv_flags & IFF_XMIT_DST_RELEASE)
		skb_dst_drop(skb);
	else
		skb_dst_force(skb);
}

/**
 * rf_delayq_enqueue - delay a packet
 * @delayq: the queue, which owns the packet on success
 * @skb: the packet; on failure it has lost its socket and perhaps its route
 * @cb: its release time, its flow and what the tracepoints need; copied to skb->cb
 * @wait: what else the packet waits for, or NULL
 *
 * Context: softirq or BH off.
 * Return: 0, -ENOBUFS if the queue is full, -ENOMEM, or -ESHUTDOWN if it is closed.
 */
int rf_delayq_enqueue(struct rf_delayq *delayq, struct sk_buff *skb,
		      const struct rf_skb_cb *cb, const struct rf_wait *wait)
{
	struct delayq_waiter *waiter = NULL;
	u64 release;
	int err;

	if (unlikely(wait)) {
		waiter = kmalloc(sizeof(*waiter), GFP_ATOMIC | __GFP_NOWARN);
		if (!waiter)
			return -ENOMEM;
	}
	/* Calls the socket's destructor, so not under the lock. */
	skb_orphan(skb);
	delayq_keep_route(delayq, skb);
	spin_lock(&delayq->lock);
	err = delayq_check_room(delayq, skb->truesize, wait, cb->flow);
	if (unlikely(err)) {
		spin_unlock(&delayq->lock);
		kfree(waiter);
		return err;
	}
	*rf_skb_cb(skb) = *cb;
	if (unlikely(wait)) {
		delayq_add_waiter(delayq, skb, wait, waiter);
	} else if (!cb->follows) {
		if (cb->keep_order)
			rf_skb_cb(skb)->release = max(cb->release, delayq->latest);
		delayq->latest = max(rf_skb_cb(skb)->release, delayq->latest);
	}
	WRITE_ONCE(delayq->count, delayq->count + 1);
	delayq->bytes += skb->len;
	delayq->memory += skb->truesize;
	delayq_add(delayq, skb);
	release = rf_skb_cb(skb)->release;
	if (release < delayq->next) {
		WRITE_ONCE(delayq->next, release);
		delayq->schedule(delayq->data, release);
	}
	spin_unlock(&delayq->lock);
	return 0;
}

/*
 * A packet of a flow passes: release the packets that wait for it. They follow it at
 * once, before the packets that arrived at the queue after it.
 */
static void delayq_passed(struct rf_delayq *delayq, u64 flow, u32 psn, u64 came,
			  u64 passed, u32 arrival)
{
	struct delayq_waiter *waiter;
	struct rb_node *node, *next;
	struct rf_skb_cb *cb;
	struct sk_buff *skb;
	u64 at;

	for (node = rb_find_first(&flow, &delayq->waiters, waiter_cmp); node;
	     node = next) {
		next = rb_next_match(&flow, node, waiter_cmp);
		waiter = rb_entry(node, struct delayq_waiter, node);
		if (!waiter_is_done(waiter, psn, came))
			continue;
		skb = waiter->skb;
		delayq_erase_tree(delayq, skb);
		cb = rf_skb_cb(skb);
		at = max(waiter->earliest, passed);
		cb->release = min(cb->release, at);
		cb->arrival = arrival;
		waiter_free(delayq, waiter);
		delayq_add_tree(delayq, skb);
	}
}

/**
 * rf_delayq_passed - release the packets that wait for a packet
 * @delayq: the queue
 * @flow: number of the packet's flow; 0 if it is untracked, so nothing waits for it
 * @psn: its PSN
 * @came: when it arrived, in ktime_get_ns()
 *
 * If a number of packets is waited for, only packets that arrived later count.
 *
 * Released packets leave with the next rf_delayq_dequeue_due(), after this packet.
 *
 * Context: softirq or BH off.
 */
void rf_delayq_passed(struct rf_delayq *delayq, u64 flow, u32 psn, u64 came)
{
	const struct sk_buff *first;

	if (!flow)
		return;
	spin_lock(&delayq->lock);
	delayq_passed(delayq, flow, psn, came, ktime_get_ns(), delayq->arrivals++);
	first = delayq_first(delayq);
	if (first && rf_skb_cb(first)->release < delayq->next) {
		WRITE_ONCE(delayq->next, rf_skb_cb(first)->release);
		delayq->schedule(delayq->data, delayq->next);
	}
	spin_unlock(&delayq->lock);
}

static void delayq_trace_release(const struct rf_delayq *delayq,
				 const struct sk_buff *skb, u64 now)
{
	const struct rf_skb_cb *cb = rf_skb_cb(skb);
	const struct rf_label label = rf_skb_cb_label(cb);

	if (!cb->follows)
		trace_rf_release(delayq->dev, delayq->direction, &label, now - cb->came);
	rf_trace_sent(skb, delayq->dev, delayq->direction, cb->seq);
}

/**
 * rf_delayq_dequeue_due - take out packets that are due
 * @delayq: the queue
 * @budget: maximum number of packets
 *
 * The caller sends the packets, then calls rf_delayq_schedule(). Only one caller at a
 * time does so.
 *
 * Context: softirq or BH off.
 * Return: the packets in their order, linked by skb->next, or NULL.
 */
struct sk_buff *rf_delayq_dequeue_due(struct rf_delayq *delayq, u32 budget)
{
	struct sk_buff *skb, *list = NULL, **link = &list;
	const struct rf_skb_cb *cb;
	u64 now, memory = 0;
	u32 n = 0, bytes = 0;

	if (!rf_delayq_count(delayq))
		return NULL;
	now = ktime_get_ns();
	if (rf_delayq_next(delayq) > now)
		return NULL;
	spin_lock(&delayq->lock);
	for (; n < budget && (skb = delayq_first(delayq)); n++) {
		cb = rf_skb_cb(skb);
		if (cb->release > now)
			break;
		delayq_remove(delayq, skb);
		bytes += skb->len;
		memory += skb->truesize;
		if (unlikely(rf_delayq_is_waited(delayq)) && cb->flow)
			delayq_passed(delayq, cb->flow, cb->psn, cb->came, cb->release,
				      cb->arrival);
		*link = skb;
		link = &skb->next;
	}
	*link = NULL;
	DEBUG_NET_WARN_ON_ONCE(delayq->count < n);
	DEBUG_NET_WARN_ON_ONCE(delayq->bytes < bytes || delayq->memory < memory);
	WRITE_ONCE(delayq->count, delayq->count - n);
	delayq->bytes -= bytes;
	delayq->memory -= memory;
	spin_unlock(&delayq->lock);
	if (rf_trace_enabled())
		for (skb = list; skb; skb = skb->next)
			delayq_trace_release(delayq, skb, now);
	return list;
}

/**
 * rf_delayq_schedule - ask for a call of rf_delayq_dequeue_due() for the next packet
 * @delayq: the queue
 *
 * Context: softirq or BH off.
 */
void rf_delayq_schedule(struct rf_delayq *delayq)
{
	if (rf_delayq_next(delayq) == U64_MAX)
		return;
	spin_lock(&delayq->lock);
	delayq_set_next(delayq);
	if (delayq->next != U64_MAX)
		delayq->schedule(delayq->data, delayq->next);
	spin_unlock(&delayq->lock);
}

/* Take out all packets, in their order; the caller changes the counters. */
static struct sk_buff *delayq_take_all(struct rf_delayq *delayq)
{
	struct sk_buff *skb, *head = NULL, *tail = NULL;

	while ((skb = delayq_first(delayq))) {
		delayq_remove(delayq, skb);
		skb->next = NULL;
		if (tail)
			tail->next = skb;
		else
			head = skb;
		tail = skb;
	}
	return head;
}

/**
 * rf_delayq_flush - make all packets due now, in their order
 * @delayq: the queue
 *
 * Context: process or softirq.
 */
void rf_delayq_flush(struct rf_delayq *delayq)
{
	struct sk_buff *skb;
	u64 now;

	spin_lock_bh(&delayq->lock);
	now = ktime_get_ns();
	delayq->latest = now;
	skb = delayq_take_all(delayq);
	delayq->head = skb;
	for (; skb; skb = skb->next) {
		rf_skb_cb(skb)->release = min(rf_skb_cb(skb)->release, now);
		rf_skb_cb(skb)->arrival = delayq->arrivals++;
		delayq->tail = skb;
	}
	delayq_set_next(delayq);
	if (delayq->head)
		delayq->schedule(delayq->data, delayq->next);
	spin_unlock_bh(&delayq->lock);
}

/**
 * rf_delayq_limit - limit the time for which packets stay in the queue
 * @delayq: the queue
 * @max_hold: the time since their arrival, in nanoseconds
 *
 * Packets that have been in the queue for longer are due now.
 *
 * Context: process or softirq.
 */
void rf_delayq_limit(struct rf_delayq *delayq, u64 max_hold)
{
	struct sk_buff *skb, *list = NULL, **link = &list;
	struct rf_skb_cb *cb;

	spin_lock_bh(&delayq->lock);
	while ((skb = delayq_first(delayq))) {
		delayq_unlink(delayq, skb);
		*link = skb;
		link = &skb->next;
	}
	*link = NULL;
	while ((skb = list)) {
		list = skb->next;
		cb = rf_skb_cb(skb);
		cb->release = min(cb->release, cb->came + max_hold);
		if (cb->waits)
			cb->waiter->earliest = min(cb->waiter->earliest, cb->release);
		delayq_add_tree(delayq, skb);
	}
	delayq->latest = min(delayq->latest, ktime_get_ns() + max_hold);
	delayq_set_next(delayq);
	if (delayq->next != U64_MAX)
		delayq->schedule(delayq->data, delayq->next);
	spin_unlock_bh(&delayq->lock);
}

/**
 * rf_delayq_purge - free all packets
 * @delayq: the queue
 *
 * Context: process or softirq.
 * Return: the number of packets.
 */
u32 rf_delayq_purge(struct rf_delayq *delayq)
{
	struct sk_buff *list;
	u32 count;

	spin_lock_bh(&delayq->lock);
	list = delayq_take_all(delayq);
	count = delayq->count;
	WRITE_ONCE(delayq->count, 0);
	delayq->bytes = 0;
	delayq->memory = 0;
	WRITE_ONCE(delayq->next, U64_MAX);
	delayq->latest = 0;
	spin_unlock_bh(&delayq->lock);
	kfree_skb_list(list);
	return count;
}

/**
 * rf_delayq_close - accept no packets from now on
 * @delayq: the queue; when it is empty, it does not call ->schedule() any more
 *
 * Context: process or softirq.
 */
void rf_delayq_close(struct rf_delayq *delayq)
{
	spin_lock_bh(&delayq->lock);
	delayq->closed = true;
	spin_unlock_bh(&delayq->lock);
}

/**
 * rf_delayq_init - set up an empty queue
 * @delayq: the queue; its user sets @schedule and @data before the first packet
 * @dev: the netdev of its packets
 * @direction: RDMAFAULT_DIRECTION_*
 *
 * Context: process.
 */
void rf_delayq_init(struct rf_delayq *delayq, struct net_device *dev, u32 direction)
{
	delayq->dev = dev;
	delayq->direction = direction;
	spin_lock_init(&delayq->lock);
	delayq->tree = RB_ROOT_CACHED;
	delayq->waiters = RB_ROOT;
	delayq->next = U64_MAX;
}
