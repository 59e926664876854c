// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a port: one per priority, and one for control frames. A packet is
 * queued until the link is free and its priority is not paused.
 *
 * The way of a packet:
 *
 *   enqueue:  classify the packet; check the watchdog, the limits and the buffer of
 *             the ingress port; apply the ECN profile; queue the packet
 *   dequeue:  return a packet that has arrived at the end of the link, or choose
 *             the next packet and send it over the link
 *
 * The length of the qdisc includes all these packets. Packets are dropped
 * silently: the sender sees no error.
 *
 * Locally generated packets stay charged to their socket while they are queued.
 * rxe stops a queue pair at 65 such packets, so that a long pause neither fills
 * a queue nor loses packets. Forwarded packets have left the NIC of their sender
 * and are not charged to a socket.
 *
 * rxe frees a queue pair after 50 seconds even if its packets are still queued
 * here. So each packet expires after the port's max-hold (IBTA: head-of-queue
 * lifetime, HOQLife) and is dropped. This is not enough: a queue pair that is being
 * destroyed sends until all its packets are freed, and would send a new packet
 * for each expired one. So after a packet has expired, its band takes no further
 * packets of this host until a packet has been sent again.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <net/net_debug.h>

#include "../compat/qdisc.h"
#include "classify.h"
#include "ecn.h"
#include "queueing.h"
#include "../sch_rdmafault.h"

/* Maximum of the control band, which has no configured limit */
#define CONTROL_PACKETS	10000

/**
 * struct prioq_cb - data of a queued packet, in its control buffer
 * @queued: when the packet was queued
 * @account: the account that the packet is charged to, or NULL
 * @mark: the mark of a control frame for rf_storm_sent(), 0 for other packets
 */
struct prioq_cb {
	u64 queued;
	struct rf_account *account;
	u32 mark;
} __packed __aligned(4);

static struct prioq_cb *prioq_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct prioq_cb));
	return (struct prioq_cb *)qdisc_skb_cb(skb)->data;
}

/* Check the limits of a band. A packet that finds no room is counted as dropped. */
static bool prioq_has_room(struct rf_prioq *q, const struct rf_conf *conf,
			   u32 band, u32 bytes)
{
	struct rf_prio_stats *stats = &q->stats[band];
	const struct rf_prio_conf *prio;

	if (band == RF_CONTROL)
		return q->fifo[band].qlen < CONTROL_PACKETS;
	prio = &conf->prio[band];
	if (q->fifo[band].qlen < prio->limit &&
	    (!prio->limit_bytes ||
	     stats->backlog_bytes + bytes <= prio->limit_bytes))
		return true;
	stats->full++;
	return false;
}

/*
 * Check if a packet expires at once, and count it. After a packet has expired, the
 * next locally generated packet is queued only if the band is empty and not paused.
 */
static bool prioq_hoq_expired(struct rf_port *port, const struct sk_buff *skb,
			      u32 band)
{
	struct rf_prioq *q = &port->queue;

	if (likely(!(q->hoq_expired & BIT(band))) || skb->skb_iif)
		return false;
	if (!q->fifo[band].head && !(q->paused & BIT(band) && rf_pfc_any_paused(port->pfc)))
		return false;
	q->stats[band].expired++;
	return true;
}

/* Add a packet to the end of a band; @account is uncharged when the packet leaves. */
static void prioq_enqueue(struct rf_prioq *q, struct sk_buff *skb, u32 band,
			  u64 now, struct rf_account *account)
{
	struct rf_prio_stats *stats = &q->stats[band];

	*prioq_cb(skb) = (struct prioq_cb){ .queued = now, .account = account };
	if (skb->skb_iif)
		skb_orphan(skb);
	if (!q->waiting)
		q->expiry = now + q->max_hold;
	/* Does the packet change the time of the next dequeue? */
	if (!q->waiting || !(q->link_busy || q->paused & BIT(band)))
		q->settled = false;
	__qdisc_enqueue_tail(skb, &q->fifo[band]);
	WRITE_ONCE(q->waiting, q->waiting | BIT(band));
	WRITE_ONCE(stats->backlog, stats->backlog + 1);
	stats->backlog_bytes += qdisc_pkt_len(skb);
	if (stats->peak_bytes < stats->backlog_bytes)
		stats->peak_bytes = stats->backlog_bytes;
}

