// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a port: one per priority, and one for control frames. A packet is
 * queued until the link is free and its priority is not paused.
 *
 * The way of a packet:
 *
 *   enqueue:  classify the packet; hold it if its flow has a limited rate; check the
 *             watchdog, the limits and the buffer of the ingress port; apply the ECN
 *             profile; queue the packet
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
 *
 * With hold-forwarded, forwarded packets do not expire, because no queue pair has to
 * wait for them. A local packet can then expire in the middle of its band, so the local
 * packets of a band also have a separate list.
 */
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <net/inet_ecn.h>
#include <net/net_debug.h>

#include "../compat/qdisc.h"
#include "../rocev2/rocev2.h"
#include "../stats.h"
#include "../trace.h"
#include "queue.h"

/* Maximum of the control band, which has no configured limit */
#define CONTROL_PACKETS	10000

/* Maximum of packets that one dequeue sends over the link; the next continues at once */
#define DEQUEUE_PACKETS	64

/* Maximum of the memory of all packets that are queued in a port */
#define QUEUES_TRUESIZE	(64ULL << 20)

/**
 * struct prioq_cb - data of a queued packet, in its control buffer
 * @queued: when the packet was queued
 * @account: of a forwarded packet, the account that it is charged to, or NULL
 * @next_local: of a local packet, the next local packet of the band, or NULL
 * @mark: the mark of a control frame for rf_storm_sent(), 0 for other packets
 */
struct prioq_cb {
	u64 queued;
	union {
		struct rf_account *account;
		struct sk_buff *next_local;
	};
	u32 mark;
} __packed __aligned(4);

static struct prioq_cb *prioq_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct prioq_cb));
	return (struct prioq_cb *)qdisc_skb_cb(skb)->data;
}

static void prioq_schedule(void *q)
{
	rf_prioq_schedule(q);
}

static bool prioq_has_backlog(const void *data, u32 prio)
{
	const struct rf_prioq *q = data;

	return READ_ONCE(q->band[prio].stats.backlog);
}

static const struct rf_pfc_ops prioq_pfc_ops = {
	.schedule = prioq_schedule,
	.has_backlog = prioq_has_backlog,
};

/**
 * rf_prioq_init - initialize queues, and create their PFC
 * @q: the queues, all zero except the members that port_queue.c uses, which also frees
 *	@q->pfc
 * @sch: the qdisc
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int rf_prioq_init(struct rf_prioq *q, struct Qdisc *sch)
{
	u32 band;

	q->sch = sch;
	q->dev = qdisc_dev(sch);
	for (band = 0; band < RF_BANDS; band++)
		__skb_queue_head_init(&q->band[band].fifo);
	spin_lock_init(&q->bypass_lock);
	q->pfc = rf_pfc_create(q->dev, &prioq_pfc_ops, q);
	return q->pfc ? 0 : -ENOMEM;
}

/**
 * rf_prioq_set_draw_port - select the random numbers of the link and of ECN profiles
 * @q: the queues
 * @draw_port: rf_draw_port() of the port's name
 *
 * Context: process.
 */
void rf_prioq_set_draw_port(struct rf_prioq *q, u64 draw_port)
{
	u32 band;

	spin_lock_bh(qdisc_lock(q->sch));
	q->in_flight.link.draw_port = draw_port;
	for (band = 0; band < RF_BANDS; band++)
		q->band[band].ecn.draw_port = draw_port;
	spin_unlock_bh(qdisc_lock(q->sch));
}

/**
 * rf_prioq_set_hold - set the longest time that a packet can be queued
 * @q: the queues
 * @max_hold: the time in nanoseconds
 * @hold_forwarded: forwarded packets can be queued for longer
 *
 * The setting applies at once to the packets that are queued.
 *
 * Context: process.
 */
void rf_prioq_set_hold(struct rf_prioq *q, u64 max_hold, bool hold_forwarded)
{
	spin_lock_bh(qdisc_lock(q->sch));
	q->max_hold = max_hold;
	q->hold_forwarded = hold_forwarded;
	q->expiry = 0;
	spin_unlock_bh(qdisc_lock(q->sch));
	rf_prioq_schedule(q);
}

/**
 * rf_prioq_end_bypass - let the packets that leave a port go through its qdisc
 * @q: the queues, whose state already makes packets wait
 *
 * Context: any, with the lock of the qdisc or without.
 */
