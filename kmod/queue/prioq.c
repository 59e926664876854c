// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a port: one per priority, and one for control frames. A packet is
 * queued until the link is free and its priority is not paused.
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
#include <net/net_debug.h>

#include "../pfc/buffer.h"
#include "../port.h"
#include "prioq.h"

/* Maximum of the control band, which has no configured limit */
#define CONTROL_PACKETS	10000

/**
 * struct prioq_cb - data of a queued packet, in its control buffer
 * @queued: when the packet was queued
 * @account: the account that the packet is charged to, or NULL
 * @mark: see rf_prioq_set_mark()
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

/**
 * rf_prioq_has_room - check the limits of a band
 * @q: the queues
 * @conf: configuration with the limits
 * @band: the band
 * @bytes: length of the packet that is to be queued
 *
 * Context: the lock of the qdisc held.
 * Return: true if the packet can be queued; otherwise the packet is counted as
 * dropped.
 */
bool rf_prioq_has_room(struct rf_prioq *q, const struct rf_conf *conf,
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

/**
 * rf_prioq_hoq_expired - check if a packet expires at once
 * @port: the port
 * @skb: the packet
 * @band: its band
 *
 * After a packet has expired, the next locally generated packet is queued only if
 * the band is empty and not paused.
 *
 * Context: the lock of the qdisc held.
 * Return: true if the packet is to be dropped; it is counted as expired.
 */
bool rf_prioq_hoq_expired(struct rf_port *port, const struct sk_buff *skb,
		       u32 band)
{
	struct rf_prioq *q = &port->queue;

	if (likely(!(q->hoq_expired & BIT(band))) || skb->skb_iif)
		return false;
	if (!q->fifo[band].head && !(q->paused & BIT(band) && rf_pause_any(port)))
		return false;
	q->stats[band].expired++;
	return true;
}

/**
 * rf_prioq_enqueue - add a packet to the end of a band
 * @q: the queues
 * @skb: the packet
 * @band: the band
 * @now: the time
 * @account: the account that the packet is charged to until it leaves the queue,
 *	or NULL
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_enqueue(struct rf_prioq *q, struct sk_buff *skb, u32 band, u64 now,
		      struct rf_account *account)
{
	struct rf_prio_stats *stats = &q->stats[band];

	*prioq_cb(skb) = (struct prioq_cb){ .queued = now, .account = account };
	if (skb->skb_iif)
		skb_orphan(skb);
	if (!q->waiting)
		q->expiry = now + q->max_hold;
	__qdisc_enqueue_tail(skb, &q->fifo[band]);
	WRITE_ONCE(q->waiting, q->waiting | BIT(band));
	WRITE_ONCE(stats->backlog, stats->backlog + 1);
	stats->backlog_bytes += qdisc_pkt_len(skb);
	if (stats->peak_bytes < stats->backlog_bytes)
		stats->peak_bytes = stats->backlog_bytes;
}

/**
 * rf_prioq_set_mark - set the mark of a queued packet
 * @skb: the packet
 * @mark: the value that rf_prioq_mark() returns for this packet; the default is 0
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_set_mark(struct sk_buff *skb, u32 mark)
{
	prioq_cb(skb)->mark = mark;
}

/**
 * rf_prioq_mark - get the mark of a packet
 * @skb: a packet that is queued, or that rf_prioq_dequeue() has just returned
 *
 * Context: the lock of the qdisc held.
 * Return: the mark, or 0.
 */
u32 rf_prioq_mark(const struct sk_buff *skb)
{
	return prioq_cb(skb)->mark;
}

static struct sk_buff *prioq_remove(struct rf_prioq *q, u32 band)
{
	struct sk_buff *skb = __qdisc_dequeue_head(&q->fifo[band]);
	struct rf_prio_stats *stats = &q->stats[band];

	DEBUG_NET_WARN_ON_ONCE(!stats->backlog);
	DEBUG_NET_WARN_ON_ONCE(stats->backlog_bytes < qdisc_pkt_len(skb));
	rf_buffer_release(prioq_cb(skb)->account, qdisc_pkt_len(skb));
	WRITE_ONCE(stats->backlog, stats->backlog - 1);
	stats->backlog_bytes -= qdisc_pkt_len(skb);
	if (q->fifo[band].head)
		return skb;
	WRITE_ONCE(q->waiting, q->waiting & ~BIT(band));
	if (band < RDMAFAULT_PRIOS)
		q->dwrr.deficit[band] = 0;
	return skb;
}

/**
 * rf_prioq_dequeue - remove the first packet of a band, to send it
 * @q: the queues
 * @band: the band, which isn't empty
 *
 * Context: the lock of the qdisc held.
 * Return: the packet.
 */
struct sk_buff *rf_prioq_dequeue(struct rf_prioq *q, u32 band)
{
	struct sk_buff *skb = prioq_remove(q, band);

	q->hoq_expired &= ~BIT(band);
	q->stats[band].packets++;
	q->stats[band].bytes += qdisc_pkt_len(skb);
	return skb;
}

/**
 * rf_prioq_pause - set which priorities are paused
 * @q: the queues
 * @paused: bit n for priority n
 * @now: the time; a priority that is no longer paused resumes at this time
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_pause(struct rf_prioq *q, u32 paused, u64 now)
{
	unsigned long resumed = q->paused & ~paused;
	u32 band;

	for_each_set_bit(band, &resumed, RDMAFAULT_PRIOS)
		q->resumed[band] = now;
	q->hoq_expired &= ~resumed;
	q->paused = paused;
}

/**
 * rf_prioq_eligible - get the eligible time of the first packet of a band
 * @q: the queues
 * @band: the band, which isn't empty
 *
 * Context: the lock of the qdisc held.
 * Return: the time from which on the packet could have been sent.
 */
u64 rf_prioq_eligible(const struct rf_prioq *q, u32 band)
{
	return max(prioq_cb(q->fifo[band].head)->queued, q->resumed[band]);
}

/**
 * rf_prioq_ready - find the first packets of the bands that aren't paused
 * @q: the queues
 * @first: the packets
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_ready(const struct rf_prioq *q, struct rf_ready *first)
{
	unsigned long ready = q->waiting & ~q->paused;
	u32 band;

	first->bands = ready;
	for_each_set_bit(band, &ready, RF_BANDS) {
		first->eligible[band] = rf_prioq_eligible(q, band);
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

/**
 * rf_prioq_expire - drop expired packets and those that the watchdog drops
 * @port: the port
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: a time before which no packet expires; U64_MAX if no packet is queued.
 */
u64 rf_prioq_expire(struct rf_port *port, u64 now)
{
	u64 max_hold = READ_ONCE(port->max_hold);
	u32 drops = rf_watchdog_drops(port);
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

/**
 * rf_prioq_purge - free all queued packets
 * @q: the queues
 *
 * Context: RTNL and the lock of the qdisc held.
 */
void rf_prioq_purge(struct rf_prioq *q)
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
