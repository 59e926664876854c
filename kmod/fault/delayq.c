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
 * with rf_hold_pop(), asks with rf_hold_kick() when there will be more, and is
 * told by its kick.
 */
#include <linux/ktime.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/net_debug.h>

#include "../rocev2/bth.h"
#include "delayq.h"
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

static struct held *first(const struct rf_hold *hold)
{
	return rb_entry_safe(rb_first_cached(&hold->tree), struct held, node);
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
static struct held *first_waiter(const struct rf_hold *hold, u64 flow)
{
	return waiter_entry(rb_find_first(&flow, &hold->waiters, flow_cmp),
			    flow);
}

static struct held *next_waiter(struct held *held)
{
	return waiter_entry(rb_next(&held->waiter), held->parking.flow);
}

static bool has_waiter_room(const struct rf_hold *hold, u64 flow)
{
	struct held *held;
	u32 n = 0;

	for (held = first_waiter(hold, flow); held; held = next_waiter(held))
		n++;
	return n < FLOW_WAITERS;
}

/* It waits for its time only. */
static void stop_waiting(struct rf_hold *hold, struct held *held)
{
	if (RB_EMPTY_NODE(&held->waiter))
		return;
	rb_erase(&held->waiter, &hold->waiters);
	RB_CLEAR_NODE(&held->waiter);
}

/* Among those of its time it counts as the last that has arrived. */
static void insert(struct rf_hold *hold, struct held *held)
{
	held->arrival = hold->arrivals++;
	if (rb_add_cached(&held->node, &hold->tree, held_before)) {
		WRITE_ONCE(hold->next, held->release);
		hold->kick(hold->side, held->release);
	}
}

static void erase(struct rf_hold *hold, struct held *held)
{
	const struct held *next;

	rb_erase_cached(&held->node, &hold->tree);
	next = first(hold);
	WRITE_ONCE(hold->next, next ? next->release : U64_MAX);
}

static void take(struct rf_hold *hold, struct held *held)
{
	erase(hold, held);
	stop_waiting(hold, held);
	DEBUG_NET_WARN_ON_ONCE(!hold->count);
	DEBUG_NET_WARN_ON_ONCE(hold->bytes < held->parking.skb->len);
	WRITE_ONCE(hold->count, hold->count - 1);
	hold->bytes -= held->parking.skb->len;
}

/* One that was left lately, so that a steady stream needs no allocator. */
static struct held *held_alloc(struct rf_hold *hold)
{
	struct held *held = list_first_entry_or_null(&hold->spare, struct held,
						     spare);