void rf_prioq_end_bypass(struct rf_prioq *q)
{
	struct Qdisc *sch = q->sch;
	unsigned long flags;

	spin_lock_irqsave(&q->bypass_lock, flags);
	sch->flags &= ~TCQ_F_CAN_BYPASS;
	WRITE_ONCE(sch->dequeue, sch->ops->dequeue);
	if (!sch->enqueue) {
		WRITE_ONCE(sch->enqueue, sch->ops->enqueue);
		schedule_work(&q->pass_end);
	}
	/* Pairs with rf_prioq_dequeue(): the state changes first. */
	smp_store_release(&q->changes, q->changes + 1);
	spin_unlock_irqrestore(&q->bypass_lock, flags);
}

/**
 * rf_prioq_schedule - let the core dequeue packets that no longer have to wait
 * @q: the queues of a port that is not closed
 *
 * Context: any, with the lock of the qdisc or without.
 */
void rf_prioq_schedule(struct rf_prioq *q)
{
	if (!READ_ONCE(q->sch->enqueue) && !rf_pfc_has_frames(q->pfc) &&
	    !rf_pfc_any_paused(q->pfc) && !rf_pfc_drops(q->pfc))
		return;
	rf_prioq_end_bypass(q);
	__netif_schedule(q->sch);
}

/*
 * Check the limits of a band, and that of the memory of all bands. A packet that finds
 * no room is counted as dropped.
 */
static __always_inline bool prioq_has_room(const struct rf_prioq *q, struct rf_band *b,
					   const struct rf_prio_conf *conf,
					   const struct sk_buff *skb)
{
	u32 bytes = qdisc_pkt_len(skb);

	if (likely(b->fifo.qlen < conf->limit &&
		   q->truesize + skb->truesize <= QUEUES_TRUESIZE &&
		   (!conf->limit_bytes ||
		    b->stats.backlog_bytes + bytes <= conf->limit_bytes)))
		return true;
	b->stats.full++;
	return false;
}

/* Is the control band full? It has no configured limit. */
static bool prioq_control_has_room(const struct rf_prioq *q)
{
	return q->band[RF_CONTROL].fifo.qlen < CONTROL_PACKETS;
}

/* Forwarded packets are not charged to a socket, and local packets to no buffer. */
static bool prioq_is_forwarded(const struct sk_buff *skb)
{
	return skb->skb_iif;
}

/*
 * Check if the watchdog drops a packet, or if the packet expires at once, and count
 * it. In a storm, the watchdog also drops the packets that arrive. After a packet has
 * expired, the next locally generated packet is queued only if the band is empty and
 * not paused.
 */
static noinline bool prioq_refuses(struct rf_prioq *q, const struct sk_buff *skb,
				   u32 band)
{
	if (rf_pfc_drops(q->pfc) & BIT(band)) {
		q->band[band].stats.watchdog_dropped++;
		return true;
	}
	if (!(q->hoq_expired & BIT(band)) || prioq_is_forwarded(skb))
		return false;
	if (skb_queue_empty(&q->band[band].fifo) &&
	    !(q->paused & BIT(band) && rf_pfc_any_paused(q->pfc)))
		return false;
	q->band[band].stats.expired++;
	return true;
}

static void prioq_uncharge(struct rf_account *account, const struct sk_buff *skb)
{
	if (unlikely(account))
		rf_pfc_uncharge(account, qdisc_pkt_len(skb));
}

static void prioq_append_local(struct rf_band *b, struct sk_buff *skb)
{
	if (b->local)
		prioq_cb(b->last_local)->next_local = skb;
	else
		b->local = skb;
	b->last_local = skb;
}

/* Add a packet to the end of a band; @account is uncharged when the packet leaves. */
static void prioq_append(struct rf_prioq *q, struct sk_buff *skb, u32 band,
			 u64 now, struct rf_account *account)
{
	struct rf_band *b = &q->band[band];

	*prioq_cb(skb) = (struct prioq_cb){ .queued = now, .account = account };
	if (prioq_is_forwarded(skb))
		skb_orphan(skb);
	else
		prioq_append_local(b, skb);
	if (!q->waiting)
		q->expiry = now + q->max_hold;
	/* Does the packet change the time of the next dequeue? */
	if (!q->waiting || !(q->link_busy || q->paused & BIT(band)) ||
	    (q->hold_forwarded && b->local == skb))
		q->settled = false;
	__skb_queue_tail(&b->fifo, skb);
	WRITE_ONCE(q->waiting, q->waiting | BIT(band));
	WRITE_ONCE(b->stats.backlog, b->stats.backlog + 1);
	b->stats.backlog_bytes += qdisc_pkt_len(skb);
	q->truesize += skb->truesize;
	if (b->stats.peak_bytes < b->stats.backlog_bytes)
		b->stats.peak_bytes = b->stats.backlog_bytes;
}

