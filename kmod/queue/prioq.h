/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_PRIOQ_H
#define RF_QUEUE_PRIOQ_H

#include <net/sch_generic.h>

#include "prio_stats.h"
#include "sched.h"

struct rf_account;
struct rf_port;

/**
 * struct rf_prioq - the queues of a port
 * @fifo: the queue of each band
 * @stats: the counters of each band
 * @resumed: when the last pause of each priority ended
 * @dwrr: state of the ETS priorities
 * @expiry: no packet expires before this time; only set while packets are queued
 * @max_hold: the port's max-hold that @expiry was computed with
 * @waiting: bit n if band n has packets
 * @paused: bit n if priority n was paused at the last dequeue
 * @hoq_expired: bit n if the last packet that left band n had expired
 *
 * Protected by the lock of the port's qdisc. @waiting and the backlog in @stats
 * are also read without it.
 */
struct rf_prioq {
	struct qdisc_skb_head fifo[RF_BANDS];
	struct rf_prio_stats stats[RF_BANDS];
	u64 resumed[RF_BANDS];
	struct rf_dwrr dwrr;
	u64 expiry;
	u64 max_hold;
	u32 waiting;
	u32 paused;
	u32 hoq_expired;
};

bool rf_prioq_has_room(struct rf_prioq *q, const struct rf_conf *conf,
		       u32 band, u32 bytes);
bool rf_prioq_hoq_expired(struct rf_port *port, const struct sk_buff *skb,
		       u32 band);
void rf_prioq_enqueue(struct rf_prioq *q, struct sk_buff *skb, u32 band, u64 now,
		  struct rf_account *account);
void rf_prioq_set_mark(struct sk_buff *skb, u32 mark);
u32 rf_prioq_mark(const struct sk_buff *skb);
void rf_prioq_pause(struct rf_prioq *q, u32 paused, u64 now);
u64 rf_prioq_eligible(const struct rf_prioq *q, u32 band);
void rf_prioq_ready(const struct rf_prioq *q, struct rf_ready *ready);
struct sk_buff *rf_prioq_dequeue(struct rf_prioq *q, u32 band);
u64 rf_prioq_expire(struct rf_port *port, u64 now);
void rf_prioq_purge(struct rf_prioq *q);
void rf_prioq_reset_stats(struct rf_prioq *q);

/**
 * rf_prioq_is_idle - check if a dequeue has nothing to do
 * @q: the queues
 *
 * Context: the lock of the qdisc held.
 * Return: true if no packet is queued, and no priority was paused at the last
 * dequeue.
 */
static inline bool rf_prioq_is_idle(const struct rf_prioq *q)
{
	return !(q->waiting | q->paused);
}

#endif
