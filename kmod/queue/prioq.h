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
 * @passing: a packet that was not queued, and that the next dequeue returns
 * @kicks: number of kicks of the port; written without the lock
 * @settled_kicks: @kicks at the last dequeue
 * @settled: the last dequeue set the timer for the next one
 * @link_busy: at the last dequeue, packets could be sent but the link was busy
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
	struct sk_buff *passing;
	u32 kicks;
	u32 settled_kicks;
	bool settled;
	bool link_busy;
};

void rf_prioq_reset_stats(struct rf_prioq *q);

#endif