/* Remove a packet from a band: the first one, or the first local one. */
static void prioq_remove(struct rf_prioq *q, u32 band, struct sk_buff *skb)
{
	struct rf_band *b = &q->band[band];

	DEBUG_NET_WARN_ON_ONCE(!b->stats.backlog);
	DEBUG_NET_WARN_ON_ONCE(b->stats.backlog_bytes < qdisc_pkt_len(skb));
	DEBUG_NET_WARN_ON_ONCE(q->truesize < skb->truesize);
	__skb_unlink(skb, &b->fifo);
	q->truesize -= skb->truesize;
	if (prioq_is_forwarded(skb)) {
		prioq_uncharge(prioq_cb(skb)->account, skb);
	} else {
		DEBUG_NET_WARN_ON_ONCE(b->local != skb);
		b->local = prioq_cb(skb)->next_local;
	}
	WRITE_ONCE(b->stats.backlog, b->stats.backlog - 1);
	b->stats.backlog_bytes -= qdisc_pkt_len(skb);
	if (!skb_queue_empty(&b->fifo))
		return;
	WRITE_ONCE(q->waiting, q->waiting & ~BIT(band));
	if (band < RDMAFAULT_PRIOS)
		q->dwrr.deficit[band] = 0;
}

/* Remove the first packet of a band, to send it. */
static struct sk_buff *prioq_send(struct rf_prioq *q, u32 band)
{
	struct rf_band *b = &q->band[band];
	struct sk_buff *skb = skb_peek(&b->fifo);

	prioq_remove(q, band, skb);
	q->hoq_expired &= ~BIT(band);
	b->stats.packets++;
	b->stats.bytes += qdisc_pkt_len(skb);
	return skb;
}

/* Set which priorities are paused. A priority that is no longer paused resumes now. */
static void prioq_pause(struct rf_prioq *q, u32 paused, u64 now)
{
	unsigned long resumed = q->paused & ~paused;
	u32 band;

	for_each_set_bit(band, &resumed, RDMAFAULT_PRIOS)
		q->band[band].resumed = now;
	q->hoq_expired &= ~resumed;
	q->paused = paused;
}

/* From when on the first packet of a band could have been sent */
static u64 prioq_eligible(const struct rf_prioq *q, u32 band)
{
	const struct rf_band *b = &q->band[band];

	return max(prioq_cb(skb_peek(&b->fifo))->queued, b->resumed);
}

/* Find the first packets of the bands that aren't paused. */
static void prioq_ready(const struct rf_prioq *q, struct rf_ready *first)
{
	unsigned long ready = q->waiting & ~q->paused;
	u32 band;

	first->bands = ready;
	for_each_set_bit(band, &ready, RF_BANDS) {
		first->eligible[band] = prioq_eligible(q, band);
		first->bytes[band] = qdisc_pkt_len(skb_peek(&q->band[band].fifo));
	}
}

static void prioq_drop(struct rf_prioq *q, u32 band, struct sk_buff *skb)
{
	prioq_remove(q, band, skb);
	q->sch->q.qlen--;
	qdisc_qstats_backlog_dec(q->sch, skb);
	qdisc_qstats_drop(q->sch);
	kfree_skb(skb);
}

static void prioq_drop_band(struct rf_prioq *q, u32 band)
{
	struct rf_band *b = &q->band[band];
	struct sk_buff *skb;

	while ((skb = skb_peek(&b->fifo))) {
		prioq_drop(q, band, skb);
		b->stats.watchdog_dropped++;
	}
}

/* The packet of a band that expires first, or NULL */
static struct sk_buff *prioq_oldest(const struct rf_prioq *q, const struct rf_band *b)
{
	return q->hold_forwarded ? b->local : skb_peek(&b->fifo);
}

/* Drop expired packets. Return: when the next packet of the band expires. */
static u64 prioq_drop_expired(struct rf_prioq *q, u32 band, u64 now)
{
	struct rf_band *b = &q->band[band];
	struct sk_buff *skb;

	while ((skb = prioq_oldest(q, b))) {
		if (prioq_cb(skb)->queued + q->max_hold > now)
			return prioq_cb(skb)->queued + q->max_hold;
		prioq_drop(q, band, skb);
		q->hoq_expired |= BIT(band);
		b->stats.expired++;
	}
	return U64_MAX;
}

/*
 * Drop expired packets and those that the watchdog drops. Return: a time before
 * which no packet expires; U64_MAX if no packet that can expire is queued.
 */
