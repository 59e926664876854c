// SPDX-License-Identifier: GPL-2.0
/*
 * The parking place of one direction of a port. Packets leave it in the order
 * of their times; those of one time leave in the order of their arrival, so a
 * constant delay reorders nothing.
 *
 * A packet may also wait for others of its flow to pass. Then its time is the
 * latest that it waits, and when the others have passed it is moved forward.
 *
 * A held packet no longer counts as its socket's, as on a wire: rxe would stop
 * its queue pair after 64 packets, and free the pair after 50 seconds whatever
 * we hold (see sch_netem.c, which does the same).
 *
 * The hold owns neither clock nor hook. Whoever uses it takes out what is due
 * with rf_delayq_dequeue(), asks with rf_delayq_schedule() when there will be more, and is
 * told by its kick.
 */
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/dst.h>
#include <net/net_debug.h>

#include "../rocev2/bth.h"
#include "delayq.h"
#include "../rule/ruleset.h"
#include "../trace.h"

/* Of one direction: rxe has 64 packets in flight per queue pair. */
#define HOLD_PACKETS	16384
#define HOLD_BYTES	(64ULL << 20)
/*
 * A passing packet is compared with the waiting packets of its flow. rxe has at
 * most 128 packets of a queue pair without an acknowledgment.
 */
#define FLOW_WAITERS	256
/* As many as a few queue pairs have in flight; some 50 KiB. */
#define SPARES_MAX	256

/**
 * struct held - a packet in the hold
 * @node: in the tree
 * @waiter: in the tree of those that wait for others, or empty
 * @spare: on the list of spares
 * @release: when it leaves
 * @earliest: when it may leave if those that it waits for have passed
 * @arrival: its number, which decides between packets of one time
 * @parking: the packet
 */
struct held {
	struct rb_node node;
	union {
		struct rb_node waiter;
		struct list_head spare;
	};
	u64 release;
	u64 earliest;
	u64 arrival;
	struct rf_parking parking;
};

static bool held_before(struct rb_node *a, const struct rb_node *b)
{
	const struct held *x = rb_entry(a, struct held, node);
	const struct held *y = rb_entry(b, struct held, node);

	if (x->release != y->release)
		return x->release < y->release;
	return x->arrival < y->arrival;
}

static struct held *first(const struct rf_delayq *delayq)
{
	return rb_entry_safe(rb_first_cached(&delayq->tree), struct held, node);
}

static bool waiter_before(struct rb_node *a, const struct rb_node *b)
{
	const struct held *x = rb_entry(a, struct held, waiter);
	const struct held *y = rb_entry(b, struct held, waiter);

	if (x->parking.flow != y->parking.flow)
		return x->parking.flow < y->parking.flow;
	return x->arrival < y->arrival;
}

static int flow_cmp(const void *flow, const struct rb_node *node)
{
	const struct held *held = rb_entry(node, struct held, waiter);

	if (*(const u64 *)flow == held->parking.flow)
		return 0;
	return *(const u64 *)flow < held->parking.flow ? -1 : 1;
}

static struct held *waiter_entry(struct rb_node *node, u64 flow)
{
	struct held *held = rb_entry_safe(node, struct held, waiter);

	return held && held->parking.flow == flow ? held : NULL;
}

/* The packet of a flow that has waited for others the longest, or NULL. */
static struct held *first_waiter(const struct rf_delayq *delayq, u64 flow)
{
	return waiter_entry(rb_find_first(&flow, &delayq->waiters, flow_cmp),
			    flow);
}

static struct held *next_waiter(struct held *held)
{
	return waiter_entry(rb_next(&held->waiter), held->parking.flow);
}

static bool has_waiter_room(const struct rf_delayq *delayq, u64 flow)
{
	struct held *held;
	u32 n = 0;

	for (held = first_waiter(delayq, flow); held; held = next_waiter(held))
		n++;
	return n < FLOW_WAITERS;
}

/* It waits for its time only. */
static void stop_waiting(struct rf_delayq *delayq, struct held *held)
{
	if (RB_EMPTY_NODE(&held->waiter))
		return;
	rb_erase(&held->waiter, &delayq->waiters);
	RB_CLEAR_NODE(&held->waiter);
}

/* Among those of its time it counts as the last that has arrived. */
static void insert(struct rf_delayq *delayq, struct held *held)
{
	held->arrival = delayq->arrivals++;
	if (rb_add_cached(&held->node, &delayq->tree, held_before)) {
		WRITE_ONCE(delayq->next, held->release);
		delayq->schedule(delayq->dir, held->release);
	}
}

static void erase(struct rf_delayq *delayq, struct held *held)
{
	const struct held *next;

	rb_erase_cached(&held->node, &delayq->tree);
	next = first(delayq);
	WRITE_ONCE(delayq->next, next ? next->release : U64_MAX);
}

