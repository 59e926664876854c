/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_PRIOQ_H
#define RF_QUEUE_PRIOQ_H

#include <net/sch_generic.h>

#include "prio_stats.h"
#include "sched.h"

struct rf_account;
struct rf_port;

/**
 * struct rf_prioq - where packets wait to leave
 * @fifo: a queue per priority, and the control band
 * @stats: their counters, read without the lock by the watchdog
 * @resumed: when a queue was last found not paused that had been
 * @service: whose turn it is
 * @expiry: no packet has waited for @max_hold before this time; U64_MAX if no
 *	packet waits
 * @max_hold: the port's max-hold that @expiry was computed with
 * @waiting: bit n if queue n has packets
 * @paused: bit n if priority n was paused when we looked last
 * @stuck: bit n if the last that left queue n had waited too long
 *
 * Under the lock of the port's qdisc.
 */
struct rf_prioq {
	struct qdisc_skb_head fifo[RF_BANDS];
	struct rf_prio_stats stats[RF_BANDS];
	u64 resumed[RF_BANDS];
	struct rf_service service;
	u64 expiry;
	u64 max_hold;
	u32 waiting;
	u32 paused;
	u32 stuck;
};

bool rf_prioq_has_room(struct rf_prioq *q, const struct rf_conf *conf,
		       u32 band, u32 bytes);
bool rf_prioq_is_stuck(struct rf_port *port, const struct sk_buff *skb,
		       u32 band);
void rf_prioq_add(struct rf_prioq *q, struct sk_buff *skb, u32 band, u64 now,
		  struct rf_account *from);
void rf_prioq_note(struct sk_buff *skb, u32 note);
u32 rf_prioq_noted(const struct sk_buff *skb);
void rf_prioq_pause(struct rf_prioq *q, u32 paused, u64 now);
u64 rf_prioq_since(const struct rf_prioq *q, u32 band);
void rf_prioq_heads(const struct rf_prioq *q, struct rf_heads *heads);
struct sk_buff *rf_prioq_take(struct rf_prioq *q, u32 band);
u64 rf_prioq_tidy(struct rf_port *port, u64 now);
void rf_prioq_purge(struct rf_prioq *q);
void rf_prioq_reset_stats(struct rf_prioq *q);

/**
 * rf_prioq_is_idle - is there nothing to look at?
 * @q: the queues
 *
 * Context: the lock of the qdisc held.
 * Return: true if nothing waits, and no priority was paused when we looked last.
 */
static inline bool rf_prioq_is_idle(const struct rf_prioq *q)
{
	return !(q->waiting | q->paused);
}

#endif