static u64 prioq_expire(struct rf_prioq *q, u64 now)
{
	u32 drops = rf_pfc_drops(q->pfc);
	unsigned long waits = q->waiting;
	u64 next = U64_MAX;
	u32 band;

	if (likely(!(waits & drops) && now < q->expiry))
		return waits ? q->expiry : U64_MAX;
	for_each_set_bit(band, &waits, RF_BANDS) {
		if (drops & BIT(band))
			prioq_drop_band(q, band);
		next = min(next, prioq_drop_expired(q, band, now));
	}
	/* A local packet that is queued from now on does not expire before that. */
	q->expiry = min(next, now + q->max_hold);
	return next;
}

static void prioq_free_all(struct rf_prioq *q)
{
	struct sk_buff *skb;
	u32 band;

	for (band = 0; band < RF_BANDS; band++) {
		while ((skb = skb_peek(&q->band[band].fifo))) {
			prioq_remove(q, band, skb);
			rtnl_kfree_skbs(skb, skb);
		}
	}
	q->hoq_expired = 0;
}

/*
 * The queues of the port by which a packet arrived, or NULL. skb_iif is the last netdev
 * that received the packet, which can be a VLAN netdev of the port.
 */
static const struct rf_prioq *prioq_ingress_port(const struct rf_prioq *q,
						 const struct sk_buff *skb)
{
	const struct rf_prioq *in = NULL;
	struct net_device *dev;

	dev = dev_get_by_index_rcu(dev_net(q->dev), skb->skb_iif);
	if (dev)
		in = rf_prioq_of(dev, q->sch->ops);
	if (!in && dev && is_vlan_dev(dev))
		in = rf_prioq_of(vlan_dev_real_dev(dev), q->sch->ops);
	return in;
}

/*
 * Charge a packet that was received to the buffer of the port by which it arrived, with
 * the priority that it had there, because the neighbour of that port knows no other.
 * Return: false if there is no room; the packet is counted.
 */
static noinline bool prioq_charge(struct rf_prioq *q, const struct sk_buff *skb,
				  const struct rf_class *class,
				  struct rf_account **account)
{
	const struct rf_prioq *in = prioq_ingress_port(q, skb);
	const struct rf_conf *conf;

	if (!in)
		return true;
	conf = rf_prioq_conf(in);
	if (!conf->buffers ||
	    rf_pfc_charge(in->pfc, rf_class_arrived(skb, conf, class),
			  qdisc_pkt_len(skb), account))
		return true;
	q->band[class->band].stats.no_buffer++;
	return false;
}

/*
 * Mark or drop a packet at random. Return: false if the packet is to be dropped; it is
 * counted.
 */
static noinline bool prioq_mark(struct rf_prioq *q, const struct rf_conf *conf,
				struct sk_buff *skb, const struct rf_class *class)
{
	struct rf_prio_stats *stats = &q->band[class->band].stats;
	enum rf_ecn_action action;

	if (class->protocol != htons(ETH_P_IP) &&
	    class->protocol != htons(ETH_P_IPV6))
		return true;
	action = rf_ecn_select(&q->band[class->band].ecn, conf, class->band,
			       stats->ecn_queue, class->ecn);
	if (action == RF_ECN_LEAVE)
		return true;
	if (action == RF_ECN_DROP) {
		stats->mark_dropped++;
	} else if (rf_ecn_set(skb, class->ip, class->protocol, INET_ECN_CE)) {
		stats->marked++;
		rf_stats_inc(q->tx, RF_STAT_MARKED);
	} else {
		rf_stats_inc(q->tx, RF_STAT_UNCHANGED);
		return true;
	}
	trace_rf_mark(q->dev->ifindex, q->dev->name, class->band, stats->ecn_queue,
		      action == RF_ECN_DROP, qdisc_pkt_len(skb));
	return action != RF_ECN_DROP;
}

/*
 * Apply the ECN profile of a priority to a packet that arrives. Return: false if the
 * packet is to be dropped; it is counted.
 */
static __always_inline bool prioq_apply_ecn(struct rf_prioq *q,
					    const struct rf_conf *conf,
					    const struct rf_ecn_conf *ecn,
					    struct rf_band *b, struct sk_buff *skb,
					    const struct rf_class *class)
{
	u64 now = 0, queue;
	u32 bytes = 0;

	if (!ecn->enabled)
		return true;
	if (unlikely(ecn->phantom)) {
		bytes = rf_in_flight_bytes(skb, conf->link.overhead);
		now = ktime_get_ns();
	}
	queue = rf_ecn_queue(&b->ecn, ecn, b->stats.backlog_bytes, bytes, now);
	b->stats.ecn_queue = queue;
	return likely(queue <= ecn->kmin) || prioq_mark(q, conf, skb, class);
}

/*
 * Check the watchdog, the limits and the buffer of the ingress port, and apply the
 * ECN profile. Return: false if the packet is to be dropped; it is counted.
 */