static void take(struct rf_delayq *delayq, struct held *held)
{
	erase(delayq, held);
	stop_waiting(delayq, held);
	DEBUG_NET_WARN_ON_ONCE(!delayq->count);
	DEBUG_NET_WARN_ON_ONCE(delayq->bytes < held->parking.skb->len);
	WRITE_ONCE(delayq->count, delayq->count - 1);
	delayq->bytes -= held->parking.skb->len;
}

/* One that was left lately, so that a steady stream needs no allocator. */
static struct held *held_alloc(struct rf_delayq *delayq)
{
	struct held *held = list_first_entry_or_null(&delayq->spare, struct held,
						     spare);

	if (!held)
		return kmalloc(sizeof(*held), GFP_ATOMIC | __GFP_NOWARN);
	list_del(&held->spare);
	delayq->spares--;
	return held;
}

static void held_free(struct rf_delayq *delayq, struct held *held)
{
	if (delayq->spares >= SPARES_MAX) {
		kfree(held);
		return;
	}
	list_add(&held->spare, &delayq->spare);
	delayq->spares++;
}

static void set_time(struct rf_delayq *delayq, struct held *held)
{
	struct rf_parking *parking = &held->parking;
	u64 now = parking->came;

	held->earliest = now + parking->delay;
	held->release = held->earliest;
	if (parking->wait.asked) {
		held->release = max(held->release, now + parking->wait.within);
	} else {
		if (parking->keep_order)
			held->release = max(held->release, delayq->latest);
		delayq->latest = max(held->release, delayq->latest);
	}
	WRITE_ONCE(delayq->count, delayq->count + 1);
	delayq->bytes += parking->skb->len;
	insert(delayq, held);
	if (parking->wait.asked)
		rb_add(&held->waiter, &delayq->waiters, waiter_before);
}

static int put(struct rf_delayq *delayq, const struct rf_parking *parking)
{
	struct held *held = held_alloc(delayq);

	if (!held)
		return -ENOMEM;
	held->parking = *parking;
	RB_CLEAR_NODE(&held->waiter);
	set_time(delayq, held);
	return 0;
}

/*
 * A forwarded packet can refer to its route without a reference, within the RCU
 * section only. The core drops the route of a leaving packet if the netdev
 * doesn't need it.
 */
static void keep_route(const struct rf_delayq *delayq, struct sk_buff *skb)
{
	if (delayq->dir->direction == RDMAFAULT_DIRECTION_TX &&
	    skb->dev->priv_flags & IFF_XMIT_DST_RELEASE)
		skb_dst_drop(skb);
	else
		skb_dst_force(skb);
}

static bool has_room(const struct rf_delayq *delayq,
		     const struct rf_parking *parking)
{
	return delayq->count < HOLD_PACKETS &&
	       delayq->bytes + parking->skb->len <= HOLD_BYTES &&
	       (!parking->wait.asked || has_waiter_room(delayq, parking->flow));
}

/**
 * rf_delayq_enqueue - hold a packet
 * @delayq: the hold, which owns the packet after success
 * @parking: the packet, and until when
 *
 * Context: softirq or BH off.
 * Return: 0; -ENOBUFS if there is no room; -ENOMEM; -ESHUTDOWN if the port is
 * about to end.
 */
int rf_delayq_enqueue(struct rf_delayq *delayq, const struct rf_parking *parking)
{
	int err;

	/*
	 * This runs code of the packet's socket, so not under our lock. A packet
	 * that isn't held after all goes on without its socket, or is dropped.
	 */
	skb_orphan(parking->skb);
	keep_route(delayq, parking->skb);
	spin_lock(&delayq->lock);
	if (delayq->closed)
		err = -ESHUTDOWN;
	else if (!has_room(delayq, parking))
		err = -ENOBUFS;
	else
		err = put(delayq, parking);
	spin_unlock(&delayq->lock);
	return err;
}

static bool is_waited_for(struct rf_parking *parking, u32 psn, u64 came)
{
	struct rf_wait *wait = &parking->wait;

	if (wait->distance)
		return came >= parking->came && !--wait->distance;
	/* The named one or, should it be lost, one behind it. */
	return ((psn - wait->behind) & RF_PSN_MASK) <= RF_PSN_MASK / 2;
}

/**
 * rf_delayq_passed - a packet goes on; let go those that wait for it
 * @delayq: the hold
 * @flow: number of the packet's flow; 0 if it isn't tracked: no packet waits for
 *	it then
 * @psn: its PSN
 * @came: when it came, in ktime_get_ns()
 *
 * Only those that came later count where a number of them is waited for.
 *
 * What is let go leaves with the next rf_delayq_dequeue(), behind the packet.
 *
 * Context: softirq or BH off.
 */
void rf_delayq_passed(struct rf_delayq *delayq, u64 flow, u32 psn, u64 came)
{
	struct held *held, *next;
	u64 now = ktime_get_ns();

	if (!flow)
		return;
	spin_lock(&delayq->lock);
	for (held = first_waiter(delayq, flow); held; held = next) {
		next = next_waiter(held);
		if (!is_waited_for(&held->parking, psn, came))
			continue;
		stop_waiting(delayq, held);
		erase(delayq, held);
		held->release = max(held->earliest, now);
		insert(delayq, held);
	}
	spin_unlock(&delayq->lock);
}

