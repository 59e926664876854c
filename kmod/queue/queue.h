/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_QUEUE_H
#define RF_QUEUE_QUEUE_H

#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <net/pkt_sched.h>

#include "../dir.h"
#include "../pfc/pfc.h"
#include "pacer.h"
#include "sched.h"

struct rf_port;
struct rf_stats;

/**
 * struct rf_band - one queue of a port
 * @fifo: the packets
 * @local: the first local packet, or NULL
 * @last_local: the last local packet, if there is one
 * @resumed: when the last pause ended
 * @ecn: the state of the ECN profile
 * @stats: the counters; the queues use the members up to ecn_queue
 */
struct rf_band {
	struct sk_buff_head fifo;
	struct sk_buff *local;
	struct sk_buff *last_local;
	u64 resumed;
	struct rf_ecn_state ecn;
	struct rf_prio_stats stats;
};

/**
 * struct rf_prioq - the queues of a port
 * @port: the port
 * @sch: the qdisc of the port
 * @dev: its netdev
 * @tx: counters of the tx direction of the port
 * @pfc: priority-based flow control
 * @conf: the configuration, changed by the port
 * @np: the notification point of DCQCN, NULL without DCQCN; under rf_ports_lock
 * @bypass_lock: protects the functions and the flags of @sch, which say whether
 *	packets go through the qdisc; taken in hard interrupts, too
 * @tap: what the hooks of the port call
 * @hooked: the configuration needs the hook of a direction; under rf_ports_lock
 * @pass_end: work of the port, queued when packets begin to go through the qdisc, so
 *	that rf_prioq_pass() is not needed any more
 * @rcu: frees the queues after the hooks that still run
 * @changes: number of changes that can make packets leave; written under
 *	@bypass_lock, after the change
 * @pacer: the flows whose rates CNPs have limited, NULL if CNPs are not obeyed; changed
 *	under rf_ports_lock, too
 * @in_flight: the link
 * @band: the bands
 * @truesize: memory of the packets in all bands
 * @max_hold: the longest time that a packet can be queued, in nanoseconds
 * @hold_forwarded: @max_hold does not limit the time of forwarded packets
 * @dwrr: state of the ETS priorities
 * @expiry: no packet expires before this time; only set while packets are queued
 * @waiting: bit n if band n has packets
 * @paused: bit n if priority n was paused at the last dequeue
 * @hoq_expired: bit n if the last packet that left band n had expired
 * @passing: a packet that was not queued, and that the next dequeue returns
 * @settled_changes: @changes at the last dequeue
 * @settled: the last dequeue set the timer for the next one
 * @link_busy: at the last dequeue, packets could be sent but the link was busy
 *
 * The members from @pacer on are protected by the lock of the qdisc. @waiting
 * and the backlog of each band are also read without it.
 */
struct rf_prioq {
	struct rf_port *port;
	struct Qdisc *sch;
	struct net_device *dev;
	struct rf_stats __percpu *tx;
	struct rf_pfc *pfc;
	struct rf_conf __rcu *conf;
	struct rf_cnp_point *np;
	spinlock_t bypass_lock;
	u32 changes;
	struct rf_tap tap[RF_DIRS];
	bool hooked[RF_DIRS];
	struct work_struct pass_end;
	struct rcu_head rcu;
	struct rf_pacer *pacer;
	struct rf_in_flight in_flight;
	struct rf_band band[RF_BANDS];
	u64 truesize;
	u64 max_hold;
	bool hold_forwarded;
	struct rf_dwrr dwrr;
	u64 expiry;
	u32 waiting;
	u32 paused;
	u32 hoq_expired;
	struct sk_buff *passing;
	u32 settled_changes;
	bool settled;
	bool link_busy;
};

/**
 * struct rf_sched - private data of the qdisc
 * @queue: the queues of the port; NULL if there is no port
 * @watchdog: wakes the qdisc when a packet is due
 */
struct rf_sched {
	struct rf_prioq *queue;
	struct qdisc_watchdog watchdog;
};

/* prioq.c: process context */
int rf_prioq_init(struct rf_prioq *q, struct Qdisc *sch);
void rf_prioq_set_draw_port(struct rf_prioq *q, u64 draw_port);
void rf_prioq_set_hold(struct rf_prioq *q, u64 max_hold, bool hold_forwarded);

int rf_prioq_begin_pacer(struct rf_prioq *q, const struct rf_conf *conf);
void rf_prioq_set_pacer(struct rf_prioq *q, const struct rf_conf *conf);
void rf_prioq_end_pacer(struct rf_prioq *q);
bool rf_prioq_read_flow(struct rf_prioq *q, u32 bucket, u32 n, struct rf_dcqcn_flow *info);
bool rf_prioq_find_flow(struct rf_prioq *q, const struct rf_pacer_key *key,
			struct rf_dcqcn_flow *info);