static __always_inline bool prioq_admit(struct rf_prioq *q,
					const struct rf_conf *conf,
					struct sk_buff *skb,
					const struct rf_class *class,
					struct rf_account **account)
{
	u32 band = class->band;
	const struct rf_prio_conf *prio = &conf->prio[band];
	struct rf_band *b = &q->band[band];

	*account = NULL;
	if (unlikely((rf_pfc_drops(q->pfc) | q->hoq_expired) & BIT(band)) &&
	    prioq_refuses(q, skb, band))
		return false;
	if (unlikely(band == RF_CONTROL))
		return prioq_control_has_room(q);
	if (!prioq_has_room(q, b, prio, skb))
		return false;
	if (prioq_is_forwarded(skb) && !prioq_charge(q, skb, class, account))
		return false;
	/* Last, so that no packet is dropped after it was counted as marked. */
	if (prioq_apply_ecn(q, conf, &prio->ecn, b, skb, class))
		return true;
	prioq_uncharge(*account, skb);
	return false;
}

/*
 * Can a packet of this band leave at once? Without a link, it can if its band is
 * not paused and if no other packet can leave.
 */
static bool prioq_can_pass(const struct rf_prioq *q, const struct rf_conf *conf,
			   u32 band, u64 now)
{
	u64 resume;
	u32 paused;

	if (!rf_link_is_none(&conf->link) || q->passing ||
	    rf_in_flight_count(&q->in_flight) || rf_pfc_has_frames(q->pfc))
		return false;
	paused = rf_pfc_paused(q->pfc, now, &resume);
	return !(paused & BIT(band)) && !(q->waiting & ~paused);
}

/* Count a packet that is sent without being queued. */
static void prioq_pass(struct rf_prioq *q, struct sk_buff *skb, u32 band)
{
	struct rf_prio_stats *stats = &q->band[band].stats;
	u32 bytes = qdisc_pkt_len(skb);

	q->hoq_expired &= ~BIT(band);
	stats->packets++;
	stats->bytes += bytes;
	if (stats->peak_bytes < bytes)
		stats->peak_bytes = bytes;
}

/*
 * If a pause begins after rf_prioq_pass(), the packet comes to the qdisc after
 * all. rf_prioq_pass() stores the address of the queues in such a packet.
 * Undo prioq_pass() for it. Return: false for any other packet.
 */
static bool prioq_revoke(struct rf_prioq *q, const struct sk_buff *skb, u32 band)
{
	if (likely(prioq_cb(skb)->queued != (unsigned long)q))
		return false;
	q->band[band].stats.packets--;
	q->band[band].stats.bytes -= qdisc_pkt_len(skb);
	return true;
}

/* Hold a packet of a flow with a limited rate. */
static noinline enum rf_pacer_verdict prioq_pace(struct rf_prioq *q, const struct rf_conf *conf,
						 struct sk_buff *skb, const struct rf_class *class,
						 u64 now)
{
	enum rf_pacer_verdict verdict;

	q->pacer->max_hold = q->max_hold;
	verdict = rf_pacer_enqueue(q->pacer, skb, class, conf->dscp_prio, now);
	if (verdict != RF_PACER_HELD)
		return verdict;
	/* It can depart before the packets that the timer is set for. */
	q->settled = false;
	q->sch->q.qlen++;
	qdisc_qstats_backlog_inc(q->sch, skb);
	return verdict;
}

/* Queue a packet that the pacer has released, or drop it. */
static void prioq_queue_paced(struct rf_prioq *q, const struct rf_conf *conf,
			      struct sk_buff *skb, u64 now)
{
	struct rf_class class __uninitialized;
	struct rf_account *account;

	rf_classify(skb, conf, &class);
	if (prioq_admit(q, conf, skb, &class, &account)) {
		prioq_append(q, skb, class.band, now, account);
		return;
	}
	q->sch->q.qlen--;
	qdisc_qstats_backlog_dec(q->sch, skb);
	qdisc_qstats_drop(q->sch);
	kfree_skb(skb);
}

/* Queue the packets that depart now, with a limit: the next dequeue continues at once. */
static noinline void prioq_collect_paced(struct rf_prioq *q, const struct rf_conf *conf, u64 now)
{
	u32 room = DEQUEUE_PACKETS;
	struct sk_buff *skb;

	while (room-- && (skb = rf_pacer_dequeue(q->pacer, now)))
		prioq_queue_paced(q, conf, skb, now);
}

/**
 * rf_prioq_begin_pacer - begin to obey CNPs
 * @q: the queues
 * @conf: a configuration, with a link rate
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or -ENOMEM.
 */