static struct sk_buff *prioq_remove(struct rf_prioq *q, u32 band)
{
	struct sk_buff *skb = __qdisc_dequeue_head(&q->fifo[band]);
	struct rf_prio_stats *stats = &q->stats[band];

	DEBUG_NET_WARN_ON_ONCE(!stats->backlog);
	DEBUG_NET_WARN_ON_ONCE(stats->backlog_bytes < qdisc_pkt_len(skb));
	rf_pfc_uncharge(prioq_cb(skb)->account, qdisc_pkt_len(skb));
	WRITE_ONCE(stats->backlog, stats->backlog - 1);
	stats->backlog_bytes -= qdisc_pkt_len(skb);
	if (q->fifo[band].head)
		return skb;
	WRITE_ONCE(q->waiting, q->waiting & ~BIT(band));
	if (band < RDMAFAULT_PRIOS)
		q->dwrr.deficit[band] = 0;
	return skb;
}

/* Remove the first packet of a band, to send it. */
static struct sk_buff *prioq_dequeue(struct rf_prioq *q, u32 band)
{
	struct sk_buff *skb = prioq_remove(q, band);

	q->hoq_expired &= ~BIT(band);
	q->stats[band].packets++;
	q->stats[band].bytes += qdisc_pkt_len(skb);
	return skb;
}

/* Set which priorities are paused. A priority that is no longer paused resumes now. */
static void prioq_pause(struct rf_prioq *q, u32 paused, u64 now)
{
	unsigned long resumed = q->paused & ~paused;
	u32 band;

	for_each_set_bit(band, &resumed, RDMAFAULT_PRIOS)
		q->resumed[band] = now;
	q->hoq_expired &= ~resumed;
	q->paused = paused;
}

/* From when on the first packet of a band could have been sent */
static u64 prioq_eligible(const struct rf_prioq *q, u32 band)
{
	return max(prioq_cb(q->fifo[band].head)->queued, q->resumed[band]);
}

/* Find the first packets of the bands that aren't paused. */
static void prioq_ready(const struct rf_prioq *q, struct rf_ready *first)
{
	unsigned long ready = q->waiting & ~q->paused;
	u32 band;

	first->bands = ready;
	for_each_set_bit(band, &ready, RF_BANDS) {
		first->eligible[band] = prioq_eligible(q, band);
		first->bytes[band] = qdisc_pkt_len(q->fifo[band].head);
	}
}

static void prioq_drop(struct rf_port *port, u32 band)
{
	struct sk_buff *skb = prioq_remove(&port->queue, band);
	struct Qdisc *sch = port->sch;

	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
	qdisc_qstats_drop(sch);
	kfree_skb(skb);
}

static void prioq_drop_band(struct rf_port *port, u32 band)
{
	struct rf_prioq *q = &port->queue;

	while (q->fifo[band].head) {
		prioq_drop(port, band);
		q->stats[band].watchdog_dropped++;
	}
}

/* Drop expired packets. Return: when the next packet of the band expires. */
static u64 prioq_drop_expired(struct rf_port *port, u32 band, u64 now)
{
	struct rf_prioq *q = &port->queue;
	struct sk_buff *skb;

	while ((skb = q->fifo[band].head)) {
		if (prioq_cb(skb)->queued + q->max_hold > now)
			return prioq_cb(skb)->queued + q->max_hold;
		prioq_drop(port, band);
		q->hoq_expired |= BIT(band);
		q->stats[band].expired++;
	}
	return U64_MAX;
}

/*
 * Drop expired packets and those that the watchdog drops. Return: a time before
 * which no packet expires; U64_MAX if no packet is queued.
 */
static u64 prioq_expire(struct rf_port *port, u64 now)
{
	u64 max_hold = READ_ONCE(port->max_hold);
	u32 drops = rf_pfc_drops(port->pfc);
	struct rf_prioq *q = &port->queue;
	unsigned long waits = q->waiting;
	u64 next = U64_MAX;
	u32 band;

	if (likely(!(waits & drops) && now < q->expiry &&
		   max_hold == q->max_hold))
		return waits ? q->expiry : U64_MAX;
	q->max_hold = max_hold;
	for_each_set_bit(band, &waits, RF_BANDS) {
		if (drops & BIT(band))
			prioq_drop_band(port, band);
		next = min(next, prioq_drop_expired(port, band, now));
	}
	q->expiry = next;
	return next;
}