/* prioq.c: any context, with the lock of the qdisc or without */
void rf_prioq_end_bypass(struct rf_prioq *q);
void rf_prioq_schedule(struct rf_prioq *q);

/* prioq.c: softirq or BH off */
bool rf_prioq_pass(struct rf_prioq *q, struct sk_buff *skb);
bool rf_prioq_cnp(struct rf_prioq *q, const struct rf_pacer_key *key);
void rf_prioq_arrive(const struct rf_prioq *q, struct sk_buff *skb);

/* prioq.c: the lock of the qdisc held */
bool rf_prioq_enqueue(struct rf_prioq *q, struct sk_buff *skb);
struct sk_buff *rf_prioq_dequeue(struct rf_prioq *q, u64 *next);
void rf_prioq_purge(struct rf_prioq *q);
void rf_prioq_reset_stats(struct rf_prioq *q);

/* prioq.c: process context, the lock of the qdisc not held */
void rf_prioq_read_stats(struct rf_prioq *q, u32 prio, struct rf_prio_stats *stats);

/**
 * rf_prioq_of - get the queues of a netdev that is a port
 * @dev: the netdev
 * @ops: the functions of the qdisc that makes ports
 *
 * Context: softirq or BH off; the queues exist until BH are on again.
 * Return: the queues, or NULL.
 */
static inline const struct rf_prioq *rf_prioq_of(const struct net_device *dev,
						 const struct Qdisc_ops *ops)
{
	struct Qdisc *sch = rcu_dereference_bh(dev->qdisc);
	const struct rf_sched *sched = qdisc_priv(sch);

	return sch->ops == ops ? READ_ONCE(sched->queue) : NULL;
}

/**
 * rf_prioq_conf - get the configuration
 * @q: the queues
 *
 * Context: softirq or BH off.
 * Return: the configuration, which can be read until BH are on again.
 */
static inline const struct rf_conf *rf_prioq_conf(const struct rf_prioq *q)
{
	return rcu_dereference_bh(q->conf);
}

/**
 * rf_prioq_needs_qdisc - check if a configuration makes packets wait
 * @q: the queues
 * @conf: their configuration
 *
 * On a netdev without a queue, packets only wait for a link. A netdev with a queue
 * can be busy, and then its packets wait in the queues of their priorities.
 *
 * Return: true if packets have to go through the qdisc.
 */
static inline bool rf_prioq_needs_qdisc(const struct rf_prioq *q,
					const struct rf_conf *conf)
{
	return conf->shapes && !(q->dev->priv_flags & IFF_NO_QUEUE &&
				 rf_link_is_none(&conf->link));
}

/**
 * rf_prioq_needs_pass - check if rf_prioq_pass() has to be called
 * @q: the queues
 *
 * Context: softirq or BH off.
 * Return: true if the port has limits or ECN profiles, but packets go past its
 * qdisc.
 */
static inline bool rf_prioq_needs_pass(const struct rf_prioq *q)
{
	return rf_prioq_conf(q)->shapes && !READ_ONCE(q->sch->enqueue);
}

/**
 * rf_prioq_is_needed - check if packets go through the queues
 * @q: the queues
 *
 * Packets don't go through the queues while none is queued and nothing makes
 * packets wait or drops them. After a pause one more dequeue is needed, because
 * the dequeue records the end of the pause.
 *
 * Context: the lock of the qdisc held.
 * Return: true if packets go through the queues.
 */
static inline bool rf_prioq_is_needed(const struct rf_prioq *q)
{
	return rf_prioq_conf(q)->shapes || q->waiting || q->passing || q->paused ||
	       rf_in_flight_count(&q->in_flight) || rf_pfc_any_paused(q->pfc) ||
	       rf_pfc_has_frames(q->pfc) || rf_pfc_drops(q->pfc);
}

/**
 * rf_prioq_is_settled - check if a dequeue before the timer has nothing to do
 * @q: the queues
 *
 * Context: the lock of the qdisc held.
 * Return: true if no packet can leave before the time that the last call of
 * rf_prioq_dequeue() set for the next dequeue.
 */
static inline bool rf_prioq_is_settled(const struct rf_prioq *q)
{
	/* Pairs with rf_prioq_end_bypass(): the state changes first. */
	u32 changes = smp_load_acquire(&q->changes);

	return q->settled && !q->passing && q->settled_changes == changes;
}

/**
 * rf_prioq_is_idle - check if an empty qdisc needs no dequeue
 * @q: the queues
 *
 * Context: the lock of the qdisc held.
 * Return: true if no control frame is to be sent, and no priority was paused at
 * the last dequeue.
 */
static inline bool rf_prioq_is_idle(const struct rf_prioq *q)
{
	return !rf_pfc_has_frames(q->pfc) && !q->paused;
}

#endif