int rf_prioq_begin_pacer(struct rf_prioq *q, const struct rf_conf *conf)
{
	struct rf_pacer *pacer;

	if (q->pacer)
		return 0;
	pacer = rf_pacer_alloc(q->dev);
	if (!pacer)
		return -ENOMEM;
	pacer->stats = q->tx;
	rf_pacer_configure(pacer, conf);
	spin_lock_bh(qdisc_lock(q->sch));
	q->pacer = pacer;
	spin_unlock_bh(qdisc_lock(q->sch));
	return 0;
}

/**
 * rf_prioq_set_pacer - change the parameters of the rates of flows
 * @q: the queues, with a pacer
 * @conf: the configuration, with a link rate
 *
 * Context: process, rf_ports_lock held.
 */
void rf_prioq_set_pacer(struct rf_prioq *q, const struct rf_conf *conf)
{
	spin_lock_bh(qdisc_lock(q->sch));
	rf_pacer_configure(q->pacer, conf);
	spin_unlock_bh(qdisc_lock(q->sch));
}

/**
 * rf_prioq_end_pacer - obey no CNPs, and let the packets that wait depart in their order
 * @q: the queues; rf_prioq_schedule() sends the packets, unless the qdisc is being reset
 *
 * Context: process, rf_ports_lock held.
 */
void rf_prioq_end_pacer(struct rf_prioq *q)
{
	struct rf_pacer *pacer = q->pacer;
	struct sk_buff *skb;

	if (!pacer)
		return;
	spin_lock_bh(qdisc_lock(q->sch));
	q->pacer = NULL;
	q->settled = false;
	while ((skb = rf_pacer_dequeue(pacer, U64_MAX)))
		prioq_queue_paced(q, rf_prioq_conf(q), skb, ktime_get_ns());
	spin_unlock_bh(qdisc_lock(q->sch));
	rf_pacer_free(pacer);
}

/**
 * rf_prioq_cnp - let a flow react to a CNP
 * @q: the queues
 * @key: the flow
 *
 * Context: softirq or BH off.
 * Return: false if CNPs are not obeyed, if there are too many flows, or if there is no
 * memory.
 */
bool rf_prioq_cnp(struct rf_prioq *q, const struct rf_pacer_key *key)
{
	bool done;

	spin_lock(qdisc_lock(q->sch));
	done = q->pacer && rf_pacer_cnp(q->pacer, key, ktime_get_ns());
	spin_unlock(qdisc_lock(q->sch));
	return done;
}

/**
 * rf_prioq_read_flow - read one of the flows whose rates CNPs have limited
 * @q: the queues
 * @bucket: a bucket of the hash table of the pacer
 * @n: number of the flow in the bucket, from 0
 * @info: filled in
 *
 * Context: process, rf_ports_lock held.
 * Return: false if the bucket has no such flow.
 */
bool rf_prioq_read_flow(struct rf_prioq *q, u32 bucket, u32 n, struct rf_dcqcn_flow *info)
{
	struct rf_pacer_flow *flow;
	bool found = false;

	if (!q->pacer)
		return false;
	spin_lock_bh(qdisc_lock(q->sch));
	hlist_for_each_entry(flow, &q->pacer->flows[bucket], node) {
		found = !n--;
		if (!found)
			continue;
		rf_pacer_read(q->pacer, flow, ktime_get_ns(), info);
		break;
	}
	spin_unlock_bh(qdisc_lock(q->sch));
	return found;
}

/**
 * rf_prioq_find_flow - read a flow whose rate CNPs have limited
 * @q: the queues
 * @key: the flow
 * @info: filled in
 *
 * Context: process, rf_ports_lock held.
 * Return: false if there is no such flow.
 */
bool rf_prioq_find_flow(struct rf_prioq *q, const struct rf_pacer_key *key,
			struct rf_dcqcn_flow *info)
{
	struct rf_pacer_flow *flow;

	if (!q->pacer)
		return false;
	spin_lock_bh(qdisc_lock(q->sch));
	flow = rf_pacer_find(q->pacer, key);
	if (flow)
		rf_pacer_read(q->pacer, flow, ktime_get_ns(), info);
	spin_unlock_bh(qdisc_lock(q->sch));
	return flow;
}

/**
 * rf_prioq_enqueue - queue a packet
 * @q: the queues
 * @skb: the packet
 *
 * A packet that can leave at once is counted as sent, and the next dequeue returns
 * it without a look at the queues.
 *
 * Context: the lock of the qdisc held.
 * Return: true if the packet is queued; false if the caller is to drop it.
 */