static void prioq_purge(struct rf_prioq *q)
{
	struct sk_buff *skb;
	u32 band;

	for (band = 0; band < RF_BANDS; band++) {
		while (q->fifo[band].head) {
			skb = prioq_remove(q, band);
			rtnl_kfree_skbs(skb, skb);
		}
	}
	q->hoq_expired = 0;
}

/* The port by which a packet arrived, or NULL. */
static struct rf_port *ingress_port(const struct rf_port *out,
				    const struct sk_buff *skb)
{
	struct net_device *dev;

	if (!skb->skb_iif)
		return NULL;
	dev = dev_get_by_index_rcu(dev_net(out->dev), skb->skb_iif);
	return dev ? rf_sch_port_of(dev) : NULL;
}

/*
 * Charge a packet to the buffer of the port by which it arrived. That port says which
 * priority it has, because the neighbour there knows no other. Returns false if there
 * is no room.
 */
static bool charge_buffer(const struct rf_port *out, const struct sk_buff *skb,
			  const struct rf_class *class,
			  struct rf_account **account)
{
	struct rf_port *port = ingress_port(out, skb);
	const struct rf_conf *conf;

	*account = NULL;
	if (!port || class->band == RF_CONTROL)
		return true;
	conf = rf_port_conf(port);
	if (!conf->buffers)
		return true;
	return rf_pfc_charge(port->pfc,
			     rf_priority(conf->dscp_prio, class->pcp,
					 class->dscp),
			     qdisc_pkt_len(skb), account);
}

/*
 * Check the watchdog, the limits and the buffer of the ingress port, and apply the
 * ECN profile. Return: false if the packet is to be dropped; it is counted.
 */
static __always_inline bool prioq_admit(struct rf_port *port,
					const struct rf_conf *conf,
					struct sk_buff *skb,
					const struct rf_class *class, u64 now,
					struct rf_account **account)
{
	struct rf_prio_stats *stats = &port->queue.stats[class->band];
	u32 bytes = qdisc_pkt_len(skb);

	/* In a storm, the watchdog also drops the packets that arrive. */
	if (unlikely(rf_pfc_drops(port->pfc) & BIT(class->band))) {
		stats->watchdog_dropped++;
		return false;
	}
	if (prioq_hoq_expired(port, skb, class->band) ||
	    !prioq_has_room(&port->queue, conf, class->band, bytes))
		return false;
	if (!charge_buffer(port, skb, class, account)) {
		stats->no_buffer++;
		return false;
	}
	/* Last, so that no packet is dropped after it was counted as marked. */
	if (rf_ecn_pass(port, skb, class, now))
		return true;
	rf_pfc_uncharge(*account, bytes);
	return false;
}

/*
 * Can a packet of this band leave at once? Without a link, it can if its band is
 * not paused and if no other packet can leave.
 */
static bool prioq_can_pass(struct rf_port *port, const struct rf_conf *conf,
			   u32 band, u64 now)
{
	const struct rf_prioq *q = &port->queue;
	u64 resume;
	u32 paused;

	if (!rf_link_is_none(&conf->link) || q->passing ||
	    rf_in_flight_count(&port->in_flight) || rf_pfc_has_frames(port->pfc))
		return false;
	paused = rf_pfc_paused(port->pfc, now, &resume);
	return !(paused & BIT(band)) && !(q->waiting & ~paused);
}

/* Count a packet that is sent without being queued. */
static void prioq_pass(struct rf_prioq *q, struct sk_buff *skb, u32 band)
{
	struct rf_prio_stats *stats = &q->stats[band];
	u32 bytes = qdisc_pkt_len(skb);

	q->hoq_expired &= ~BIT(band);
	stats->packets++;
	stats->bytes += bytes;
	if (stats->peak_bytes < bytes)
		stats->peak_bytes = bytes;
}

/*
 * If a pause begins after rf_queueing_pass(), the packet comes to the qdisc after
 * all. rf_queueing_pass() stores the address of the queues in such a packet.
 * Undo prioq_pass() for it. Return: false for any other packet.
 */
static bool prioq_revoke(struct rf_prioq *q, const struct sk_buff *skb, u32 band)
{
	if (likely(prioq_cb(skb)->queued != (unsigned long)q))
		return false;
	q->stats[band].packets--;
	q->stats[band].bytes -= qdisc_pkt_len(skb);
	return true;
}