static bool pop(struct rf_delayq *delayq, struct rf_parking *parking, u64 now)
{
	struct held *held;
	bool due;

	spin_lock(&delayq->lock);
	held = first(delayq);
	due = held && held->release <= now;
	if (due) {
		take(delayq, held);
		*parking = held->parking;
		held_free(delayq, held);
	}
	spin_unlock(&delayq->lock);
	return due;
}

static void tell(const struct rf_delayq *delayq, const struct rf_parking *parking)
{
	if (trace_rf_release_enabled())
		trace_rf_release(delayq->dir, &parking->label,
				 ktime_get_ns() - parking->came);
}

/**
 * rf_delayq_dequeue - take out a packet that is due
 * @delayq: the hold
 *
 * Nobody is told when the next one will be due: that is for rf_delayq_schedule(), when
 * those that are due have been sent on their way, as it takes its time.
 *
 * Context: softirq or BH off.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_delayq_dequeue(struct rf_delayq *delayq)
{
	struct rf_parking parking __uninitialized;
	u64 now;

	if (!rf_delayq_count(delayq))
		return NULL;
	now = ktime_get_ns();
	if (rf_delayq_next(delayq) > now || !pop(delayq, &parking, now))
		return NULL;
	tell(delayq, &parking);
	if (!parking.wait.asked && !parking.is_copy && rf_delayq_is_waited(delayq))
		rf_delayq_passed(delayq, parking.flow, parking.label.psn,
			       parking.came);
	return parking.skb;
}

/**
 * rf_delayq_schedule - ask for another rf_delayq_dequeue() when the next packet is due
 * @delayq: the hold
 *
 * Context: softirq or BH off.
 */
void rf_delayq_schedule(struct rf_delayq *delayq)
{
	if (!rf_delayq_count(delayq))
		return;
	spin_lock(&delayq->lock);
	if (delayq->next != U64_MAX)
		delayq->schedule(delayq->dir, delayq->next);
	spin_unlock(&delayq->lock);
}

/**
 * rf_delayq_flush - let all packets go now
 * @delayq: the hold
 *
 * Context: process or softirq.
 */
void rf_delayq_flush(struct rf_delayq *delayq)
{
	struct rb_node *node;
	struct held *held;
	u64 now;

	spin_lock_bh(&delayq->lock);
	now = ktime_get_ns();
	/* Their order is kept, so the tree needs no other shape. */
	for (node = rb_first_cached(&delayq->tree); node; node = rb_next(node)) {
		held = rb_entry(node, struct held, node);
		RB_CLEAR_NODE(&held->waiter);
		held->release = min(held->release, now);
		held->arrival = delayq->arrivals++;
	}
	delayq->waiters = RB_ROOT;
	delayq->latest = now;
	if (delayq->count) {
		WRITE_ONCE(delayq->next, min(delayq->next, now));
		delayq->schedule(delayq->dir, now);
	}
	spin_unlock_bh(&delayq->lock);
}

static void purge(struct rf_delayq *delayq, bool close)
{
	struct held *held, *next;
	LIST_HEAD(spare);
	struct rb_root all;

	spin_lock_bh(&delayq->lock);
	list_splice_init(&delayq->spare, &spare);
	delayq->spares = 0;
	all = delayq->tree.rb_root;
	delayq->tree = RB_ROOT_CACHED;
	delayq->waiters = RB_ROOT;
	WRITE_ONCE(delayq->count, 0);
	WRITE_ONCE(delayq->next, U64_MAX);
	delayq->bytes = 0;
	delayq->latest = 0;
	delayq->closed |= close;
	spin_unlock_bh(&delayq->lock);

	rbtree_postorder_for_each_entry_safe(held, next, &all, node) {
		kfree_skb(held->parking.skb);
		kfree(held);
	}
	list_for_each_entry_safe(held, next, &spare, spare)
		kfree(held);
}

/**
 * rf_delayq_purge - free all packets
 * @delayq: the hold
 *
 * Context: process or softirq.
 */
void rf_delayq_purge(struct rf_delayq *delayq)
{
	purge(delayq, false);
}

/**
 * rf_delayq_close - free all packets and take no more; its kick comes no more
 * @delayq: the hold
 *
 * Context: process or softirq.
 */
void rf_delayq_close(struct rf_delayq *delayq)
{
	purge(delayq, true);
}

/**
 * rf_delayq_init - an empty hold
 * @delayq: the hold; its user sets the kick before the first packet
 * @dir: the direction
 *
 * Context: process.
 */
void rf_delayq_init(struct rf_delayq *delayq, struct rf_dir *dir)
{
	delayq->dir = dir;
	spin_lock_init(&delayq->lock);
	delayq->tree = RB_ROOT_CACHED;
	delayq->next = U64_MAX;
	delayq->waiters = RB_ROOT;
	INIT_LIST_HEAD(&delayq->spare);
}