bool rf_prioq_enqueue(struct rf_prioq *q, struct sk_buff *skb)
{
	const struct rf_conf *conf = rf_prioq_conf(q);
	struct rf_class class __uninitialized;
	struct rf_account *account = NULL;
	enum rf_pacer_verdict verdict;
	u64 now = ktime_get_ns();

	rf_classify(skb, conf, &class);
	if (likely(!prioq_revoke(q, skb, class.band))) {
		if (unlikely(q->pacer) && !prioq_is_forwarded(skb)) {
			verdict = prioq_pace(q, conf, skb, &class, now);
			if (verdict != RF_PACER_PASS)
				return verdict == RF_PACER_HELD;
		}
		if (!prioq_admit(q, conf, skb, &class, &account))
			return false;
	}
	if (prioq_can_pass(q, conf, class.band, now)) {
		prioq_uncharge(account, skb);
		prioq_pass(q, skb, class.band);
		q->passing = skb;
	} else {
		prioq_append(q, skb, class.band, now, account);
	}
	q->sch->q.qlen++;
	qdisc_qstats_backlog_inc(q->sch, skb);
	return true;
}

/**
 * rf_prioq_pass - apply limits and the ECN profile to a packet that isn't queued
 * @q: the queues of a port whose packets go past the qdisc
 * @skb: the packet, with its length for the qdisc set
 *
 * The packet is counted, and can be marked or dropped, as if it had been queued in
 * an empty queue and sent at once.
 *
 * Context: softirq or BH off.
 * Return: false if the caller is to drop the packet.
 */
bool rf_prioq_pass(struct rf_prioq *q, struct sk_buff *skb)
{
	const struct rf_conf *conf = rf_prioq_conf(q);
	struct rf_class class __uninitialized;
	struct Qdisc *sch = q->sch;
	struct rf_account *account;
	bool pass = true;

	rf_classify(skb, conf, &class);
	spin_lock(qdisc_lock(sch));
	if (likely(!READ_ONCE(sch->enqueue))) {
		pass = prioq_admit(q, conf, skb, &class, &account);
		if (likely(pass)) {
			prioq_uncharge(account, skb);
			prioq_pass(q, skb, class.band);
			prioq_cb(skb)->queued = (unsigned long)q;
		} else {
			qdisc_qstats_drop(sch);
		}
	}
	spin_unlock(qdisc_lock(sch));
	return pass;
}

/**
 * rf_prioq_arrive - prepare a packet that arrives for the buffer
 * @q: the queues of the port
 * @skb: the packet, with its VLAN tag beside the data
 *
 * Context: softirq or BH off.
 */
void rf_prioq_arrive(const struct rf_prioq *q, struct sk_buff *skb)
{
	const struct rf_conf *conf = rf_prioq_conf(q);

	if (conf->buffers)
		rf_class_arrive(skb, conf);
}

static void prioq_add_control(struct rf_prioq *q, struct sk_buff *skb, u64 now)
{
	u32 mark = skb->mark;

	skb->mark = 0;
	rf_qdisc_frame_init(skb);
	prioq_append(q, skb, RF_CONTROL, now, NULL);
	prioq_cb(skb)->mark = mark;
	q->sch->q.qlen++;
	qdisc_qstats_backlog_inc(q->sch, skb);
}

/*
 * Control frames are added to a list without the lock of the qdisc. Move them to
 * the control band. While that is full they stay in the list, which drops the
 * oldest frame when it is full.
 */
static void prioq_collect_control(struct rf_prioq *q, u64 now)
{
	struct sk_buff *skb;

	while (rf_pfc_has_frames(q->pfc) && prioq_control_has_room(q)) {
		skb = rf_pfc_dequeue(q->pfc);
		if (skb)
			prioq_add_control(q, skb, now);
	}
}

/*
 * Choose the band that sends next, and the time at which its packet begins. The
 * highest strict priority is chosen at once if its packet can begin at the
 * earliest time at which any packet can, or if no other band is ready.
 */
static u32 prioq_next_band(struct rf_prioq *q, const struct rf_conf *conf,
			   u32 ready, u64 now, u64 *begin)
{
	const struct rf_link_state *link = &q->in_flight.link;
	u64 eligible, earliest = rf_link_begin(link, 0, now);
	struct rf_ready first __uninitialized;
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
	return rf_sched_next(&q->dwrr, conf, &first,
			     READ_ONCE(q->dev->mtu) + ETH_HLEN);
}

/*
 * Remove the packet that the link sends next, and set the time at which it begins.
 * Return: the packet, or NULL. In that case the time is that of the next dequeue.
 */