/**
 * rf_queueing_add - queue a packet
 * @port: the port
 * @skb: the packet
 *
 * A packet that can leave at once is counted as sent, and the next dequeue returns
 * it without a look at the queues.
 *
 * Context: the lock of the qdisc held.
 * Return: true if the packet is queued; false if the caller is to drop it.
 */
bool rf_queueing_add(struct rf_port *port, struct sk_buff *skb)
{
	const struct rf_conf *conf = rf_port_conf(port);
	struct rf_class class __uninitialized;
	struct rf_account *account = NULL;
	struct rf_prioq *q = &port->queue;
	struct Qdisc *sch = port->sch;
	u64 now = ktime_get_ns();

	rf_classify(skb, conf, &class);
	if (likely(!prioq_revoke(q, skb, class.band)) &&
	    !prioq_admit(port, conf, skb, &class, now, &account))
		return false;
	if (prioq_can_pass(port, conf, class.band, now)) {
		rf_pfc_uncharge(account, qdisc_pkt_len(skb));
		prioq_pass(q, skb, class.band);
		q->passing = skb;
	} else {
		prioq_enqueue(q, skb, class.band, now, account);
	}
	sch->q.qlen++;
	qdisc_qstats_backlog_inc(sch, skb);
	return true;
}

/**
 * rf_queueing_pass - apply limits and the ECN profile to a packet that isn't queued
 * @port: a port whose packets go past the qdisc
 * @skb: the packet, with its length for the qdisc set
 *
 * The packet is counted, and can be marked or dropped, as if it had been queued in
 * an empty queue and sent at once.
 *
 * Context: softirq or BH off.
 * Return: false if the caller is to drop the packet.
 */
bool rf_queueing_pass(struct rf_port *port, struct sk_buff *skb)
{
	const struct rf_conf *conf = rf_port_conf(port);
	struct rf_class class __uninitialized;
	struct Qdisc *sch = port->sch;
	struct rf_account *account;
	bool pass = true;

	rf_classify(skb, conf, &class);
	spin_lock(qdisc_lock(sch));
	if (likely(!READ_ONCE(sch->enqueue))) {
		pass = prioq_admit(port, conf, skb, &class,
				   rf_ecn_time(conf, class.band), &account);
		if (likely(pass)) {
			rf_pfc_uncharge(account, qdisc_pkt_len(skb));
			prioq_pass(&port->queue, skb, class.band);
			prioq_cb(skb)->queued = (unsigned long)&port->queue;
		} else {
			qdisc_qstats_drop(sch);
		}
	}
	spin_unlock(qdisc_lock(sch));
	return pass;
}

static void prioq_add_control(struct rf_port *port, struct sk_buff *skb, u64 now)
{
	struct Qdisc *sch = port->sch;
	u32 mark = skb->mark;

	skb->mark = 0;
	rf_qdisc_frame_init(skb);
	prioq_enqueue(&port->queue, skb, RF_CONTROL, now, NULL);
	prioq_cb(skb)->mark = mark;
	sch->q.qlen++;
	qdisc_qstats_backlog_inc(sch, skb);
}

/*
 * Control frames are added to a list without the lock of the qdisc. Move them to
 * the control band. While that is full they stay in the list, which drops the
 * oldest frame when it is full.
 */
static void prioq_collect_control(struct rf_port *port,
				  const struct rf_conf *conf, u64 now)
{
	struct sk_buff *skb;

	while (rf_pfc_has_frames(port->pfc) &&
	       prioq_has_room(&port->queue, conf, RF_CONTROL, 0)) {
		skb = rf_pfc_dequeue(port->pfc);
		if (skb)
			prioq_add_control(port, skb, now);
	}
}

/*
 * Choose the band that sends next, and the time at which its packet begins. The
 * highest strict priority is chosen at once if its packet can begin at the
 * earliest time at which any packet can, or if no other band is ready.
 */
