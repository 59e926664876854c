/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_DELAYQ_H
#define RF_FAULT_DELAYQ_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>

#include "fault.h"
#include "../trace.h"

struct held;

/**
 * struct rf_delayq - where packets of one direction wait
 * @lock: of all that is below; innermost, taken with BH off
 * @tree: the packets, by the time of their release and then by arrival
 * @waiters: those of them that wait for others too, by flow and then by arrival
 * @next: when the first of them is due, U64_MAX if there is none
 * @spare: what the last packets that left were kept in
 * @spares: how many of these there are
 * @count: how many packets there are
 * @bytes: and their bytes
 * @arrivals: counts all that came
 * @latest: of the releases so far, but for packets that wait for others
 * @closed: takes none any more
 * @dir: the direction
 * @schedule: asks that rf_delayq_dequeue() be called at a time, in ktime_get_ns()
 */
struct rf_delayq {
	spinlock_t lock;
	struct rb_root_cached tree;
	struct rb_root waiters;
	u64 next;
	struct list_head spare;
	u32 spares;
	u32 count;
	u64 bytes;
	u64 arrivals;
	u64 latest;
	bool closed;
	struct rf_dir *dir;
	void (*schedule)(struct rf_dir *dir, u64 ns);
};

/**
 * struct rf_parking - a packet that is to be held, and until when
 * @skb: the packet
 * @label: what is told of it
 * @flow: number of its flow, 0 if that isn't tracked
 * @came: when it came, in ktime_get_ns()
 * @delay: nanoseconds that it is held at least
 * @keep_order: it is not let go before those that came before it
 * @is_copy: it is no packet that others wait for
 * @wait: what it waits for beside its time
 */
struct rf_parking {
	struct sk_buff *skb;
	struct rf_label label;
	u64 flow;
	u64 came;
	u64 delay;
	bool keep_order;
	bool is_copy;
	struct rf_wait wait;
};

/* Process context */
void rf_delayq_init(struct rf_delayq *delayq, struct rf_dir *dir);
void rf_delayq_purge(struct rf_delayq *delayq);
void rf_delayq_close(struct rf_delayq *delayq);
void rf_delayq_flush(struct rf_delayq *delayq);

/* Softirq or BH off */
int rf_delayq_enqueue(struct rf_delayq *delayq, const struct rf_parking *parking);
struct sk_buff *rf_delayq_dequeue(struct rf_delayq *delayq);
void rf_delayq_schedule(struct rf_delayq *delayq);
void rf_delayq_passed(struct rf_delayq *delayq, u64 flow, u32 psn, u64 came);

/**
 * rf_delayq_is_waited - does a held packet wait for others to pass?
 * @delayq: the hold
 *
 * Context: any; a moment later it may not.
 * Return: true if one does.
 */
static inline bool rf_delayq_is_waited(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->waiters.rb_node);
}

/**
 * rf_delayq_next - when the next packet is due
 * @delayq: the hold
 *
 * Context: any; a moment later it may be otherwise.
 * Return: the time in ktime_get_ns(); U64_MAX if there is none.
 */
static inline u64 rf_delayq_next(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->next);
}

/**
 * rf_delayq_count - how many packets are held
 * @delayq: the hold
 *
 * Context: any; the number may be old when it arrives.
 * Return: the number.
 */
static inline u32 rf_delayq_count(const struct rf_delayq *delayq)
{
	return READ_ONCE(delayq->count);
}

#endif