	if (!held)
		return kmalloc(sizeof(*held), GFP_ATOMIC | __GFP_NOWARN);
	list_del(&held->spare);
	hold->spares--;
	return held;
}

static void held_free(struct rf_hold *hold, struct held *held)
{
	if (hold->spares >= SPARES_MAX) {
		kfree(held);
		return;
	}
	list_add(&held->spare, &hold->spare);
	hold->spares++;
}

static void set_time(struct rf_hold *hold, struct held *held)
{
	struct rf_parking *parking = &held->parking;
	u64 now = parking->came;

	held->earliest = now + parking->delay;
	held->release = held->earliest;
	if (parking->wait.asked) {
		held->release = max(held->release, now + parking->wait.within);
	} else {
		if (parking->keep_order)
			held->release = max(held->release, hold->latest);
		hold->latest = max(held->release, hold->latest);
	}
	WRITE_ONCE(hold->count, hold->count + 1);
	hold->bytes += parking->skb->len;
	insert(hold, held);
	if (parking->wait.asked)
		rb_add(&held->waiter, &hold->waiters, waiter_before);
}

static int put(struct rf_hold *hold, const struct rf_parking *parking)
{
	struct held *held = held_alloc(hold);

	if (!held)
		return -ENOMEM;
	held->parking = *parking;
	RB_CLEAR_NODE(&held->waiter);
	set_time(hold, held);
	return 0;
}

static bool has_room(const struct rf_hold *hold,
		     const struct rf_parking *parking)
{
	return hold->count < HOLD_PACKETS &&
	       hold->bytes + parking->skb->len <= HOLD_BYTES &&
	       (!parking->wait.asked || has_waiter_room(hold, parking->flow));
}

/**
 * rf_hold_park - hold a packet
 * @hold: the hold, which owns the packet after success
 * @parking: the packet, and until when
 *
 * Context: softirq or BH off.
 * Return: 0; -ENOBUFS if there is no room; -ENOMEM; -ESHUTDOWN if the port is
 * about to end.
 */
int rf_hold_park(struct rf_hold *hold, const struct rf_parking *parking)
{
	int err;

	/*
	 * This runs code of the packet's socket, so not under our lock. A packet
	 * that isn't held after all goes on without its socket, or is dropped.
	 */
	skb_orphan(parking->skb);
	spin_lock(&hold->lock);
	if (hold->closed)
		err = -ESHUTDOWN;
	else if (!has_room(hold, parking))
		err = -ENOBUFS;
	else
		err = put(hold, parking);
	spin_unlock(&hold->lock);
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
 * rf_hold_passed - a packet goes on; let go those that wait for it
 * @hold: the hold
 * @flow: number of the packet's flow; 0 if it isn't tracked: no packet waits for
 *	it then
 * @psn: its PSN
 * @came: when it came, in ktime_get_ns()
 *
 * Only those that came later count where a number of them is waited for.
 *
 * What is let go leaves with the next rf_hold_pop(), behind the packet.
 *
 * Context: softirq or BH off.
 */
void rf_hold_passed(struct rf_hold *hold, u64 flow, u32 psn, u64 came)
{
	struct held *held, *next;
	u64 now = ktime_get_ns();

	if (!flow)
		return;
	spin_lock(&hold->lock);
	for (held = first_waiter(hold, flow); held; held = next) {
		next = next_waiter(held);
		if (!is_waited_for(&held->parking, psn, came))
			continue;
		stop_waiting(hold, held);
		erase(hold, held);
		held->release = max(held->earliest, now);
		insert(hold, held);
	}
	spin_unlock(&hold->lock);
}

static bool pop(struct rf_hold *hold, struct rf_parking *parking, u64 now)
{
	struct held *held;
	bool due;

	spin_lock(&hold->lock);
	held = first(hold);
	due = held && held->release <= now;
	if (due) {
		take(hold, held);
		*parking = held->parking;
		held_free(hold, held);
	}
	spin_unlock(&hold->lock);
	return due;
}

static void tell(const struct rf_hold *hold, const struct rf_parking *parking)
{
	if (trace_rf_release_enabled())
		trace_rf_release(hold->side, &parking->label,
				 ktime_get_ns() - parking->came);
}

/**
 * rf_hold_pop - take out a packet that is due
 * @hold: the hold
 *
 * Nobody is told when the next one will be due: that is for rf_hold_kick(), when
 * those that are due have been sent on their way, as it takes its time.
 *
 * Context: softirq or BH off.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_hold_pop(struct rf_hold *hold)
{
	struct rf_parking parking __uninitialized;
	u64 now;

	if (!rf_hold_count(hold))
		return NULL;
	now = ktime_get_ns();
	if (rf_hold_next(hold) > now || !pop(hold, &parking, now))
		return NULL;
	tell(hold, &parking);
	if (!parking.wait.asked && !parking.is_copy && rf_hold_is_waited(hold))
		rf_hold_passed(hold, parking.flow, parking.label.psn,
			       parking.came);
	return parking.skb;
}

/**
 * rf_hold_kick - ask for another rf_hold_pop() when the next packet is due
 * @hold: the hold
 *
 * Context: softirq or BH off.
 */
void rf_hold_kick(struct rf_hold *hold)
{
	if (!rf_hold_count(hold))
		return;
	spin_lock(&hold->lock);
	if (hold->next != U64_MAX)
		hold->kick(hold->side, hold->next);
	spin_unlock(&hold->lock);
}

/**
 * rf_hold_let_go - let all packets go now
 * @hold: the hold
 *
 * Context: process or softirq.
 */
void rf_hold_let_go(struct rf_hold *hold)
{
	struct rb_node *node;
	struct held *held;
	u64 now;

	spin_lock_bh(&hold->lock);
	now = ktime_get_ns();
	/* Their order is kept, so the tree needs no other shape. */
	for (node = rb_first_cached(&hold->tree); node; node = rb_next(node)) {
		held = rb_entry(node, struct held, node);
		RB_CLEAR_NODE(&held->waiter);
		held->release = min(held->release, now);
		held->arrival = hold->arrivals++;
	}
	hold->waiters = RB_ROOT;
	hold->latest = now;
	if (hold->count) {
		WRITE_ONCE(hold->next, min(hold->next, now));
		hold->kick(hold->side, now);
	}
	spin_unlock_bh(&hold->lock);
}

static void purge(struct rf_hold *hold, bool close)
{
	struct held *held, *next;
	LIST_HEAD(spare);
	struct rb_root all;

	spin_lock_bh(&hold->lock);
	list_splice_init(&hold->spare, &spare);
	hold->spares = 0;
	all = hold->tree.rb_root;
	hold->tree = RB_ROOT_CACHED;
	hold->waiters = RB_ROOT;
	WRITE_ONCE(hold->count, 0);
	WRITE_ONCE(hold->next, U64_MAX);
	hold->bytes = 0;
	hold->latest = 0;
	hold->closed |= close;
	spin_unlock_bh(&hold->lock);

	rbtree_postorder_for_each_entry_safe(held, next, &all, node) {
		kfree_skb(held->parking.skb);
		kfree(held);
	}
	list_for_each_entry_safe(held, next, &spare, spare)
		kfree(held);
}

/**
 * rf_hold_purge - free all packets
 * @hold: the hold
 *
 * Context: process or softirq.
 */
void rf_hold_purge(struct rf_hold *hold)
{
	purge(hold, false);
}

/**
 * rf_hold_close - free all packets and take no more; its kick comes no more
 * @hold: the hold
 *
 * Context: process or softirq.
 */
void rf_hold_close(struct rf_hold *hold)
{
	purge(hold, true);
}

/**
 * rf_hold_init - an empty hold
 * @hold: the hold; its user sets the kick before the first packet
 * @side: the direction
 *
 * Context: process.
 */
void rf_hold_init(struct rf_hold *hold, struct rf_side *side)
{
	hold->side = side;
	spin_lock_init(&hold->lock);
	hold->tree = RB_ROOT_CACHED;
	hold->next = U64_MAX;
	hold->waiters = RB_ROOT;
	INIT_LIST_HEAD(&hold->spare);
}