static struct sk_buff *prioq_next(struct rf_prioq *q,
				  const struct rf_conf *conf, u64 now, u64 *begin)
{
	u64 free_at, again, resume;
	struct sk_buff *skb;
	u32 band, paused, ready;

	q->link_busy = false;
	if (!(q->waiting | q->paused)) {
		*begin = U64_MAX;
		return NULL;
	}
	again = prioq_expire(q, now);
	paused = rf_pfc_paused(q->pfc, now, &resume);
	if (unlikely(paused != q->paused))
		prioq_pause(q, paused, now);
	again = min(again, resume);
	ready = q->waiting & ~q->paused;
	free_at = rf_in_flight_free_at(&q->in_flight);
	if (!ready || free_at > now) {
		q->link_busy = ready;
		*begin = ready ? min(again, free_at) : again;
		return NULL;
	}
	band = prioq_next_band(q, conf, ready, now, begin);
	skb = prioq_send(q, band);
	if (band == RF_CONTROL)
		rf_storm_sent(q->pfc, skb, prioq_cb(skb)->mark);
	return skb;
}

/**
 * rf_prioq_dequeue - remove a packet that leaves the port now
 * @q: the queues
 * @next: set to the time of the next dequeue; U64_MAX if no timer is needed
 *
 * Context: the lock of the qdisc held.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_prioq_dequeue(struct rf_prioq *q, u64 *next)
{
	struct rf_in_flight *in_flight = &q->in_flight;
	const struct rf_conf *conf = rf_prioq_conf(q);
	struct sk_buff *skb = q->passing;
	u32 changes, sent = 0;
	u64 now, begin;

	*next = U64_MAX;
	if (skb) {
		q->passing = NULL;
		goto out;
	}
	/* Pairs with rf_prioq_end_bypass(): read the state after @changes. */
	changes = smp_load_acquire(&q->changes);
	now = ktime_get_ns();
	prioq_collect_control(q, now);
	if (unlikely(q->pacer))
		prioq_collect_paced(q, conf, now);
	do {
		skb = prioq_next(q, conf, now, &begin);
	} while (skb && rf_in_flight_enqueue(in_flight, &conf->link, skb, begin,
					     now) && ++sent < DEQUEUE_PACKETS);
	/* The in-flight queue has the last packet. */
	if (sent == DEQUEUE_PACKETS) {
		skb = NULL;
		begin = now;
	}
	q->settled = false;
	if (skb)
		goto out;
	skb = rf_in_flight_dequeue(in_flight, now);
	begin = min(begin, rf_in_flight_next(in_flight));
	if (unlikely(q->pacer))
		begin = min(begin, rf_pacer_next(q->pacer));
	if (begin > now) {
		q->settled = true;
		q->settled_changes = changes;
		*next = begin;
	}
	if (!skb) {
		*next = begin;
		return NULL;
	}
out:
	q->sch->q.qlen--;
	qdisc_qstats_backlog_dec(q->sch, skb);
	return skb;
}

/**
 * rf_prioq_purge - free all queued packets and those on the link
 * @q: the queues
 *
 * Context: RTNL and the lock of the qdisc held.
 */
void rf_prioq_purge(struct rf_prioq *q)
{
	struct sk_buff *skb;
	u32 band;

	if (q->passing)
		rtnl_kfree_skbs(q->passing, q->passing);
	q->passing = NULL;
	q->settled = false;
	while (q->pacer && (skb = rf_pacer_dequeue(q->pacer, U64_MAX)))
		rtnl_kfree_skbs(skb, skb);
	prioq_free_all(q);
	for (band = 0; band < RF_BANDS; band++)
		q->band[band].ecn = (struct rf_ecn_state){
			.draw_port = q->in_flight.link.draw_port,
		};
	rf_in_flight_purge(&q->in_flight);
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
		stats = &q->band[band].stats;
		*stats = (struct rf_prio_stats){
			.backlog = stats->backlog,
			.backlog_bytes = stats->backlog_bytes,
			.peak_bytes = stats->backlog_bytes,
			.ecn_queue = stats->ecn_queue,
		};
	}
}

/**
 * rf_prioq_read_stats - read all counters of a priority
 * @q: the queues of a port, which the caller keeps from being freed
 * @prio: the priority
 * @stats: filled in
 *
 * Context: process. The caller doesn't hold the lock of the qdisc.
 */
void rf_prioq_read_stats(struct rf_prioq *q, u32 prio, struct rf_prio_stats *stats)
{
	spin_lock_bh(qdisc_lock(q->sch));
	*stats = q->band[prio].stats;
	spin_unlock_bh(qdisc_lock(q->sch));
	rf_pfc_read_prio(q->pfc, prio, stats);
}