static u32 prioq_next_band(struct rf_port *port, const struct rf_conf *conf,
			   u32 ready, u64 now, u64 *begin)
{
	const struct rf_link_state *link = &port->in_flight.link;
	u32 mtu = READ_ONCE(port->dev->mtu) + ETH_HLEN;
	u64 eligible, earliest = rf_link_begin(link, 0, now);
	struct rf_ready first __uninitialized;
	struct rf_prioq *q = &port->queue;
	u32 strict = ready & ~conf->ets;

	if (strict) {
		eligible = prioq_eligible(q, __fls(strict));
		if (eligible <= earliest || ready == BIT(__fls(strict))) {
			*begin = max(eligible, earliest);
			return __fls(strict);
		}
	}
	prioq_ready(q, &first);
	*begin = rf_link_begin(link, rf_ready_eligible(&first), now);
	rf_ready_filter(&first, *begin);
	return rf_sched_next(&q->dwrr, conf, &first, mtu);
}

/*
 * Remove the packet that the link sends next, and set the time at which it begins.
 * Return: the packet, or NULL. In that case the time is that of the next dequeue.
 */
static struct sk_buff *prioq_next(struct rf_port *port,
				  const struct rf_conf *conf, u64 now, u64 *begin)
{
	struct rf_prioq *q = &port->queue;
	u64 free_at, again, resume;
	struct sk_buff *skb;
	u32 band, ready;

	q->link_busy = false;
	if (!(q->waiting | q->paused)) {
		*begin = U64_MAX;
		return NULL;
	}
	again = prioq_expire(port, now);
	prioq_pause(q, rf_pfc_paused(port->pfc, now, &resume), now);
	again = min(again, resume);
	ready = q->waiting & ~q->paused;
	free_at = rf_in_flight_free_at(&port->in_flight);
	if (!ready || free_at > now) {
		q->link_busy = ready;
		*begin = ready ? min(again, free_at) : again;
		return NULL;
	}
	band = prioq_next_band(port, conf, ready, now, begin);
	skb = prioq_dequeue(q, band);
	if (band == RF_CONTROL)
		rf_storm_sent(port->pfc, skb, prioq_cb(skb)->mark);
	return skb;
}

/**
 * rf_queueing_take - remove a packet that leaves the port now
 * @port: the port
 * @next: set to the time of the next dequeue; U64_MAX if no timer is needed
 *
 * Context: the lock of the qdisc held.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_queueing_take(struct rf_port *port, u64 *next)
{
	const struct rf_conf *conf = rf_port_conf(port);
	struct rf_in_flight *in_flight = &port->in_flight;
	struct rf_prioq *q = &port->queue;
	struct sk_buff *skb = q->passing;
	struct Qdisc *sch = port->sch;
	u64 now, begin;
	u32 kicks;

	*next = U64_MAX;
	if (skb) {
		q->passing = NULL;
		goto out;
	}
	/* Pairs with rf_port_queue(): read the state after the number of kicks. */
	kicks = smp_load_acquire(&q->kicks);
	now = ktime_get_ns();
	prioq_collect_control(port, conf, now);
	do {
		skb = prioq_next(port, conf, now, &begin);
	} while (skb && rf_in_flight_enqueue(in_flight, &conf->link, skb, begin,
					     now));
	q->settled = false;
	if (skb)
		goto out;
	skb = rf_in_flight_dequeue(in_flight, now);
	begin = min(begin, rf_in_flight_next(in_flight));
	if (begin > now) {
		q->settled = true;
		q->settled_kicks = kicks;
		*next = begin;
	}
	if (!skb) {
		*next = begin;
		return NULL;
	}
out:
	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
	return skb;
}

/**
 * rf_queueing_purge - free all queued packets and those on the link
 * @port: the port
 *
 * Context: RTNL and the lock of the qdisc held.
 */
void rf_queueing_purge(struct rf_port *port)
{
	struct rf_prioq *q = &port->queue;

	if (q->passing)
		rtnl_kfree_skbs(q->passing, q->passing);
	q->passing = NULL;
	q->settled = false;
	prioq_purge(q);
	memset(port->ecn, 0, sizeof(port->ecn));
	rf_in_flight_purge(&port->in_flight);
}

/**
 * rf_prioq_reset_stats - set the counters to 0, and the peaks to the backlog
 * @q: the queues
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_reset_stats(struct rf_prioq *q)
{
	struct rf_prio_stats *stats;
	u32 band;

	for (band = 0; band < RF_BANDS; band++) {
		stats = &q->stats[band];
		*stats = (struct rf_prio_stats){
			.backlog = stats->backlog,
			.backlog_bytes = stats->backlog_bytes,
			.peak_bytes = stats->backlog_bytes,
			.ecn_queue = stats->ecn_queue,
		};
	}
}
